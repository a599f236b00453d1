"""Where the box can be reached: its addresses on the LAN, and the same as a QR code."""

from __future__ import annotations

import io
import ipaddress
import socket
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import psutil
import segno
from flask import current_app, request
from markupsafe import Markup

FAMILIES = frozenset({socket.AF_INET, socket.AF_INET6})
ELSEWHERE = "192.0.2.1"
VIRTUAL = ("docker", "veth", "br-", "virbr", "lo")  # not reachable from another machine


def addresses(port: int, host: str = "0.0.0.0") -> tuple[str, ...]:  # noqa: S104 - compared, not bound
    """Return the addresses under which a page on this host and port can be opened, best first."""
    every = host in {"0.0.0.0", "::", ""}  # noqa: S104 - compared, not bound
    names = (own_addresses(host) or ("127.0.0.1",)) if every else (host,)
    hosts = (f"[{name}]" if ":" in name else name for name in names)
    return tuple(f"http://{name}/" if port == 80 else f"http://{name}:{port}/" for name in hosts)


def own_addresses(host: str = "0.0.0.0") -> tuple[str, ...]:  # noqa: S104 - compared, not bound
    """Return the machine's addresses that others can reach: IPv4, then global IPv6 where listened on."""
    try:
        cards = psutil.net_if_addrs()
    except OSError:  # the service may not ask the kernel (codes.service)
        cards = {}
    found: dict[str, int] = {}  # each with its number, by which 10.0.0.9 comes before 10.0.0.10
    for name, entries in cards.items():
        for entry in entries:
            address = parsed(entry.address) if entry.family in FAMILIES else None  # none: a link-local zone
            if name.startswith(VIRTUAL) or address is None or (address.version == 6 and host != "::"):
                continue
            if not (address.is_loopback or address.is_link_local or address.is_unspecified):
                found[entry.address] = int(address)
    first = _of_default_route()
    return tuple(sorted(found, key=lambda item: (item != first, ":" in item, found[item])))


def parsed(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address, None for what is none."""
    with suppress(ValueError):
        return ipaddress.ip_address(text)
    return None


def _of_default_route() -> str:
    """Return the own address by which the machine would leave its network, "" without such a way.

    A UDP socket that is only connected sends nothing; the address is one kept for documentation (RFC 5737).
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.connect((ELSEWHERE, 9))
            return str(asked.getsockname()[0])
    except OSError:
        return ""


def addresses_of_request() -> tuple[str, ...]:
    """Return how others reach this page: as the visitor did, or by the machine's own addresses.

    A visitor at the box itself came by a loopback address, which helps nobody else: the machine's own ones
    are told then, or the one that the server is bound to where that is a single one.
    """
    came_by = request.host_url + request.script_root.lstrip("/")
    bound = current_app.config["SETTINGS"].serve.host
    if not is_local(request.host) or is_local(bound):
        return (came_by,)
    port = request.host.rpartition(":")[2]
    return addresses(int(port) if port.isdigit() else 80, bound)


def is_own(address: str) -> bool:
    """Tell whether an address (http://127.0.0.1:8000/) opens the page on this very machine alone."""
    return is_local(urlsplit(address).netloc)


def is_local(host: str) -> bool:
    """Tell whether a Host header names the machine itself."""
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    name = name.strip("[]").lower()
    address = parsed(name)
    return name == "localhost" or (address is not None and address.is_loopback)


def qr_svg(text: str) -> bytes:
    """Return a QR code of the text as SVG, black on white so that every camera reads it."""
    return _drawn(text, scale=8, border=4, dark="#000")


def qr(text: str) -> Markup:
    """Return a QR code as SVG to stand in a page, black on white in every theme."""
    drawn = _drawn(text, xmldecl=False, svgns=False, border=2, svgclass="qr", lineclass=None, omitsize=True)
    return Markup(drawn.decode())  # noqa: S704 - drawn here from modules, no text in it


def _drawn(text: str, **look: Any) -> bytes:
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", light="#fff", **look)
    return out.getvalue()


def qr_terminal(text: str) -> str:
    """Return the QR code of a text in terminal characters."""
    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue()
