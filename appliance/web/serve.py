"""The page served on the LAN by waitress, its address and QR code printed."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TextIO

from appliance.core.errors import PortTaken
from appliance.core.settings import Settings
from appliance.library import Library
from appliance.operation import systemd
from appliance.operation.meter import Keeper
from appliance.operation.update_health import moved
from appliance.web import lan, served
from appliance.web.app import create_app
from appliance.web.connection_limits import Server, guarded
from appliance.web.guard import largest_body
from appliance.written_answers import Writer

BACKLOG = 128  # connections that wait to be accepted
GRACE = 15.0  # seconds that an answer under way is given when another version is to be served
STALLED = 30.0  # seconds without a round of the loop, after which the server counts as hung
TURN = 0.0005  # seconds of a thread before another goes on; each step in C waits so long, 5 ms if left alone
LOOK = 30.0  # seconds between two looks where no watchdog asks for more


def serve(
    library: Library,
    settings: Settings,
    writer: Writer | None = None,
    path: Path | None = None,
) -> int | None:
    """Serve the page until it is stopped (Ctrl-C or SIGTERM); `path` is where the library lies.

    Under a service manager the socket is the one that it hands over, and it is told when questions are
    answered, and that they still are. Where the home of the library serves another one, this ends, and the
    service manager starts it again. Without one, the socket is returned, open, for who goes on with it.
    """
    handed_over, kept = systemd.listener(), None
    server = make_server(library, settings, writer, handed_over, path)
    sys.setswitchinterval(TURN)
    if handed_over is None:
        announce(settings.serve.host, port_of(server), sys.stderr)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    keeper = Keeper(server.app.extensions["meter"], library.site, settings, server.take_most_waiting)
    limit = systemd.watchdog_seconds()
    titles = (info.title for info in library.overview().documents if info.title)
    question = next(titles, "scope")
    watch = systemd.Watch(
        hand=lambda work: server.task_dispatcher.add_task(SimpleNamespace(service=work, cancel=lambda: None)),
        search=lambda: library.search(question, limit=1),
        alive=lambda: time.monotonic() - server.beat < STALLED,
        moved=lambda: path is not None and moved(path),
        stop=lambda: leave(server),
        every=limit / systemd.FEEDS if limit else LOOK,
    )
    keeper.start()
    watch.start()
    try:
        server.run()
    except SystemExit:
        if not watch.left:
            raise
    finally:
        systemd.notify("STOPPING=1")
        watch.end()
        keeper.end()
        if watch.left and not systemd.is_managed():
            kept = os.dup(server.socket.fileno())
        server.close()
    return kept


def leave(server: Server) -> None:
    """End the server when no request is answered, no reply taken and no answer written, or after so long."""
    desk, end = server.app.extensions.get("writing"), time.monotonic() + GRACE
    while time.monotonic() < end and (
        any(item.requests or item.total_outbufs_len for item in list(server.active_channels.values()))
        or (desk is not None and any(desk.jobs.load()))
    ):
        time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGTERM)


def make_server(
    library: Library,
    settings: Settings,
    writer: Writer | None = None,
    listener: socket.socket | None = None,
    path: Path | None = None,
) -> Server:
    """Return the server, listening: on a socket handed over, else on its own; raises PortTaken."""
    limits = settings.serve
    # A name that the box gave itself is no way in for DNS rebinding: no outside server answers for it.
    own = socket.gethostname().lower()
    names = (own, f"{own.partition('.')[0]}.local") if own else ()
    named = replace(limits, names=(*limits.names, *names))
    app = create_app(library, settings=replace(settings, serve=named), writer=writer)
    served.remember(app, path)
    return guarded(app, listener or listen(limits.host, limits.port), limits, options(settings))


def port_of(server: Any) -> int:
    """Return the port that a server listens on, for a setting of 0 the free one that it was given."""
    return int(server.socket.getsockname()[1])


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises PortTaken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OverflowError:
        raise PortTaken(host, port, "no port has that number") from None
    except OSError as error:
        code = error.errno or 0
        why = os.strerror(code) if code > 0 else "no such address"
        raise PortTaken(host, port, why.lower()) from None


def options(settings: Settings) -> dict[str, Any]:
    """Return the waitress settings, from those of the appliance.

    `channel_request_lookahead` lets a handler see that its client has gone; `ident` is not sent.
    """
    limits = settings.serve
    return {
        "threads": limits.threads,
        "connection_limit": limits.connections,
        "channel_request_lookahead": 1,
        "asyncore_use_poll": True,
        "max_request_body_size": largest_body(settings),
        "max_request_header_size": limits.header_kib * 1024,
        "expose_tracebacks": False,
        "ident": None,
    }


def announce(host: str, port: int, out: TextIO) -> None:
    """Print where the page can be opened, best for a phone first."""
    found = lan.addresses(port, host)
    words = "The page opens only on this machine."
    if not all(map(lan.is_own, found)):
        out.write(lan.qr_terminal(found[0]))
        words = "Scan the code or open the address on any machine of this network."
    out.writelines(f"  {address}\n" for address in found)
    out.write(f"{words} Stop with Ctrl-C.\n")
    out.flush()
