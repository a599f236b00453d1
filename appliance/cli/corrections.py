"""Commands over corrections: which place a question should have been answered with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from appliance.cli.options import FILE, json_option, library_option
from appliance.cli.site import export_notes, list_notes, site_of
from appliance.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from appliance.settings import Settings
    from appliance.site.values import Shown
    from appliance.store.read import Store


@click.group()
def corrections() -> None:
    """Places that people say are the right ones for a question: add, list, export.

    They stand in the small file beside the library and change nothing in it; exported, they are judged
    questions for `appliance eval questions`.
    """


@corrections.command("add")
@click.argument("question")
@click.option("--right", multiple=True, metavar="DOCUMENT:LABEL", help="A place that answers (repeatable).")
@click.option("--wrong", multiple=True, metavar="DOCUMENT:LABEL", help="A place that does not (repeatable).")
@click.option("--comment", default="", help="Why, in your words.")
@library_option
@click.pass_obj
def add_correction(
    settings: Settings,
    question: str,
    right: tuple[str, ...],
    wrong: tuple[str, ...],
    comment: str,
    library_path: Path,
) -> None:
    """Keep which places a question should have been answered with, and which not.

    \b
    appliance corrections add "how steep is a private stair" --right AD-K:1.3 --wrong AD-M1:2.11 \\
        --comment "K is for stairs" --library build/codes.db
    """
    from appliance.library import open_store
    from appliance.site.values import About, new_request

    with open_store(library_path, settings) as store:
        places = [_places(store, named) for named in (wrong, right)]
        said = About(new_request(), question, (), store.version)
    site_of(settings, library_path).add_correction(said, places[0], places[1], comment)
    click.echo("Kept.", err=True)


@corrections.command("list")
@library_option
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1), help="Rows shown.")
@json_option
@click.pass_obj
def list_corrections(settings: Settings, library_path: Path, limit: int, as_json: bool) -> None:
    """Show the corrections, the last one first.

    \b
    appliance corrections list --library build/codes.db
    """
    list_notes(site_of(settings, library_path), "corrections", limit, as_json)


@corrections.command("export")
@click.argument("file", type=FILE)
@library_option
@click.pass_obj
def export_corrections(settings: Settings, file: Path, library_path: Path) -> None:
    """Write the corrections as judged questions, one JSON object a line.

    \b
    appliance corrections export corrections.jsonl --library build/codes.db
    appliance eval questions corrections.jsonl --library build/codes.db
    """
    export_notes(site_of(settings, library_path), "corrections", file)


def _places(store: Store, named: Sequence[str]) -> list[Shown]:
    """Return the places named as DOCUMENT:LABEL.

    Raises:
        BadInput, UnknownDocument, UnknownPlace: there is none. AmbiguousLabel: there are several.
    """
    from appliance.retrieval.around import item_of
    from appliance.site.values import Shown
    from appliance.typed import label_typed

    places = []
    for name in named:
        document, _, label = name.partition(":")
        if not label.strip():
            message = f"{name!r} names no place. Write DOCUMENT:LABEL, for instance AD-K:1.3."
            raise BadInput(message)
        found = label_typed(store, document, label.strip())
        item = item_of(store, document, found.key)
        page = item.boxes[0].page if item and item.boxes else 0
        places.append(Shown(document, found.key, page))
    return places
