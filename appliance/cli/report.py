"""The commands that show how well a code was read, and what its figures look like."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table as Grid

from appliance.cli.options import (
    FILE,
    json_option,
    library_option,
    open_library,
    print_json,
    refuse_signed,
    write_file,
)
from appliance.cli.terminal_output import ERR, OUT, print_others, print_outline
from appliance.contract.shape import picked
from appliance.core.document import Figure, Formula, Problem, Table
from appliance.core.errors import BadInput, BadSettings
from appliance.core.settings import Settings
from appliance.quality.contract import Quality, Trust, report_json, summary_json

if TYPE_CHECKING:
    from appliance.library import Library


@click.command()
@click.argument("document", required=False)
@library_option
@json_option
@click.option("--all", "every", is_flag=True, help="Show every page to look at, not the worst alone.")
@click.option("--checked", metavar="PAGES", help="Pages that you have compared with the image: 12,14-16.")
@click.option("--unchecked", metavar="PAGES", help="Take checks back.")
@click.pass_obj
def report(
    settings: Settings,
    document: str | None,
    library_path: Path,
    as_json: bool,
    every: bool,
    checked: str | None,
    unchecked: str | None,
) -> None:
    """Tell how well documents were read: expected against found, and the pages to look at.

    Without DOCUMENT: all of them, one line each. What is expected comes from the documents themselves:
    captions, numbers in sequence, tables and figures that the text speaks of.

    \b
    appliance report --library build/codes.db
    appliance report AD-K --library build/codes.db
    appliance report AD-K --checked 12,14-16 --library build/codes.db
    appliance report AD-K --json --library build/codes.db
    """
    from appliance.quality.checked import page_numbers, write_checked

    library = open_library(library_path, settings)
    if document is None:
        if checked or unchecked:
            message = "Name the document whose pages were checked: appliance report DOCUMENT --checked PAGES."
            raise click.UsageError(message)
        reports = [library.quality(info.id) for info in library.documents()]
        print_json([summary_json(item) for item in reports]) if as_json else print_overview(reports)
        return
    for pages, undo in ((checked, False), (unchecked, True)):
        if pages:
            refuse_signed(library_path)
            info = library.store.info(document)
            numbers = page_numbers(pages, info.pages)
            today = datetime.now(UTC).date().isoformat()
            write_checked(library_path, document, info.sha256, numbers, today, undo=undo)
    found = report_json(library.quality(document))
    if as_json:
        print_json(found)
        return
    look_at, _ = found.pop("look_at"), found.pop("pages")
    worst = look_at if every else look_at[:PAGES_SHOWN]
    shown = [
        {"page": page["page"], "trust": page["trust"], "why": [why["words"] for why in page["reasons"]]}
        for page in worst
    ]
    print_outline(found | {"worst pages": shown})
    if len(look_at) > len(worst):
        OUT.print(f"and {len(look_at) - len(worst)} more pages; --all shows them")


@click.command()
@click.argument("document")
@click.argument("label")
@click.option("--image", type=FILE, help="Write the drawing with its caption to this PNG file.")
@click.option("--describe", is_flag=True, help="What the vision model of the settings says of it.")
@library_option
@json_option
@click.pass_obj
def figure(
    settings: Settings,
    document: str,
    label: str,
    image: Path | None,
    describe: bool,
    library_path: Path,
    as_json: bool,
) -> None:
    """Show a figure or formula: caption, place, text; with --image, the drawing itself.

    With --describe, what a vision model says of a figure: no text of the document, and confirmed by nothing.

    \b
    appliance figure AD-K "Diagram 1.1" --library build/codes.db
    appliance figure AD-K "Diagram 1.1" --image rise.png --library build/codes.db
    appliance figure EN-1991-1-3 "(5.1)" --image formula.png --library build/codes.db
    appliance --settings appliance.toml figure AD-K "Diagram 1.1" --describe --library build/codes.db
    """
    library = open_library(library_path, settings)
    found = library.drawn(document, label)
    doubts = library.doubts(document, found.boxes)
    tables = library.tables_in(document, label)
    if image is not None:
        picture = library.picture(document, label)
        if picture is None:
            message = f"{label} of {document} has no page image. Build the library with images to cut it out."
            raise BadInput(message)
        write_file(image, picture)
        for problem in library.picture_problems(document, label):
            page = f" [dim]page {problem.page}[/]" if problem.page else ""
            ERR.print(f"[yellow]{escape(problem.message)}[/]{page}")
    told = figure_json(document, found, doubts, tables)
    if describe:
        told |= _described_json(library, settings, document, label)
    if as_json:
        print_json(told)
    else:
        print_outline(told)
        print_others(found.label, library.others_called(document, found.label))


PAGES_SHOWN = 20  # of those to look at
TRUSTS_SHOWN: tuple[Trust, ...] = ("ocr", "none", "checked")
COLOURS = {"good": "green", "to check": "yellow", "poor": "red"}


def print_overview(reports: Sequence[Quality]) -> None:
    """Print one line for each document."""
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("document", no_wrap=True)
    grid.add_column("level", no_wrap=True)
    for name in ("pages", "OCR", "no text", "checked", "look at", "clauses", "tables", "figures"):
        grid.add_column(name, justify="right")
    grid.add_column("refs/page (usual)", justify="right")
    for item in reports:
        trust = [str(item.trust[kind]) for kind in TRUSTS_SHOWN]
        found = [
            f"{one.found} of {one.expected}" if one.missing else str(one.found)
            for one in (item.clauses, item.tables, item.figures)
        ]
        references, usual = item.references, item.references.usual_a_page
        rate = f"{references.a_page:g}" + (f" ({usual:g})" if usual is not None else "")
        level = f"[{COLOURS[item.level]}]{item.level}[/]"
        numbers = (str(len(item.pages)), *trust, str(len(item.look_at)), *found, rate)
        grid.add_row(escape(item.document), level, *numbers)
    OUT.print(grid)


def figure_json(
    document: str, item: Figure | Formula, doubts: Sequence[Problem] = (), tables: Sequence[Table] = ()
) -> dict[str, Any]:
    """Return a figure or formula for programs; with a `doubt` its picture counts and not its text.

    `tables` are those that stand in it.
    """
    kind, own = ("figure", "title") if isinstance(item, Figure) else ("formula", "where")
    return picked(
        ("document", "label", "key", "kind", own, "text", "pages", "boxes", "clause", "tables", "doubt"),
        item,
        document=document,
        kind=kind,
        clause=item.clause.key if item.clause else None,
        tables=[table.label.key for table in tables],
        doubt=doubts[0].message if doubts else "",
    )


def _described_json(library: Library, settings: Settings, document: str, label: str) -> dict[str, Any]:
    """Return what the vision model of the settings says of a figure for programs."""
    from appliance.figure_descriptions import MARK, open_describer

    describer = open_describer(library, settings)
    if describer is None:
        message = "No vision model is installed for this. Name one as vision in [llm] of the settings."
        raise BadSettings(message)
    click.get_current_context().call_on_close(describer.close)
    described = describer.describe(document, label)
    names = "by", "mark", "sentences", "left_out", "seconds"
    return {"described": picked(names, described, by=described.model, mark=MARK)}
