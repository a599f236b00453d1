"""An answer as the command line shows it to people: three outcomes that look different.

Rules of this module: a list is printed as a list, as the code prints it; both sides of a conflict stand one
below the other with the rule that decides; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.markup import escape

from appliance.cli.show import OUT, print_place, shortened
from appliance.document import OUT_OF_FORCE
from appliance.evidence import Answer, Citation, Conflict, Failed, Grounded, NotFound, Statement
from appliance.items import mark_of


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
            for rank, place in enumerate(answer.evidence.hits[:5], 1):
                print_place(place, f"{rank:2d}")
        case Failed():
            OUT.print(f"[bold red]Failed:[/] {escape(answer.message)}")


def _print_grounded(answer: Grounded) -> None:
    if answer.evidence.query.unreadable:
        OUT.print(f"[bold yellow]{escape(answer.evidence.query.unreadable)}[/]")
    if answer.gap:
        OUT.print(f"[bold yellow]{escape(answer.gap)}[/]")
    for number, statement in enumerate(answer.statements):
        _print_statement(answer, number, statement)
    for part in answer.parts:
        if not part.statements:
            OUT.print(f"[yellow]Nothing was found for:[/] {escape(part.asked)}")
            OUT.print(f"[dim]{escape(part.why)}[/]")
    for conflict in answer.conflicts:
        _print_conflict(conflict)
    OUT.print(f"[dim]Confidence {answer.confidence.level}: {escape('; '.join(answer.confidence.reasons))}[/]")
    for citation in answer.citations:
        OUT.print(_cited(citation))
    for link in answer.evidence.chain:
        way = f"{link.from_document} {link.from_label.named} → {link.to_document} {link.to_label.named}"
        OUT.print(f"[dim]followed: {escape(way)} ({escape(link.words)})[/]")
    for item in answer.evidence.unresolved:
        OUT.print(f"[dim]not followed: {escape(item.text)}: {escape(item.reason)}[/]")


def _print_statement(answer: Grounded, number: int, statement: Statement) -> None:
    asked = [part.asked for part in answer.parts if part.statements[:1] == (number,)]
    for question in asked:
        OUT.print(f"[bold]{escape(question)}[/]")
    marks = "".join(f"[{n}]" for n in statement.citations)
    doubt = "" if statement.confirmed else f" [red](not confirmed: {escape(statement.why)})[/]"
    first, *others = laid_out(statement, answer.citations)
    OUT.print(f"• {escape(first)}{'' if others else f' [cyan]{escape(marks)}[/]{doubt}'}")
    for at, line in enumerate(others, 1):
        last = f" [cyan]{escape(marks)}[/]{doubt}" if at == len(others) else ""
        OUT.print(f"    {escape(line)}{last}")


def laid_out(statement: Statement, citations: tuple[Citation, ...]) -> list[str]:
    """Return the lines of a statement: each item of a list on its own where it quotes one as printed."""
    quotes = [citation.quote for citation in citations if citation.n in statement.citations]
    if len(quotes) == 1 and " ".join(quotes[0].split()) == statement.text:
        return list(_items(quotes[0]))
    return [statement.text]


def _items(text: str) -> Iterator[str]:
    line = ""
    for printed in filter(None, map(str.strip, text.split("\n"))):
        if line and mark_of(f"{printed} "):
            yield line
            line = printed
        else:
            line = f"{line} {printed}".strip()
    yield line


def _print_conflict(conflict: Conflict) -> None:
    OUT.print("[bold red]Two places give different numbers:[/]")
    for side, citation in enumerate(conflict.sides):
        decides = " [bold](decides)[/]" if conflict.decides == side else ""
        OUT.print(f"    {_cited(citation)}{decides}")
    OUT.print(f"    {escape(conflict.rule)}")


def _cited(citation: Citation) -> str:
    place = f"{citation.document} {citation.label.named}, page {citation.page}"
    place += f", {citation.status}" if citation.status in OUT_OF_FORCE else ""
    quote = escape(shortened(citation.quote))
    return f"[cyan]{escape(f'[{citation.n}]')}[/] {escape(place)}: [italic]“{quote}”[/]"
