"""The grid of a table: an area with its rules and words to cells with spans."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import Area, Rule, Ruling, around, covered
from appliance.ingest.page import Word
from appliance.ingest.tables.cells import SPACE, Row, rows_of, text_of
from appliance.ingest.tables.notes import with_marks
from appliance.ingest.tables.separators import FAR, LOOSE, Parting, breaks, is_valued, partings
from appliance.ingest.view import View

LEVEL = 3.0  # points between rules of one level
COVER = 0.5  # of a border that a rule must cover to stand
ACROSS = 18.0  # points: a run that reaches so far over a parting lies across it
VALUED_ROWS = 3  # under a head in its own ruled band: these are the body


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
    borders = []
    for column, parting in enumerate(lattice.xs):
        crossed = any(_crosses(row, lattice.xs, parting) for row in rows)
        if parting.ruled:
            drawn = covered(rules.vertical, parting.x, top + 1, bottom - 1) >= COVER
            stands = drawn or (filled[column] and filled[column + 1] and not crossed)
        else:
            stands = not crossed and parting.x > reach and (column, column + 1) not in heads
        borders.append(stands)
    return [*borders, True]


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
    return min(parting.x - x0, x1 - parting.x) > max(min(share * (x1 - x0), ACROSS), 4.0)


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


def make_grid(view: View, area: Area, marks: Collection[str] = ()) -> Grid | None:
    """Return the grid of the area, None where it has no words; `marks` are those of the table's notes."""
    scanned, ruling = view.page.trust == "ocr", view.ruling.within(area)
    printed = view.words_in(area)
    words = with_marks(printed, marks)
    if not words:
        return None
    rows = rows_of(words)
    rules = without_underlines(ruling, rows)
    if scanned:
        rules = without_drawings(rules, area)
    rules = _with_heads_ended(rules, area, rows)
    levels = _levels(rules, area)
    if not rules.vertical:
        area, levels = _from_frame(area, levels, words)
    xs = partings(rules, area, rows, levels)
    ys = [area.y0, *levels, area.y1]
    places = columns_of(rows, xs)
    lattice = Lattice(ys, xs, area, [w for row in rows for w in row.words], list(range(len(ys) - 1)), places)
    _ruled_borders(lattice, rules)
    _centred(lattice, rules)
    lattice = _with_printed_rows(lattice, rules)
    _joined_down(lattice)
    return _grid(lattice)


@mechanism("tables.underlines", "An underlined word makes no border.", without=lambda rules, _rows: rules)
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


def _with_heads_ended(rules: Ruling, area: Area, rows: Sequence[Row]) -> Ruling:
    """Return the rules with one more under each head that shares its ruled band with rows of values."""
    ends = [area.y0, *_levels(rules, area), area.y1]
    added = []
    for top, bottom in pairwise(ends) if len(ends) > 2 else ():
        band = [row for row in rows if top < row.base <= bottom]
        first = next((at for at, row in enumerate(band) if is_valued(row)), 0)
        if first and len(band[first - 1].fragments) > 1 and sum(map(is_valued, band)) >= VALUED_ROWS:
            added.append(Rule((band[first - 1].base + band[first].y0) / 2, area.x0, area.x1))
    return Ruling((*rules.horizontal, *added), rules.vertical, rules.fills)


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
            (not band or lattice.below[band - 1][c] or not lattice.words_of(band - 1, c))
            and lattice.below[band][c]
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
        if inner and band:  # what is empty in the band over these rows is no part of their first
            cut.below[-1] = [below or c for below, c in zip(cut.below[-1], own, strict=True)]
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


MEETS = 3.0  # points between lines that meet
SMALL = 0.5  # of the table's width and height: what is larger is no drawing in a cell
FRAME = 0.9  # of the table's width: a rule of its frame
MANY = 300  # rules: more are not compared with each other


def without_drawings(rules: Ruling, area: Area) -> Ruling:
    """Return the rules of a table without those of drawings in its cells."""
    framed = sum(rule.length > FRAME * area.width for rule in rules.horizontal) > 1
    across = [Area(rule.start, rule.at, rule.end, rule.at) for rule in rules.horizontal]
    down = [Area(rule.at, rule.start, rule.at, rule.end) for rule in rules.vertical]
    if not framed or len(across) + len(down) > MANY:
        return rules
    groups = _groups([*across, *down])
    drawings = [group for group in groups if _is_drawing([(across + down)[at] for at in group], area)]
    drawn = {at for group in drawings for at in group}
    return replace(
        rules,
        horizontal=_kept(rules.horizontal, drawn, 0),
        vertical=_kept(rules.vertical, drawn, len(across)),
    )


def _kept(rules: Sequence[Rule], drawn: set[int], first: int) -> tuple[Rule, ...]:
    return tuple(rule for at, rule in enumerate(rules, first) if at not in drawn)


def _groups(lines: Sequence[Area]) -> list[list[int]]:
    """Return the numbers of the lines in sets of those that meet each other."""
    groups: list[list[int]] = []
    for at, line in enumerate(lines):
        met = [group for group in groups if any(_meet(line, lines[other]) for other in group)]
        groups = [group for group in groups if not any(group is other for other in met)]
        groups.append([at, *(other for group in met for other in group)])
    return groups


def _meet(one: Area, other: Area) -> bool:
    across = one.x0 - MEETS <= other.x1 and other.x0 - MEETS <= one.x1
    return across and one.y0 - MEETS <= other.y1 and other.y0 - MEETS <= one.y1


def _is_drawing(lines: Sequence[Area], area: Area) -> bool:
    """Tell whether lines that meet each other, and nothing else, are a drawing."""
    hull = around(lines)
    both = any(line.width > 0 for line in lines) and any(line.height > 0 for line in lines)
    inside = area.x0 + MEETS < hull.x0 and hull.x1 < area.x1 - MEETS
    return both and inside and hull.width < SMALL * area.width and hull.height < SMALL * area.height
