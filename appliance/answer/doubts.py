"""Numbers that were read with doubt: a statement that rests on one says so and is not confirmed.

Rules of this module: what was doubtful in reading is a problem of the document with its box; a doubt
counts against a quotation where the boxes meet and the doubtful words stand in the quoted text.
"""

from __future__ import annotations

import re

from appliance.answer.findings import Finding, Quote
from appliance.answer.verify import phrases
from appliance.document import Box, Problem
from appliance.graph import problem_number
from appliance.store.read import Store

MET = 0.3  # share of the box of a doubt that must lie in a quoted box
_NAMED = re.compile(r"“([^”]+)”")


def doubted(store: Store, finding: Finding) -> str:
    """Return what was read with doubt of what a finding quotes, "" for nothing."""
    words = [word for quote in finding.quotes for word in _doubts(store, quote)]
    if not words:
        return ""
    named = ", ".join(f"“{word}”" for word in dict.fromkeys(words))
    return f"read with doubt: {named}; compare it with the page"


def _doubts(store: Store, quote: Quote) -> list[str]:
    pages = {box.page for box in quote.boxes}
    found = (
        problem
        for problem in store.problems(quote.document)
        if problem.box and problem.page in pages and _open(store, quote.document, problem)
    )
    return [word for problem in found if (word := _word(problem)) and _meets(problem, quote, word)]


def _open(store: Store, document: str, problem: Problem) -> bool:
    """Tell whether a problem is a doubt in a number that no person has looked at."""
    if not any(sign in problem.message for sign in phrases("doubts")):
        return False
    return problem_number(document, problem) not in store.graph.decisions


def _word(problem: Problem) -> str:
    """Return the doubtful words that a problem names, "" where it names none."""
    named = _NAMED.search(problem.message)
    return named.group(1).strip() if named else ""


def _meets(problem: Problem, quote: Quote, word: str) -> bool:
    inside = problem.box and any(_share(problem.box, box) >= MET for box in quote.boxes)
    return bool(inside) and word in " ".join(quote.text.split())


def _share(small: Box, large: Box) -> float:
    """Return the share of the first box that lies in the second."""
    if small.page != large.page:
        return 0.0
    width = min(small.x1, large.x1) - max(small.x0, large.x0)
    height = min(small.y1, large.y1) - max(small.y0, large.y0)
    area = (small.x1 - small.x0) * (small.y1 - small.y0)
    return width * height / area if width > 0 and height > 0 and area > 0 else 0.0
