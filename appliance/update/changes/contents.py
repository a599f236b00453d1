"""What a document holds, item by item, as two libraries are held against each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from appliance.core.document import (
    Box,
    Clause,
    Document,
    Figure,
    Formula,
    Label,
    Passage,
    Reference,
    Table,
    Term,
)
from appliance.core.graph import problem_number

ANOTHER_PAGE = "stands on another page"
OTHER_KIND = "is of another kind"
SAID = {  # a field, and what is said where it is another
    "kind": OTHER_KIND,
    "marker": "its number is printed otherwise",
    "parent": "stands in another clause",
    "clause": "stands in another clause",
    "level": "stands at another level",
    "boxes": ANOTHER_PAGE,
    "cells": "its cells reach elsewhere",
    "notes": "its notes have other marks",
    "references": "refers elsewhere",
    "trust": "its page was read otherwise",
    "doubts": "what is in doubt of it is another",
}
TURNED = {  # a field of which each value has words
    "principle": {True: "now a principle", False: "no principle any more"},
    "normative": {True: "now normative", False: "now informative"},
}
SETTLED = "doubts about its reading were settled by a person"
UNSETTLED = "doubts about its reading that a person had settled are open"
ELSE = "its record is another"  # a field that nobody gave words yet
WORDED = frozenset({"title", "passage", "text", "where", "term", "cells.text", "notes.text"})

_Item = Clause | Table | Figure | Formula | Term
_Facts = Mapping[tuple[str, str], tuple[Any, ...]]  # by class and field what the items under a key hold


@dataclass(frozen=True, slots=True)
class Content:
    """What stands under one key: kind, title and first page of its first item, words and facts of all."""

    kind: str
    title: str
    page: int
    words: str
    facts: _Facts

    @property
    def classes(self) -> frozenset[str]:
        """Return what it is made of: clause, table, figure, formula, term."""
        return frozenset(name for name, _ in self.facts if name)


def contents(document: Document, decided: Container[int] = ()) -> dict[str, Content]:
    """Return all items of a document by key; where two kinds share one, their words are joined.

    `decided` are the numbers of what people looked at, its problems among them.
    """
    beside = _beside(document, decided)
    found: dict[str, Content] = {}
    for kind, item, title, words in rows(document):
        key, page = item.label.key, item.boxes[0].page if item.boxes else 0
        facts = {(type(item).__name__, name): (value,) for name, value in _facts(item)}
        if first := found.get(key):
            found[key] = _joined(first, title, plain(words), facts)
        else:
            found[key] = Content(kind, title, page, plain(words), {**facts, **beside(item)})
    return found


def differences(old: Content, new: Content) -> tuple[str, ...]:
    """Return in words what differs of two items beside their own words, each once; () for nothing."""
    if old.facts == new.facts:
        return ()
    if old.classes != new.classes:
        return (OTHER_KIND,)
    said = [_said(old, new, place) for place in new.facts if old.facts[place] != new.facts[place]]
    if not any(said) and old.words == new.words and old.title == new.title:
        return (ELSE,)
    return tuple(dict.fromkeys(filter(None, said)))


def rows(document: Document) -> Iterator[tuple[str, _Item, str, str]]:
    """Yield each item of a document with its kind, title and words; terms last."""
    for clause in document.clauses:
        yield clause.kind, clause, clause.title, clause.passage.text
    for table in document.tables:
        words = " | ".join([cell.text for cell in table.cells] + [note.text for note in table.notes])
        yield "table", table, table.title, words
    for figure in document.figures:
        yield "figure", figure, figure.title, figure.text
    for formula in document.formulas:
        yield "formula", formula, "", f"{formula.text} {formula.where}"
    for term in document.terms:
        yield term.kind, term, term.term, term.passage.text


def plain(words: str) -> str:
    """Return words with one space between them."""
    return " ".join(words.split())


def phrases() -> tuple[str, ...]:
    """Return all that can be said of what differs, for the catalogue of translations."""
    turned = (said for values in TURNED.values() for said in values.values())
    return tuple(dict.fromkeys((*SAID.values(), *turned, SETTLED, UNSETTLED, ELSE)))


def _joined(first: Content, title: str, words: str, facts: _Facts) -> Content:
    """Return what stands under a key with one item more; a term that a clause defines has its words."""
    more = "" if words in first.words else f"\n{words}"
    both = {place: (*first.facts.get(place, ()), *held) for place, held in facts.items()}
    return Content(first.kind, first.title or title, first.page, first.words + more, {**first.facts, **both})


def _facts(item: _Item) -> Iterator[tuple[str, Any]]:
    """Yield what each field holds; of cells and notes their text by itself, for it is among the words."""
    for one in fields(item):
        value = getattr(item, one.name)
        if one.name == "boxes":
            yield one.name, tuple(dict.fromkeys(box.page for box in value))
        elif one.name in {"cells", "notes"}:
            yield f"{one.name}.text", tuple(plain(part.text) for part in value)
            yield one.name, tuple(_bare(part, besides="text") for part in value)
        elif one.name != "label":
            yield one.name, _bare(value)


def _bare(value: Any, besides: str = "") -> Any:
    """Return a value without where on a page it stands, and without how its lines are broken."""
    if isinstance(value, str | Passage):
        return plain(value if isinstance(value, str) else value.text)
    if isinstance(value, tuple):
        return tuple(map(_bare, value))
    if isinstance(value, Label):
        return value.key
    if isinstance(value, Box) or not is_dataclass(value):
        return None if isinstance(value, Box) else value
    return tuple(_bare(getattr(value, one.name)) for one in fields(value) if one.name != besides)


def _beside(document: Document, decided: Container[int]) -> Callable[[_Item], _Facts]:
    """Return what tells of an item what stands beside it: its references, and how its pages were read."""
    referring: dict[str, list[Any]] = defaultdict(list)
    for one in document.references:
        referring[one.source.key].append(_printed(one, document.id))
    trust = {page.number: page.trust for page in document.pages}
    doubts: dict[int, list[tuple[Box | None, str, bool]]] = defaultdict(list)
    for problem in document.problems:
        if problem.doubt:
            still = problem_number(document.id, problem) not in decided
            doubts[problem.page].append((problem.box, problem.message, still))

    def found(item: _Item) -> _Facts:
        pages = sorted({box.page for box in item.boxes})
        doubtful = {
            (said, still)
            for box in item.boxes
            for at, said, still in doubts.get(box.page, ())
            if _meet(box, at)
        }
        return {
            ("", "references"): tuple(referring.get(item.label.key, ())),
            ("", "trust"): tuple(sorted({trust.get(page, "") for page in pages})),
            ("", "doubts"): tuple(sorted({said for said, _ in doubtful})),
            ("", "open"): tuple(sorted({said for said, still in doubtful if still})),
        }

    return found


def _printed(one: Reference, document: str) -> tuple[Any, ...]:
    inside = one.target.key if one.target and one.document in {None, document} else ""
    return plain(one.text), one.kind, one.designation, one.number, inside


def _meet(box: Box, other: Box | None) -> bool:
    """Tell whether two boxes of one page share a place; None is the whole page."""
    if other is None:
        return True
    return box.x0 < other.x1 and other.x0 < box.x1 and box.y0 < other.y1 and other.y0 < box.y1


def _said(old: Content, new: Content, place: tuple[str, str]) -> str:
    """Return what is said of a field that is another, "" where the words of the item say it."""
    name = place[1]
    was, now = old.facts[place], new.facts[place]
    if name in WORDED:
        return ""
    if name in {"cells", "notes"} and list(map(len, was)) != list(map(len, now)):
        return ""  # one more or fewer of them: its words are others
    if name == "open":
        if old.facts["", "doubts"] != new.facts["", "doubts"]:
            return ""  # that is said by itself
        return UNSETTLED if set(now) - set(was) else SETTLED
    if name in TURNED:
        turned = [one for before, one in zip(was, now, strict=False) if before != one]
        return TURNED[name][bool(turned[0])] if turned else ELSE
    return SAID.get(name, ELSE)
