"""The order in which the lines of a place are read, against the order in which they stand on the page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from appliance.core.document import Document, Problem

SHARED_MIN = 0.5  # of the width of the narrower of two lines that stand in one column


def reading_order_problems(document: Document) -> Iterator[Problem]:
    """Yield a problem for each place with a line that is read behind one which stands under it."""
    for clause in document.clauses:
        for one, two in ((one.box, two.box) for one, two in pairwise(clause.passage.lines)):
            shared = min(one.x1, two.x1) - max(one.x0, two.x0)
            above = (two.y0 + two.y1) / 2 < one.y0
            above = above and shared >= SHARED_MIN * min(one.x1 - one.x0, two.x1 - two.x0)
            if above if one.page == two.page else two.page < one.page:
                message = f"The text of {clause.label} goes back up page {two.page} where it is read: "
                yield Problem(f"{message}compare its order with the page.", two.page, two)
                break
