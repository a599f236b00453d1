"""What the command line shows to people: tables, answers, progress with the time that is left."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Grid

from appliance.cli.options import count
from appliance.core.document import OUT_OF_FORCE, Clause, ClauseView, Document, Figure, Label, Table
from appliance.core.evidence import (
    Answer,
    Choice,
    Citation,
    Decided,
    Evidence,
    Failed,
    Grounded,
    NotFound,
    Place,
    Statement,
)
from appliance.operation.values import Point
from appliance.text.sentences import shortened

if TYPE_CHECKING:
    from appliance.crawl.crawler import Crawled
    from appliance.library_building import BuildReport
    from appliance.library_building import Progress as ProgressSink


# No line of a file or pipe is cut or broken: whoever reads it may do so.
OUT = Console(highlight=False, width=None if sys.stdout.isatty() else 100_000)
ERR = Console(stderr=True, highlight=False)
PROBLEMS_SHOWN = 20
LINE = 240  # characters of a text on one line


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


# What became of an address that brought no file, most serious first.
NOT_BROUGHT = {
    "failed": "no answer",
    "missing": "not there",
    "other": "no web page or PDF",
    "refused": "forbidden to programs",
    "outside": "leads out of the site",
    "copy": "says what another page says",
}
ADDRESSES_SHOWN = 40  # of each of these


def print_crawled(crawled: Crawled, folder: Path) -> None:
    """Print what a crawl brought, and each address that brought no file, by what became of it."""
    changes = Counter(visit.change for visit in crawled.visits if visit.file)
    changed = ", ".join(
        f"{changes[name]} {name}" for name in ("new", "changed", "unchanged") if changes[name]
    )
    OUT.print(f"Files in {escape(str(folder))}: {changes.total()} ({changed or 'none'}).")
    OUT.print(f"Removed, because the site has them no more: {len(crawled.gone)}.")
    lost, outside = set(crawled.failed), set(crawled.outside)
    kinds = {visit: "failed" if visit in lost else "outside" if visit in outside else visit.outcome
             for visit in crawled.visits}  # fmt: skip
    for kind, words in NOT_BROUGHT.items():
        found = [visit for visit in crawled.visits if kinds[visit] == kind]
        style = "red" if kind == "failed" else "yellow"
        if found:
            OUT.print(f"[{style}]Not brought, {words}: {len(found)}.[/]")
        for visit in found[:ADDRESSES_SHOWN]:
            OUT.print(f"  {escape(visit.address)}: {escape(visit.why)}", soft_wrap=True)
        if len(found) > ADDRESSES_SHOWN:
            OUT.print(f"[dim]  and {len(found) - ADDRESSES_SHOWN} more, listed with --json[/]")
    if crawled.left:
        OUT.print(f"[red]Addresses left: {crawled.left}. Raise --pages.[/]")


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
    library = escape(str(report.library))
    rate = f", {report.pages_read} pages read" if report.pages_read else ""
    built = f"Built {library} in {report.seconds:.1f} s{rate}."
    OUT.print(f"Nothing has changed: {library} is up to date." if report.up_to_date else built)


def print_evidence(evidence: Evidence) -> None:
    """Print which searches could not run, then the places, best first."""
    for why in evidence.not_run:
        OUT.print(f"[yellow]{escape(why)}[/]")
    if not evidence.shown:
        OUT.print("Nothing found.")
    _print_places(evidence.shown)
    for item in evidence.unresolved:
        text, reason = escape(item.text), escape(item.reason)
        OUT.print(f"[dim]not followed: {text} ({item.document} {escape(item.source.named)}: {reason})[/]")


def _print_places(places: Iterable[Place]) -> None:
    for rank, place in enumerate(places, 1):
        pages = f"page{'s' if len(place.pages) > 1 else ''} {', '.join(map(str, place.pages))}"
        head = f"[bold]{rank:2d}  {escape(place.document)} {escape(place.label.named)}[/]"
        title = "" if place.title == place.label.named else f" {escape(place.title)}"
        beside = ", ".join(part.label.named for part in place.parts[1:])
        told = ", ".join(filter(None, (pages if place.pages else "", f"with {beside}" if beside else "")))
        OUT.print(f"{head}{title} [dim]{escape(told)}[/]")
        OUT.print(f"    {escape(shortened(place.best.text, LINE))}", soft_wrap=False)


def marked(words: Iterable[tuple[str, str]]) -> str:
    """Return a difference, given as (fate, text), on one line: what is gone as -[…], what is new as +[…]."""
    signs = {"gone": "-[{}]", "new": "+[{}]"}
    return " ".join(signs.get(fate, "{}").format(text) for fate, text in words)


def print_document(document: Document) -> None:
    """Print the clause tree of a document with its tables and figures counted."""
    OUT.print(f"[bold]{escape(document.id)}[/] {escape(document.designation)} {escape(document.title)}")
    OUT.print(f"[dim]{escape(document.edition)}, {document.status}, {count(len(document.pages), 'page')}[/]")
    anchors = dict(document.anchors)  # of what was a web page
    if document.address:
        OUT.print(f"[dim]{escape(document.address)}[/]", soft_wrap=True)

    def where(item: Clause | Table | Figure) -> str:
        at = f"#{anchors[item.label.key]}" if item.label.key in anchors else ""
        at = at or (f"p. {item.boxes[0].page}" if item.boxes and not document.address else "")
        return f" [dim]{escape(at)}[/]" if at else ""

    for clause in document.clauses:
        indent = "  " * clause.level
        label, text = clause.label.named, clause.title or clause.passage.text
        title = "" if clause.title.startswith(str(clause.label)) else f" {escape(shortened(text, 80))}"
        OUT.print(f"{indent}[bold]{escape(label)}[/]{title}{where(clause)}")
    placed: list[Table | Figure] = [*document.tables, *document.figures]
    for item in placed:
        name = escape(item.label.named)
        OUT.print(f"[bold]{name}[/] {escape(item.title)}{where(item)}")
    for page, message in dict.fromkeys((problem.page, problem.message) for problem in document.problems):
        on = f"page {page}: " if page else ""
        OUT.print(f"[yellow]{on}{escape(message)}[/]")


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
        OUT.print(f"[yellow]Cells that answer as well: {result['more']}. Name a row or a column.[/]")
    for note in result.get("notes", ()):
        OUT.print(f"[dim]{escape(note)}[/]")


def print_checks(checks: Sequence[Point]) -> None:
    """Print what doctor found, with the command that mends it."""
    colours = {"well": "green", "note": "yellow", "wrong": "red"}
    for check in checks:
        OUT.print(f"[{colours[check.state]}]{check.state:5}[/] {escape(check.name)}: {escape(check.words)}")
        if check.mend:
            OUT.print(f"      mend with: [bold]{escape(check.mend)}[/]")


def print_answer(answer: Answer) -> None:
    """Print an answer."""
    match answer:
        case Grounded():
            _print_grounded(answer)
        case NotFound():
            OUT.print("[bold yellow]Not found in the documents loaded.[/]")
            for reason in answer.reasons:
                OUT.print(f"[dim]{escape(reason)}[/]")
            OUT.print(f"Searched: {escape(', '.join(answer.searched))}. Nearest places:")
            _print_places(answer.evidence.shown[:5])
        case Failed():
            OUT.print(f"[bold red]Failed:[/] {escape(answer.message)}")
            _print_places(answer.evidence.shown if answer.evidence else ())


def _print_grounded(answer: Grounded) -> None:
    if answer.evidence.query.unreadable:
        OUT.print(f"[bold yellow]{escape(answer.evidence.query.unreadable)}[/]")
    if answer.gap:
        OUT.print(f"[bold yellow]{escape(answer.gap)}[/]")
    _print_said(answer)
    for part in answer.parts:
        if not part.statements:
            OUT.print(f"[yellow]Nothing was found for:[/] {escape(part.asked)}")
            OUT.print(f"[dim]{escape(part.why)}[/]")
    for conflict in answer.conflicts:
        OUT.print("[bold red]Two places give different numbers:[/]")
        for side, citation in enumerate(conflict.sides):
            OUT.print(f"    {_cited(citation)}{' [bold](decides)[/]' if conflict.decides == side else ''}")
        OUT.print(f"    {escape(conflict.rule)}")
    OUT.print(f"[dim]Confidence {answer.confidence.level}: {escape('; '.join(answer.confidence.reasons))}[/]")
    for citation in answer.citations:
        OUT.print(_cited(citation))
    for link in answer.evidence.chain:
        way = f"{link.from_document} {link.from_label.named} → {link.to_document} {link.to_label.named}"
        OUT.print(f"[dim]followed: {escape(way)} ({escape(link.words)})[/]")
    for item in answer.evidence.unresolved:
        OUT.print(f"[dim]not followed: {escape(item.text)}: {escape(item.reason)}[/]")


def _print_said(answer: Grounded) -> None:
    """Print the headline, the statements, then in one line each what says something too."""
    if answer.headline is not None:  # a doubtful value only with the page that proves it
        value = f"{answer.headline.value} {answer.headline.unit}".strip()
        strong = "bold" if answer.headline.trust == "text" else "dim"
        what = f"{escape(answer.headline.what)} [cyan]\\[{answer.headline.citation}][/]"
        OUT.print(f"[{strong}]{escape(value)}[/]  {what}")
        for condition in answer.headline.conditions:
            OUT.print(f"    {escape(condition)}")
    for case in answer.cases:
        value, names = f"{case.value} {case.unit}".strip(), " › ".join(case.conditions)
        OUT.print(f"[bold]{escape(value)}[/]  {escape(names)} [cyan]\\[{case.citation}][/]")
        OUT.print(f"    {escape(case.what)}")
    for number, statement in enumerate(answer.statements):
        _print_statement(answer, number, statement)
    if answer.also:
        OUT.print("[dim]Also says something:[/]")
    for statement in answer.also[:SHOWN]:
        marks = "".join(f"[{n}]" for n in statement.citations)
        OUT.print(f"[dim]  {escape(statement.text)} {escape(marks)}[/]")
    if more := answer.also[SHOWN:]:
        OUT.print(f"[dim]  and {len(more)} more, listed with --json[/]")


def _print_statement(answer: Grounded, number: int, statement: Statement) -> None:
    for part in answer.parts:
        if part.statements[:1] == (number,):
            OUT.print(f"[bold]{escape(part.asked)}[/]")
    marks = "".join(f"[{n}]" for n in statement.citations)
    doubt = "" if statement.confirmed else f" [red](not confirmed: {escape(statement.why)})[/]"
    first, *others = statement.text.split("\n")
    OUT.print(f"• {escape(first)}{'' if others else f' [cyan]{escape(marks)}[/]{doubt}'}")
    for at, line in enumerate(others, 1):
        last = f" [cyan]{escape(marks)}[/]{doubt}" if at == len(others) else ""
        OUT.print(f"    {escape(line)}{last}")


def _cited(citation: Citation) -> str:
    place = f"{citation.document} {citation.label.named}, {citation.address or f'page {citation.page}'}"
    place += f", {citation.status}" if citation.status in OUT_OF_FORCE else ""
    quote = escape(shortened(citation.quote, LINE))
    return f"[cyan]{escape(f'[{citation.n}]')}[/] {escape(place)}: [italic]“{quote}”[/]"


SHOWN = 8


def print_choices(choices: Sequence[Choice]) -> None:
    """Print what governs the places shown, the first of it."""
    for choice in choices[:SHOWN]:
        colour = "magenta" if choice.accepted else "yellow"
        target, source = f"{choice.parent} {choice.target.named}", f"{choice.document} {choice.label.named}"
        OUT.print(f"[{colour}]{choice.what}:[/] {escape(target)} is governed by [bold]{escape(source)}[/]")
        OUT.print(f"    [italic]“{escape(choice.words)}”[/] [dim]{escape(choice.rule)}[/]")
    if len(choices) > SHOWN:
        OUT.print(f"[dim]and {len(choices) - SHOWN} more, listed with --json[/]")


def print_decided(decided: Decided) -> None:
    """Print what governs a place, then what it decides for others."""
    print_choices(decided.governing)
    for choice in decided.made:
        OUT.print(f"[magenta]decides for[/] [bold]{escape(f'{choice.parent} {choice.target.named}')}[/]")
        OUT.print(f"    [italic]“{escape(choice.words)}”[/] [dim]{escape(choice.rule)}[/]")


def print_clause(document: str, view: ClauseView, decided: Decided, address: str = "") -> None:
    """Print a clause with what stands under it, its choices and its references.

    `address` is its place on the web, "" for that of a PDF.
    """
    clause = view.clause
    at = address or (f"page {clause.boxes[0].page}" if clause.boxes else "")
    page = f" [dim]{escape(at)}[/]" if at else ""
    OUT.print(f"[bold]{escape(document)} {escape(clause.label.named)}[/] {escape(clause.title)}{page}")
    for item in (clause, *view.children):
        if item.passage.text:
            number = "" if item is clause else f"[bold]{escape(item.marker or str(item.label))}[/] "
            OUT.print(f"{number}{escape(item.passage.text)}")
    print_decided(decided)
    for reference in view.references:
        where = f"{reference.document} {reference.target.named}" if reference.target else reference.reason
        OUT.print(f"[dim]refers to: {escape(reference.text)} ({escape(where or reference.status)})[/]")
    for source, reference in view.cited_by:
        OUT.print(f"[dim]cited by: {escape(source)} {escape(reference.source.named)}[/]")


ITEMS = 15  # of a scope that are printed


def print_understood(evidence: Evidence) -> None:
    """Print what a question was taken for, what it comes to as a question for places, what was raised."""
    query = evidence.query
    if query.typed:
        OUT.print(f"[cyan]Understood as:[/] {escape(query.text)} [dim](after: {escape(query.after)})[/]")
    if scope := evidence.scope:
        OUT.print(f"[bold]{escape(scope.text)}[/]")
        for item in scope.items[:ITEMS]:
            where = f"{item.document} {item.label.named}, {item.address or f'page {item.page}'}"
            how = f" ({item.how})" if item.how else ""
            how += f" in {' › '.join(item.above)}" if item.above else ""
            OUT.print(f"  {escape(where)} {escape(item.title)}[dim]{escape(how)}[/]")
        if len(scope.items) > ITEMS:
            OUT.print(f"[dim]  and {len(scope.items) - ITEMS} more, listed with --json[/]")
        for line in scope.searched:
            OUT.print(f"[dim]  searched {escape(line)}[/]", soft_wrap=True)
    for raised in evidence.boosted:
        OUT.print(f"[dim]raised: {escape(f'{raised.document} {raised.label.named}')} {escape(raised.why)}[/]")


PLACED = frozenset({"box", "boxes", "focus", "key", "keys"})  # of no use to a reader
FEW, LONG = 9, 40  # columns of a table on a terminal, and letters of a cell, that there is room for


def print_outline(value: Any) -> None:
    """Print what `--json` gives as text: a field a line, like rows as a table, nothing for what is empty."""
    for part in _outlined(value, ""):
        OUT.print(escape(part) if isinstance(part, str) else part, soft_wrap=isinstance(part, str))


def _outlined(value: Any, indent: str) -> Iterator[RenderableType]:
    if isinstance(value, dict):
        for name, held in value.items():
            if name in PLACED or not _filled(held):
                continue
            if (line := _on_one_line(held)) is not None:
                yield f"{indent}{name.replace('_', ' ')}: {line}"
            else:
                yield f"{indent}{name.replace('_', ' ')}:"
                yield from _outlined(held, f"{indent}  ")
    elif (table := _as_table(value)) is not None:
        yield Padding(table, (0, 0, 0, len(indent)), expand=False)
    else:
        for item in value:
            lines = list(_outlined(item, f"{indent}  ")) if isinstance(item, dict) else [str(item)]
            yield f"{indent}- {str(lines[0]).strip()}" if lines else f"{indent}-"
            yield from lines[1:]


def _filled(value: Any) -> bool:
    return bool(value) or (value == 0 and value is not False)


def _on_one_line(value: Any) -> str | None:
    """Return a value, a few of them, or a few by their names as one line; None for what has parts."""
    if isinstance(value, dict):
        parts = [None if isinstance(held, dict | list) else _on_one_line(held) for held in value.values()]
        named = [f"{name} {part}" for name, part in zip(value, parts, strict=True) if part]
        return None if None in parts else ", ".join(named)
    if isinstance(value, list | tuple):
        whole = not any(isinstance(item, dict | list | tuple) for item in value)
        return ", ".join(str(_on_one_line(item)) for item in value) if whole else None
    return f"{value:g}" if isinstance(value, float) else " ".join(str("" if value is None else value).split())


def _as_table(rows: Sequence[Any]) -> Grid | None:
    """Return rows of like fields as a table; None for what is no such list."""
    if len(rows) < 2 or not all(isinstance(row, dict) and row.keys() == rows[0].keys() for row in rows):
        return None
    names = [name for name in rows[0] if name not in PLACED and any(_filled(row[name]) for row in rows)]
    lines = [[_on_one_line(row[name]) for name in names] for row in rows]
    if len(names) > FEW or any(cell is None or len(cell) > LONG for line in lines for cell in line):
        return None
    table = Grid(*(name.replace("_", " ") for name in names), box=None, pad_edge=False)
    table.columns[0].no_wrap, table.columns[0].overflow = True, "fold"
    for line in lines:
        table.add_row(*(escape(cell or "") for cell in line))
    return table
