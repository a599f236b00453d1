"""Commands at the box: serve the page, see what is wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.options import json_option, library_option, open_library, print_json

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
    from appliance.web.serve import serve as serve_page
    from appliance.writing import open_writer

    at = settings.serve
    at = replace(at, host=at.host if host is None else host, port=at.port if port is None else port)
    settings = replace(settings, serve=at)
    library = open_library(library_path, settings, at.threads)
    writer = open_writer(library, settings)
    try:
        serve_page(library, settings, writer=writer if writer.generator else None)
    finally:
        writer.close()


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
