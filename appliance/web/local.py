"""Who may open the page of updates: a browser on the box itself, and nobody through anything else.

Rules of this module: three things must each say "here": the socket, which listens on loopback; the peer,
whose address is loopback; the Host header, which names loopback with the port of the socket (a name that was
made to point here, DNS rebinding, is none). A request that carries any mark of having been passed on is
refused, for a program that passes requests on stands on loopback too. What changes something must besides
come from this very page: its Origin, and a token that only the page holds.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Mapping

from flask import Flask, Response, abort, current_app, request

from appliance.web.guard import HEADERS, METHODS

PASSED_ON = (
    "HTTP_FORWARDED", "HTTP_X_FORWARDED", "HTTP_X_REAL_IP", "HTTP_X_CLIENT_IP", "HTTP_X_CLUSTER_CLIENT_IP",
    "HTTP_X_ORIGINAL", "HTTP_X_ORIGINATING", "HTTP_X_REMOTE", "HTTP_X_PROXY", "HTTP_X_HOST", "HTTP_X_REWRITE",
    "HTTP_TRUE_CLIENT_IP", "HTTP_CLIENT_IP", "HTTP_VIA", "HTTP_CF_CONNECTING_IP", "HTTP_FASTLY_CLIENT_IP",
    "HTTP_PROXY_CONNECTION",
)  # fmt: skip
"""Beginnings of the names of headers that proxies add."""
NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
HOST, PORT = "127.0.0.1", 8090
PAGE = f"http://{HOST}:{PORT}/"
BODY = 4096  # bytes of the largest form


def install(app: Flask) -> None:
    """Put the checks before and the headers after every request of the app."""
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = BODY
    app.extensions["token"] = secrets.token_urlsafe(32)

    @app.before_request
    def check() -> None:
        if not is_here(request.environ):
            abort(403)
        if request.method not in METHODS and not from_this_page(request.environ):
            abort(403)

    @app.after_request
    def finish(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers["Cache-Control"] = "no-store"  # it holds the token
        return response


def is_here(environ: Mapping[str, object]) -> bool:
    """Tell whether a request came straight from this machine, to loopback by its own name."""
    if any(name.startswith(PASSED_ON) for name in environ):
        return False
    port = str(environ.get("SERVER_PORT", ""))
    return is_loopback(str(environ.get("REMOTE_ADDR", ""))) and names_here(
        str(environ.get("HTTP_HOST", "")), port
    )


def is_loopback(address: str) -> bool:
    """Tell whether an address is of this machine alone; IPv4 in IPv6 counts as what it is."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return (mapped or found).is_loopback


def names_here(host: str, port: str) -> bool:
    """Tell whether a Host header is one of the names of loopback, with this port and no other."""
    name, colon, said = host.lower().rpartition(":") if not host.endswith("]") else (host.lower(), "", "")
    if not colon:
        name, said = host.lower(), "80"
    return name in NAMES and said == port


def from_this_page(environ: Mapping[str, object]) -> bool:
    """Tell whether a form was sent by our own page: the Origin of it, and the token in it."""
    if environ.get("HTTP_ORIGIN") != f"http://{environ.get('HTTP_HOST')}":
        return False
    if environ.get("HTTP_SEC_FETCH_SITE", "same-origin") != "same-origin":
        return False
    sent = request.form.get("token", "").encode("utf-8", "surrogateescape")
    return hmac.compare_digest(sent, token().encode())


def token() -> str:
    """Return what only a page of this process holds."""
    return str(current_app.extensions["token"])
