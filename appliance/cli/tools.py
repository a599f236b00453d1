"""The tools for programs: called one by one from a shell, or served over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.options import json_option, library_option, open_library, print_json

if TYPE_CHECKING:
    from appliance.core.settings import Settings
    from appliance.tools import Results


@click.command()
@click.argument("name", required=False)
@click.argument("arguments", nargs=-1, metavar="[PARAMETER=VALUE]...")
@library_option
@json_option
@click.pass_obj
def tool(
    settings: Settings, name: str | None, arguments: tuple[str, ...], library_path: Path, as_json: bool
) -> None:
    """Call a tool as a program would; without NAME, list the tools with their parameters.

    A parameter that is a list is given once for each of its items.

    \b
    appliance tool --library build/codes.db --json
    appliance tool search question="snow load on a flat roof" limit=5 --library build/codes.db --json
    appliance tool table_lookup document=DC-1-3 label="Table 4.1" row=Normal --library build/codes.db --json
    """
    from appliance.core.errors import BadInput
    from appliance.tools import Tools, described, from_pairs

    if name is None:
        tools = described()
        if as_json:
            print_json(tools)
            return
        for one in tools:
            click.echo(f"{one['name']}({', '.join(one['parameters']['properties'])}): {one['about']}")
        return
    for given in (one for one in arguments if "=" not in one):
        message = f"{given[:40]!r} is no parameter with a value: write PARAMETER=VALUE."
        raise BadInput(message)
    pairs = ((key, value) for key, _, value in (one.partition("=") for one in arguments))
    given_arguments = from_pairs(name, pairs)
    found = Tools(open_library(library_path, settings), settings).call(name, given_arguments)
    print_json(found) if as_json else _print(found)


def _print(found: Results) -> None:
    from appliance.cli.show import shortened

    for one in found["results"]:
        where = " ".join(filter(None, (one["document"], one["label"])))
        page = f", page {one['page']}" if one["page"] else ""
        note = f"  [{one['note']}]" if one["note"] else ""
        click.echo(f"{where}{page}: {shortened(one['value'] or one['quote'] or one['title'])}{note}")
    for note in found["notes"]:
        click.echo(note, err=True)
    if found["left_out"]:
        click.echo(f"{found['left_out']} more are not shown.", err=True)


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
    from appliance.core.errors import BadInput
    from appliance.tools import Tools

    try:
        from appliance.web.mcp import serve_http, serve_stdio
    except ModuleNotFoundError:
        message = (
            "The Model Context Protocol needs the extra mcp. Install it with: pip install 'appliance[mcp]'"
        )
        raise BadInput(message) from None
    tools = Tools(open_library(library_path, settings, threads=1), settings)
    if http is None:
        serve_stdio(tools)
        return
    host, colon, port = http.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()):
        message = f"--http must be HOST:PORT, such as 0.0.0.0:8100, not {http[:40]!r}."
        raise BadInput(message)
    serve_http(tools, host, int(port))
