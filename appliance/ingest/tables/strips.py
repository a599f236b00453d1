"""The columns that the lines of a table without rules show, and which lines stand in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from appliance.ingest.geometry import Area, covered, runs
from appliance.ingest.page import Word
from appliance.ingest.tables.cells import Row, rows_of, text_of
from appliance.ingest.view import View
from appliance.text.numbers import MARKED
from appliance.text.sentences import BULLETS

EDGE = 3.0  # points by which lines that begin at the left of a column may differ
CLOSE = 0.75  # of the type size: white between the lines of one cell
FULL = 0.8  # of its column: a line of running text in columns is so long
NARROW = 0.5  # of the type size: white that may part two columns, more than a blank
FEWEST = 4  # lines in columns by which running text can be told
_MARKER = re.compile(rf"^(?:\(?[0-9A-Za-z]{{1,3}}[.)]|\(\w{{1,3}}\){MARKED}|\d+(?:\.\d+)+|[{BULLETS}])$")

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
    held: list[int] = []
    for part in (part for fragment in row.fragments for part in _parts(fragment.words, columns)):
        begin = part[0].x0
        homes = (
            at
            for at, (x0, end) in enumerate(columns)
            if part[-1].x1 < end
            and (x0 - EDGE < begin < end if loosely and (at > 0 or several) else abs(begin - x0) < EDGE)
        )
        home = next(homes, None)
        if home is None:
            return False
        held.append(home)
    return not loosely or len(set(held)) == len(held)


def _parts(words: Sequence[Word], columns: Columns) -> list[list[Word]]:
    """Return the words parted where one begins a column, with however little white before it."""

    def goes_on(before: Word, word: Word) -> bool:
        close = word.x0 - before.x1 < NARROW * word.size
        return close or not any(abs(word.x0 - x0) < EDGE / 2 for x0, _ in columns)

    return runs(words, goes_on)


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


ENDS = 5.0  # points by which the rules of a table may end elsewhere
LEVEL = 3.0  # points between pieces of one rule
WHOLE = 0.95  # of the width of the table: a rule from end to end


def bound(view: View, table: Area, strip: Area) -> bool:
    """Tell whether rules from end to end stand over and under lines in the columns of a table.

    `table` reaches from the caption to the end of the strip, which lies between the two rules.
    """
    columns = columns_shown([row for row in rows_of(view.words_in(table)) if tabular(row)], table.x1)
    rows = rows_of(view.words_in(strip))
    return (
        _whole(view, strip, strip.y0)
        and _whole(view, strip, strip.y1)
        and any(len(row.fragments) > 1 for row in rows)
        and all(stands_in(row, columns, loosely=True) for row in rows)
        and not fills(rows, columns)
    )


def _whole(view: View, area: Area, y: float) -> bool:
    """Tell whether a rule runs from end to end of an area there."""
    return covered(view.ruling.horizontal, y, area.x0, area.x1, ENDS) > WHOLE


def rest_of(view: View, area: Area, limit: float) -> Area | None:
    """Return what stands under a table, up to further rules from end to end, with lines in its columns."""
    read = rows_of(view.words_in(area))
    columns = columns_shown([row for row in read if tabular(row)], area.x1)
    levels = [
        rule.at
        for rule in view.ruling.horizontal
        if area.y0 - LEVEL < rule.at < limit
        and rule.start > area.x0 - ENDS
        and rule.end < area.x1 + ENDS
        and _whole(view, area, rule.at)
    ]
    below = [y for y in levels if y > area.y1 + LEVEL]
    if not columns or not below or below == levels:
        return None
    rest = replace(area, y0=area.y1, y1=below[-1])
    rows = rows_of(view.words_in(rest))
    found = any(tabular(row) and stands_in(row, columns, loosely=True) for row in rows)
    return rest if found and not fills(rows, columns) else None
