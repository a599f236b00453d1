"""The commands over vocabularies: what they hold, and what is wrong with a folder of them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.options import FILE, json_option, open_library, print_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from appliance.settings import Settings

FOLDER = click.Path(path_type=Path, file_okay=False)
WRONG = 10  # the exit code of BadSettings


@click.group()
def vocabularies() -> None:
    """The words that searches know: what people say for one thing, and tags."""


@vocabularies.command("check")
@click.argument("folder", required=False, type=FOLDER)
@click.option("--library", "library_path", type=FILE, help="Also tell which words occur in no document.")
@json_option
@click.pass_obj
def check_command(settings: Settings, folder: Path | None, library_path: Path | None, as_json: bool) -> None:
    """Tell what is wrong with the vocabularies of FOLDER (without it: those that ship).

    Exits with 10 when anything is wrong; notes alone do not count.

    \b
    appliance vocabularies check words/
    appliance vocabularies check words/ --library build/codes.db --json
    """
    from appliance.retrieval.vocabularies import check

    found = check(folder, _held(library_path, settings) if library_path else None)
    if as_json:
        print_json([asdict(item) | {"path": str(item.path)} for item in found])
    else:
        for item in found:
            where = f"{item.path}, line {item.line}" if item.line else str(item.path)
            click.echo(f"{item.state}: {where}: {item.message}")
        wrong = sum(item.state == "wrong" for item in found)
        click.echo(f"{wrong} wrong, {len(found) - wrong} to note.")
    if any(item.state == "wrong" for item in found):
        raise click.exceptions.Exit(WRONG)


@vocabularies.command("list")
@click.argument("folder", required=False, type=FOLDER)
@click.option("--tags", "only_tags", is_flag=True, help="The tags alone.")
@json_option
def list_command(folder: Path | None, only_tags: bool, as_json: bool) -> None:
    """List the groups and tags that searches know, with those of FOLDER merged over them.

    \b
    appliance vocabularies list
    appliance vocabularies list words/ --tags --json
    """
    from appliance.retrieval.lexicon import load_lexicon, load_tags

    folders = (folder,) if folder else ()
    groups = [] if only_tags else [[" ".join(p) for p in group] for group in load_lexicon(*folders).aliases]
    tags = load_tags(*folders)
    if as_json:
        print_json({"groups": groups, "tags": [asdict(tag) for tag in tags]})
        return
    for group in groups:
        click.echo(" = ".join(group))
    for tag in tags:
        click.echo(f"{tag.kind}: {tag.name} ({', '.join(tag.names[1:])})")


def _held(path: Path, settings: Settings) -> Callable[[str], bool]:
    """Return what tells whether a library holds a phrase."""
    from appliance.retrieval.ask import index_of
    from appliance.retrieval.vocabularies import held_by

    store = open_library(path, settings).store
    return held_by(index_of(store).vocabulary.chunks, store.connections.stem)
