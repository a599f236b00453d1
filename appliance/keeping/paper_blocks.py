"""What stands on paper of a kept answer, block after block, whatever the file is written in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from appliance.keeping.paper import ALSO, DISAGREE, UNCITED, WHOLE, Paper, Source, without_rows
from appliance.site.saved import KeptTable

Role = Literal[
    "question", "reading", "outcome", "warning", "reason", "value", "case", "words", "claim", "doubt",
    "place", "heading", "part", "against", "further", "note", "chapter", "statement", "source", "quote",
    "item", "aside", "fine", "link", "rule",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph, and what it is; "chapter" begins a sheet, "rule" is a line without words."""

    role: Role
    text: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A part of a page as JPEG; `rank` is 0 for that of the first claim, 1 for others, 2 for a source."""

    content: bytes
    source: Source
    page: int
    words: str
    rank: int = 2


Block = Words | Picture | KeptTable


def blocks(paper: Paper) -> Iterator[Block]:
    """Yield the card of an answer with the imprint, then as a chapter of its own all that was quoted."""
    kept, say, phrase = paper.kept, paper.speech.say, paper.speech.phrase
    yield Words("question", kept.question)
    if kept.resolved:
        yield Words("reading", say("Read as: %(question)s", question=" ".join(kept.resolved.split())))
    yield Words("outcome", paper.outcome)
    yield from (Words("warning", text) for text in (kept.gap and phrase(kept.gap), paper.changed) if text)
    if kept.outcome == "not_found":
        yield from (Words("reason", phrase(reason)) for reason in kept.reasons)
    yield from _card(paper)
    if paper.note:
        yield Words("heading", say("Note"))
        yield Words("note", paper.note)
    yield Words("rule")
    yield Words("fine", f"{paper.date}, {paper.imprint}.")
    if kept.searched:
        yield Words("fine", say("Searched: %(documents)s", documents=f"{', '.join(kept.searched)}."))
    if paper.address:
        yield Words("link", paper.address)
    yield Words("fine", say("Quotations are verbatim; the framed place on the page counts."))
    if kept.statements:
        yield from _all(paper)


def _card(paper: Paper) -> Iterator[Block]:
    """Yield the claims with the crops that prove them, then a line for each further place."""
    card = paper.card
    for at, claim in enumerate(card.claims):
        source = paper.proof(claim)
        # the value large where it is vouched for, rows, else words
        if (head := card.headline) and not at:
            yield Words("value", f"{head.value} {head.unit}".strip())
            yield from (Words("words", text) for text in (head.what, *head.conditions) if text)
        elif cases := paper.cases if not at else ():
            for case, place, _ in cases:
                yield Words("case", f"{case.value} {case.unit}".strip())
                told = (" › ".join(case.conditions), case.what)
                yield from (Words("words", text) for text in dict.fromkeys(told) if text)
                yield Words("place", place)
        elif rows := paper.rows(claim):
            yield from (rows, *([Words("aside", claim.beside)] if claim.beside else ()))
        else:
            yield Words("claim", paper.words(claim))
        if not claim.confirmed:
            yield Words("doubt", paper.doubt(claim))
        for page, content in source.pictures[:1]:
            yield _picture(paper, source, page, content, min(at, 1))
        yield Words("place", source.place)
    if card.also:
        yield Words("part", paper.speech.say(ALSO))
    for claim in card.also:
        yield Words("further", f"{' '.join(claim.text.split())} ({paper.proof(claim).place})")


def _all(paper: Paper) -> Iterator[Block]:
    """Yield all statements with their tables, what stands against and beside them, and their sources."""
    kept, say = paper.kept, paper.speech.say
    yield Words("chapter", say(WHOLE))
    for statement in kept.statements:
        if not statement.confirmed:
            yield Words("doubt", paper.doubt(statement))
        numbers = f" [{', '.join(map(str, statement.citations))}]" if statement.citations else ""
        tables = paper.tables_of(statement)
        yield Words("statement", (without_rows(statement.text) if tables else statement.text) + numbers)
        yield from tables
    yield from paper.other_tables
    if kept.conflicts:
        yield Words("against", say(DISAGREE))
    for conflict in kept.conflicts:
        for side, decides in paper.sides(conflict):
            counts = f" {say('This side decides.')}" if decides else ""
            yield Words("source", f"[{side.n}] {side.designation}, {side.label}")
            yield Words("quote", f"“{side.quote}”{counts}")
        yield Words("aside", paper.speech.phrase(conflict.rule))
    if kept.read_with:
        yield Words("heading", say("Read with it"))
        yield from (Words("item", place) for place in paper.read_with)
    for heading, sources in ((say("Sources"), paper.cited), (say(UNCITED), paper.uncited)):
        if sources:
            yield Words("heading", heading)
        for source in sources:
            yield Words("source", f"[{source.numbers}] {source.place}")
            told: tuple[tuple[Role, str], ...] = ("doubt", paper.doubts(source)), ("link", source.address)
            yield from (Words(role, text) for role, text in told if text)
            yield from (Words("quote", paper.quoted(citation)) for citation in source.citations)
            yield from (_picture(paper, source, page, content) for page, content in source.pictures)


def _picture(paper: Paper, source: Source, page: int, content: bytes, rank: int = 2) -> Picture:
    words = paper.speech.say("%(name)s as printed on page %(page)s", name=source.place, page=page)
    return Picture(content, source, page, words, rank)
