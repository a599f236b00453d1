"""Whose turn it is: first come, first served, and whoever waits may leave.

Rules of this module: standard library only; the bounded queue that people see is made elsewhere. This
one only keeps two threads of the program from using the model's process at once.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_GLANCE = 0.05  # seconds between two looks whether the one who waits has left


class Turns:
    """A row of those who wait."""

    def __init__(self) -> None:
        self._row: deque[object] = deque()
        self._moved = threading.Condition()

    def __len__(self) -> int:
        return len(self._row)

    @contextmanager
    def turn(self, leaves: Callable[[], bool] = lambda: False) -> Iterator[bool]:
        """Yield True when the turn has come, False where `leaves()` became true before."""
        ticket = object()
        with self._moved:
            self._row.append(ticket)
        try:
            yield self._wait(ticket, leaves)
        finally:
            with self._moved:
                self._row.remove(ticket)
                self._moved.notify_all()

    def _wait(self, ticket: object, leaves: Callable[[], bool]) -> bool:
        with self._moved:
            while self._row[0] is not ticket:
                if leaves():
                    return False
                self._moved.wait(_GLANCE)
        return not leaves()
