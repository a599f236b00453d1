"""The waitress server with bounds on what one client may hold open."""

from __future__ import annotations

import ipaddress
import json
import math
import socket
import time
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher

from appliance.core.settings import ServeSettings
from appliance.web.lan import parsed
from appliance.web.language import LANGUAGES, later, said_in

_TEMPLATES = Path(__file__).parent / "templates"
TOO_LONG = (
    later("This question is too long to be sent"),
    later("Nothing was searched. Go back, shorten it to a few sentences, and ask one thing at a time."),
)
TOO_MUCH = (
    later("That is too much at once"),
    later("Nothing was read of it. The form says how large a document may be; send a smaller one."),
)
BROKEN = (later("This request cannot be read"), later("Check the address, or ask again from the first page."))
LARGE = {413: TOO_MUCH, 414: TOO_LONG, 431: TOO_LONG}


class Refusal(ErrorTask):  # type: ignore[misc]  # waitress publishes no types
    """Answers what cannot be taken with a page of ours, a program with a problem in JSON, and closes."""

    def execute(self) -> None:
        """Send the page with the status that waitress chose."""
        error = self.request.error
        asked = getattr(self.request, "path", "")  # none where the head itself could not be read
        told = LARGE.get(error.code, BROKEN)
        if asked.startswith("/api/"):
            kind = "application/json"
            body = json.dumps({"error": {"status": error.code, "message": ". ".join(told)}}).encode()
        else:
            kind, body = "text/html; charset=utf-8", page(error.code).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [
            ("Content-Type", kind),
            ("Content-Security-Policy", "default-src 'none'"),
            ("Cache-Control", "no-store"),
        ]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


@cache
def page(status: int) -> str:
    """Return the page of a status, in all languages."""
    heading, words = LARGE.get(status, BROKEN)
    said = [
        (name, said_in(name, heading), said_in(name, words), said_in(name, later("First page")))
        for name in LANGUAGES
    ]
    templates = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True)
    return templates.get_template("refused.html").render(status=status, said=said)


SENT_AHEAD = 2  # requests on one connection before the first is answered; browsers send one
LOOKS = 1.0  # seconds between two looks for what is overdue
STALLED = 2 * LOOKS  # from then on it was the server that did not look, and nobody else is late


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress publishes no types
    """A connection that knows since when it owes a request, or is owed the taking of a reply."""

    error_task_class = Refusal  # what cannot be taken is answered with a page of ours

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.asking_since: float | None = time.monotonic()  # the first request is awaited from the start
        self.owed_since: float | None = None
        self.served = False
        super().__init__(*args, **kwargs)
        self.origin = origin_of(self.addr[0])

    @property
    def last_activity(self) -> float:
        """Return when something moved last, by the monotonic clock whatever waitress says."""
        return self._last

    @last_activity.setter
    def last_activity(self, _wall: float) -> None:
        self._last = time.monotonic()

    @property
    def idle(self) -> bool:
        """Tell whether it was served, owes nothing and is owed nothing: it may be closed at any time."""
        return self.served and not (self.requests or self.request or self.total_outbufs_len)

    def received(self, data: bytes) -> bool:
        """Take bytes; the clock of a request starts with its first one."""
        taken = bool(super().received(data))
        if self.request is None:
            self.asking_since = None
            self.served = True
        elif self.asking_since is None:
            self.asking_since = time.monotonic()
        if len(self.requests) > SENT_AHEAD:
            self.will_close = True  # replies to them would be heaped up here
        return taken

    def readable(self) -> bool:
        """Tell whether bytes are awaited; of a closed one none, for its number may be another's by then."""
        return self.connected and bool(super().readable())

    def writable(self) -> bool:
        """Tell whether something is to be sent."""
        return self.connected and bool(super().writable())

    def wait_longer(self, seconds: float) -> None:
        """Forgive a time in which the server itself was late."""
        self._last += seconds
        self.asking_since = None if self.asking_since is None else self.asking_since + seconds
        self.owed_since = None if self.owed_since is None else self.owed_since + seconds

    def overdue(self, now: float, limits: ServeSettings) -> bool:
        """Tell whether it has held its place for too long."""
        self.owed_since = (self.owed_since or now) if self.total_outbufs_len else None
        stalled = max(self.last_activity, self.owed_since or 0) < now - limits.idle_seconds
        if self.owed_since is not None:  # how long it was thought about is held against nobody
            return stalled or now - self.owed_since > limits.reply_seconds
        if self.asking_since is not None and not self.requests:
            whole = self.request is not None and self.request.headers_finished
            return now - self.asking_since > (limits.body_seconds if whole else limits.header_seconds)
        return stalled and not self.requests


class Server(TcpWSGIServer):  # type: ignore[misc]  # waitress publishes no types
    """The server with those bounds; `beat` is when its loop went round last (monotonic).

    `app` is what it serves, for waitress wraps it.
    """

    channel_class = Channel
    next_channel_cleanup = math.inf  # its own, by the wall clock, is never due

    def __init__(self, *args: Any, limits: ServeSettings, **kwargs: Any) -> None:
        self.app: Any = args[0]
        self.limits = limits
        self.beat = time.monotonic()
        self.most_waiting = 0
        super().__init__(*args, **kwargs)

    def readable(self) -> bool:
        """Look for what is overdue, then as waitress does."""
        now = time.monotonic()
        gap, self.beat = (now - self.beat, now) if now - self.beat >= LOOKS else (0.0, self.beat)
        if gap > STALLED:
            for channel in list(self.active_channels.values()):
                channel.wait_longer(gap)
        elif gap:
            self.maintenance(now)
        return bool(super().readable())

    def accept(self) -> tuple[socket.socket, Any] | None:
        """Return a new connection; None where its address has as many as it may have."""
        pair: tuple[socket.socket, Any] | None = super().accept()
        if pair is None:
            return None
        origin = origin_of(pair[1][0])
        held = [item for item in self.active_channels.values() if item.origin == origin]
        if len(held) < self.limits.connections_per_address:
            return pair
        idle = min((item for item in held if item.idle), key=lambda item: item.last_activity, default=None)
        if idle is not None:  # it makes room
            idle.handle_close()
            return pair
        pair[0].close()
        return None

    def add_task(self, task: Any) -> None:
        """Hand a request to the threads, and note how many wait for one."""
        super().add_task(task)
        self.most_waiting = max(self.most_waiting, len(self.task_dispatcher.queue))

    def take_most_waiting(self) -> int:
        """Return how many requests waited for a thread at once, at most, since this was asked last."""
        most, self.most_waiting = self.most_waiting, 0
        return most

    def maintenance(self, now: float) -> None:
        """Close what is overdue."""
        for channel in list(self.active_channels.values()):
            if channel.overdue(now, self.limits):
                channel.handle_close()


def guarded(app: Any, listener: socket.socket, limits: ServeSettings, options: dict[str, Any]) -> Server:
    """Return a server of the app on a socket that listens, with its threads started."""
    adjustments = Adjustments(sockets=[listener], **options)
    threads = ThreadedTaskDispatcher()
    threads.set_thread_count(adjustments.threads)
    about = (listener.family, listener.type, listener.proto, listener.getsockname())
    made: tuple[Any, ...] = (app, {}, True, listener, threads, adjustments)
    return Server(*made, sockinfo=about, bind_socket=False, limits=limits)


def origin_of(address: str) -> str:
    """Return what a client is counted by: its IPv4 address, or the /64 network that it has in IPv6."""
    match parsed(address.partition("%")[0]):
        case None:
            return address
        case ipaddress.IPv6Address() as found:
            return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
        case found:
            return str(found)
