"""Rows of a table without upright rules that reach the head or foot of a page.

Rules of this module: pure geometry in points; rows that stand close to one another and share columns are
one table, where they go on into the text. White parts a running head from the text. Lines of a
cell that go on in their own column belong to it, and lines close over the head of a table as its caption.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from appliance.ingest.lines import Segment
from appliance.ingest.page import PageContent
from appliance.ingest.rules import Rule

LEVEL = 2.5  # points between the feet of the texts of one row
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
CLOSE = 2.5  # type sizes of white between a table and its caption


@dataclass(frozen=True, slots=True)
class _Row:
    """Segments of one level, by their indices, with their places."""

    members: tuple[int, ...]
    pieces: tuple[Segment, ...]
    top: float
    bottom: float
    size: float


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
        if row and pieces[at].y1 - pieces[row[0]].y1 > LEVEL:
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
            if not _hangs(row, last, rows[at : at + 1]):
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


def _hangs(row: _Row, last: _Row, over: Sequence[_Row]) -> bool:
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
        near = row.bottom <= last.top and _white(row, last) <= (TIGHT if count else CLOSE)
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
