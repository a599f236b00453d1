"""Commands at the box: serve the page, see what is wrong."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from appliance.cli.options import FILE, json_option, library_option, open_library, print_json

if TYPE_CHECKING:
    from appliance.settings import Settings


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
    from appliance.writing import open_writer

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
    from appliance.cli.show import print_checks
    from appliance.doctor import checks_json, examine

    checks = examine(library_path, settings)
    if as_json:
        print_json(checks_json(checks))
    else:
        print_checks(checks)
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
    from appliance.site.notes import site_file

    rows = copy_notes(site_file(library_path, settings.site), file, settings.site)
    click.echo(f"{file} holds {counted(rows)}.", err=True)


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
    from appliance.site.notes import site_file

    rows, notes = check(file, settings.site), site_file(library_path, settings.site)
    if not yes:
        click.confirm(f"Replace the notes in {notes} by {counted(rows)}?", abort=True, err=True)
    bring_back(file, notes, settings.site)
    click.echo(f"{notes} holds {counted(rows)}. What was there is kept as {notes.name}{BEFORE}.", err=True)


def counted(rows: dict[str, int]) -> str:
    """Return how many rows of each kind there are, in words."""
    return ", ".join(f"{number} {kind}" for kind, number in rows.items())
