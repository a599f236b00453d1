"""Rows of tables without row rules: tall cells, group heads, rows at page edges."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import Area, Rule, covered
from appliance.ingest.layout.lines import Segment
from appliance.ingest.page import PageContent, Word
from appliance.ingest.tables.cells import Row, rows_of, text_of
from appliance.ingest.view import View
from appliance.text.numbers import MARKED

EDGE = 3.0  # points by which lines that begin at the left of a column may differ
CLOSE = 0.75  # of the type size: white between the lines of one cell
FULL = 0.8  # of its column: a line of running text in columns is so long
NARROW = 0.5  # of the type size: white that may part two columns, more than a blank
ODD = 0.15  # of the lines between two rules: others that run over the columns
HEADS = 0.3  # of them, where each heads a group of rows
PARTED = 2  # rows with white over them that show that rows stand further apart than the lines of a cell
FEWEST = 4  # lines in columns by which running text can be told
_MARKER = re.compile(rf"^(?:\(?[0-9A-Za-z]{{1,3}}[.)]|\(\w{{1,3}}\){MARKED}|\d+(?:\.\d+)+|[-–•—])$")
_BULLET = re.compile(r"[-–—•·‣▪]")

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


@mechanism(
    "tables.remainder",
    "The strip that a table leaves below its ruled part belongs to it.",
    without=lambda *_: None,
)
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


EDGE_ROWS_LEVEL = 2.5  # points between the feet of the texts of one row
WHITE = 1.5  # type sizes of white between two rows of a table
TIGHT = 0.6  # idem between the lines of a cell
ALIGNED = 3.0  # points between the texts of a column
EXACT = 1.0  # points between the beginnings of words in a column
WIDE = 0.4  # of the width: a wider text is prose and aligns with anything
SHARED = 3  # columns that rows share, where no rule runs along them
RULED = 2  # idem where one does
AMID = 3  # rows of the text that are looked at for one of several columns
TALL = 9  # idem for one whose tall cell they may be
APART = 1.5  # type sizes of white between two texts of a running head, more than in a caption
EDGE_ROWS_CLOSE = 2.5  # type sizes of white between a table and its caption


@dataclass(frozen=True, slots=True)
class _Row:
    """Segments of one level, by their indices, with their places."""

    members: tuple[int, ...]
    pieces: tuple[Segment, ...]
    top: float
    bottom: float
    size: float


@mechanism(
    "tables.edge_rows",
    "Rows at the edge of a page that stand in its columns are no running heads.",
    without=lambda *_: set(),
)
def rows_in_columns(
    page: PageContent, pieces: Sequence[Segment], level_rules: Sequence[Rule], edge: float
) -> set[int]:
    """Return the segments near the upper and lower edge whose columns go on from the text.

    `level_rules` are the level rules of the page from top to bottom.
    """
    rows = list(_rows(pieces))
    low, high = edge * page.height, (1 - edge) * page.height
    head = sum((row.top + row.bottom) / 2 < low for row in rows)
    foot = len(rows) - sum((row.top + row.bottom) / 2 > high for row in rows)
    wide = WIDE * page.width
    text = rows[head:foot]
    upwards = _outwards(text, rows[:head][::-1], level_rules, wide)
    downwards = _outwards(text[::-1], rows[foot:], level_rules, wide)
    return upwards | downwards


def _outwards(
    text: Sequence[_Row], outer: Sequence[_Row], level_rules: Sequence[Rule], wide: float
) -> set[int]:
    """Return the segments of the rows that go on from the text, given from the edge inwards, to the edge.

    They go on in the columns of one of the next rows or, where a tall cell has these, of its row.
    """
    near = [at for at, row in enumerate(text[:AMID]) if len(row.pieces) > 1]
    row = [at for at, row in enumerate(text[:TALL]) if len(row.pieces) >= SHARED]
    starts = {*near[-1:], *row[:1]}
    amid = {at for row in text for at in row.members}
    found: set[int] = set()
    for start in starts:
        rows, told = _chain([*text[: start + 1][::-1], *outer], level_rules, wide)
        found |= told | {at for row in rows for at in row.members} - amid
    return found


def _rows(pieces: Sequence[Segment]) -> Iterator[_Row]:
    row: list[int] = []
    for at in sorted(range(len(pieces)), key=lambda at: pieces[at].y1):
        if row and pieces[at].y1 - pieces[row[0]].y1 > EDGE_ROWS_LEVEL:
            yield _row(row, pieces)
            row = []
        row.append(at)
    if row:
        yield _row(row, pieces)


def _row(members: Sequence[int], pieces: Sequence[Segment]) -> _Row:
    own = tuple(pieces[at] for at in members)
    top, bottom = min(piece.y0 for piece in own), max(piece.y1 for piece in own)
    return _Row(tuple(members), own, top, bottom, max(piece.size for piece in own))


def _chain(rows: Sequence[_Row], level_rules: Sequence[Rule], wide: float) -> tuple[Sequence[_Row], set[int]]:
    """Return the rows, from one of the text to the edge, that go on in its columns.

    With them come the segments that are head or caption by their place, which may stand in the text, too.
    """
    columns = last = rows[0]
    end, shown = 1, False
    told: set[int] = set()
    for at, row in enumerate(rows[1:], 2):
        in_columns = _in_columns(row, last, columns, level_rules, wide)
        fewer = len(row.pieces) < min(len(columns.pieces), SHARED)
        in_cell = (shown or fewer) and _in_cell(row, last, columns, wide)
        if not (in_columns or in_cell):
            if not _edge_rows_hangs(row, last, rows[at : at + 1]):
                break
            told |= set(row.members)
        columns, last = row if in_columns else columns, row
        end, shown = at, shown or in_columns
    if not shown:
        return rows[:end], set()
    over = rows[end : end + _caption(rows[end:], last, level_rules)]
    return rows[:end], told | {at for row in over for at in row.members}


def _in_columns(row: _Row, last: _Row, columns: _Row, level_rules: Sequence[Rule], wide: float) -> bool:
    """Tell whether the texts of a row stand in several of the columns, as near as rows do."""
    if len(row.pieces) < RULED or _white(row, last) > WHITE:
        return False
    need = RULED if _runs_along(level_rules, row, last) else SHARED
    return _shared(row, columns, wide) >= need


def _in_cell(row: _Row, last: _Row, columns: _Row, wide: float) -> bool:
    """Tell whether all texts of a row go on in their columns, as near as the lines of a cell are."""
    return _white(row, last) <= TIGHT and _shared(row, columns, wide) == len(row.pieces)


def _edge_rows_hangs(row: _Row, last: _Row, over: Sequence[_Row]) -> bool:
    """Tell whether a text alone is the second line of a head.

    It stands as far over the rows as a row does, and right under `over`.
    """
    alone = len(row.pieces) == 1 and row.bottom < last.top and _white(row, last) <= WHITE
    return alone and any(len(one.pieces) > 1 and _white(one, row) <= TIGHT for one in over)


def _white(row: _Row, other: _Row) -> float:
    """Return the white between two rows in type sizes."""
    return max(row.top - other.bottom, other.top - row.bottom) / max(min(row.size, other.size), 1.0)


def _caption(rows: Sequence[_Row], last: _Row, level_rules: Sequence[Rule]) -> int:
    """Return how many of the rows over a table are its caption: close to it, one text each.

    The outermost text of a page is one only where a rule runs between it and the table.
    """
    count = 0
    for at, row in enumerate(rows):
        ruled = not count and _runs_along(level_rules, row, last)
        near = row.bottom <= last.top and _white(row, last) <= (TIGHT if count else EDGE_ROWS_CLOSE)
        gaps = [after.x0 - before.x1 for before, after in pairwise(sorted(row.pieces, key=_left))]
        one = all(gap < APART * row.size for gap in gaps)
        if not near or not one or (at + 1 == len(rows) and not count and not ruled):
            break
        count, last = at + 1, row
    return count


def _left(piece: Segment) -> float:
    return piece.x0


def _shared(row: _Row, other: _Row, wide: float) -> int:
    """Return how many texts of a row stand in the columns of another row."""
    narrow = [piece for piece in other.pieces if piece.width <= wide]
    own = sum(piece.width <= wide and any(_aligned(piece, one) for one in narrow) for piece in row.pieces)
    return own + sum(_run_together(piece, narrow) for piece in row.pieces if piece.width > wide)


def _run_together(piece: Segment, columns: Sequence[Segment]) -> int:
    """Return over how many columns a wide text runs: heads so close that they read as one, 0 for prose."""
    begun = sum(any(abs(word.x0 - one.x0) <= EXACT for word in piece.words) for one in columns)
    return begun if begun > 1 else 0


def _aligned(one: Segment, other: Segment) -> bool:
    shifts = (one.x0 - other.x0, one.x1 - other.x1, (one.x0 + one.x1 - other.x0 - other.x1) / 2)
    return any(abs(shift) <= ALIGNED for shift in shifts)


def _runs_along(level_rules: Sequence[Rule], row: _Row, other: _Row) -> bool:
    """Tell whether a rule runs over, under or between two rows, along both of them."""
    reach = WHITE * row.size
    pieces = (*row.pieces, *other.pieces)
    x0, x1 = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    first = bisect_left(level_rules, min(row.top, other.top) - reach, key=lambda rule: rule.at)
    last = bisect_left(level_rules, max(row.bottom, other.bottom) + reach, key=lambda rule: rule.at)
    return any(rule.start <= x0 + 2 and rule.end >= x1 - 2 for rule in level_rules[first:last])
