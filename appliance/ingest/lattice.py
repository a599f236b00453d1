"""The lattice under a table's grid: bands and columns, the words in them, the borders between them.

Rules of this module: pure geometry in points; a ruled parting stands where its rule is drawn, a white
one where no words cross it; a heading over several columns joins them where a rule of their width
stands under it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from appliance.ingest.cells import SPACE, Row, rows_of, text_of
from appliance.ingest.even_columns import together
from appliance.ingest.grid_columns import Parting
from appliance.ingest.page import Word
from appliance.ingest.rules import Area, Ruling, covered

LEVEL = 3.0  # points between rules of one level
_ORDINAL = re.compile(r"\(?(\d{1,2}|[a-zA-Z])[.)]?")  # "1.", "(a)", "A"
COVER = 0.5  # of a border that a rule must cover to stand


@dataclass(slots=True)
class Lattice:
    """Bands and columns with the borders between them; `group` is the ruled band of each band."""

    ys: list[float]
    xs: list[Parting]
    area: Area
    words: list[Word]
    group: list[int]
    columns: dict[int, int]  # of each word, by its identity
    right: list[list[bool]] = field(default_factory=list)  # [band][column]: a border to the right
    below: list[list[bool]] = field(default_factory=list)  # [band][column]: a border below

    @property
    def edges(self) -> list[float]:
        return [self.area.x0, *(p.x for p in self.xs), self.area.x1]

    def column_of(self, word: Word) -> int:
        return self.columns[id(word)]

    def words_of(self, band: int, column: int | None = None) -> list[Word]:
        top, bottom = self.ys[band], self.ys[band + 1]
        inside = [w for w in self.words if top <= (w.y0 + w.y1) / 2 < bottom]
        return inside if column is None else [w for w in inside if self.column_of(w) == column]


def right_borders(lattice: Lattice, rules: Ruling, band: int) -> list[bool]:
    """Return for each column of a band whether a border stands to its right."""
    top, bottom = lattice.ys[band], lattice.ys[band + 1]
    filled = [bool(lattice.words_of(band, c)) for c in range(len(lattice.xs) + 1)]
    rows = rows_of(lattice.words_of(band))
    heads = _spanning_heads(lattice, rules, band, filled)
    reach = _reach_of_head(rows, lattice.xs)
    spanned = _spanned(rows, lattice.xs)
    borders = []
    for column, parting in enumerate(lattice.xs):
        crossed = any(_crosses(row, lattice.xs, parting) for row in rows)
        if parting.ruled:
            drawn = covered(rules.vertical, parting.x, top + 1, bottom - 1) >= COVER
            stands = drawn or (filled[column] and filled[column + 1] and not crossed)
        else:
            over = column in spanned or (column, column + 1) in heads
            stands = not crossed and parting.x > reach and not over
        borders.append(stands)
    return [*borders, True]


def _spanned(rows: Sequence[Row], xs: Sequence[Parting]) -> set[int]:
    """Return the partings over which the values of a band run together, where they stand on one line."""
    if not xs or any(parting.ruled for parting in xs):
        return set()
    valued = [row for row in rows if row.words[-1].x0 > xs[0].x]
    return together(valued[0], [parting.x for parting in xs]) if len(valued) == 1 else set()


def _reach_of_head(rows: Sequence[Row], xs: Sequence[Parting]) -> float:
    """Return how far right a head of a group reaches, 0 for none: lines alone that run over a parting.

    It begins in the first column, and is one text however little of it stands there.
    """
    lone = bool(xs) and all(
        len(runs) == 1 and runs[0][0].x0 < xs[0].x for runs in (_runs(row, xs) for row in rows)
    )
    if not lone or not any(_crosses(row, xs, parting) for row in rows for parting in xs):
        return 0.0
    return max((word.x1 for row in rows for word in row.words), default=0.0)


def head_breaks(lattice: Lattice, band: int) -> dict[float, set[int]]:
    """Return where a head over several columns ends and their own heads begin, with these columns."""
    found: dict[float, set[int]] = {}
    for upper, lower in pairwise(rows_of(lattice.words_of(band))):
        middles = [(run[0].x0 + run[-1].x1) / 2 for run in _runs(lower, lattice.xs)]
        for run in _runs(upper, lattice.xs):
            x0, x1 = run[0].x0, max(word.x1 for word in run)
            over = [i for i, p in enumerate(lattice.xs) if not p.ruled and _well_across(x0, x1, p)]
            parted = not any(_crosses(lower, lattice.xs, lattice.xs[i]) for i in over)
            if over and parted and sum(x0 <= x <= x1 for x in middles) > 1:
                columns = found.setdefault((upper.base + lower.y0) / 2, set())
                columns |= set(range(over[0], over[-1] + 2))
    return found


def columns_of(rows: Sequence[Row], xs: Sequence[Parting]) -> dict[int, int]:
    """Return the column of each word: of its middle, or of most of the run that it belongs to.

    A run that only reaches over a parting (a heading wider than its column) is kept whole; one that
    lies well on both sides is cut there, and its cells are joined later.
    """
    places: dict[int, int] = {}
    for row in rows:
        for run in _runs(row, xs):
            x0, x1 = run[0].x0, max(word.x1 for word in run)
            middle = sum(parting.x <= (x0 + x1) / 2 for parting in xs)
            across = [p for p in xs if _well_across(x0, x1, p)]
            for word in run:
                own = sum(parting.x <= (word.x0 + word.x1) / 2 for parting in xs)
                places[id(word)] = own if across else middle
    return places


def without_ordinals(xs: list[Parting], rows: Sequence[Row]) -> list[Parting]:
    """Return the partings without the one behind a column of bare numbers or letters that count labels.

    "1. Flat roof", "2. Pitched roof" under one head over both: the numbers are a part of the labels.
    Numbers in a ruled column, or under a head of their own, are a column.
    """
    if len(xs) < 2 or xs[0].ruled:
        return xs
    marks: list[str] = []
    headed = False
    for row in rows:
        left = text_of([word for word in row.words if (word.x0 + word.x1) / 2 < xs[0].x])
        if _crosses(row, xs, xs[0]):
            headed = headed or not marks
        elif left and not (mark := _ORDINAL.fullmatch(left)):
            return xs
        elif left and mark:
            marks.append(mark[1])
    places = [int(m) if m.isdigit() else ord(m.casefold()) - ord("a") + 1 for m in marks]
    counted = len(places) > 1 and places[0] == 1 and all(a < b for a, b in pairwise(places))
    return xs[1:] if headed and counted else xs


def _runs(row: Row, xs: Sequence[Parting]) -> list[list[Word]]:
    """Return the words of a row in runs that end at wide gaps, and at partings that fall into a gap."""
    runs: list[list[Word]] = []
    for word in row.words:
        last = runs[-1][-1] if runs else None
        if last is not None:
            gap = word.x0 - last.x1
            parted = gap >= 0.5 * row.size and any(last.x1 - 1 <= p.x <= word.x0 + 1 for p in xs)
            if gap < SPACE * row.size and not parted:
                runs[-1].append(word)
                continue
        runs.append([word])
    return runs


def _well_across(x0: float, x1: float, parting: Parting) -> bool:
    """Tell whether a run of words lies on both sides of a parting, of a white one not only a little."""
    share = 0.0 if parting.ruled else 0.25
    return min(parting.x - x0, x1 - parting.x) > max(share * (x1 - x0), 4.0)


def _crosses(row: Row, xs: Sequence[Parting], parting: Parting) -> bool:
    """Tell whether words of the row run well across the parting."""
    return any(_well_across(run[0].x0, max(w.x1 for w in run), parting) for run in _runs(row, xs))


def _spanning_heads(
    lattice: Lattice, rules: Ruling, band: int, filled: Sequence[bool]
) -> set[tuple[int, int]]:
    """Return the pairs of columns that one heading spans: it stands alone over a rule of their width."""
    edges, joined = lattice.edges, set()
    at = lattice.ys[band + 1]
    for rule in rules.horizontal:
        if abs(rule.at - at) > LEVEL or rule.length > 0.95 * lattice.area.width:
            continue
        under = [
            c
            for c, (left, right) in enumerate(pairwise(edges))
            if min(right, rule.end) - max(left, rule.start) > COVER * (right - left)
        ]
        if len(under) > 1 and sum(filled[c] for c in under) == 1:
            joined |= set(pairwise(under))
    return joined
