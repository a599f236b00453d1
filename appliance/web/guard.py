"""What every request passes: who may ask, by which code, how often; what a browser may do with replies."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import Literal, cast

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as Reply

from appliance.core.errors import BadSettings
from appliance.core.settings import ServeSettings, Settings
from appliance.web import urls
from appliance.web.assets import ENDPOINTS
from appliance.web.connection_limits import origin_of
from appliance.web.lan import parsed

blueprint = Blueprint("access", __name__)

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
def turn(purpose: Literal["paper", "review"], places: int, seconds: float, busy: Exception) -> Iterator[None]:
    """Hold one of the places for costly work of a kind; raises `busy` where none comes free in time."""
    made = BoundedSemaphore(places)
    free = cast("BoundedSemaphore", current_app.extensions.setdefault(f"turn of {purpose}", made))
    if not free.acquire(timeout=seconds):
        raise busy
    try:
        yield
    finally:
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
ASKING = UPLOADS | {  # what costs the box a search, or as much: the file of a saved answer is as much work
    *("pages.ask", "pages.search", "api.ask", "api.search", "tools.search", "tools.graph"),
    *("jobs.start", "describing.start", "saved.save", "saved.api_save"),
    *("export.ask_file", "export.ask_print", "export.saved_file"),
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


COOKIE = "codes_access"
DAYS = 90
LEAST = 6  # characters of a code
TRIES, ALL_TRIES = 5, 60  # in a minute: of one address; of all, besides the first of each
OPEN = ENDPOINTS | {"access.form", "access.enter", "choices.choose", "health.healthz"}  # what needs no code
_SALT = b"appliance access code, 1"
_WRONG = "This is not the code. It stands on the label of the box, or whoever keeps the box knows it."


def read_code(limits: ServeSettings) -> str:
    """Return the code that the settings name the file of, "" for none; raises BadSettings."""
    path = limits.access_code_file
    if not path.parts:
        return ""
    try:
        code = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        message = f"serve.access_code_file: {path} cannot be read ({error}). Write the code into it."
        raise BadSettings(message) from None
    if len(code) < LEAST or any(sign.isspace() for sign in code):
        message = f"serve.access_code_file: {path} must hold one word of {LEAST} characters at least."
        raise BadSettings(message)
    return code


def install_code(app: Flask, limits: ServeSettings) -> None:
    """Ask for the code on every page of the app, where one is set; raises BadSettings."""
    app.register_blueprint(blueprint)
    code = read_code(limits)
    if not code:
        return
    app.extensions["access key"] = key_of(code)
    app.extensions["access tries"] = (Pace(TRIES), Pace(1), Pace(ALL_TRIES))

    @app.before_request
    def check() -> tuple[Response | str, int] | None:
        if request.endpoint in OPEN or may_read():
            return None
        if request.path.startswith("/api/"):
            words = "Enter the access code of this box on its page first."
            return jsonify({"error": {"status": 401, "message": words}}), 401
        return _page(request.full_path if request.method == "GET" else "", "", 401)


def key_of(code: str) -> bytes:
    """Return what stands for a code in a cookie: as slow to guess from it as a passphrase."""
    return hashlib.scrypt(code.encode(), salt=_SALT, n=2**14, r=8, p=1, dklen=32)


def may_read() -> bool:
    """Tell whether the request carries the cookie of the present code."""
    key = cast("bytes | None", current_app.extensions.get("access key"))
    sent = request.cookies.get(COOKIE, "").encode("utf-8", "surrogateescape")
    return key is None or hmac.compare_digest(sent, _token(key))


@blueprint.get("/enter")
def form() -> tuple[str, int] | Reply:
    """Show where the code is entered."""
    return redirect(urls.to("pages.home")) if may_read() else _page("", "", 200)


@blueprint.post("/enter")
def enter() -> tuple[str, int] | Reply:
    """Let a device in that sends the code."""
    key = cast("bytes | None", current_app.extensions.get("access key"))
    if key is None:
        return redirect(urls.to("pages.home"))
    back = request.form.get("back", "")
    each, first, later = cast("tuple[Pace, Pace, Pace]", current_app.extensions["access tries"])
    origin = origin_of(request.remote_addr or "")
    if not each.allows(origin) or not (first.allows(origin) or later.allows("")):
        abort(429)
    if not hmac.compare_digest(key_of(request.form.get("code", "").strip()[:200]), key):
        return _page(back, _WRONG, 403)
    response = redirect(urls.root() + way_back(back), 303)
    keep_cookie(response, COOKIE, _token(key).decode(), DAYS)
    return response


def way_back(text: str) -> str:
    """Return an address of ours relative to the first page, "./" for anything else."""
    path = text.removeprefix("/").removesuffix("?")
    plain = text.startswith("/") and path.isprintable() and not path.startswith(("/", "\\"))
    return path if plain and path and ":" not in path.partition("?")[0] and "\\" not in path else "./"


def _page(back: str, why: str, status: int) -> tuple[str, int]:
    return render_template("enter.html", back=back, why=why), status


def _token(key: bytes) -> bytes:
    return base64.urlsafe_b64encode(hmac.digest(key, b"cookie", "sha256"))


def keep_cookie(response: Reply, cookie: str, value: str, days: int) -> None:
    """Let a device keep a value for some days, out of reach of scripts."""
    response.set_cookie(
        *(cookie, value), max_age=days * 86_400, path=f"{request.script_root}/", httponly=True, samesite="Lax"
    )
