"""Statements with numbered citations, and the doubts that they rest on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from appliance.answer.candidates.values import PIECES, Candidate, Quote
from appliance.answer.verify import Claim, verdict
from appliance.core.document import Box, Label, Problem
from appliance.core.evidence import Citation, MarkedTable, Place, Statement
from appliance.core.graph import problem_number
from appliance.store.read import Store
from appliance.tables.lookup import LookedUp
from appliance.tables.rows import naming

MET = 0.3  # share of the smaller of a quoted box and the box of a doubt that must lie in the other
_NAMED = re.compile(r"“([^”]+)”")


def doubted(store: Store, quotes: Sequence[Quote]) -> str:
    """Return what was read with doubt of what is quoted, "" for nothing."""
    words = [word for quote in quotes for word in _doubts(store, quote)]
    if not words:
        return ""
    named = ", ".join(dict.fromkeys(words))
    return f"read with doubt: {named}; compare it with the page"


def with_doubts(store: Store, document: str, found: LookedUp) -> LookedUp:
    """Return a look-up with what of its cells, their heads and their labels was read with doubt.

    With such a cell it is not exact: a value under a head that was misread may be another column's.
    """
    cells = []
    for item in found.cells:
        read = [item.cell, *naming(found.table, item.cell)]
        quotes = [
            Quote(document, found.table.label, cell.box.page, (cell.box,), " ".join(cell.text.split()))
            for cell in read
        ]
        words = [word for quote in quotes for word in _doubts(store, quote)]
        cells.append(replace(item, doubt=", ".join(dict.fromkeys(filter(None, (item.doubt, *words))))))
    sure = not any(item.doubt for item in cells)
    return replace(found, cells=tuple(cells), exact=found.exact and sure)


def doubts_at(store: Store, document: str, boxes: Sequence[Box]) -> tuple[Problem, ...]:
    """Return the doubts with a place that meets one of the boxes, without those that a person looked at."""
    found = _standing(store, document, boxes)
    return tuple(problem for problem in found if problem.box and _meets(problem.box, boxes))


def _standing(store: Store, document: str, boxes: Sequence[Box]) -> list[Problem]:
    """Return the doubts of the pages of these boxes that no person has looked at."""
    pages = {box.page for box in boxes}
    return [
        problem
        for problem in store.problems(document)
        if problem.doubt and problem.page in pages and _open(store, document, problem)
    ]


def _doubts(store: Store, quote: Quote) -> list[str]:
    found = _standing(store, quote.document, quote.boxes)
    said = [_said(problem, quote) for problem in found]
    return [
        _formula_at(store, quote, problem) or words
        for problem, words in zip(found, said, strict=True)
        if words
    ]


def _formula_at(store: Store, quote: Quote, problem: Problem) -> str:
    """Return the formula that a doubt is about, "" where it is about none."""
    if problem.box is None or _word(problem):
        return ""
    formulas = (formula for formula in store.formulas(quote.document) if problem.box in formula.boxes)
    return next((f"formula {formula.label}" for formula in formulas), "")


def _open(store: Store, document: str, problem: Problem) -> bool:
    """Tell whether no person has looked at a problem."""
    return problem_number(document, problem) not in store.graph.decisions


def _word(problem: Problem) -> str:
    """Return the doubtful words that a problem names, "" where it names none."""
    named = _NAMED.search(problem.message)
    return named.group(1).strip() if named else ""


def _said(problem: Problem, quote: Quote) -> str:
    """Return what of a quotation a doubt is about, "" where it is about something else."""
    text, word = _plain(quote.text), _word(problem)
    if problem.box and not _meets(problem.box, quote.boxes):
        return ""
    if word:
        return f"“{word}”" if _plain(word) in text else ""
    if problem.box:
        return f"signs of page {problem.page}"
    return f"numbers of page {problem.page}" if any(sign.isdigit() for sign in text) else ""


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _meets(doubt: Box, boxes: Sequence[Box]) -> bool:
    """Tell whether a box meets one of several: a word in a quoted line, a line in a formula of more rows."""
    return any(_shared(doubt, box) >= MET for box in boxes)


def _shared(one: Box, other: Box) -> float:
    """Return the share of the smaller box that lies in the other."""
    if one.page != other.page:
        return 0.0
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    smaller = min((box.x1 - box.x0) * (box.y1 - box.y0) for box in (one, other))
    return width * height / smaller if width > 0 and height > 0 and smaller > 0 else 0.0


_APART = re.compile(r"\s*…(?:\s*…)+\s*|(?<=\S)\s*…\s+(?=\S)")  # what is left out, once between two pieces
UNSURE = "which of these values is meant is for the reader to tell"


@dataclass(frozen=True, slots=True)
class Said:
    """One statement to be made: claims of one place, with the notes that change a value."""

    claims: tuple[Candidate, ...]
    notes: tuple[Quote, ...] = ()

    @property
    def text(self) -> str:
        """Return its words: the lead-in that items share is said once."""
        told: list[str] = []
        leads: set[str] = set()
        for one in self.claims:
            _, found, item = one.text.partition(PIECES)
            told.append(item if found and one.lead in leads else one.text)
            leads |= {one.lead} if one.lead else set()
        text = PIECES.join((*told, *(" ".join(note.text.split()) for note in self.notes)))
        return _APART.sub(PIECES, text)

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """Return what proves it, the claims before what stands over them."""
        return tuple(dict.fromkeys((*(q for one in self.claims for q in reversed(one.quotes)), *self.notes)))

    @property
    def proofs(self) -> tuple[Claim, ...]:
        """Return what is claimed with the quotations that must hold it."""
        notes = (Claim(" ".join(note.text.split()), (note.text,)) for note in self.notes)
        return (*(claim for one in self.claims for claim in one.claims), *notes)


class Quotations:
    """The citations of one answer, numbered in the order in which they are first cited."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._numbers: dict[Quote, int] = {}

    def statement(self, said: Said) -> Statement:
        """Return a statement with its citations; not confirmed means: shown as such, with the reason."""
        cited = tuple(self.number(quote) for quote in said.quotes)
        confirmed, why = verdict(said.proofs)
        doubt = doubted(self._store, said.quotes)
        return Statement(said.text, cited, confirmed and not doubt, "; ".join(filter(None, (why, doubt))))

    def number(self, quote: Quote) -> int:
        """Return the number of the citation of a quote."""
        return self._numbers.setdefault(quote, len(self._numbers) + 1)

    def citations(self) -> tuple[Citation, ...]:
        """Return all citations by their numbers."""
        return tuple(
            Citation(n, q.document, q.label, q.page, q.boxes, q.text, self._store.info(q.document).status)
            for q, n in self._numbers.items()
        )


def marked_tables(
    said: Iterable[Said], places: Sequence[Place], sure: tuple[str, Label] | None
) -> tuple[MarkedTable, ...]:
    """Return the tables of an answer: those whose rows are stated with their cells, then the others found.

    Only a value of the table that is `sure` (document and label) may be shown large.
    """
    marked: dict[tuple[str, str], MarkedTable] = {}
    for one in (claim for each in said for claim in each.claims if claim.marked):
        key = (one.place.document, one.place.label.key)
        why = "" if sure == (one.place.document, one.place.label) else UNSURE
        before = marked.get(key, MarkedTable(one.place.document, one.place.label, (), why))
        marked[key] = replace(before, marked=tuple(dict.fromkeys((*before.marked, *one.marked))))
    for place in places:
        if place.kind == "table":
            key = (place.document, place.label.key)
            marked.setdefault(key, MarkedTable(place.document, place.label, ()))
    return tuple(marked.values())
