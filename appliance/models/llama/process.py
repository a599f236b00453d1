"""Starting, watching and ending the model's process."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

import psutil

from appliance.models.llama.plan import Plan
from appliance.models.llama.wire import Ear, Page, Said, Stop, Told, send

STOP_SECONDS = 2.0  # between the word to stop and SIGTERM
TERM_SECONDS = 1.0  # between SIGTERM and SIGKILL
# Threads of OpenMP that wait for one another spin by default for as long as they wait, and take the core
# from the one that they wait for; asleep at once, they lose a third of the speed on free cores. So many
# turns, some tens of microseconds, wrote 24 tokens/s with 1.5B weights on two free cores (17 asleep at
# once), and as many as those on busy ones.
WAITING = {"GOMP_SPINCOUNT": "20000"}
_SHOWN = 300  # characters of the last words of a process


class Process:
    """A process with its pipe and its page; used by one thread at a time, `stop` from any."""

    def __init__(self, address_mib: int) -> None:
        ours, theirs = socket.socketpair()
        self._page, self._pipe, self._ear = Page(), ours, Ear(ours)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process
        with theirs:
            numbers = (theirs.fileno(), self._page.descriptor, os.getpid(), address_mib)
            self._popen = subprocess.Popen(  # noqa: S603 - our own module, by this interpreter
                [sys.executable, "-m", "appliance.models.llama.child", *map(str, numbers)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(theirs.fileno(), self._page.descriptor),
                start_new_session=True,
                env=os.environ | WAITING | {"PYTHONUNBUFFERED": "1"},
            )
        self._said_before = 0
        self._watched = psutil.Process(self._popen.pid)

    @property
    def number(self) -> int:
        return self._popen.pid

    @property
    def alive(self) -> bool:
        return self._popen.poll() is None

    @property
    def beats(self) -> int:
        return self._page.beats

    @property
    def stopped(self) -> Stop:
        return self._page.stop

    def stop(self, why: Stop) -> None:
        """Ask the generation under way to end, or take that back with ""."""
        self._page.stop = why

    def say(self, message: Said) -> None:
        """Send a message; raises OSError where the process has gone."""
        self._said_before = os.fstat(self._errors.fileno()).st_size
        send(self._pipe, message)

    def hear(self, seconds: float) -> Told | None:
        """Return the next message, None where none came in time; raises EOFError, Garbled."""
        return self._ear.told(seconds)

    def memory_mib(self) -> int:
        """Return the memory that it fills, 0 where it has gone."""
        try:
            return int(self._watched.memory_info().rss) >> 20
        except psutil.Error:
            return 0

    def processor_seconds(self) -> float:
        """Return the processor time that it has taken, 0 where it has gone."""
        try:
            times = self._watched.cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def halted(self) -> bool:
        """Tell whether somebody has stopped it (SIGSTOP), so that it cannot hear the word to stop."""
        try:
            return self._watched.status() in {psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP}
        except psutil.Error:
            return False

    def end(self, *, at_once: bool = False) -> None:
        """End it by the rungs that are left and free what it held."""
        self._pipe.close()  # an idle one hears that and goes by itself
        with contextlib.suppress(subprocess.TimeoutExpired):
            if not at_once:
                self._popen.terminate()
                self._popen.wait(TERM_SECONDS)
        if self._popen.poll() is None:
            self._popen.kill()
        self._popen.wait()
        self._page.close()
        self._errors.close()

    def epitaph(self) -> str:
        """Return how it went, in words, after it has gone."""
        deadline = time.monotonic() + TERM_SECONDS
        while self.alive and time.monotonic() < deadline:
            time.sleep(0.01)
        status = self._popen.poll()
        if status is None:
            return "its process closed the pipe"
        # The last line on its standard error since the last message to it. The file's position is the
        # process's too, so it is read without moving that.
        errors = self._errors.fileno()
        size = os.fstat(errors).st_size
        start = max(self._said_before, size - _SHOWN * 4)
        lines = os.pread(errors, size - start, start).decode("utf-8", errors="replace").strip().splitlines()
        said = f" ({lines[-1][-_SHOWN:]})" if lines else ""
        if status >= 0:
            return f"its process ended with status {status}{said}"
        name = signal.Signals(-status).name
        hint = ", most likely because memory ran out" if -status == signal.SIGKILL else ""
        return f"its process was ended by {name}{hint}{said}"


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
        # The clock alone would end one that only waits for a busy processor, which it yields to everybody:
        # so the time without a beat is that which it was given, or that in which it took none.
        beats, used = self._process.beats, self._process.processor_seconds()
        if beats != self._beats:
            self._beats, self._used_at_beat, self._worked = beats, used, now
        if used != self._used:
            self._used, self._worked = used, now
        longest = self._plan.silent_seconds
        if used - self._used_at_beat > longest * self._plan.threads or now - self._worked > longest:
            return f"its process gave no sign of life for {self._plan.silent_seconds:g} s"
        filled = self._process.memory_mib()
        if self._plan.memory_mib and filled > self._plan.memory_mib:
            return f"its process filled {filled} MiB of memory, and may fill {self._plan.memory_mib}"
        return ""
