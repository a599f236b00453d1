"""The commands that show how well a code was read, and what its figures look like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table as Grid

from appliance.cli.options import FILE, json_option, library_option, open_library, print_json, refuse_signed
from appliance.cli.show import ERR, OUT
from appliance.core.document import Figure, Formula, Problem, Table, pages_of
from appliance.figures import MARK, Described
from appliance.quality.values import Expected, Report, Yield

if TYPE_CHECKING:
    from appliance.core.settings import Settings
    from appliance.figures import Described
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
    from appliance.quality.report import report_json, summary_json

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
            _mark(library, library_path, document, pages, undo=undo)
    found = library.quality(document)
    print_json(report_json(found)) if as_json else print_quality(found, every=every)


def _mark(library: Library, path: Path, document: str, pages: str, *, undo: bool) -> None:
    from appliance.quality.checked import page_numbers, write_checked

    refuse_signed(path)
    info = library.store.info(document)
    numbers = page_numbers(pages, info.pages)
    today = datetime.now(UTC).date().isoformat()
    write_checked(path, document, info.sha256, numbers, today, undo=undo)


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
    from appliance.cli.show import print_others

    library = open_library(library_path, settings)
    found = library.drawn(document, label)
    doubts = library.doubts(document, found.boxes)
    tables = library.tables_in(document, label)
    if image is not None:
        _cut_out(library, document, label, image)
    described = _described(library, settings, document, label) if describe else None
    if as_json:
        print_json(figure_json(document, found, doubts, tables) | described_json(described))
    else:
        print_figure(document, found, doubts, tables)
        print_others(found.label, library.others_called(document, found.label))
        print_described(described)


def _described(library: Library, settings: Settings, document: str, label: str) -> Described:
    """Return what the vision model of the settings says of a figure."""
    from appliance.core.errors import BadSettings
    from appliance.figures import open_describer

    describer = open_describer(library, settings)
    if describer is None:
        message = "No vision model is installed for this. Name one as vision in [llm] of the settings."
        raise BadSettings(message)
    click.get_current_context().call_on_close(describer.close)
    return describer.describe(document, label)


def _cut_out(library: Library, document: str, label: str, image: Path) -> None:
    """Write the drawing of a figure or formula to a file, and say what is amiss with it."""
    from appliance.core.errors import BadInput, CannotWrite

    picture = library.picture(document, label)
    if picture is None:
        message = f"{label} of {document} has no page image. Build the library with images to cut it out."
        raise BadInput(message)
    try:
        image.write_bytes(picture)
    except OSError as error:
        missing = not image.parent.is_dir()
        mend = f"Make the folder {image.parent} first." if missing else "Name another file with --image."
        raise CannotWrite(image, error.strerror or str(error), mend) from error
    print_amiss(library.picture_problems(document, label))


PAGES_SHOWN, REASONS_SHOWN, NAMED = 20, 6, 12
COLOURS = {"good": "green", "to check": "yellow", "poor": "red"}


def print_overview(reports: Sequence[Report]) -> None:
    """Print one line for each document."""
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("document", no_wrap=True)
    grid.add_column("level", no_wrap=True)
    for name in ("pages", "OCR", "no text", "checked", "look at", "clauses", "tables", "figures"):
        grid.add_column(name, justify="right")
    grid.add_column("refs/page (usual)", justify="right")
    for item in reports:
        trust = [str(len(item.trusted(kind))) for kind in ("ocr", "none", "checked")]
        found = [_of(expected) for expected in (item.clauses, item.tables, item.figures)]
        level = f"[{COLOURS[item.level]}]{item.level}[/]"
        numbers = (str(len(item.pages)), *trust, str(len(item.look_at)), *found, _rate(item.references))
        grid.add_row(escape(item.document), level, *numbers)
    OUT.print(grid)


def print_quality(report: Report, *, every: bool = False) -> None:
    """Print the report of one document; the worst pages alone unless every one is wanted."""
    OUT.print(f"[bold]{escape(report.document)}[/] {escape(report.designation)} {escape(report.title)}")
    OUT.print(f"[{COLOURS[report.level]}]{report.level}[/]: {escape(report.why)}")
    for name, item in (("clauses", report.clauses), ("tables", report.tables), ("figures", report.figures)):
        OUT.print(f"{name:10} {_of(item)}{_names(', not found: ', item.missing)}"
                  f"{_names('; only spoken of: ', item.spoken)}")  # fmt: skip
    _print_references(report.references)
    trust = {kind: report.trusted(kind) for kind in ("digital", "ocr", "none", "checked")}
    names = {"ocr": "by character recognition", "none": "without text", "checked": "checked by a person"}
    told = [f"{len(pages)} {names.get(kind, kind)}" for kind, pages in trust.items() if pages]
    OUT.print(f"{'pages':10} {', '.join(told) or 'none'}")
    for reason in report.whole:
        OUT.print(f"[yellow]whole document: {escape(reason.words)}[/]")
    _print_pages(report, len(report.look_at) if every else PAGES_SHOWN)


def _print_references(references: Yield) -> None:
    usual = f", usual {references.usual:g}" if references.usual is not None else ""
    low = " [red](far below it)[/]" if references.low else ""
    OUT.print(
        f"{'references':10} {references.found}: {references.resolved} resolved, {references.not_loaded} into "
        f"documents not loaded, {references.unresolved} unresolved; {references.a_page:g} a page{usual}{low}"
    )
    for reason, number in list(references.reasons.items())[:REASONS_SHOWN]:
        OUT.print(f"[dim]{'':10} {number:4} {escape(reason)}[/]")


def _print_pages(report: Report, most: int) -> None:
    if report.look_at:
        OUT.print("Pages to look at, worst first:")
    for page in report.look_at[:most]:
        OUT.print(f"[bold]{page.number:5}[/] [dim]{page.trust}[/]")
        for reason in page.reasons:
            OUT.print(f"      {escape(reason.words)}")
    if len(report.look_at) > most:
        OUT.print(f"[dim]and {len(report.look_at) - most} more pages; --all shows them[/]")


def figure_json(
    document: str, item: Figure | Formula, doubts: Sequence[Problem] = (), tables: Sequence[Table] = ()
) -> dict[str, Any]:
    """Return a figure or formula for programs; with a `doubt` its picture counts and not its text.

    `tables` are those that stand in it.
    """
    own = {"title": item.title} if isinstance(item, Figure) else {"where": item.where}
    return {
        "document": document,
        "label": str(item.label),
        "key": item.label.key,
        "kind": "figure" if isinstance(item, Figure) else "formula",
        **own,
        "text": item.text,
        "pages": list(pages_of(item.boxes)),
        "boxes": [asdict(box) for box in item.boxes],
        "clause": item.clause.key if item.clause else None,
        "tables": [table.label.key for table in tables],
        "doubt": doubts[0].message if doubts else "",
    }


def print_figure(
    document: str, item: Figure | Formula, doubts: Sequence[Problem] = (), tables: Sequence[Table] = ()
) -> None:
    """Print what is known of a figure or formula."""
    pages = ", ".join(map(str, pages_of(item.boxes)))
    title = item.title if isinstance(item, Figure) else ""
    OUT.print(f"[bold]{escape(document)} {escape(item.label.named)}[/] {escape(title)}")
    place = f", in {item.clause}" if item.clause else ""
    OUT.print(f"[dim]page {pages}{escape(place)}[/]")
    if item.text:
        OUT.print(escape(item.text))
    if isinstance(item, Formula) and item.where:
        OUT.print(escape(item.where))
    for table in tables:
        OUT.print(f'[dim]in it:[/] appliance table {escape(document)} "{escape(table.label.key)}"')
    for problem in doubts[:1]:
        OUT.print(f"[yellow]{escape(problem.message)}[/] [dim]--image FILE writes the picture[/]")


def described_json(described: Described | None) -> dict[str, Any]:
    """Return what a vision model says of a figure for programs, nothing where it was not asked."""
    if described is None:
        return {}
    return {
        "described": {
            "by": described.model,
            "mark": MARK,
            "sentences": list(described.sentences),
            "left_out": described.left_out,
            "seconds": described.seconds,
        }
    }


def print_described(described: Described | None) -> None:
    """Print what a vision model says of a figure, under what it is."""
    if described is not None:
        OUT.print(f"\n[yellow]{MARK}[/] [dim]({escape(described.model)})[/]")
        OUT.print(escape(" ".join(described.sentences)))
        if described.notice:
            OUT.print(f"[dim]{escape(described.notice)}[/]")


def print_amiss(problems: Sequence[Problem]) -> None:
    """Print what is amiss with what was written to a file."""
    for problem in problems:
        page = f" [dim]page {problem.page}[/]" if problem.page else ""
        ERR.print(f"[yellow]{escape(problem.message)}[/]{page}")


def _of(item: Expected) -> str:
    return str(item.found) if not item.missing else f"{item.found} of {item.expected}"


def _rate(references: Yield) -> str:
    usual = f" ({references.usual:g})" if references.usual is not None else ""
    return f"{references.a_page:g}{usual}"


def _names(before: str, names: Sequence[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return escape(f"{before}{', '.join(names[:NAMED])}{more}")
