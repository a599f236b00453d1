"""The page served on the LAN by waitress, its address and QR code printed."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from appliance.core.errors import PortTaken
from appliance.core.settings import Settings
from appliance.operation import systemd
from appliance.operation.health import moved
from appliance.operation.keeping import Keeper
from appliance.web import lan, observed
from appliance.web.answers.writing import Writes
from appliance.web.app import create_app
from appliance.web.connections import Server, Work, guarded
from appliance.web.guard import largest_body

if TYPE_CHECKING:
    from appliance.library import Library

BACKLOG = 128  # connections that wait to be accepted
GRACE = 15.0  # seconds that an answer under way is given when another version is to be served
STALLED = 30.0  # seconds without a round of the loop, after which the server counts as hung
LOOK = 30.0  # seconds between two looks where no watchdog asks for more


def serve(
    library: Library,
    settings: Settings,
    out: TextIO = sys.stderr,
    writer: Writes | None = None,
    path: Path | None = None,
) -> int | None:
    """Serve the page until it is stopped (Ctrl-C or SIGTERM); `path` is where the library lies.

    Under a service manager the socket is the one that it hands over, and it is told when questions are
    answered, and that they still are. Where the home of the library serves another one, this ends, and the
    service manager starts it again. Without one, the socket is returned, open, for who goes on with it.
    """
    handed_over = systemd.listener()
    kept: int | None = None
    server = make_server(library, settings, writer, handed_over, path)
    if handed_over is None:
        announce(settings.serve.host, port_of(server), out)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    keeper = Keeper(server.app.extensions["meter"], library.site, settings, server.take_most_waiting)
    watch = watching(server, library, path)
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


def leave(server: Server, seconds: float = GRACE) -> None:
    """End the server when it has nothing to do, or after so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and is_busy(server):
        time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGTERM)


def is_busy(server: Server) -> bool:
    """Tell whether a request is answered, a reply is being taken, or an answer is written."""
    channels = list(server.active_channels.values())
    desk = server.app.extensions.get("writing")
    asked = any(item.requests or item.total_outbufs_len for item in channels)
    return asked or (desk is not None and any(desk.jobs.load()))


def watching(server: Server, library: Library, path: Path | None) -> systemd.Watch:
    """Return who looks at the server: for the watchdog where there is one, and for a new version."""
    limit = systemd.watchdog_seconds()
    titles = [info.title for info in library.overview().documents if info.title]
    question = titles[0] if titles else "scope"
    return systemd.Watch(
        hand=lambda work: server.task_dispatcher.add_task(Work(work)),
        search=lambda: library.search(question, limit=1),
        alive=lambda: time.monotonic() - server.beat < STALLED,
        moved=lambda: path is not None and moved(path),
        stop=lambda: leave(server),
        every=limit / systemd.FEEDS if limit else LOOK,
    )


def make_server(
    library: Library,
    settings: Settings,
    writer: Writes | None = None,
    listener: socket.socket | None = None,
    path: Path | None = None,
) -> Server:
    """Return the waitress server, already listening: on a socket that was handed over, else on its own.

    Raises:
        PortTaken: the address cannot be listened on.
    """
    limits = settings.serve
    named = replace(limits, names=(*limits.names, *machine_names()))
    app = create_app(library, settings=replace(settings, serve=named), writer=writer)
    observed.remember(app, path)
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


def machine_names() -> tuple[str, ...]:
    """Return the names that machines on the LAN may know this one by.

    A name that the box gave itself is no way in for DNS rebinding: no outside server answers for it.
    """
    name = socket.gethostname().lower()
    return (name, f"{name.partition('.')[0]}.local") if name else ()


def announce(host: str, port: int, out: TextIO) -> None:
    """Print where the page can be opened, best for a phone first."""
    found = lan.addresses(port, host)
    if all(map(lan.is_own, found)):
        out.write("".join(f"  {address}\n" for address in found))
        out.write("The page opens only on this machine. Stop with Ctrl-C.\n")
        out.flush()
        return
    out.write(lan.qr_terminal(found))
    out.write("Scan the code or open the address on any machine of this network. Stop with Ctrl-C.\n")
    out.flush()
