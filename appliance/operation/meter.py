"""Figures of the service: how many questions, how they ended, how long each stage took; counted and kept."""

from __future__ import annotations

import logging
import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from appliance.core.errors import SiteUnusable
from appliance.core.evidence import Answer, Evidence, Failed, Grounded
from appliance.core.settings import Settings
from appliance.site.figures import BUCKETS, Figure, keep_figures
from appliance.site.gaps_and_feedback import Site

_LOG = logging.getLogger(__name__)

HOUR = 3600.0
WHOLE = "whole answer"  # a stage of its own: from the request to its page
OUTCOMES = ("answered", "not found", "failed")


@dataclass
class _Sum:
    count: int
    most: float
    buckets: list[int]


class Meter:
    """Counts; `take` returns what has changed since it was last taken."""

    def __init__(self) -> None:
        self.boot = secrets.token_hex(8)
        self._began = time.monotonic()
        self._lock = threading.Lock()
        self._sums: dict[tuple[int, str], _Sum] = {}
        self._changed: set[tuple[int, str]] = set()

    @property
    def minutes(self) -> int:
        """Return how many whole minutes it has been counting."""
        return int((time.monotonic() - self._began) // 60)

    def add(self, name: str, value: float = 0.0) -> None:
        """Count an event, or a time in milliseconds, or a size of which the largest is told."""
        key = (int((time.monotonic() - self._began) // HOUR), name)
        with self._lock:
            found = self._sums.setdefault(key, _Sum(0, 0.0, [0] * BUCKETS))
            found.count += 1
            found.most = max(found.most, value)
            found.buckets[bucket_of(value)] += 1
            self._changed.add(key)

    def answered(self, answer: Answer, milliseconds: float) -> None:
        """Count a question with its outcome, its stages and its time."""
        outcome = "failed" if isinstance(answer, Failed) else "not found"
        self.add("answered" if isinstance(answer, Grounded) else outcome)
        if not isinstance(answer, Failed):
            self.stages(answer.evidence)
        self.add(f"time {WHOLE}", milliseconds)

    def stages(self, evidence: Evidence) -> None:
        """Count the times of a search."""
        for stage, taken in evidence.timings_ms.items():
            self.add(f"time {stage}", taken)

    def take(self) -> tuple[Figure, ...]:
        """Return the figures that have changed, and forget hours that are over."""
        with self._lock:
            changed, self._changed = self._changed, set()
            rows = tuple(self._figure(key) for key in sorted(changed))
            present = int((time.monotonic() - self._began) // HOUR)
            self._sums = {key: found for key, found in self._sums.items() if key[0] == present}
        return rows

    def now(self) -> tuple[Figure, ...]:
        """Return the figures that are in memory, and leave them there."""
        with self._lock:
            return tuple(self._figure(key) for key in sorted(self._sums))

    def _figure(self, key: tuple[int, str]) -> Figure:
        found = self._sums[key]
        return Figure(self.boot, *key, time.time(), found.count, found.most, tuple(found.buckets))

    def give_back(self, rows: tuple[Figure, ...]) -> None:
        """Hold for the next time what could not be written; only of the present hour."""
        with self._lock:
            self._changed |= {(row.hour, row.name) for row in rows} & self._sums.keys()


def bucket_of(milliseconds: float) -> int:
    """Return which bucket a time falls into: number n holds times up to 2^(n/2) ms."""
    return min(BUCKETS - 1, math.ceil(2 * math.log2(milliseconds))) if milliseconds > 1 else 0


def quantile(buckets: tuple[int, ...], share: float) -> float:
    """Return the time within which this share ended: the upper bound of its bucket, in ms; 0 for none."""
    wanted, seen = share * sum(buckets), 0
    for number, count in enumerate(buckets):
        seen += count
        if count and seen >= wanted:
            return float(2 ** (number / 2))
    return 0.0


class Keeper:
    """Writes what a meter counted now and then, and once more at the end.

    `waiting` tells the longest queue since it was asked last.
    """

    def __init__(
        self, meter: Meter, site: Site, settings: Settings, waiting: Callable[[], int] = lambda: 0
    ) -> None:
        self._meter, self._site, self._settings, self._waiting = meter, site, settings, waiting
        self._ended = threading.Event()
        self._trouble = ""

    def start(self) -> None:
        """Write in a thread until `end`."""
        threading.Thread(target=self._run, name="figures", daemon=True).start()

    def end(self) -> None:
        """Write a last time."""
        self._ended.set()
        self.write()

    def write(self) -> bool:
        """Write what was counted; tell whether it is kept."""
        longest = self._waiting()
        if longest:
            self._meter.add("queue", longest)
        rows = self._meter.take()
        if not rows:
            return True
        try:
            keep_figures(self._site.path, self._settings.site, rows, self._settings.log.figures_hours)
        except SiteUnusable as error:
            self._meter.give_back(rows)
            if str(error) != self._trouble:  # once, not every few minutes
                _LOG.warning("%s", error)
            self._trouble = str(error)
            return False
        self._trouble = ""
        return True

    def _run(self) -> None:
        while not self._ended.wait(self._settings.log.figures_seconds):
            self.write()
