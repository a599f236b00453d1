"""What stands between two level rules of a table: tall rows, rows beside spanning cells, heads of groups.

Rules of this module: pure geometry in points. A level rule is the table's where it runs from end to end, or
from an end of the table to the border of a column: beside a cell that spans rows nothing is drawn. After such
a rule the table goes on until one from end to end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from appliance.ingest.cells import Row, rows_of
from appliance.ingest.rules import Area, Rule, covered
from appliance.ingest.tall_cells import (
    EDGE,
    Columns,
    all_stand_in,
    begins,
    columns_shown,
    fills,
    stands_in,
    tabular,
)
from appliance.ingest.view import View

ENDS = 5.0  # points by which the rules of a table may end elsewhere
LEVEL = 3.0  # points between pieces of one rule
WHOLE = 0.95  # of the width of the table: a rule from end to end
INSET = 12.0  # points from the border of a column to its text
HEAD_LINES = 2  # of the head of a group
NESTED = 3  # heads of groups right under each other
MOST = 200  # rules of a table on a page: more is a drawing
FOOT_LINES = 2  # printed at the foot of a page
OVER = 1.0  # of the type size: white over or under the head of a group
LARGER = 1.05  # times the largest line over it: a heading of the document


@dataclass(frozen=True, slots=True)
class Open:
    """A table as far as it is known: from its caption to as far as it may reach, between its two ends."""

    view: View
    area: Area

    def columns(self, bottom: float) -> Columns:
        """Return the columns that its lines show from its top to there."""
        return columns_shown([row for row in self.rows(self.area.y0, bottom) if tabular(row)], self.area.x1)

    def rows(self, top: float, bottom: float) -> list[Row]:
        """Return its lines between two levels."""
        return rows_of(self.view.words_in(replace(self.area, y0=top, y1=bottom)))

    def rules(self, top: float) -> list[Rule]:
        """Return the level rules between its ends below a level."""
        return [
            rule
            for rule in self.view.ruling.horizontal
            if top < rule.at < self.area.y1
            and rule.start > self.area.x0 - ENDS
            and rule.end < self.area.x1 + ENDS
        ]

    def whole(self, y: float) -> bool:
        """Tell whether a rule runs from end to end there."""
        return covered(self.view.ruling.horizontal, y, self.area.x0, self.area.x1, ENDS) > WHOLE


def bound(table: Open, strip: Area, belongs: Callable[[Area], bool], nested: int = NESTED) -> bool:
    """Tell whether rules of the table stand over and under what stands in its columns, or heads a group.

    `belongs` tells whether the strip behind the head of a group looks like rows of a table.
    """
    rows, columns = table.rows(strip.y0, strip.y1), table.columns(strip.y1)
    if table.whole(strip.y0) and table.whole(strip.y1):
        headed = nested > 0 and _heads_group(table, strip, rows, columns)
        return (headed and _followed(table, strip, belongs, nested - 1)) or all_stand_in(rows, columns)
    own = all(table.whole(y) or _partial(table, y, columns) for y in (strip.y0, strip.y1))
    return own and all_stand_in(rows, columns, spanned=True) and _closed(table, strip.y1, columns)


def _partial(table: Open, y: float, columns: Columns) -> bool:
    """Tell whether the rule there runs from an end of the table to the border of a column."""
    ends = (table.area.x0, table.area.x1)
    borders = [(end - ENDS, end + ENDS) for end in ends] + [(x - INSET, x + EDGE) for x, _ in columns[1:]]
    pieces = [rule for rule in table.rules(y - LEVEL) if rule.at < y + LEVEL]
    at_end = any(min(abs(r.start - ends[0]), abs(r.end - ends[1])) < ENDS for r in pieces)
    return at_end and all(any(a < x < b for a, b in borders) for r in pieces for x in (r.start, r.end))


def _closed(table: Open, y: float, columns: Columns) -> bool:
    """Tell whether a rule from end to end stands there or below, with none of another's between."""
    below = [rule.at for rule in table.rules(y + LEVEL)]
    for at in (y, *below[:MOST]):
        if table.whole(at):
            return True
        if not _partial(table, at, columns):
            return False
    return False


def _heads_group(table: Open, strip: Area, rows: Sequence[Row], columns: Columns) -> bool:
    """Tell whether one line or two alone begin as the table does, or stand in its middle, close to rules."""
    over = table.rows(table.area.y0, strip.y0)
    if not columns or not over or not 0 < len(rows) <= HEAD_LINES:
        return False
    room, largest = OVER * rows[0].size, LARGER * max(row.size for row in over)
    close = rows[0].y0 - strip.y0 < room and strip.y1 - rows[-1].y1 < room
    middle = table.area.x0 + table.area.x1
    centred = all(abs(row.words[0].x0 + row.words[-1].x1 - middle) < 2 * EDGE for row in rows)
    placed = all(len(row.fragments) == 1 and (centred or begins(row, columns)) for row in rows)
    return close and placed and max(row.size for row in rows) <= largest


def _followed(table: Open, strip: Area, belongs: Callable[[Area], bool], nested: int) -> bool:
    """Tell whether what stands behind the head of a group, up to the next rule, is the table's.

    At the foot of a page nothing does, and the table goes on overleaf.
    """
    after = next((rule.at for rule in table.rules(strip.y1 + LEVEL)), None)
    if after is None:
        return len(table.rows(strip.y1, table.area.y1)) <= FOOT_LINES
    behind = replace(strip, y0=strip.y1, y1=after)
    return bool(table.rows(behind.y0, after)) and (belongs(behind) or bound(table, behind, belongs, nested))


def rest_of(view: View, area: Area, limit: float) -> Area | None:
    """Return what stands under a table, up to further rules from end to end, with lines in its columns."""
    table = Open(view, replace(area, y1=limit))
    columns = table.columns(area.y1)
    below = [rule.at for rule in table.rules(area.y1 + LEVEL) if table.whole(rule.at)]
    ruled = any(table.whole(rule.at) for rule in table.rules(area.y0 - LEVEL) if rule.at < area.y1 + LEVEL)
    if not columns or not below or not ruled:
        return None
    rows = table.rows(area.y1, below[-1])
    found = any(tabular(row) and stands_in(row, columns, loosely=True) for row in rows) and not fills(
        rows, columns
    )
    return replace(area, y0=area.y1, y1=below[-1]) if found else None
