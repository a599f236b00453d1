"""What every request and response passes: who may ask, how often, and what a browser may do with it."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Literal, cast

from flask import Flask, Response, abort, current_app, request

from appliance.core.settings import ServeSettings, Settings
from appliance.web.connections import origin_of
from appliance.web.lan import parsed

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


def settings() -> Settings:
    """Return the settings of this app."""
    return cast("Settings", current_app.config["SETTINGS"])


def in_pace(purpose: Literal["feedback", "gaps", "saved"]) -> bool:
    """Tell whether whoever asks may send now what is kept on the box, and count it if so."""
    made = Pace(settings().site.notes_per_minute)
    kept = cast("Pace", current_app.extensions.setdefault(f"pace of {purpose}", made))
    return kept.allows(request.remote_addr or "")


def names_of(limits: ServeSettings) -> frozenset[str]:
    """Return the names that the box answers to."""
    return frozenset(name.lower().rstrip(".") for name in ("localhost", *limits.names))


def asking_pace(limits: ServeSettings) -> Pace:
    """Return how often one address may ask."""
    return Pace(max(1, round(limits.asked_per_second * BURST)), BURST)


@contextmanager
def turn(purpose: Literal["paper", "review"], places: int, seconds: float) -> Iterator[bool]:
    """Hold one of the places for costly work of a kind; gives False where none comes free in time."""
    made = BoundedSemaphore(places)
    free = cast("BoundedSemaphore", current_app.extensions.setdefault(f"turn of {purpose}", made))
    held = free.acquire(timeout=seconds)
    try:
        yield held
    finally:
        if held:
            free.release()


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without it a browser hides the Origin of our own forms
    "Cross-Origin-Resource-Policy": "same-origin",
}
METHODS = frozenset({"GET", "HEAD"})
UPLOADS = frozenset({"review.check", "review.check_pdf", "tools.review_references"})  # they take a document
JOBS = frozenset({"jobs.start", "jobs.cancel", "describing.start", "describing.cancel"})
SAVED = frozenset({"saved.save", "saved.note", "saved.remove", "saved.api_save", "saved.api_remove"})
FORMS = UPLOADS | JOBS | SAVED | {"access.enter", "choices.choose", "gaps.feedback"}  # they take a form
ASKING = UPLOADS | {  # what costs the box a search, or as much: the PDF of a saved answer is as much work
    *("pages.ask", "pages.search", "api.ask", "api.search", "tools.search", "tools.graph"),
    *("jobs.start", "describing.start", "saved.save", "saved.api_save"),
    *("export.ask_pdf", "export.ask_md", "export.ask_print", "export.saved_pdf"),
}
OVERLOADED = 5.0  # seconds after which what could not be answered may be asked again
BURST = 3.0  # seconds' worth of questions that may come at once
ROOM = 64 * 1024  # bytes around an uploaded document, and text pasted beside it


def largest_body(settings: Settings) -> int:
    """Return the bytes of the largest body that any endpoint takes."""
    return max(settings.serve.body_kib * 1024, settings.citing.upload_kib * 1024 + ROOM)


def install(app: Flask, settings: Settings) -> None:
    """Put the checks before and the headers after every request of the app."""
    names = names_of(settings.serve)
    small = app.config["MAX_CONTENT_LENGTH"] = settings.serve.body_kib * 1024
    asking = asking_pace(settings.serve)

    @app.before_request
    def check() -> None:
        _check_sender(names)
        most = largest_body(settings) if request.endpoint in UPLOADS else small
        request.max_content_length = most
        request.max_form_memory_size = most
        if (request.content_length or 0) > most:
            abort(413)
        request.environ.pop("HTTP_RANGE", None)  # waitress would write parts through a worker thread
        if request.endpoint in ASKING:
            origin = origin_of(request.remote_addr or "")
            address = parsed(origin)
            own = address is not None and address.is_loopback  # the box itself always may
            if not (own or asking.allows(origin)):
                abort(429)

    @app.after_request
    def finish(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if response.status_code == 429:
            response.headers.setdefault("Retry-After", f"{BURST:.0f}")
        if response.status_code == 503:
            response.headers.setdefault("Retry-After", f"{OVERLOADED:.0f}")
        response.headers.setdefault("Cache-Control", "no-cache")
        return response


def _check_sender(names: frozenset[str]) -> None:
    """Refuse what is sent to another name, what would change something, and forms of other pages."""
    if not allowed_host(request.environ.get("HTTP_HOST", ""), names):
        abort(421)
    if request.method not in METHODS:
        if request.method != "POST" or request.endpoint not in FORMS:
            abort(405)
        if not same_origin(request.headers.get("Origin", ""), request.host):
            abort(403)


def same_origin(origin: str, host: str) -> bool:
    """Tell whether an Origin header names the host that was asked; "null" and nothing do not."""
    scheme, _, named = origin.partition("://")
    return scheme in ("http", "https") and named.lower() == host.lower()


def allowed_host(host: str, names: frozenset[str]) -> bool:
    """Tell whether a Host header names us: an IP literal, or one of our names; a port may follow."""
    name, bracket, port = host.lower().partition("]")
    if bracket:
        return name.startswith("[") and _port(port) and parsed(name[1:]) is not None
    name, colon, port = host.lower().partition(":")
    return _port(colon + port) and (name.rstrip(".") in names or parsed(name) is not None)


def _port(text: str) -> bool:
    return not text or (text[0] == ":" and text[1:].isascii() and text[1:].isdigit())
