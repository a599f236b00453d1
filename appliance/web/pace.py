"""How often one address may send something: questions, notes, access codes.

Rules of this module: in memory alone, by the monotonic clock, for a minute at most; what is of one purpose
never uses up the room of another.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from threading import Lock
from typing import Literal, cast

from flask import current_app

from appliance.settings import Settings

MINUTE = 60.0
ADDRESSES = 4_096  # remembered at once


class Pace:
    """How often each address has sent something of late; in memory alone."""

    def __init__(self, most: int, seconds: float = MINUTE) -> None:
        self._most = most
        self._seconds = seconds
        self._sent: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def allows(self, address: str, now: float | None = None) -> bool:
        """Tell whether this address may send now, and count it if so."""
        now = time.monotonic() if now is None else now
        with self._lock:
            sent = self._sent.setdefault(address, deque())
            self._sent.move_to_end(address)
            while len(self._sent) > ADDRESSES:
                self._sent.popitem(last=False)
            while sent and sent[0] <= now - self._seconds:
                sent.popleft()
            if len(sent) >= self._most:
                return False
            sent.append(now)
            return True


def pace(purpose: Literal["feedback", "gaps", "saved"]) -> Pace:
    """Return the pace of this app for a purpose."""
    settings = cast("Settings", current_app.config["SETTINGS"])
    made = Pace(settings.site.notes_per_minute)
    return cast("Pace", current_app.extensions.setdefault(f"pace of {purpose}", made))
