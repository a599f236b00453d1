"""What every request and response passes: who may ask, how much, and what a browser may do with it.

Rules of this module: the page only reads, so that GET is the only method; nothing is loaded from
another origin; the Host header is an IP address or a name of ours (a foreign name that is made to
point at the box, DNS rebinding, is refused).
"""

from __future__ import annotations

import ipaddress

from flask import Flask, Response, abort, request

from appliance.settings import ServeSettings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
METHODS = frozenset({"GET", "HEAD"})


def install(app: Flask, settings: ServeSettings) -> None:
    """Put the checks before and the headers after every request of the app."""
    names = frozenset(name.lower().rstrip(".") for name in ("localhost", *settings.names))
    app.config["MAX_CONTENT_LENGTH"] = settings.body_kib * 1024

    @app.before_request
    def check() -> None:
        if not allowed_host(request.environ.get("HTTP_HOST", ""), names):
            abort(421)
        if request.method not in METHODS:
            abort(405)
        if (request.content_length or 0) > settings.body_kib * 1024:
            abort(413)

    @app.after_request
    def finish(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-cache")
        return response


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
