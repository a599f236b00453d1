"""The one budget of cores: what the rest of the machine leaves free."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

STAT = Path("/proc/stat")
SECONDS = 0.5  # between two looks
_SPARE = 0.25  # of a core that others may use while it still counts as free


@dataclass(frozen=True, slots=True)
class Look:
    """Seconds of processor time used so far, by all and by this process."""

    at: float
    everybody: float
    own: float


def look() -> Look | None:
    """Return what was used so far; None where the system does not tell."""
    try:
        line = STAT.read_text(encoding="ascii").split("\n", maxsplit=1)[0].split()[1:]
        user, nice, system, _idle, _wait, interrupt, soft, stolen = map(int, line[:8])
    except (OSError, ValueError):
        return None
    ticks = user + nice + system + interrupt + soft + stolen
    return Look(time.monotonic(), ticks / os.sysconf("SC_CLK_TCK"), time.process_time())


def free_cores(before: Look, after: Look, cores: int) -> int:
    """Return how many cores others left free between two looks, at least one."""
    seconds = max(after.at - before.at, 1e-3)
    others = max(0.0, (after.everybody - before.everybody) - (after.own - before.own)) / seconds
    return max(1, int(cores - others + _SPARE))


class Budget:
    """How many threads to use now: at most `most`, never more than are free."""

    def __init__(self, most: int, cores: int, eyes: Callable[[], Look | None] = look) -> None:
        self._most, self._cores, self._look = most, cores, eyes
        self._last = eyes()
        self.threads = 1 if self._last is None else most

    def begin(self) -> int:
        """Return the number of threads to begin with, all: what was used before, a search, is over."""
        self._last = self._last and self._look()
        self.threads = 1 if self._last is None else self._most
        return self.threads

    def renewed(self) -> int | None:
        """Return another number of threads where it has changed since the last time."""
        seen, last = self._look(), self._last
        if seen is None or last is None or seen.at - last.at < SECONDS:
            return None
        self._last = seen
        threads = min(self._most, free_cores(last, seen, self._cores))
        if threads == self.threads:
            return None
        self.threads = threads
        return threads
