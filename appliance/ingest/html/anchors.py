"""Which anchor of a web page a clause stands below."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from appliance.core.document import Clause

TOP = 18 / 297  # of the height of a page: the margin of print.css, which Chromium leaves out of destinations
LINE = 0.015  # of the height of a page: an anchor stands at the top of its line, or a little below


def anchored(
    clauses: Sequence[Clause], places: Mapping[str, tuple[int, float]]
) -> tuple[tuple[str, str], ...]:
    """Return (key, anchor) of each clause that stands at or below one; `places` are page and depth (0-1)."""
    known = sorted((page, depth + TOP, unquote(name)) for name, (page, depth) in places.items())
    starts = [(page, depth) for page, depth, _ in known]
    found = []
    for clause in clauses:
        if clause.boxes:
            at = bisect_right(starts, (clause.boxes[0].page, clause.boxes[0].y0 + LINE))
            found += [(clause.label.key, known[at - 1][2])] if at else []
    return tuple(found)
