"""Cells of a table that only name a table or figure ("Table 2.1N" in a national annex): no captions.

Rules of this module: pure geometry. Without upright rules, a cell stands in one of three columns or more that
the rows next to it show. With them, a row of a grid lies between two rules; a cell of it is one of the
body where an upright rule parts it from other words of the row and goes on into the row above. The first
row of a grid may hold a caption ("Table 3" beside its title), and so may a row of nothing but captions
under drawings side by side.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict
from collections.abc import Collection, Sequence

from appliance.ingest.cells import Row
from appliance.ingest.page import Line, Word
from appliance.ingest.rules import SNAP, Rule
from appliance.ingest.tall_cells import columns_shown, goes_on, stands_in
from appliance.ingest.view import View

ROW_ABOVE = 1.0  # type sizes, at least, that the row above is high
NEAR = 10  # lines of the page over a cell, and under it, that show its columns
COLUMNS = 3  # so many at the least: text may be set in two


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


def in_open_row(view: View, line: Line, heads: Collection[str]) -> bool:
    """Tell whether the line is a cell, or the last line of one, in the columns of the rows next to it.

    `heads` are the words that captions begin with, lower case.
    """
    at = next((at for at, row in enumerate(view.rows) if line.words[0] in row.words), 0)
    row, over, under = view.rows[at], view.rows[max(at - NEAR, 0) : at], view.rows[at + 1 : at + 1 + NEAR]
    columns = columns_shown([one for one in (*over, *under) if _is_row(one)], view.body.x1)
    if len(columns) < COLUMNS or not over or not stands_in(row, columns):
        return False
    if not _is_row(row):
        beside = line.x0 > columns[0][1] and goes_on(row, over[-1], columns)
        return beside and any(_is_row(one) and stands_in(one, columns) for one in under)
    firsts = [f.words[0] for f in row.fragments if f.words[0] is not line.words[0]]
    alike = any((word.font, word.bold) == (line.words[0].font, line.words[0].bold) for word in firsts)
    return alike and not any(word.text.casefold() in heads for word in firsts)


def _is_row(row: Row) -> bool:
    return len(row.fragments) >= COLUMNS


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
