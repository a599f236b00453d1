"""What every request and response passes: who may ask, how much, and what a browser may do with it.

Rules of this module: GET changes nothing of the library; the one thing that it may write is a
question without an answer, into the notes of the site (`pages.keep_gap`: bounded for each address,
never for a page of another origin). Other methods are refused but for the forms that `FORMS` names;
these are taken from a page of ours alone (the Origin that every browser sends names this very host,
CSRF), up to a size of their own. Nothing is loaded from another origin; the Host header is an IP
address or a name of ours (a foreign name that is made to point at the box, DNS rebinding, is
refused).
"""

from __future__ import annotations

import ipaddress

from flask import Flask, Response, abort, request

from appliance.settings import Settings

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
JOBS = frozenset({"jobs.start", "jobs.cancel", "jobs.write", "jobs.stop"})  # they begin and end answers
FORMS = frozenset({"gaps.feedback", "review.check"}) | JOBS  # the endpoints that take a form
UPLOADS = frozenset({"review.check"})  # those of them that take a document
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
        if not allowed_host(request.environ.get("HTTP_HOST", ""), names):
            abort(421)
        if request.method not in METHODS:
            if request.method != "POST" or request.endpoint not in FORMS:
                abort(405)
            if not same_origin(request.headers.get("Origin", ""), request.host):
                abort(403)
        most = largest_body(settings) if request.endpoint in UPLOADS else small
        request.max_content_length = most
        request.max_form_memory_size = most
        if (request.content_length or 0) > most:
            abort(413)

    @app.after_request
    def finish(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-cache")
        return response


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
