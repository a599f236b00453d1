"""Commands at the box: serve the page and the tools of agents, doctor, the console screen."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from threading import Thread

import click

from appliance.cli.options import FILE, json_option, library_option, open_library, print_json, say
from appliance.cli.terminal_output import print_checks
from appliance.cli.update import amiss, home_option
from appliance.core.errors import ApplianceError, BadInput, LibraryMissing
from appliance.core.settings import Settings
from appliance.site.gaps_and_feedback import site_file


@click.command()
@library_option
@click.option("--host", help="Address to listen on; 0.0.0.0 for the LAN.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; 0 for a free one.")
@click.pass_obj
def serve(settings: Settings, library_path: Path, host: str | None, port: int | None) -> None:
    """Serve the page on the LAN and print its address and QR code.

    \b
    appliance serve --library build/codes.db
    appliance serve --library build/codes.db --host 127.0.0.1 --port 9000
    """
    from appliance.launch import again
    from appliance.operation.logs import configure
    from appliance.web.serve import serve as serve_page
    from appliance.written_answers import open_writer

    at = settings.serve
    at = replace(at, host=at.host if host is None else host, port=at.port if port is None else port)
    settings = replace(settings, serve=at)
    configure(settings.log)
    library = open_library(library_path, settings, at.threads)
    writer = open_writer(library, settings)
    Thread(target=writer.warm, name="warm", daemon=True).start()
    try:
        used = writer if writer.generator or writer.describer else None
        on = serve_page(library, settings, writer=used, path=library_path)
    finally:
        writer.close()
    if on is not None:
        again(sys.argv[1:], on)


@click.command()
@library_option
@json_option
@click.pass_obj
def doctor(settings: Settings, library_path: Path, as_json: bool) -> None:
    """Say what is wrong and the command that mends it.

    \b
    appliance doctor --library build/codes.db
    """
    from appliance.doctor import checks_json, examine

    checks = examine(library_path, settings)
    print_json(checks_json(checks)) if as_json else print_checks(checks)
    if any(check.state == "wrong" for check in checks):
        raise click.exceptions.Exit(12)


@click.command()
@click.argument("file", type=FILE)
@library_option
@click.pass_obj
def backup(settings: Settings, file: Path, library_path: Path) -> None:
    """Copy the notes of the site (questions, feedback, corrections, figures) into a file.

    The copy is checked before it takes its name; a server may go on meanwhile.

    \b
    appliance backup notes.backup --home /var/lib/codes
    """
    from appliance.site.backup import backup as copy_notes

    notes = site_file(library_path, settings.site)
    if not notes.is_file() and not library_path.is_file():
        raise LibraryMissing(library_path)
    rows = copy_notes(notes, file, settings.site)
    say(f"{file} holds {counted(rows)}.", file=str(file), rows=rows)


@click.command()
@click.argument("file", type=FILE)
@library_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def restore(settings: Settings, file: Path, library_path: Path, yes: bool) -> None:
    """Let the notes of the site be those of a backup; what they replace is kept beside them.

    \b
    appliance restore notes.backup --home /var/lib/codes
    """
    from appliance.site.backup import BEFORE, check
    from appliance.site.backup import restore as bring_back

    rows, notes = check(file, settings.site), site_file(library_path, settings.site)
    if not yes:
        click.confirm(f"Replace the notes in {notes} by {counted(rows)}?", abort=True, err=True)
    bring_back(file, notes, settings.site)
    kept = f"{notes.name}{BEFORE}"
    say(f"{notes} holds {counted(rows)}. What was there is kept as {kept}.", file=str(notes), rows=rows)


def counted(rows: dict[str, int]) -> str:
    """Return how many rows of each kind there are, in words."""
    return ", ".join(f"{number} {kind}" for kind, number in rows.items())


LOOK = 5.0  # seconds between two looks
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
KEYS = {
    "u": ("see and take on what a stick brought", ("update", "apply")),
    "b": ("go back to the version before", ("update", "rollback")),
    "h": ("how the box is", ("doctor",)),
    "n": ("notes to the stick, for the builder", ("update", "export")),
    "l": ("what happened", ("update", "log")),
}


@click.command("console")
@home_option
@click.option("--port", default=80, show_default=True, help="The port that the page is served on.")
@click.pass_obj
def console(settings: Settings, home: Path, port: int) -> None:
    """Show where the page is, with a code to scan, and let the person at the box take on an update.

    \b
    appliance console --home /var/lib/codes
    """
    shown = ""
    while True:
        now = screen(settings, home, port)
        if now != shown:
            click.echo(CLEAR + now, nl=False)
            shown = now
        key = pressed(LOOK)
        if key is None:
            return
        if key in KEYS:
            _command(KEYS[key][1], home)
            shown = ""


def pressed(seconds: float) -> str | None:
    """Return the first letter of a line that was typed meanwhile, "" for nothing, None where nobody can."""
    if not select.select([sys.stdin], [], [], seconds)[0]:
        return ""
    line = sys.stdin.readline()
    return line.strip()[:1].lower() if line else None


def screen(settings: Settings, home: Path, port: int) -> str:
    """Return the whole screen: the code to scan at the left, words at its right."""
    from appliance.web import lan

    addresses = tuple(f"http://{name}/" if port == 80 else f"http://{name}:{port}/" for name in names())
    qr = lan.qr_terminal(addresses[0]).splitlines() if addresses else []
    wide = len(click.unstyle(qr[0])) if qr else 0  # its signs, without the orders for colours
    beside = shutil.get_terminal_size().columns - wide - 3
    keys = (f"  {key}  {meaning}" for key, (meaning, _) in KEYS.items())
    said = (*_page(addresses, settings), "", *_box(home), "", "Type a letter and Enter:", *keys)
    words = ["", *(part for line in said for part in textwrap.wrap(line, max(beside, 30)) or [""])]
    lines = zip_longest(qr, words, fillvalue="")
    # the code is turned off at the end of each of its lines, so words beside it keep their colours
    return "\n".join(f"{left or ' ' * wide}\x1b[0m  {right}" for left, right in lines) + "\n> "


def names() -> tuple[str, ...]:
    """Return the addresses of the box, those that it gave itself for want of others only then."""
    import psutil

    from appliance.web import lan

    found = lan.own_addresses()
    if found:
        return found
    every = (entry.address for entries in psutil.net_if_addrs().values() for entry in entries)
    known = ((text, lan.parsed(text)) for text in every)
    return tuple(sorted(text for text, at in known if at and at.version == 4 and at.is_link_local))


def _page(addresses: tuple[str, ...], settings: Settings) -> Iterator[str]:
    """Say where the page is and how to get in."""
    from appliance.web.guard import read_code

    yield from addresses or ("No network yet: plug in a cable.",)
    try:
        code = read_code(settings.serve)
    except ApplianceError as error:
        yield str(error)
        return
    yield f"Access code: {code}" if code else "No access code is asked for."


def _box(home: Path) -> Iterator[str]:
    """Say what is served, and what a stick brought."""
    from appliance.update.home import Home, is_home
    from appliance.update.intake.stick import without_bundle
    from appliance.update.status import status

    if not is_home(home):
        yield "This box is being prepared. It takes some minutes."
        return
    try:
        found = status(Home(home))
    except (ApplianceError, OSError) as error:
        yield str(error)
        return
    yield f"Box {found['box'] or 'without a name'}, key {found['key']}"
    if not found["current"]:  # what is staged now is the library that came with it
        yield "This box is being prepared. It takes some minutes."
        return
    for name, word in (("current", "Serves"), ("previous", "Before:"), ("staged", "A stick brought")):
        if generation := found[name]:
            order = ": type u" if name == "staged" else ""
            yield f"{word} version {generation.get('version', '?')}{order}"
    if found["refused"]:
        yield f"Not done: {found['refused']['said']}"
    if without_bundle():
        yield "A stick is plugged in, and no update lies on it (folder CODES-UPDATE)."
    yield from amiss(found)


def _command(command: tuple[str, ...], home: Path) -> None:
    """Run a command of the program on this screen, and wait until the person has read what it says."""
    click.echo(CLEAR, nl=False)
    program = shutil.which(sys.argv[0]) or sys.argv[0]
    try:
        subprocess.run([program, *command, "--home", str(home)], check=False, env=os.environ)  # noqa: S603 - this program, fixed words
    except OSError as error:
        click.echo(f"{program} cannot be started ({error.strerror}).")
    click.prompt("Enter to go on", default="", show_default=False, prompt_suffix=" ")


@click.command()
@library_option
@click.option("--http", metavar="HOST:PORT", help="Serve on the network instead of stdin and stdout.")
@click.pass_obj
def mcp(settings: Settings, library_path: Path, http: str | None) -> None:
    """Serve the tools to agents over the Model Context Protocol (the extra `mcp`).

    Without --http one agent speaks over stdin and stdout. With it, a process of its own answers at
    http://HOST:PORT/mcp; where serve.access_code_file names a code, it is sent as a bearer token.

    \b
    appliance mcp --library build/codes.db
    appliance mcp --http 0.0.0.0:8100 --library build/codes.db
    """
    from appliance.tools import Tools

    try:
        from appliance.web.mcp import serve_http, serve_stdio
    except ModuleNotFoundError:
        raise BadInput(
            "The Model Context Protocol needs the extra mcp. Install it with: pip install 'appliance[mcp]'"
        ) from None
    tools = Tools(open_library(library_path, settings, threads=1), settings)
    if http is None:
        serve_stdio(tools)
        return
    host, colon, port = http.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()):
        raise BadInput(f"--http must be HOST:PORT, such as 0.0.0.0:8100, not {http[:40]!r}.")
    serve_http(tools, host, int(port))
