"""Rows of tables without row rules: tall cells, group heads, rows at page edges."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from appliance.ingest.geometry import Area, Rule, covered
from appliance.ingest.page import Word
from appliance.ingest.tables.cells import Row, rows_of, text_of
from appliance.ingest.view import View
from appliance.text.numbers import MARKED
from appliance.text.sentences import BULLETS

EDGE = 3.0  # points by which lines that begin at the left of a column may differ
CLOSE = 0.75  # of the type size: white between the lines of one cell
FULL = 0.8  # of its column: a line of running text in columns is so long
NARROW = 0.5  # of the type size: white that may part two columns, more than a blank
ODD = 0.15  # of the lines between two rules: others that run over the columns
HEADS = 0.3  # of them, where each heads a group of rows
PARTED = 2  # rows with white over them that show that rows stand further apart than the lines of a cell
FEWEST = 4  # lines in columns by which running text can be told
_MARKER = re.compile(rf"^(?:\(?[0-9A-Za-z]{{1,3}}[.)]|\(\w{{1,3}}\){MARKED}|\d+(?:\.\d+)+|[{BULLETS}])$")
_BULLET = re.compile(rf"[{BULLETS}]")

Columns = tuple[tuple[float, float], ...]


def tabular(row: Row) -> bool:
    """Tell whether the words of a line stand in columns; a number before a paragraph is none."""
    fragments = row.fragments
    if len(fragments) == 2:
        return not _MARKER.match(text_of(fragments[0].words))
    return len(fragments) > 2


def columns_shown(rows: Sequence[Row], right: float) -> Columns:
    """Return the left edge and the room of the columns, from the rows with most parts; () for one column.

    A cell that nearly fills its column ends there where a line with more white begins the next.
    """
    begun = tuple({round(f.x0): (f.x0, right) for row in rows for f in row.fragments}.values())
    parted = [[part for f in row.fragments for part in _parts(f.words, begun)] for row in rows]
    most = max(map(len, parted), default=0)
    spans = sorted(
        (part[0].x0, max(word.x1 for word in part))
        for parts in parted
        if len(parts) == most
        for part in parts
    )
    lefts: list[tuple[float, float]] = []
    for x0, x1 in spans:
        if lefts and x0 < lefts[-1][1] + EDGE:
            lefts[-1] = (lefts[-1][0], max(x1, lefts[-1][1]))
        else:
            lefts.append((x0, x1))
    ends = [*(x0 for x0, _ in lefts[1:]), right + EDGE]
    return tuple((x0, end) for (x0, _), end in zip(lefts, ends, strict=True)) if len(lefts) > 1 else ()


def stands_in(row: Row, columns: Columns, *, loosely: bool = False) -> bool:
    """Tell whether every part of the line begins at the left of a column and ends inside it.

    `loosely`: each may begin further right in a column of its own, for values are centred and items indented;
    in the first column only where others stand behind it.
    """
    several = len(row.fragments) > 1
    held = [
        next(
            (
                at
                for at, one in enumerate(columns)
                if _inside(part, *one, loosely=loosely and (at > 0 or several))
            ),
            None,
        )
        for fragment in row.fragments
        for part in _parts(fragment.words, columns)
    ]
    return bool(columns) and None not in held and (not loosely or len(set(held)) == len(held))


def _inside(part: Sequence[Word], x0: float, end: float, *, loosely: bool) -> bool:
    begins_in = x0 - EDGE < part[0].x0 < end if loosely else abs(part[0].x0 - x0) < EDGE
    return begins_in and part[-1].x1 < end


def _parts(words: Sequence[Word], columns: Columns) -> list[list[Word]]:
    """Return the words parted where one begins a column, with however little white before it."""
    parts: list[list[Word]] = []
    for word in words:
        close = parts and word.x0 - parts[-1][-1].x1 < NARROW * word.size
        if parts and (close or not any(abs(word.x0 - x0) < EDGE / 2 for x0, _ in columns)):
            parts[-1].append(word)
        else:
            parts.append([word])
    return parts


def all_stand_in(rows: Sequence[Row], columns: Columns, *, spanned: bool = False) -> bool:
    """Tell whether lines are rows of the columns: lone heads alone run over them, no text fills them.

    A head of a group has one line or two that begin as the table does, and a row right behind it.
    Beside a cell that is `spanned` over rows, or in it, lines in one column are enough.
    """
    if not columns:
        return False
    odd = _odd(rows, columns)
    heads = _heads(rows, odd, columns)
    others = [at for at in odd if at not in heads]
    if len(odd) > HEADS * len(rows) or len(others) > ODD * len(rows) or (odd and odd[-1] == len(rows) - 1):
        return False
    if any(after - before == 1 and not {before, after} <= heads for before, after in pairwise(odd)):
        return False
    parted = any(_in_several(row, columns) for row in rows)
    return (parted or spanned) and not fills(rows, columns)


def _odd(rows: Sequence[Row], columns: Columns) -> list[int]:
    """Return which lines stand in no columns, nor go on with a label beside its values or with a bullet."""
    odd: list[int] = []
    begin: float | None = None  # of the lines that may go on
    for at, row in enumerate(rows):
        goes = begin is not None and _under(row, rows[at - 1], begin, columns)
        stands = goes or stands_in(row, columns, loosely=True)
        hangs = _hangs(row, columns) if stands else None
        begin = begin if goes and hangs is None else hangs
        odd += [] if stands else [at]
    return odd


def _hangs(row: Row, columns: Columns) -> float | None:
    """Return where further lines of the first cell of a line begin: behind its bullet, or as a label does."""
    if _BULLET.fullmatch(row.words[0].text) and len(row.words) > 1:
        return row.words[1].x0
    return row.words[0].x0 if _in_several(row, columns) else None


def _under(row: Row, before: Row, begin: float, columns: Columns) -> bool:
    """Tell whether a line alone stands right under the one before, in the first column, and begins there."""
    alone = len(row.fragments) == 1 and row.words[-1].x1 < columns[0][1]
    as_set = columns[0][0] - EDGE < row.words[0].x0 and abs(row.words[0].x0 - begin) < EDGE
    return alone and as_set and row.y0 - before.y1 < CLOSE * row.size


def _heads(rows: Sequence[Row], odd: Sequence[int], columns: Columns) -> set[int]:
    """Return which lines over the columns head a group: one or two as it begins, and a row right behind."""
    found: set[int] = set()
    for at in odd:
        first = at - 1 if at - 1 in odd else at
        alone = first - 1 not in odd and all(begins(rows[n], columns) for n in (first, at))
        behind = rows[at + 1 : at + 2]
        if alone and any(
            stands_in(row, columns, loosely=True) and _in_several(row, columns) for row in behind
        ):
            found |= {first, at}
    return found


def _in_several(row: Row, columns: Columns) -> bool:
    return len(row.fragments) > 1 or len(_parts(row.words, columns)) > 1


def begins(row: Row, columns: Columns) -> bool:
    """Tell whether a line is one text that begins as the first column does."""
    return len(row.fragments) == 1 and abs(row.words[0].x0 - columns[0][0]) < EDGE


def goes_on(row: Row, before: Row, columns: Columns) -> bool:
    """Tell whether a line is the next one of a cell over it: in one column, right under the line before."""
    alone = len(row.fragments) == 1 and stands_in(row, columns)
    return alone and row.y0 - before.y1 < CLOSE * row.size


def fills(rows: Sequence[Row], columns: Columns) -> bool:
    """Tell whether most lines fill all columns: running text of a page in columns."""
    full = sum(
        len(row.fragments) == len(columns)
        and all(f.x1 - f.x0 > FULL * (end - x0) for f, (x0, end) in zip(row.fragments, columns, strict=True))
        for row in rows
    )
    return full >= FEWEST and full > len(rows) / 2


def tail_of(rows: Sequence[Row], kept: Sequence[Row], columns: Columns) -> list[Row]:
    """Return the lines that end the cells of the last of the rows kept.

    Text behind the table begins as its first column does: a line there belongs to the cell over it only where
    the lines of one cell stand closer than those of two rows, and this one does.
    """
    tail: list[Row] = []
    last, pitch = kept[-1], _pitch(kept)
    for row in rows:
        beside = bool(columns) and row.fragments[0].x0 > columns[0][0] + EDGE
        if not goes_on(row, last, columns) or not (beside or row.y1 - last.y1 < pitch):
            break
        tail.append(row)
        last = row
    return tail


def _pitch(rows: Sequence[Row]) -> float:
    """Return the points from line to line that only the lines of one cell have, 0 where rows are as close."""
    alone = [after.y1 - before.y1 for before, after in pairwise(rows) if len(after.fragments) == 1]
    others = [after.y1 - before.y1 for before, after in pairwise(rows) if len(after.fragments) > 1]
    close = max(alone, default=0.0)
    return close + 0.5 if close and sum(other > close + 1 for other in others) >= PARTED else 0.0


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
