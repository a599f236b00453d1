"""The grid of a table: an area with its rules and words to cells with spans, and the rows of its head."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from statistics import median

from appliance.core.mechanisms import mechanism
from appliance.core.runs import runs, together
from appliance.ingest.page import Area, Rule, Ruling, View, Word, around, covered
from appliance.ingest.tables.cells import SPACE, Row, paragraph, rows_of, text_of
from appliance.ingest.tables.notes import with_marks
from appliance.ingest.tables.separators import FAR, LOOSE, Parting, breaks, is_valued, partings
from appliance.text.numbers import unit_pattern

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
    xs, edges = lattice.xs, lattice.edges
    filled = [bool(lattice.words_of(band, c)) for c in range(len(xs) + 1)]
    rows = rows_of(lattice.words_of(band))
    crossed = [any(_crosses(row, xs, parting) for row in rows) for parting in xs]
    # A head of a group begins in the first column, and is one text however little of it stands there: lines
    # alone that run over a parting.
    reach = 0.0
    if any(crossed) and all(len(r) == 1 and r[0].x0 < xs[0].x for r in (_runs(row, xs) for row in rows)):
        reach = max(word.x1 for row in rows for word in row.words)
    # One heading spans columns where it stands alone over a rule of their width.
    spanned: set[int] = set()
    for rule in rules.horizontal:
        if abs(rule.at - bottom) > LEVEL or rule.length > 0.95 * lattice.area.width:
            continue
        under = [
            c
            for c, (left, right) in enumerate(pairwise(edges))
            if min(right, rule.end) - max(left, rule.start) > COVER * (right - left)
        ]
        if len(under) > 1 and sum(filled[c] for c in under) == 1:
            spanned |= {left for left, right in pairwise(under) if right == left + 1}
    borders = []
    for column, parting in enumerate(xs):
        if parting.ruled:
            drawn = covered(rules.vertical, parting.x, top + 1, bottom - 1) >= COVER
            stands = drawn or (filled[column] and filled[column + 1] and not crossed[column])
        else:
            stands = not crossed[column] and parting.x > reach and column not in spanned
        borders.append(stands)
    return [*borders, True]


def head_breaks(lattice: Lattice, band: int) -> dict[float, set[int]]:
    """Return where a head over several columns ends and their own heads begin, with these columns."""
    found: dict[float, set[int]] = {}
    for upper, lower in pairwise(rows_of(lattice.words_of(band))):
        middles = [(run.x0 + run.words[-1].x1) / 2 for run in _runs(lower, lattice.xs)]
        for run in _runs(upper, lattice.xs):
            x0, x1 = run.x0, run.x1
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
            x0, x1 = run.x0, run.x1
            middle = sum(parting.x <= (x0 + x1) / 2 for parting in xs)
            across = [p for p in xs if _well_across(x0, x1, p)]
            for word in run.words:
                own = sum(parting.x <= (word.x0 + word.x1) / 2 for parting in xs)
                places[id(word)] = own if across else middle
    return places


def _runs(row: Row, xs: Sequence[Parting]) -> list[Row]:
    """Return the words of a row in runs that end at wide gaps, and at partings that fall into a gap."""

    def goes_on(run: list[Word], word: Word) -> bool:
        last = run[-1]
        gap = word.x0 - last.x1
        parted = gap >= 0.5 * row.size and any(last.x1 - 1 <= p.x <= word.x0 + 1 for p in xs)
        return gap < SPACE * row.size and not parted

    return [Row(tuple(run)) for run in runs(row.words, goes_on)]


def _well_across(x0: float, x1: float, parting: Parting) -> bool:
    """Tell whether a run of words lies on both sides of a parting, of a white one not only a little."""
    share = 0.0 if parting.ruled else 0.25
    return min(parting.x - x0, x1 - parting.x) > max(min(share * (x1 - x0), ACROSS), 4.0)


def _crosses(row: Row, xs: Sequence[Parting], parting: Parting) -> bool:
    """Tell whether words of the row run well across the parting."""
    return any(_well_across(run.x0, run.x1, parting) for run in _runs(row, xs))


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
    if not rules.vertical:  # the frame of an open table is the rule over its first words, however far down
        first = min((word.y0 + word.y1) / 2 for word in words)
        frame = max((y for y in levels if y <= first), default=area.y0)
        area, levels = replace(area, y0=frame), [y for y in levels if y > frame]
    xs = partings(rules, area, rows, levels)
    ys = [area.y0, *levels, area.y1]
    places = columns_of(rows, xs)
    lattice = Lattice(ys, xs, area, [w for row in rows for w in row.words], list(range(len(ys) - 1)), places)
    for band in range(len(ys) - 1):
        lattice.right.append(right_borders(lattice, rules, band))
        lattice.below.append([])
        for column, (left, right) in enumerate(pairwise(lattice.edges)):
            last = band == len(ys) - 2
            apart = last or covered(rules.horizontal, ys[band + 1], left + 2, right - 2, LEVEL) >= COVER
            if not apart:  # words over and under a level that stand too far apart to be one text
                upper, lower = (rows_of(lattice.words_of(b, column)) for b in (band, band + 1))
                both = bool(upper and lower)
                apart = both and lower[0].base - upper[-1].base > LOOSE * lower[0].size
            lattice.below[band].append(apart)
    _centred(lattice, rules)
    lattice = _with_printed_rows(lattice, rules)
    _joined_down(lattice)
    return _grid(lattice)


@mechanism("tables.underlines", without=lambda rules, _rows: rules)
def without_underlines(rules: Ruling, rows: Sequence[Row]) -> Ruling:
    """Drop rules that underline words: right under them and no longer, or short and meeting nothing."""
    spans = [(f.x0, f.x1, row.base) for row in rows for f in row.fragments]
    kept = []
    for rule in rules.horizontal:
        under = any(
            -2 < rule.at - base < 3 and x0 - 2 <= rule.start and rule.end <= x1 + 2 for x0, x1, base in spans
        )
        touching = (
            v.start - LEVEL <= rule.at <= v.end + LEVEL
            and min(abs(v.at - rule.start), abs(v.at - rule.end)) < LEVEL
            for v in rules.vertical
        )
        adrift = rule.length <= UNDERLINE and len(rules.vertical) >= 3 and not any(touching)
        if rule.length >= SHORTEST and not under and not adrift:
            kept.append(rule)
    return Ruling(tuple(kept), rules.vertical, rules.fills)


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


def _centred(lattice: Lattice, rules: Ruling) -> None:
    """Join what stands in the middle of a box of rules beside several rows: a label for all of them.

    A list of labels fills its box; lines in the middle with empty bands over and under them are one text.
    """
    last = len(lattice.ys) - 2
    for column, (left, right) in enumerate(pairwise(lattice.edges)):
        start = 0
        for band in range(last + 1):
            cover = covered(rules.horizontal, lattice.ys[band + 1], left + 2, right - 2, LEVEL)
            if band != last and cover < COVER:
                continue
            bands, start = range(start, band + 1), band + 1
            words = [lattice.words_of(b, column) for b in bands]
            lines = rows_of(word for held in words for word in held)
            if len(bands) <= 2 or not lines or words[0] or words[-1]:
                continue
            sides = [side for side in (column - 1, column) if side >= 0]
            closed = all(lattice.right[b][side] for b in bands for side in sides)
            off = abs(lines[0].y0 + lines[-1].base - lattice.ys[bands[0]] - lattice.ys[band + 1]) / 2
            near = all(lower.base - upper.base < FAR * lower.size for upper, lower in pairwise(lines))
            if closed and near and off < lines[0].size:
                for inner in bands[:-1]:
                    lattice.below[inner][column] = False


def _with_printed_rows(lattice: Lattice, rules: Ruling) -> Lattice:
    """Return the lattice with its bands cut between the printed rows in them."""
    cut = Lattice([lattice.ys[0]], lattice.xs, lattice.area, lattice.words, [], lattice.columns)
    reach: dict[int, float] = {}  # how far right the words of each column reach, in points
    for word in lattice.words:
        column = lattice.column_of(word)
        reach[column] = max(reach.get(column, 0.0), min(word.x1, lattice.edges[column + 1]))
    size = median(word.size for word in lattice.words)
    reach = {c: x + min(1.5 * size, 0.6 * (lattice.edges[c + 1] - x)) for c, x in reach.items()}
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
    return runs(range(len(right)), lambda run, _: not right[run[-1]])


def _joined_down(lattice: Lattice) -> None:
    """Let an entry that stands alone in its column of a ruled band hold for all printed rows of it."""
    group, right = lattice.group, lattice.right
    groups = runs(range(len(group)), lambda run, band: group[run[-1]] == group[band])
    columns = len(lattice.xs) + 1
    for bands in groups:
        for column in range(columns) if len(bands) > 1 and len(groups) > 2 else ():
            filled = [band for band in bands if lattice.words_of(band, column)]
            single = filled == bands[:1]
            if not single and not column and len(bands) > 2:
                # the first column holds one line only, in the middle of a ruled band of printed rows
                middle = (lattice.ys[bands[0]] + lattice.ys[bands[-1] + 1]) / 2
                lines = rows_of(word for band in bands for word in lattice.words_of(band, column))
                half = lines[0].size / 2 if len(lines) == 1 else 0.0
                single = len(lines) == 1 and lines[0].y0 - half < middle < lines[0].base + half
            if single and all(right[b][column] for b in bands):
                for band in bands[:-1]:
                    lattice.below[band][column] = False
    # A label holds for the printed rows under it that have values but no label of their own.
    for upper, band in pairwise(range(len(group))):
        if group[band] != group[upper] or columns < 2 or lattice.words_of(band, 0):
            continue
        valued = [any(lattice.words_of(b, c) for c in range(1, columns)) for b in (upper, band)]
        if all(valued) and right[upper][0] and right[band][0]:
            lattice.below[upper][0] = False


def _grid(lattice: Lattice) -> Grid:
    """Return the cells that the borders leave, empty bands and columns left out."""
    bands, xs = len(lattice.ys) - 1, lattice.xs
    texts: dict[Piece, tuple[Row, ...]] = {}
    for piece in (piece for cells in _sets(lattice) for piece in _rectangles(cells)):
        top, left, bottom, right = piece
        inside = [word for band in range(top, bottom + 1) for word in lattice.words_of(band)]
        rows = rows_of(word for word in inside if left <= lattice.column_of(word) <= right)
        texts[piece] = tuple(row for row in rows if text_of(row.words))
    used_bands = [
        b
        for b in range(bands)
        if any(p[0] <= b <= p[2] and lines for p, lines in texts.items()) and any(p[0] == b for p in texts)
    ]
    used_columns = []
    for c in range(len(xs) + 1):
        # with rules on its inner sides it is meant to be filled in
        framed = bool(xs) and all(xs[side].ruled for side in (c - 1, c) if 0 <= side < len(xs))
        if framed or any(p[1] <= c <= p[3] and lines for p, lines in texts.items()):
            used_columns.append(c)
    cells = []
    for piece in sorted(texts):
        top, left, bottom, right = piece
        down = [at for at, band in enumerate(used_bands) if top <= band <= bottom]
        across = [at for at, column in enumerate(used_columns) if left <= column <= right]
        if down and across:
            area = Area(
                lattice.edges[left], lattice.ys[top], lattice.edges[right + 1], lattice.ys[bottom + 1]
            )
            cells.append(GridCell(down[0], across[0], len(down), len(across), texts[piece], area))
    return Grid(tuple(cells), len(used_bands), len(used_columns))


Piece = tuple[int, int, int, int]  # first band, first column, last band, last column


def _sets(lattice: Lattice) -> list[list[tuple[int, int]]]:
    """Return the elementary cells, as (band, column), in the sets that they are joined to."""
    bands, columns = len(lattice.ys) - 1, len(lattice.xs) + 1
    places = [(band, column) for band in range(bands) for column in range(columns)]
    joined = [
        (b * columns + c, b * columns + c + 1)
        for b, c in places
        if c + 1 < columns and not lattice.right[b][c]
    ]
    joined += [
        (b * columns + c, (b + 1) * columns + c)
        for b, c in places
        if b + 1 < bands and not lattice.below[b][c]
    ]
    return [[places[at] for at in members] for members in together(len(places), joined)]


def _rectangles(cells: Sequence[tuple[int, int]]) -> list[Piece]:
    """Return the set as one rectangle, or, where it is none, as the runs of its bands."""
    bands = [b for b, _ in cells]
    columns = [c for _, c in cells]
    whole = (min(bands), min(columns), max(bands), max(columns))
    if len(cells) == (whole[2] - whole[0] + 1) * (whole[3] - whole[1] + 1):
        return [whole]
    level = runs(sorted(cells), lambda run, cell: cell == (run[-1][0], run[-1][1] + 1))
    return [(*run[0], *run[-1]) for run in level]


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
    lines = [*across, *down]
    met = [
        (one, other) for one, other in combinations(range(len(lines)), 2) if _meet(lines[one], lines[other])
    ]
    drawn: set[int] = set()
    for group in together(len(lines), met):
        held = [lines[at] for at in group]
        hull = around(held)
        both = any(line.width > 0 for line in held) and any(line.height > 0 for line in held)
        inside = area.x0 + MEETS < hull.x0 and hull.x1 < area.x1 - MEETS
        if both and inside and hull.width < SMALL * area.width and hull.height < SMALL * area.height:
            drawn.update(group)
    return replace(
        rules,
        horizontal=tuple(rule for at, rule in enumerate(rules.horizontal) if at not in drawn),
        vertical=tuple(rule for at, rule in enumerate(rules.vertical, len(across)) if at not in drawn),
    )


def _meet(one: Area, other: Area) -> bool:
    across = one.x0 - MEETS <= other.x1 and other.x0 - MEETS <= one.x1
    return across and one.y0 - MEETS <= other.y1 and other.y0 - MEETS <= one.y1


MOST = 6  # head rows
SEVERAL = 2  # numbers in the name of a column, at most: "600-1,200"
_DIGIT = re.compile(r"\d")
_NUMBER, _WORD = re.compile(r"\d[\d.,]*"), re.compile(r"[^\W\d_]{3,}")
_VALUE = re.compile(r"^[<>≤≥±+~−–-]?\s?\d[\d.,]*+(?![)\]])")  # "1)/1" is a symbol that was misread
_CONDITION = re.compile(r"[<>≤≥=]\s*[^\W\d_]|[^\W\d_]\s*[<>≤≥=]")  # "0° ≤ α ≤ 30°" heads a column
_NAMED = re.compile(r"(?<=[^\W\d_]\s)[A-Z][A-Za-z]+\s(?:[A-Z]\.?)?\d+(?:\.\d+)*")  # "according to Table 4.1"
_INDEXED = re.compile(
    r"[^\W\d_]{1,3}(?:,|(?<=[A-Z])\s)?\d{1,3}(?:\s?[/,–-]\s?(?:[^\W\d_]{1,3})?\d{1,3})*(?:\s[a-z]{2,}){0,3}"
)  # "cpe,10", "M20", "M 40 and above", "XC2 / XC3", "C25/30": a name, whatever its figures say
_UNIT_OR_MARK = re.compile(r"^[\[(].{1,12}[\])]$")

Look = tuple[bool, bool, int, int]  # bold, italic, colour of the words, colour of the ground


def head_rows(grid: Grid, fills: Sequence[Area]) -> int:
    """Return how many rows at the top are the head."""
    if grid.rows < 2:
        return 0
    rows = [[c for c in grid.cells if c.row == r and c.lines] for r in range(grid.rows)]
    looks = [_look(row, fills) for row in rows]
    body = Counter(look for look in looks[1:] if look).most_common(1)
    usual = body[0][0] if body else None
    if not _first_is_head(grid, rows, looks[0], usual):
        return 0
    count = max((c.row_span for c in rows[0]), default=1)
    while count < min(MOST, grid.rows - 1) and (
        _tells_apart(rows, count) or _goes_on(grid, rows, looks, count, usual)
    ):
        count = max(count + 1, *(c.row + c.row_span for c in rows[count]))
    return min(count, grid.rows - 1)


def _tells_apart(rows: Sequence[Sequence[GridCell]], row: int) -> bool:
    """Tell whether a row names the columns under spanning heads one by one: "P2" over "1", "2", "more".

    Two columns are never printed under one and the same name; a row of values alone is none of names.
    """
    spans = [c for c in rows[row - 1] if c.column_span > 1 and c.row + c.row_span == row and c.column]
    under = {c.column: paragraph(c.lines) for c in rows[row] if c.column_span == 1}
    named = [[under.get(c.column + at, "") for at in range(c.column_span)] for c in spans]
    texts = [text for names in named for text in names]
    apart = all(all(names) and len(set(names)) == len(names) for names in named)
    single = all(len(_NUMBER.findall(text)) <= SEVERAL for text in texts)
    return apart and single and any(_WORD.search(text) and not _is_value(text) for text in texts)


def _look(cells: Sequence[GridCell], fills: Sequence[Area]) -> Look | None:
    words = [word for cell in cells for word in cell.words]
    if not words:
        return None
    bold = sum(word.bold for word in words) > 0.8 * len(words)
    italic = sum(word.italic for word in words) > 0.8 * len(words)
    colour = Counter(word.colour for word in words).most_common(1)[0][0]
    behind = [fill for fill in fills if fill.holds_middle(words[0])]
    ground = min(behind, key=lambda fill: fill.width * fill.height, default=None)
    return bold, italic, colour, ground.colour if ground else -1


def _first_is_head(
    grid: Grid, rows: Sequence[Sequence[GridCell]], look: Look | None, usual: Look | None
) -> bool:
    if look is not None and usual is not None and look != usual and (look[0] or look[1:] != usual[1:]):
        return True
    if any(c.column_span > 1 for c in rows[0]) and len(rows[0]) > 1:
        return True
    above = [_is_value(paragraph(c.lines)) for c in rows[0] if c.column]
    numbers_above = sum(above) * 2 >= max(len(above), 1)
    numbers_below = any(_DIGIT.search(paragraph(c.lines)) for row in rows[1:] for c in row if c.column)
    return grid.columns > 1 and not numbers_above and (numbers_below or grid.columns > 2)


def _is_value(text: str) -> bool:
    """Tell whether a text is a value: it begins with a number and states no condition on a symbol."""
    return bool(_VALUE.match(text)) and not _CONDITION.search(text)


def _goes_on(
    grid: Grid, rows: Sequence[Sequence[GridCell]], looks: Sequence[Look | None], row: int, usual: Look | None
) -> bool:
    """Tell whether a row under head rows is one too."""
    texts = {c.column: paragraph(c.lines) for c in rows[row]}
    if set(texts) <= {0} and grid.columns > 1:  # the title of a group of rows
        return False
    if looks[row] == looks[0] and looks[row] != usual:
        return True
    first, own = looks[0], looks[row]
    if first and own and first[0] and not own[0] and len(texts) == grid.columns:  # a plain row, label and all
        return False
    counts = [texts[column].strip("()[] ") for column in sorted(texts)]  # 1, 2, 3 or (1), (2), (3)
    counted = len(texts) == grid.columns > 2 and counts == [str(at) for at in range(1, grid.columns + 1)]
    if counted or all(_UNIT_OR_MARK.match(text) for text in texts.values()):
        return True
    above, beside = rows[row - 1], [cell for cell in rows[row] if cell.column]
    over = [cell for cell in above if cell.column_span > 1]
    wide = len(beside) > 1 and all(cell.column_span > 1 for cell in beside)
    if over and wide and any(not _is_value(texts[cell.column]) for cell in beside):
        return True
    numbers = any(
        _DIGIT.search(_NAMED.sub("", text))
        for column, text in texts.items()
        # a symbol with its index ("cpe,10"), and no unit with its power ("mm2")
        if column and not (_INDEXED.fullmatch(text) and not unit_pattern().fullmatch(text))
    )
    spanned = any(len(above) > 1 or cell.column_span == grid.columns for cell in over)
    return (spanned or (len(above) == 1 and bool(over))) and not numbers


APART = 3.0  # points between two places at which labels begin
AROUND = 1.5  # points before the words of a label
LEVELS = 3  # places at which labels begin
FEWEST = 2  # labels that begin at the left, and further in
SET_IN_MOST = 45.0  # points that labels are set in
_NAMING = re.compile(r"[^-–—•·]")


def set_in(grid: Grid, head: int) -> dict[int, float]:
    """Return by row where each label of the first column begins that is set in."""
    first = [cell for cell in grid.cells if cell.column == 0 and cell.row >= head]
    labels = [cell for cell in first if any(map(str.isalpha, "".join(w.text for w in cell.words)))]
    begins: dict[int, float] = {}
    for cell in labels:  # with the first word of a line that is no dash
        named = [next((w.x0 for w in line.words if _NAMING.search(w.text)), None) for line in cell.lines]
        begins[cell.row] = min((x for x in named if x is not None), default=cell.words[0].x0)
    levels = runs(sorted(begins.values()), lambda run, x: x - run[-1] < APART)
    left = levels[0] if levels else []
    further = [x for level in levels[1:] for x in level]
    few = len(levels) <= LEVELS and all(level[-1] - level[0] < APART for level in levels)
    if not few or min(len(left), len(further)) < FEWEST or further[-1] - left[0] > SET_IN_MOST:
        return {}
    spans = [(min(w.x0 for w in cell.words), max(w.x1 for w in cell.words)) for cell in labels]
    middles, ends = [sum(span) / 2 for span in spans], [x1 for _, x1 in spans]
    if any(max(places) - min(places) < APART for places in (middles, ends)):  # aligned there
        return {}
    further_in = [cell for cell in labels if begins[cell.row] - left[-1] >= APART]
    return {cell.row: min(word.x0 for word in cell.words) - AROUND for cell in further_in}
