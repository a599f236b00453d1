"""Looks after the process of a model at work: does it hear, does it halt, does it live, what does it fill.

Rules of this module: nothing is ended here; a fault is a sentence.
"""

from __future__ import annotations

import time

from appliance.models.llama.page import Stop
from appliance.models.llama.plan import Plan
from appliance.models.llama.process import STOP_SECONDS, Process

WATCH = 0.5  # seconds between two looks at the process
HALTED_SECONDS = 1.0


class Watch:
    """Looks after a process during one exchange."""

    def __init__(self, process: Process, plan: Plan) -> None:
        self._process, self._plan = process, plan
        self._looked = self._worked = time.monotonic()
        self._beats, self._used = process.beats, process.processor_seconds()
        self._used_at_beat = self._used
        self._stopped: float | None = None
        self._halted: float | None = None

    def heard_too_late(self, why: Stop) -> bool:
        """Pass on the word to stop; tell whether it has not been heard in time."""
        now = time.monotonic()
        if why and self._stopped is None:
            self._stopped = now
            self._process.stop(why)
        return self._stopped is not None and now - self._stopped > STOP_SECONDS

    def fault(self) -> str:
        """Return what is wrong with the process, "" for nothing."""
        now = time.monotonic()
        if now - self._looked < min(WATCH, self._plan.silent_seconds):
            return ""
        self._looked = now
        self._halted = (self._halted or now) if self._process.halted() else None
        if self._halted and now - self._halted >= HALTED_SECONDS:
            return "its process was halted"
        if self._is_silent(now):
            return f"its process gave no sign of life for {self._plan.silent_seconds:g} s"
        filled = self._process.memory_mib()
        if self._plan.memory_mib and filled > self._plan.memory_mib:
            return f"its process filled {filled} MiB of memory, and may fill {self._plan.memory_mib}"
        return ""

    def _is_silent(self, now: float) -> bool:
        """Tell whether it computes in vain, or not at all.

        The clock alone would end one that only waits for a busy processor, which it yields to everybody:
        so the time without a beat is that which it was given, or that in which it took none.
        """
        beats, used = self._process.beats, self._process.processor_seconds()
        if beats != self._beats:
            self._beats, self._used_at_beat, self._worked = beats, used, now
        if used != self._used:
            self._used, self._worked = used, now
        longest = self._plan.silent_seconds
        return used - self._used_at_beat > longest * self._plan.threads or now - self._worked > longest
