"""Quality reports and figures as the command line shows them to people.

Rules of this module: results go to stdout; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.markup import escape
from rich.table import Table as Grid

from appliance.cli.show import ERR, OUT
from appliance.describing import MARK, Described
from appliance.document import Figure, Formula, Problem, Table, pages_of
from appliance.quality.values import Expected, Report, Yield

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
        ERR.print(f"[yellow]{escape(problem.message)}[/] [dim]page {problem.page}[/]")


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
