"""What stands on the screen of a box: where its page is, and what the person before it can do.

Rules of this module: it shows and starts commands, and decides nothing; each key runs the command of the same
meaning, which asks for itself before anything changes. The screen is drawn anew only when it says something
else. It lives for as long as the box does, so whatever cannot be read is said in its place.
"""

from __future__ import annotations

import ipaddress
import os
import select
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.update import home_option

if TYPE_CHECKING:
    from appliance.settings import Settings

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
    qr = lan.qr_terminal(addresses[:1]).splitlines()[:-1] if addresses else []
    wide = qr_columns(qr[0]) if qr else 0
    beside = shutil.get_terminal_size().columns - wide - 3
    said = (*_page(addresses, settings), "", *_box(home), "", *_keys())
    words = ["", *(part for line in said for part in textwrap.wrap(line, max(beside, 30)) or [""])]
    lines = zip_longest(qr, words, fillvalue="")
    # the code is turned off at the end of each of its lines, so words beside it keep their colours
    return "\n".join(f"{left or ' ' * wide}\x1b[0m  {right}" for left, right in lines) + "\n> "


def qr_columns(line: str) -> int:
    """Return how many columns a line of the code takes: its signs, without the orders for colours."""
    return len(click.unstyle(line))


def names() -> tuple[str, ...]:
    """Return the addresses of the box, those that it gave itself for want of others only then."""
    import psutil

    from appliance.web import lan

    found = lan.own_addresses()
    if found:
        return found
    every = (entry.address for entries in psutil.net_if_addrs().values() for entry in entries)
    return tuple(sorted(item for item in every if _gave_itself(item)))


def _gave_itself(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return address.version == 4 and address.is_link_local


def _page(addresses: tuple[str, ...], settings: Settings) -> Iterator[str]:
    """Say where the page is and how to get in."""
    from appliance.errors import ApplianceError
    from appliance.web.access import read_code

    yield from addresses or ("No network yet: plug in a cable.",)
    try:
        code = read_code(settings.serve)
    except ApplianceError as error:
        yield str(error)
        return
    yield f"Access code: {code}" if code else "No access code is asked for."


def _box(home: Path) -> Iterator[str]:
    """Say what is served, and what a stick brought."""
    from appliance.errors import ApplianceError
    from appliance.update.home import Home, is_home
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
            yield f"{word} version {generation.get('version', '?')}" + (
                ": type u" if name == "staged" else ""
            )
    if found["refused"]:
        yield f"Not done: {found['refused']['said']}"
    yield from _sticks()
    if found["damaged"]:
        yield "A file has changed on the disk: apply the stick again."
    if found["untrusted"]:
        yield "What is served was signed by keys that were revoked since: apply the newest stick."


def _sticks() -> Iterator[str]:
    """Say what is amiss with a stick that brought nothing."""
    from appliance.update.stick import unmounted, without_bundle

    if stick := unmounted():
        yield str(stick)
    elif without_bundle():
        yield "A stick is plugged in, and no update lies on it (folder CODES-UPDATE)."


def _keys() -> Iterator[str]:
    yield "Type a letter and Enter:"
    for key, (meaning, _) in KEYS.items():
        yield f"  {key}  {meaning}"


def _command(command: tuple[str, ...], home: Path) -> None:
    """Run a command of the program on this screen, and wait until the person has read what it says."""
    click.echo(CLEAR, nl=False)
    program = shutil.which(sys.argv[0]) or sys.argv[0]
    try:
        subprocess.run([program, *command, "--home", str(home)], check=False, env=os.environ)  # noqa: S603 - this program, fixed words
    except OSError as error:
        click.echo(f"{program} cannot be started ({error.strerror}).")
    click.prompt("Enter to go on", default="", show_default=False, prompt_suffix=" ")
