"""What the command line shows to people: tables, answers, progress with the time that is left.

Rules of this module: results go to stdout, progress and remarks to stderr; nothing is decided here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    track,
)
from rich.table import Table as Grid

from appliance.building import BuildReport
from appliance.building import Progress as ProgressSink
from appliance.doctor import Check
from appliance.document import Document, Figure, Label, Table
from appliance.evidence import Evidence, Place
from appliance.models.catalogue import Listed

OUT = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
ERR = Console(stderr=True, highlight=False)
PROBLEMS_SHOWN = 20


@contextmanager
def build_progress() -> Iterator[ProgressSink]:
    """Show one bar a step on stderr while a build runs, with the time that is left."""
    columns = (
        TextColumn("{task.description:10}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[detail]}"),
    )
    with Progress(*columns, console=ERR) as bars:
        tasks: dict[str, TaskID] = {}

        def show(step: str, done: float, total: float, detail: str = "") -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, total=total, detail=detail)
            bars.update(tasks[step], completed=done, total=total, detail=detail)

        yield show


@contextmanager
def counted(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show one bar on stderr that is told (done, total)."""
    with staged() as stages:
        yield stages(what)


@contextmanager
def staged() -> Iterator[Callable[[str], Callable[[int, int], None]]]:
    """Show a bar on stderr for each stage by its name, which is told (done, total)."""
    with build_progress() as show:
        yield lambda what: lambda done, total: show(what, done, total, f"{done} of {total}")


def batch_progress(lines: Sequence[str]) -> Iterable[str]:
    """Yield the lines with a bar on stderr."""
    return track(lines, description="requests", console=ERR)


def report_json(report: BuildReport) -> dict[str, Any]:
    """Return the report of a build for programs."""
    return {
        "library": str(report.library),
        "up_to_date": report.up_to_date,
        "documents": [asdict(document) for document in report.documents],
        "broken": [{"path": str(item.path), "reason": item.reason} for item in report.broken],
        "removed": list(report.removed),
        "problems": [{"document": d, "page": page, "message": text} for d, page, text in report.problems],
        "seconds": round(report.seconds, 2),
        "pages_read": report.pages_read,
    }


def print_report(report: BuildReport) -> None:
    """Print what a build found, document by document, and what it could not read."""
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("document", no_wrap=True)
    for name in ("pages", "clauses", "tables", "figures", "terms", "references", "open", "problems"):
        grid.add_column(name, justify="right")
    grid.add_column("")
    for item in report.documents:
        found = (item.pages, item.clauses, item.tables, item.figures, item.terms)
        counts = (*found, item.references, item.unresolved, item.problems)
        grid.add_row(escape(item.id), *map(str, counts), item.change)
    OUT.print(grid)
    for broken in report.broken:
        OUT.print(f"[red]not read:[/] {escape(str(broken.path))}: {escape(broken.reason)}")
    for name in report.removed:
        OUT.print(f"[yellow]no longer there, removed from the library:[/] {escape(name)}")
    for document, page, message in report.problems[:PROBLEMS_SHOWN]:
        where = f"{document} page {page}" if page else document
        style = "dim" if page else "yellow"
        OUT.print(f"[{style}]look at {escape(where)}: {escape(message)}[/]")
    if len(report.problems) > PROBLEMS_SHOWN:
        rest = len(report.problems) - PROBLEMS_SHOWN
        OUT.print(f"[dim]and {rest} more; appliance document NAME shows them[/]")
    OUT.print(_closing_line(report))


def _closing_line(report: BuildReport) -> str:
    if report.up_to_date:
        return f"Nothing has changed: {escape(str(report.library))} is up to date."
    rate = f", {report.pages_read} pages read" if report.pages_read else ""
    return f"Built {escape(str(report.library))} in {report.seconds:.1f} s{rate}."


def print_evidence(evidence: Evidence) -> None:
    """Print which searches could not run, then the places, best first."""
    for why in evidence.not_run:
        OUT.print(f"[yellow]{escape(why)}[/]")
    if not evidence.hits:
        OUT.print("Nothing found.")
    for rank, place in enumerate(evidence.hits, 1):
        print_place(place, f"{rank:2d}")
    for item in evidence.unresolved:
        text, reason = escape(item.text), escape(item.reason)
        OUT.print(f"[dim]not followed: {text} ({item.document} {escape(item.source.named)}: {reason})[/]")


def print_place(place: Place, number: str) -> None:
    """Print a place with its number in a list."""
    pages = ", ".join(map(str, place.pages))
    head = f"[bold]{number}  {escape(place.document)} {escape(place.label.named)}[/]"
    OUT.print(f"{head} {escape(place.title)} [dim]page {pages}, found by {', '.join(place.found_by)}[/]")
    OUT.print(f"    {escape(shortened(place.text))}", soft_wrap=False)


def shortened(text: str, length: int = 240) -> str:
    """Return a text on one line, cut at a word where it is long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= length else flat[:length].rsplit(" ", 1)[0] + " …"


def print_document(document: Document) -> None:
    """Print the clause tree of a document with its tables and figures counted."""
    OUT.print(f"[bold]{escape(document.id)}[/] {escape(document.designation)} {escape(document.title)}")
    OUT.print(f"[dim]{escape(document.edition)}, {document.status}, {len(document.pages)} pages[/]")
    for clause in document.clauses:
        indent = "  " * clause.level
        page = clause.boxes[0].page if clause.boxes else 0
        label, text = clause.label.named, clause.title or clause.passage.text
        title = "" if clause.title.startswith(str(clause.label)) else f" {escape(shortened(text, 80))}"
        OUT.print(f"{indent}[bold]{escape(label)}[/]{title} [dim]p. {page}[/]")
    placed: list[Table | Figure] = [*document.tables, *document.figures]
    for item in placed:
        name = escape(item.label.named)
        OUT.print(f"[bold]{name}[/] {escape(item.title)} [dim]p. {item.boxes[0].page}[/]")
    for problem in document.problems:
        OUT.print(f"[yellow]page {problem.page}: {escape(problem.message)}[/]")


def print_others(label: Label, others: Sequence[tuple[str, str]]) -> None:
    """Print the other places of a document that print the same label, each as it is written."""
    if others:
        told = "; ".join(f"{way} ({where})" for way, where in others)
        ERR.print(f"[yellow]{escape(f'{label} is also: {told}')}[/]")


def print_cells(result: dict[str, Any]) -> None:
    """Print the cells that a table look-up returned."""
    if result["rivals"]:
        names = ", ".join([result["key"], *result["rivals"]])
        OUT.print(f"[yellow]Tables of one name answer differently; name one by its key:[/] {escape(names)}")
    elif result["others"]:
        own = Label.from_key(result["key"]).named
        OUT.print(f"[yellow]This is {escape(own)}; so called too: {escape(', '.join(result['others']))}[/]")
    for other in result["read_as"]:
        said = f"{other['asked']} = {other['read']}"
        OUT.print(f"[yellow]Read as other words for the same:[/] {escape(said)}")
    if not result["cells"]:
        OUT.print("No cell of the table answers to these words.")
    elif any(cell["doubt"] for cell in result["cells"]):
        OUT.print("[yellow]Read with doubt; compare it with the page:[/]")
    elif not result["exact"]:
        OUT.print("[yellow]No cell answers to all of these words. The nearest:[/]")
    for cell in result["cells"]:
        where = " / ".join(
            filter(None, (" > ".join(cell["row_headers"]), " > ".join(cell["column_headers"])))
        )
        doubt = f" [yellow]({escape(cell['doubt'])})[/]" if cell["doubt"] else ""
        OUT.print(f"[bold]{escape(cell['text'])}[/]{doubt} [dim]{escape(where)}[/]")
    if result["more"]:
        OUT.print(f"[yellow]{result['more']} more cells answer as well; name a row or a column.[/]")
    for note in result.get("notes", ()):
        OUT.print(f"[dim]{escape(note)}[/]")


def print_checks(checks: Sequence[Check]) -> None:
    """Print what doctor found, with the command that mends it."""
    colours = {"well": "green", "note": "yellow", "wrong": "red"}
    for check in checks:
        OUT.print(f"[{colours[check.state]}]{check.state:5}[/] {escape(check.name)}: {escape(check.message)}")
        if check.mend:
            OUT.print(f"      mend with: [bold]{escape(check.mend)}[/]")


def print_models(listed: Sequence[Listed]) -> None:
    """Print the catalogue: what is installed and what could be, then what each is."""
    facts, told = Grid(box=None, pad_edge=False), Grid(box=None, pad_edge=False, show_header=False)
    width = max((len(item.entry.name) for item in listed), default=0)
    for grid in (facts, told):
        grid.add_column("model", no_wrap=True, min_width=width)
    for name in ("role", "state", "size", "memory", "context", "template", "licence"):
        facts.add_column(name)
    told.add_column()
    for item in listed:
        entry = item.entry
        size = f"{item.size / 1e6:.0f} MB" if item.size else ""
        memory = f"{entry.ram_mib} MiB" if entry.ram_mib else ""
        context = f"{entry.context:,}" if entry.context else ""
        words = (entry.name, entry.role, item.state, size, memory, context, entry.template, entry.licence)
        facts.add_row(*map(escape, words))
        told.add_row(*map(escape, (entry.name, entry.summary)))
    OUT.print(facts, "", told)
