"""Cells of a ruled grid that only name a table or figure ("Table 2.1N" in a national annex): no captions.

Rules of this module: pure geometry. A row of a grid lies between two rules; a cell of it is one of the
body where an upright rule parts it from other words of the row and goes on into the row above. The first
row of a grid may hold a caption ("Table 3" beside its title), and so may a row of nothing but captions
under drawings side by side.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Sequence

from appliance.ingest.page import Line, Word
from appliance.ingest.rules import SNAP, Rule
from appliance.ingest.view import View

ROW_ABOVE = 1.0  # type sizes, at least, that the row above is high


def in_grid_row(view: View, line: Line, heads: Collection[str]) -> bool:
    """Tell whether the line stands in a row of a ruled grid, under another row, beside cells of other words.

    `heads` are the words that captions begin with, lower case.
    """
    x, y = _middle(line)
    crossing = [rule for rule in view.ruling.horizontal if rule.start <= x <= rule.end]
    top = max((rule for rule in crossing if rule.at < y), key=lambda rule: rule.at, default=None)
    foot = min((rule for rule in crossing if rule.at > y), key=lambda rule: rule.at, default=None)
    if top is None or foot is None:
        return False
    high, low = top.at - ROW_ABOVE * line.size + SNAP, foot.at - SNAP
    sides = sorted({rule.at for rule in view.ruling.vertical if rule.start <= high and rule.end >= low})
    cells = _cells(view, top, foot, sides)
    cells.pop(bisect(sides, x), None)
    return any(_first(cell).text.casefold() not in heads for cell in cells.values())


def _cells(view: View, top: Rule, foot: Rule, sides: Sequence[float]) -> dict[int, list[Word]]:
    """Return the words between two rules by the cell that they stand in, as far as the upper one reaches."""
    cells: dict[int, list[Word]] = defaultdict(list)
    for word in view.words:
        x, y = _middle(word)
        if top.at < y < foot.at and top.start <= x <= top.end:
            cells[bisect(sides, x)].append(word)
    return cells


def _first(cell: Sequence[Word]) -> Word:
    """Return the first word of a cell as one reads it."""
    highest = min(word.y0 for word in cell)
    return min((word for word in cell if word.y0 < highest + word.size / 2), key=lambda word: word.x0)


def _middle(printed: Line | Word) -> tuple[float, float]:
    return (printed.x0 + printed.x1) / 2, (printed.y0 + printed.y1) / 2
