"""How a question was read and answered, as the command line explains it to people.

Rules of this module: plain lines, one thing a line; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.markup import escape

from appliance.cli.show import OUT
from appliance.evidence import Answer, Evidence, Grounded, NotFound, Place, Query, Scoped

ITEMS = 15  # of a scope that are printed


def print_understood(evidence: Evidence) -> None:
    """Print what a question was taken for, what it comes to as a question for places, what was raised."""
    query = evidence.query
    if query.typed:
        OUT.print(f"[cyan]Understood as:[/] {escape(query.text)} [dim](after: {escape(query.after)})[/]")
    if evidence.scope:
        _print_scope(evidence.scope)
    for item in evidence.boosted:
        OUT.print(f"[dim]raised: {escape(f'{item.document} {item.label.named}')} {escape(item.why)}[/]")


def _print_scope(scope: Scoped) -> None:
    OUT.print(f"[bold]{escape(scope.text)}[/]")
    for item in scope.items[:ITEMS]:
        where = f"{item.document} {item.label.named}, page {item.page}"
        how = f" ({item.how})" if item.how else ""
        OUT.print(f"  {escape(where)} {escape(item.title)}[dim]{escape(how)}[/]")
    if len(scope.items) > ITEMS:
        OUT.print(f"[dim]  and {len(scope.items) - ITEMS} more, listed with --json[/]")
    for line in scope.searched:
        OUT.print(f"[dim]  searched {escape(line)}[/]", soft_wrap=True)


def print_explanation(answer: Answer) -> None:
    """Print the whole way from a question to its answer."""
    if not isinstance(answer, Grounded | NotFound):
        return
    evidence = answer.evidence
    _section("How the question was read", _reading(evidence.query))
    _section("What each search found first", _channels(evidence))
    _section("What was followed, and how", _paths(evidence))
    if isinstance(answer, Grounded):
        _section("How each statement was checked", _checks(answer))
    total = sum(evidence.timings_ms.values())
    lines = [f"{name}: {spent:.1f} ms" for name, spent in evidence.timings_ms.items()]
    _section("Time", [*lines, f"all: {total:.1f} ms", f"relevance: {evidence.relevance:.2f}"])


def _section(title: str, lines: list[str] | Iterator[str]) -> None:
    OUT.print(f"\n[bold]{title}[/]")
    for line in list(lines) or ["nothing"]:
        OUT.print(f"  {escape(line)}", soft_wrap=True)


def _reading(query: Query) -> Iterator[str]:
    yield f"asked: {query.asked}"
    if query.typed:
        yield f"after: {query.after}"
        yield f"understood as: {query.text}"
    yield f"wants: {query.intent}" + (f", a {' or '.join(query.kinds)}" if query.kinds else "")
    if query.spelt != query.text:
        yield f"spelling put right: {query.spelt}"
    named = (("labels", query.labels), ("documents", query.documents), ("pages", query.pages))
    for name, items in named:
        if items:
            yield f"{name}: {', '.join(items)}"
    for condition in query.conditions:
        yield f"{condition.kind}: {condition.name} (“{condition.words}”)"
    for quantity in query.quantities:
        yield f"states: {quantity.words} ({' or '.join(quantity.kinds) or 'of no known kind'})"
    for concept in query.concepts:
        yield f"idea: {concept.words}, also {', '.join(concept.others)}"
    if len(query.parts) > 1 or any(part.searched != query.text for part in query.parts):
        for number, part in enumerate(query.parts, 1):
            yield f"part {number} ({part.intent}): {part.searched}"


def _channels(evidence: Evidence) -> Iterator[str]:
    for name, places in evidence.channels.items():
        shown = ", ".join(f"{place.document} {place.label.named}" for place in places)
        yield f"{name}: {shown or 'nothing'}"


def _paths(evidence: Evidence) -> Iterator[str]:
    links = {(link.to_document, link.to_label): link for link in evidence.chain}
    for rank, place in enumerate(evidence.hits, 1):
        if place.path:
            link = links.get((place.document, place.label))
            words = f" by “{link.words}”" if link and link.words else ""
            yield f"{rank}. {_name(place)}: {' → '.join(place.path)}{words}"
    for item in evidence.unresolved:
        yield f"not followed: “{item.text}” in {item.document} {item.source.named}: {item.reason}"


def _name(place: Place) -> str:
    return f"{place.document} {place.label.named}, page {', '.join(map(str, place.pages))}"


def _checks(answer: Grounded) -> Iterator[str]:
    for statement in answer.statements:
        cited = "".join(f"[{n}]" for n in statement.citations)
        state = "confirmed" if statement.confirmed else f"not confirmed: {statement.why}"
        yield f"{state} {cited} {' '.join(statement.text.split())[:160]}"
