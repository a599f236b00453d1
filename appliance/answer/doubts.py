"""Numbers and signs that were read with doubt: a statement that rests on one says so and is not confirmed.

Rules of this module: what was doubtful in reading is a problem of the document that is marked so. With a
box it counts against a quotation where the boxes meet and the doubtful words stand in the quoted text;
where it names none, against all that is quoted out of its box. Without a box it counts for its whole
page: against what quotes its words or, where it names none, a number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from appliance.answer.candidates.values import Quote
from appliance.core.document import Box, Problem
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
