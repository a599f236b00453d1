"""Where the box can be reached: its addresses on the LAN, and the same as a QR code."""

from __future__ import annotations

import io
import ipaddress
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

import psutil
import segno
from flask import current_app, request

FAMILIES = frozenset({socket.AF_INET, socket.AF_INET6})
ELSEWHERE = "192.0.2.1"
VIRTUAL = ("docker", "veth", "br-", "virbr", "lo")  # not reachable from another machine


def addresses(port: int, host: str = "0.0.0.0") -> tuple[str, ...]:  # noqa: S104 - compared, not bound
    """Return the addresses under which a page on this host and port can be opened, best first."""
    if host in {"0.0.0.0", "::", ""}:  # noqa: S104 - compared, not bound
        own = own_addresses(host)
        return tuple(_http(name, port) for name in own) or (_http("127.0.0.1", port),)
    return (_http(host, port),)


def own_addresses(host: str = "0.0.0.0") -> tuple[str, ...]:  # noqa: S104 - compared, not bound
    """Return the machine's addresses that others can reach: IPv4, then global IPv6 where listened on."""
    found = []
    for name, entries in _interfaces().items():
        if name.startswith(VIRTUAL):
            continue
        found += [entry.address for entry in entries if entry.family in FAMILIES]
    wanted = [item for item in found if _reachable(item, with_ipv6=host == "::")]
    first = _of_default_route()
    return tuple(sorted(dict.fromkeys(wanted), key=lambda item: (item != first, ":" in item, _number(item))))


def _number(text: str) -> int:
    """Return an address as a number, by which 10.0.0.9 comes before 10.0.0.10."""
    return int(ipaddress.ip_address(text))


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


def _interfaces() -> dict[str, list[Any]]:
    """Return the network interfaces; none where the service may not ask the kernel (codes.service)."""
    try:
        return dict(psutil.net_if_addrs())
    except OSError:
        return {}


def _reachable(text: str, *, with_ipv6: bool) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False  # an IPv6 address with a zone, link-local
    if address.is_loopback or address.is_link_local or address.is_unspecified:
        return False
    return with_ipv6 or address.version == 4


def _http(host: str, port: int) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}/" if port == 80 else f"http://{shown}:{port}/"


def addresses_of_request() -> tuple[str, ...]:
    """Return how others reach this page: as the visitor did, or by the machine's own addresses.

    A visitor at the box itself came by a loopback address, which helps nobody else: the machine's own ones
    are told then, or the one that the server is bound to where that is a single one.
    """
    came_by = request.host_url + request.script_root.lstrip("/")
    bound = _bound()
    if not is_local(request.host) or is_local(bound):
        return (came_by,)
    port = request.host.rpartition(":")[2]
    return addresses(int(port) if port.isdigit() else 80, bound)


def _bound() -> str:
    """Return the host of the settings that the server listens on; every one where there are none."""
    settings = current_app.config.get("SETTINGS")
    return str(settings.serve.host) if settings is not None else "0.0.0.0"  # noqa: S104 - compared, not bound


def is_own(address: str) -> bool:
    """Tell whether an address (http://127.0.0.1:8000/) opens the page on this very machine alone."""
    return is_local(urlsplit(address).netloc)


def is_local(host: str) -> bool:
    """Tell whether a Host header names the machine itself."""
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    name = name.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def qr_svg(text: str) -> bytes:
    """Return a QR code of the text as SVG, black on white so that every camera reads it."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        out, kind="svg", scale=8, border=4, light="#fff", dark="#000"
    )
    return out.getvalue()


def qr_terminal(texts: Iterable[str]) -> str:
    """Return the QR code of the first text in terminal characters, then every text on a line."""
    lines = tuple(texts)
    out = io.StringIO()
    segno.make(lines[0], error="l", micro=False).terminal(out, compact=True, border=2)
    return out.getvalue() + "\n".join(f"  {line}" for line in lines) + "\n"
