"""The columns that the first rows of a table show, and lines that stand in them: tall cells and their rows.

Rules of this module: pure geometry in points. A line belongs to a column where it begins at the column's
left edge and ends before the next; running text does not, for it runs over the columns or fills them all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from appliance.ingest.cells import Row, text_of
from appliance.ingest.page import Word
from appliance.numbers import MARKED

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
