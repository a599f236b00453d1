"""Commands over what people on site produce: gaps, feedback, corrections."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from appliance.cli.options import FILE, count, json_option, library_option, print_json, say, write_file
from appliance.cli.terminal_output import print_outline
from appliance.core.errors import BadInput
from appliance.core.settings import Settings
from appliance.site.gaps_and_feedback import (
    About,
    Kind,
    Shown,
    Site,
    Verdict,
    judged,
    new_request,
    site_file,
)

if TYPE_CHECKING:
    from appliance.store.read import Store


@click.group()
def gaps() -> None:
    """Questions that the documents loaded did not answer: list, export, clear.

    They stand in a small file beside the library, with the places that were nearest; never who asked.
    """


@click.group()
def feedback() -> None:
    """What people say of answers: helpful, wrong, or something missing."""


@click.group()
def corrections() -> None:
    """Places that people say are the right ones for a question: add, list, export.

    They stand in the small file beside the library and change nothing in it; exported, they are judged
    questions for `appliance eval questions`.
    """


def _listed_and_exported(group: click.Group, kind: Kind, export: str) -> None:
    """Give a group the commands that list and export its notes; `export` says what the lines are."""

    @group.command(
        "list",
        help=f"Show what is kept, the last one first.\n\n\b\nappliance {kind} list --library build/codes.db",
    )
    @library_option
    @click.option("--limit", default=50, show_default=True, type=click.IntRange(1), help="Rows shown.")
    @json_option
    @click.pass_obj
    def listing(settings: Settings, library_path: Path, limit: int, as_json: bool) -> None:
        site = site_of(settings, library_path)
        rows = site.rows(kind)
        told = [judged(row) for row in rows[:limit]]
        if as_json:
            print_json(told)
            return
        print_outline(told)
        dropped = site.dropped().get(kind, 0)
        if not rows:
            click.echo("Nothing is noted.", err=True)
        if len(rows) > limit or dropped:
            click.echo(f"{len(rows)} in all, {dropped} older ones were dropped.", err=True)

    @group.command(
        "export", help=f"{export}\n\n\b\nappliance {kind} export {kind}.jsonl --library build/codes.db"
    )
    @click.argument("file", type=FILE)
    @library_option
    @click.pass_obj
    def exporting(settings: Settings, file: Path, library_path: Path) -> None:
        rows = reversed(site_of(settings, library_path).rows(kind))  # the first one first
        lines = [json.dumps(judged(row), ensure_ascii=False) for row in rows]
        write_file(file, "".join(f"{line}\n" for line in lines).encode())
        say(f"{count(len(lines), 'question')} written to {file}.", file=str(file), written=len(lines))


JUDGED = "Write {} as judged questions for `appliance eval questions`, one JSON object a line."
_listed_and_exported(
    gaps, "gaps", JUDGED.format("the questions") + " `gold` is empty: whoever knows the place fills it in."
)
_listed_and_exported(
    feedback, "feedback", "Write the questions with what was said of their answers, one JSON object a line."
)
_listed_and_exported(corrections, "corrections", JUDGED.format("the corrections"))


@gaps.command("clear")
@library_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def clear_gaps(settings: Settings, library_path: Path, yes: bool) -> None:
    """Remove the questions, for instance after an export.

    \b
    appliance gaps clear --yes --library build/codes.db
    """
    site = site_of(settings, library_path)
    if not yes:
        click.confirm(f"Remove {count(site.counts().get('gaps', 0), 'question')}?", abort=True, err=True)
    removed = site.clear("gaps")
    say(f"{count(removed, 'question')} removed.", removed=removed)


@feedback.command("add")
@click.argument("verdict", type=click.Choice(get_args(Verdict)))
@click.argument("question")
@click.option("--comment", default="", help="What was wrong or missing, in your words.")
@library_option
@click.pass_obj
def add_feedback(
    settings: Settings, verdict: Verdict, question: str, comment: str, library_path: Path
) -> None:
    """Keep what you think of the answer to a question.

    \b
    appliance feedback add missing "how wide is a ramp" --comment "see Table 3" --library build/codes.db
    """
    from appliance.library import open_store

    with open_store(library_path, settings) as store:
        said = About(new_request(), question, (), store.version)
    site_of(settings, library_path).add_feedback(said, verdict, comment)
    say("Kept.", kept=True)


def site_of(settings: Settings, library: Path) -> Site:
    """Return the notes beside a library."""
    return Site(site_file(library, settings.site), settings.site)


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

    with open_store(library_path, settings) as store:
        places = [_places(store, named) for named in (wrong, right)]
        said = About(new_request(), question, (), store.version)
    site_of(settings, library_path).add_correction(said, places[0], places[1], comment)
    say("Kept.", kept=True)


def _places(store: Store, named: Sequence[str]) -> list[Shown]:
    """Return the places named as DOCUMENT:LABEL.

    Raises:
        BadInput, UnknownDocument, UnknownPlace: there is none. AmbiguousLabel: there are several.
    """
    from appliance.retrieval.follow.neighbours import item_of
    from appliance.retrieval.typed_labels import label_typed

    places = []
    for name in named:
        document, _, label = name.partition(":")
        if not label.strip():
            raise BadInput(f"{name!r} names no place. Write DOCUMENT:LABEL, for instance AD-K:1.3.")
        found = label_typed(store, document, label.strip())
        item = item_of(store, document, found.key)
        page = item.boxes[0].page if item and item.boxes else 0
        places.append(Shown(document, found.key, page))
    return places
