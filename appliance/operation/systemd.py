"""The service manager: sockets that it hands over, and what it is told (sd_listen_fds(3), sd_notify(3))."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field

_LOG = logging.getLogger(__name__)
FIRST_HANDED_OVER = 3  # SD_LISTEN_FDS_START
MOVES = 2.0  # seconds between two looks for another version
FEEDS = 3  # times that the watchdog is fed within its limit


def listener(environment: MutableMapping[str, str] = os.environ) -> socket.socket | None:
    """Return the socket that was handed over to this process, None where none was."""
    pid, count = environment.pop("LISTEN_PID", ""), environment.pop("LISTEN_FDS", "")
    environment.pop("LISTEN_FDNAMES", None)
    if pid != str(os.getpid()) or not count.isdigit() or not int(count):
        return None
    found = socket.socket(fileno=FIRST_HANDED_OVER)
    found.set_inheritable(False)
    return found


def notify(state: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell the service manager a state ("READY=1"); tell whether there is one that could be told."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        try:
            channel.sendto(state.encode(), "\0" + address[1:] if address[0] == "@" else address)
        except OSError as error:
            _LOG.warning("The service manager cannot be told %s (%s).", state, error)
            return False
    return True


def is_managed(environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a service manager started this process, and so starts it again when it ends."""
    return bool(environment.get("NOTIFY_SOCKET"))


def watchdog_seconds(environment: Mapping[str, str] = os.environ) -> float:
    """Return the limit of the watchdog, 0 where there is none for this process."""
    text = environment.get("WATCHDOG_USEC", "")
    mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    return int(text) / 1e6 if text.isdigit() and mine else 0.0


@dataclass
class Watch:
    """Looks at the server again and again: tells that it is ready, feeds the watchdog, ends it for a new one.

    `hand` puts a piece of work to the threads of the server; `search` is that work and raises where it
    fails; `alive` tells whether the loop of the server goes round; `moved` that another library is to be
    served; `stop` ends the server.
    """

    hand: Callable[[Callable[[], None]], None]
    search: Callable[[], object]
    alive: Callable[[], bool]
    moved: Callable[[], bool]
    stop: Callable[[], None]
    every: float
    tell: Callable[[str], object] = notify
    ready: bool = False
    left: bool = False  # for another version
    _ended: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Look in a thread until `end`."""
        threading.Thread(target=self._run, name="watch", daemon=True).start()

    def end(self) -> None:
        """Look no more."""
        self._ended.set()

    def look(self) -> bool:
        """Search once through the server; tell whether that went well and was told."""
        if not self._searched() or not self.alive():
            return False
        self.tell("WATCHDOG=1" if self.ready else "READY=1\nWATCHDOG=1")
        self.ready = True
        return True

    def _run(self) -> None:
        due = time.monotonic()
        while not self._ended.is_set():
            if self.moved():
                _LOG.info("Another version is to be served; this one ends.")
                self.left = True
                self.tell("STOPPING=1")
                self.stop()
                return
            if time.monotonic() >= due:
                self.look()
                due = time.monotonic() + self.every
            self._ended.wait(min(self.every, MOVES))

    def _searched(self) -> bool:
        done, well = threading.Event(), []

        def work() -> None:
            try:
                self.search()
                well.append(True)
            except Exception as error:  # noqa: BLE001 - whatever it is, the watchdog is not fed
                _LOG.exception("The search that feeds the watchdog failed", exc_info=error)
            finally:
                done.set()

        self.hand(work)
        began = time.monotonic()
        while not done.wait(0.2) and not self._ended.is_set():
            if time.monotonic() - began > self.every * FEEDS:
                _LOG.error("The search that feeds the watchdog has not ended.")
                return False
        return bool(well)
