"""Numbers and signs that were read with doubt: a statement that rests on one says so and is not confirmed.

Rules of this module: what was doubtful in reading is a problem of the document that is marked so. With a
box it counts against a quotation where the boxes meet and the doubtful words stand in the quoted text;
where it names none, against all that is quoted out of its box. Without a box it counts for its whole
page: against what quotes its words or, where it names none, a number.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from appliance.answer.findings import Finding, Quote
from appliance.document import Box, Problem
from appliance.graph import problem_number
from appliance.lookup import LookedUp
from appliance.store.read import Store

MET = 0.3  # share of the box of a doubt that must lie in a quoted box
_NAMED = re.compile(r"“([^”]+)”")


def doubted(store: Store, finding: Finding) -> str:
    """Return what was read with doubt of what a finding quotes, "" for nothing."""
    words = [word for quote in finding.quotes for word in _doubts(store, quote)]
    if not words:
        return ""
    named = ", ".join(dict.fromkeys(words))
    return f"read with doubt: {named}; compare it with the page"


def with_doubts(store: Store, document: str, found: LookedUp) -> LookedUp:
    """Return a look-up with what of its cells was read with doubt; with such a cell it is not exact."""
    cells = []
    for item in found.cells:
        box = item.cell.box
        quote = Quote(document, found.table.label, box.page, (box,), " ".join(item.cell.text.split()))
        cells.append(replace(item, doubt=", ".join(dict.fromkeys(_doubts(store, quote)))))
    sure = not any(item.doubt for item in cells)
    return replace(found, cells=tuple(cells), exact=found.exact and sure)


def _doubts(store: Store, quote: Quote) -> list[str]:
    pages = {box.page for box in quote.boxes}
    found = (
        problem
        for problem in store.problems(quote.document)
        if problem.doubt and problem.page in pages and _open(store, quote.document, problem)
    )
    return [said for problem in found if (said := _said(problem, quote))]


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
    if problem.box and not any(_share(problem.box, box) >= MET for box in quote.boxes):
        return ""
    if word:
        return f"“{word}”" if _plain(word) in text else ""
    if problem.box:
        return f"signs of page {problem.page}"
    return f"numbers of page {problem.page}" if any(sign.isdigit() for sign in text) else ""


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _share(small: Box, large: Box) -> float:
    """Return the share of the first box that lies in the second."""
    if small.page != large.page:
        return 0.0
    width = min(small.x1, large.x1) - max(small.x0, large.x0)
    height = min(small.y1, large.y1) - max(small.y0, large.y0)
    area = (small.x1 - small.x0) * (small.y1 - small.y0)
    return width * height / area if width > 0 and height > 0 and area > 0 else 0.0
