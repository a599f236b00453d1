"""The page served on the LAN by waitress, its address and QR code printed.

Rules of this module: every limit comes from the settings; whatever keeps the page from starting is
an ApplianceError that names the mending option.
"""

from __future__ import annotations

import signal
import socket
import sys
from dataclasses import replace
from typing import Any, TextIO

from waitress.server import create_server  # type: ignore[import-untyped]  # waitress publishes no types

from appliance.errors import PortTaken
from appliance.settings import Settings
from appliance.web import lan
from appliance.web.app import create_app
from appliance.web.guard import largest_body
from appliance.web.port import Port
from appliance.web.writing import Writes

BACKLOG = 128  # connections that wait to be accepted


def serve(library: Port, settings: Settings, out: TextIO = sys.stderr, writer: Writes | None = None) -> None:
    """Serve the page until it is stopped (Ctrl-C or SIGTERM)."""
    server = make_server(library, settings, writer)
    announce(settings.serve.host, port_of(server), out)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        server.run()
    finally:
        server.close()


def make_server(library: Port, settings: Settings, writer: Writes | None = None) -> Any:
    """Return the waitress server, already listening.

    Raises:
        PortTaken: the address cannot be listened on.
    """
    limits = settings.serve
    named = replace(limits, names=(*limits.names, *machine_names()))
    app = create_app(library, settings=replace(settings, serve=named), writer=writer)
    return create_server(app, sockets=[listen(limits.host, limits.port)], **options(settings))


def port_of(server: Any) -> int:
    """Return the port that a server listens on, for a setting of 0 the free one that it was given."""
    return int(server.socket.getsockname()[1])


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises PortTaken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        raise PortTaken(host, port, str(error)) from None


def options(settings: Settings) -> dict[str, Any]:
    """Return the waitress settings, from those of the appliance.

    `channel_request_lookahead` lets a handler see that its client has gone; `ident` is not sent.
    """
    limits = settings.serve
    return {
        "threads": limits.threads,
        "connection_limit": limits.connections,
        "channel_request_lookahead": 1,
        "channel_timeout": limits.idle_seconds,
        "cleanup_interval": 5,
        "asyncore_use_poll": True,
        "max_request_body_size": largest_body(settings),
        "max_request_header_size": limits.header_kib * 1024,
        "expose_tracebacks": False,
        "ident": None,
    }


def machine_names() -> tuple[str, ...]:
    """Return the names that machines on the LAN may know this one by.

    A name that the box gave itself is no way in for DNS rebinding: no outside server answers for it.
    """
    name = socket.gethostname().lower()
    return (name, f"{name.partition('.')[0]}.local") if name else ()


def announce(host: str, port: int, out: TextIO) -> None:
    """Print where the page can be opened, best for a phone first."""
    found = lan.addresses(port, host)
    out.write(lan.qr_terminal(found))
    out.write("Scan the code or open the address on any machine of this network. Stop with Ctrl-C.\n")
    out.flush()
