"""What every request and response passes: who may ask, how often, and what a browser may do with it."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Literal, cast

from flask import Flask, Response, abort, current_app, request

from appliance.core.settings import Settings
from appliance.web.connections import origin_of

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
JOBS = frozenset({"jobs.start", "jobs.cancel"})  # they begin and end answers
FIGURES = frozenset({"describing.start", "describing.cancel"})
SAVED = frozenset({"saved.save", "saved.note", "saved.remove", "saved.api_save", "saved.api_remove"})
FORMS = (
    frozenset(
        {
            "access.enter",
            "choices.choose",
            "gaps.feedback",
            "review.check",
            "review.check_pdf",
            "tools.review_references",
        }
    )
    | JOBS
    | FIGURES
    | SAVED
)  # the endpoints that take a form
UPLOADS = frozenset(
    {"review.check", "review.check_pdf", "tools.review_references"}
)  # those of them that take a document
ASKING = frozenset(  # what costs the box a search, or as much
    {"pages.ask", "pages.search", "api.ask", "api.search", "jobs.start", "review.check"}
    | {"describing.start"}
    | {"saved.save", "saved.api_save", "export.ask_pdf", "export.ask_md", "export.ask_print"}
    | {"review.check_pdf", "tools.search", "tools.graph", "tools.review_references"}
    | {"export.saved_pdf"}  # no search, and as much work as the PDF of an answer
)
OVERLOADED = 5.0  # seconds after which what could not be answered may be asked again
BURST = 3.0  # seconds' worth of questions that may come at once
ROOM = 64 * 1024  # bytes around an uploaded document, and text pasted beside it


def largest_body(settings: Settings) -> int:
    """Return the bytes of the largest body that any endpoint takes."""
    return max(settings.serve.body_kib * 1024, settings.citing.upload_kib * 1024 + ROOM)


def install(app: Flask, settings: Settings) -> None:
    """Put the checks before and the headers after every request of the app."""
    names = frozenset(name.lower().rstrip(".") for name in ("localhost", *settings.serve.names))
    small = app.config["MAX_CONTENT_LENGTH"] = settings.serve.body_kib * 1024

    @app.before_request
    def check() -> None:
        check_sender(names)
        most = largest_body(settings) if request.endpoint in UPLOADS else small
        request.max_content_length = most
        request.max_form_memory_size = most
        if (request.content_length or 0) > most:
            abort(413)
        request.environ.pop("HTTP_RANGE", None)  # waitress would write parts through a worker thread
        if request.endpoint in ASKING and not may_ask(settings.serve.asked_per_second):
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


def check_sender(names: frozenset[str]) -> None:
    """Refuse what is sent to another name, what would change something, and forms of other pages."""
    if not allowed_host(request.environ.get("HTTP_HOST", ""), names):
        abort(421)
    if request.method not in METHODS:
        if request.method != "POST" or request.endpoint not in FORMS:
            abort(405)
        if not same_origin(request.headers.get("Origin", ""), request.host):
            abort(403)


def may_ask(a_second: float) -> bool:
    """Tell whether whoever asks may ask now; the box itself always may."""
    origin = origin_of(request.remote_addr or "")
    if _is_address(origin) and ipaddress.ip_address(origin).is_loopback:
        return True
    made = Pace(max(1, round(a_second * BURST)), BURST)
    return bool(current_app.extensions.setdefault("pace of asking", made).allows(origin))


def same_origin(origin: str, host: str) -> bool:
    """Tell whether an Origin header names the host that was asked; "null" and nothing do not."""
    scheme, _, named = origin.partition("://")
    return scheme in ("http", "https") and named.lower() == host.lower()


def allowed_host(host: str, names: frozenset[str]) -> bool:
    """Tell whether a Host header names us: an IP literal, or one of our names; a port may follow."""
    name, bracket, port = host.lower().partition("]")
    if bracket:
        return name.startswith("[") and _port(port) and _is_address(name[1:])
    name, colon, port = host.lower().partition(":")
    return _port(colon + port) and (name.rstrip(".") in names or _is_address(name))


def _port(text: str) -> bool:
    return not text or (text[0] == ":" and text[1:].isascii() and text[1:].isdigit())


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
