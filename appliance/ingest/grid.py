"""The grid of a table: an area with its rules and words to cells with spans.

Rules of this module: pure, a chain of named steps over an elementary lattice of bands (between rules
and printed rows) and columns (between partings): which borders stand, which cells they leave joined,
which words fall into each. A joined set of cells that is no rectangle is taken apart again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from appliance.ingest.cells import Row, rows_of, text_of
from appliance.ingest.grid_columns import partings
from appliance.ingest.grid_drawings import without_drawings
from appliance.ingest.grid_rows import FAR, LOOSE, breaks
from appliance.ingest.grid_signs import without_line_signs
from appliance.ingest.grid_strokes import without_strokes
from appliance.ingest.grids_mended import mended
from appliance.ingest.lattice import (
    COVER,
    LEVEL,
    Lattice,
    columns_of,
    head_breaks,
    right_borders,
    without_ordinals,
)
from appliance.ingest.page import Word
from appliance.ingest.rules import Area, Rule, Ruling, covered
from appliance.ingest.table_marks import with_marks
from appliance.ingest.view import View

SHORTEST = 12.0  # points: a shorter horizontal rule is a dash
UNDERLINE = 48.0  # points: a longer rule is no underline


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell with its lines of words and its area in points."""

    row: int
    column: int
    row_span: int
    column_span: int
    lines: tuple[Row, ...]
    area: Area

    @property
    def words(self) -> tuple[Word, ...]:
        """All words, line by line."""
        return tuple(word for line in self.lines for word in line.words)


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in reading order, with the size of the whole."""

    cells: tuple[GridCell, ...]
    rows: int
    columns: int


def make_grid(view: View, area: Area, marks: Collection[str] = (), *, captioned: bool = False) -> Grid | None:
    """Return the grid of the area, None where it has no words; `marks` are those of the table's notes.

    Drawings in cells are left out only where the area is `captioned` as a table: else it may be one itself.
    """
    scanned, ruling = view.page.trust == "ocr", view.ruling.within(area)
    printed = view.words_in(area)
    words = with_marks(without_line_signs(printed, ruling.vertical) if scanned else printed, marks)
    if not words:
        return None
    rows = rows_of(words)
    rules = without_underlines(ruling, rows)
    if scanned:
        rules = mended(without_drawings(rules, area), area, words)
    elif captioned:
        rules = without_strokes(rules, area)
    levels = _levels(rules, area)
    if not rules.vertical:
        area, levels = _from_frame(area, levels, words)
    xs = without_ordinals(partings(rules, area, rows, levels), rows)
    ys = [area.y0, *levels, area.y1]
    places = columns_of(rows, xs)
    lattice = Lattice(ys, xs, area, [w for row in rows for w in row.words], list(range(len(ys) - 1)), places)
    _ruled_borders(lattice, rules)
    _centred(lattice, rules)
    lattice = _with_printed_rows(lattice, rules)
    _joined_down(lattice)
    return _grid(lattice)


def without_underlines(rules: Ruling, rows: Sequence[Row]) -> Ruling:
    """Drop rules that underline words: right under them and no longer, or short and meeting nothing."""
    spans = [(f.x0, f.x1, row.base) for row in rows for f in row.fragments]
    kept = tuple(
        rule
        for rule in rules.horizontal
        if rule.length >= SHORTEST and not _underlines(rule, spans) and not _adrift(rule, rules.vertical)
    )
    return Ruling(kept, rules.vertical, rules.fills)


def _underlines(rule: Rule, spans: Sequence[tuple[float, float, float]]) -> bool:
    return any(
        -2 < rule.at - base < 3 and x0 - 2 <= rule.start and rule.end <= x1 + 2 for x0, x1, base in spans
    )


def _adrift(rule: Rule, vertical: Sequence[Rule]) -> bool:
    """Tell whether a short rule of a table with vertical rules touches none of them."""
    if rule.length > UNDERLINE or len(vertical) < 3:
        return False
    return not any(
        v.start - LEVEL <= rule.at <= v.end + LEVEL
        and min(abs(v.at - rule.start), abs(v.at - rule.end)) < LEVEL
        for v in vertical
    )


def _levels(rules: Ruling, area: Area) -> list[float]:
    """Return the y positions of horizontal rules inside the area, those side by side as one."""
    found: list[float] = []
    for rule in sorted(rules.horizontal):
        inside = area.y0 + LEVEL < rule.at < area.y1 - LEVEL
        if inside and (not found or rule.at - found[-1] > LEVEL):
            found.append(rule.at)
    return found


def _from_frame(area: Area, levels: Sequence[float], words: Sequence[Word]) -> tuple[Area, list[float]]:
    """Return an open table from the rule over its first words on: that is its frame, however far down."""
    first = min((word.y0 + word.y1) / 2 for word in words)
    frame = max((y for y in levels if y <= first), default=area.y0)
    return replace(area, y0=frame), [y for y in levels if y > frame]


def _ruled_borders(lattice: Lattice, rules: Ruling) -> None:
    """Set the borders that rules and white partings make between the ruled bands."""
    edges = lattice.edges
    for band in range(len(lattice.ys) - 1):
        lattice.right.append(right_borders(lattice, rules, band))
        y = lattice.ys[band + 1]
        last = band == len(lattice.ys) - 2
        lattice.below.append(
            [
                last
                or covered(rules.horizontal, y, left + 2, right - 2, LEVEL) >= COVER
                or _two_texts(lattice, band, column)
                for column, (left, right) in enumerate(pairwise(edges))
            ]
        )


def _centred(lattice: Lattice, rules: Ruling) -> None:
    """Join what stands in the middle of a box of rules beside several rows: a label for all of them.

    A list of labels fills its box; lines in the middle with empty bands over and under them are one text.
    """
    edges = lattice.edges
    for column, (left, right) in enumerate(pairwise(edges)):
        start = 0
        for band in range(len(lattice.ys) - 1):
            last = band == len(lattice.ys) - 2
            if (
                not last
                and covered(rules.horizontal, lattice.ys[band + 1], left + 2, right - 2, LEVEL) < COVER
            ):
                continue
            bands, start = range(start, band + 1), band + 1
            if len(bands) > 2 and _in_the_middle(lattice, bands, column):
                for inner in bands[:-1]:
                    lattice.below[inner][column] = False


def _in_the_middle(lattice: Lattice, bands: range, column: int) -> bool:
    """Tell whether a box closed on both sides holds lines in its middle and nothing over and under them."""
    closed = all(lattice.right[b][column] and (not column or lattice.right[b][column - 1]) for b in bands)
    lines = rows_of(word for b in bands for word in lattice.words_of(b, column))
    if not closed or not lines or lattice.words_of(bands[0], column) or lattice.words_of(bands[-1], column):
        return False
    top, bottom = lattice.ys[bands[0]], lattice.ys[bands[-1] + 1]
    off = abs(lines[0].y0 + lines[-1].base - top - bottom) / 2
    near = all(lower.base - upper.base < FAR * lower.size for upper, lower in pairwise(lines))
    return near and off < lines[0].size


def _two_texts(lattice: Lattice, band: int, column: int) -> bool:
    """Tell whether the words over and under a level stand too far apart to be one text."""
    upper, lower = rows_of(lattice.words_of(band, column)), rows_of(lattice.words_of(band + 1, column))
    return bool(upper and lower) and lower[0].base - upper[-1].base > LOOSE * lower[0].size


def _with_printed_rows(lattice: Lattice, rules: Ruling) -> Lattice:
    """Return the lattice with its bands cut between the printed rows in them."""
    cut = Lattice([lattice.ys[0]], lattice.xs, lattice.area, lattice.words, [], lattice.columns)
    reach = _reaches(lattice)
    bands = len(lattice.ys) - 1
    for band in range(bands):
        own = [
            (band == 0 or lattice.below[band - 1][c]) and lattice.below[band][c]
            for c in range(len(lattice.xs) + 1)
        ]
        spans = _spans(lattice.right[band])
        columns = {
            span[0]: rows_of(words)
            for span in spans
            if all(own[c] for c in span) and (words := [w for c in span for w in lattice.words_of(band, c)])
        }
        rights = {span[0]: max((reach[c] for c in span if c in reach), default=0.0) for span in spans}
        head = band == 0 and bands > 1
        inner = breaks(columns, rights, head=head, grouped=bands > 2) if columns else []
        spanned = head_breaks(lattice, band) if head and not inner else {}
        inner = inner or list(spanned)
        for number, y in enumerate([*inner, lattice.ys[band + 1]]):
            cut.ys.append(y)
            cut.group.append(band)
            cut.right.append(
                right_borders(cut, rules, len(cut.ys) - 2) if inner else list(lattice.right[band])
            )
            spans_end = [c in spanned[y] for c in range(len(own))] if y in spanned else own
            cut.below.append(list(lattice.below[band] if number == len(inner) else spans_end))
    return cut


def _spans(right: Sequence[bool]) -> list[list[int]]:
    """Return the columns of a band in groups without a border between them: one cell, one text."""
    spans: list[list[int]] = []
    for column in range(len(right)):
        if column and not right[column - 1]:
            spans[-1].append(column)
        else:
            spans.append([column])
    return spans


def _reaches(lattice: Lattice) -> dict[int, float]:
    """Return how far right the words of each column reach, in points."""
    reach: dict[int, float] = {}
    for word in lattice.words:
        column = lattice.column_of(word)
        reach[column] = max(reach.get(column, 0.0), min(word.x1, lattice.edges[column + 1]))
    size = median(word.size for word in lattice.words)
    slack = {c: min(1.5 * size, 0.6 * (lattice.edges[c + 1] - x)) for c, x in reach.items()}
    return {c: x + slack[c] for c, x in reach.items()}


def _joined_down(lattice: Lattice) -> None:
    """Let an entry that stands alone in its column of a ruled band hold for all printed rows of it."""
    groups: dict[int, list[int]] = {}
    for band, group in enumerate(lattice.group):
        groups.setdefault(group, []).append(band)
    for bands in groups.values():
        if len(bands) < 2 or len(groups) < 3:
            continue
        for column in range(len(lattice.xs) + 1):
            filled = [band for band in bands if lattice.words_of(band, column)]
            single = filled == bands[:1] or _is_middle_label(lattice, bands, column)
            if single and all(lattice.right[b][column] for b in bands):
                for band in bands[:-1]:
                    lattice.below[band][column] = False
    _labels_down(lattice)


def _is_middle_label(lattice: Lattice, bands: Sequence[int], column: int) -> bool:
    """Tell whether the first column holds one line only, in the middle of a ruled band of printed rows."""
    lines = rows_of(word for band in bands for word in lattice.words_of(band, column))
    if column or len(lines) != 1 or len(bands) <= 2:
        return False
    middle = (lattice.ys[bands[0]] + lattice.ys[bands[-1] + 1]) / 2
    return lines[0].y0 - lines[0].size / 2 < middle < lines[0].base + lines[0].size / 2


def _labels_down(lattice: Lattice) -> None:
    """Let a label hold for the printed rows under it that have values but no label of their own."""
    columns = len(lattice.xs) + 1
    for band in range(1, len(lattice.ys) - 1):
        same = lattice.group[band] == lattice.group[band - 1]
        if not same or columns < 2 or lattice.words_of(band, 0) or not lattice.right[band - 1][0]:
            continue
        valued = [any(lattice.words_of(b, c) for c in range(1, columns)) for b in (band - 1, band)]
        if all(valued) and lattice.right[band][0]:
            lattice.below[band - 1][0] = False


def _grid(lattice: Lattice) -> Grid:
    """Return the cells that the borders leave, empty bands and columns left out."""
    bands, columns = len(lattice.ys) - 1, len(lattice.xs) + 1
    members: dict[int, list[tuple[int, int]]] = {}
    for place, root in _sets(lattice).items():
        members.setdefault(root, []).append(place)
    rectangles = [piece for cells in members.values() for piece in _rectangles(cells)]
    texts = {piece: _lines(lattice, piece) for piece in rectangles}
    used_bands = [
        b
        for b in range(bands)
        if any(r[0] <= b <= r[2] and texts[r] for r in rectangles) and any(r[0] == b for r in rectangles)
    ]
    used_columns = [
        c
        for c in range(columns)
        if any(r[1] <= c <= r[3] and texts[r] for r in rectangles) or _framed(lattice, c)
    ]
    cells = []
    for piece in sorted(rectangles):
        rows = [used_bands.index(b) for b in range(piece[0], piece[2] + 1) if b in used_bands]
        cols = [used_columns.index(c) for c in range(piece[1], piece[3] + 1) if c in used_columns]
        if rows and cols:
            area = _area(lattice, piece)
            cells.append(GridCell(rows[0], cols[0], len(rows), len(cols), texts[piece], area))
    return Grid(tuple(cells), len(used_bands), len(used_columns))


def _framed(lattice: Lattice, column: int) -> bool:
    """Tell whether rules stand on the column's inner sides, so that it is meant to be filled in."""
    sides = [lattice.xs[i].ruled for i in (column - 1, column) if 0 <= i < len(lattice.xs)]
    return bool(sides) and all(sides)


Piece = tuple[int, int, int, int]  # first band, first column, last band, last column


def _sets(lattice: Lattice) -> dict[tuple[int, int], int]:
    """Return for each elementary cell the number of the set that it is joined to (union-find)."""
    bands, columns = len(lattice.ys) - 1, len(lattice.xs) + 1
    parent = list(range(bands * columns))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for band in range(bands):
        for column in range(columns):
            here = band * columns + column
            if column + 1 < columns and not lattice.right[band][column]:
                parent[root(here + 1)] = root(here)
            if band + 1 < bands and not lattice.below[band][column]:
                parent[root(here + columns)] = root(here)
    return {(i // columns, i % columns): root(i) for i in range(bands * columns)}


def _rectangles(cells: Sequence[tuple[int, int]]) -> list[Piece]:
    """Return the set as one rectangle, or, where it is none, as the runs of its bands."""
    bands = [b for b, _ in cells]
    columns = [c for _, c in cells]
    whole = (min(bands), min(columns), max(bands), max(columns))
    if len(cells) == (whole[2] - whole[0] + 1) * (whole[3] - whole[1] + 1):
        return [whole]
    pieces: list[Piece] = []
    for band, column in sorted(cells):
        if pieces and pieces[-1][0] == band and pieces[-1][3] == column - 1:
            pieces[-1] = (band, pieces[-1][1], band, column)
        else:
            pieces.append((band, column, band, column))
    return pieces


def _lines(lattice: Lattice, piece: Piece) -> tuple[Row, ...]:
    words = [
        word
        for band in range(piece[0], piece[2] + 1)
        for word in lattice.words_of(band)
        if piece[1] <= lattice.column_of(word) <= piece[3]
    ]
    return tuple(row for row in rows_of(words) if text_of(row.words))


def _area(lattice: Lattice, piece: Piece) -> Area:
    edges = lattice.edges
    return Area(edges[piece[1]], lattice.ys[piece[0]], edges[piece[3] + 1], lattice.ys[piece[2] + 1])
