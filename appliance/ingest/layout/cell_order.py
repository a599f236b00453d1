"""Text of uncaptioned grids read cell by cell, and tables at page edges told from running heads."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from appliance.core.document import Cell, Table
from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import JOIN, Area, Rule, Ruling, ruling
from appliance.ingest.layout.lines import Segment, text_of
from appliance.ingest.page import Line, PageContent, PageLayout
from appliance.ingest.structure.captions import part_of
from appliance.ingest.tables.strips import rows_in_columns

NUMBERED = 2  # rows of a table whose first cell is numbered like a clause
SEVERAL = 2  # lines of a cell whose text may be mixed with another's
COLUMN = 1000  # number of the first column of cells: none that a page is set in
LETTERS = 24  # of a cell whose lines are running text
_NUMBER = re.compile(r"[A-Z]{0,3}[.-]?\d+(?:\.\d+)+\.?(?:\s?\(?[A-Z]{1,2}\)?)?")

Taken = frozenset[tuple[int, int]]


@dataclass(slots=True)
class _Row:
    """Cells that lines tie together: the indexes of the lines, and the pieces of lines in each cell.

    `across` tells that a line runs over several of them.
    """

    indexes: list[int] = field(default_factory=list)
    pieces: dict[tuple[int, int], list[Line]] = field(default_factory=dict)
    across: bool = False


@mechanism(
    "layout.cell_order",
    "Rows of tables without a caption are read cell by cell.",
    without=lambda layouts, taken, _tables: (tuple(layouts), frozenset(taken)),
)
def in_cells(
    layouts: Sequence[PageLayout], taken: Collection[tuple[int, int]], tables: Sequence[Table]
) -> tuple[tuple[PageLayout, ...], Taken]:
    """Return the pages with such rows read cell by cell, and the lines that are taken by then."""
    loose = [table for table in tables if not table.captioned]
    pages, used = [], set(taken)
    for page in layouts:
        number = page.content.number
        here = [table for table in loose if any(box.page == number for box in table.boxes)]
        if not here:
            pages.append(page)
            continue
        old = {index for at, index in used if at == number}
        lines, gone = list(page.lines), set(old)
        order = {index: [line] for index, line in enumerate(lines)}
        for table in here:
            _apply(table, page, order, gone)
        flat = [(line, index in gone) for index in order for line in order[index]]
        pages.append(replace(page, lines=tuple(line for line, _ in flat)))
        used -= {(number, index) for index in old}
        used |= {(number, at) for at, (_, is_gone) in enumerate(flat) if is_gone}
    return tuple(pages), frozenset(used)


def _apply(table: Table, page: PageLayout, order: dict[int, list[Line]], gone: set[int]) -> None:
    """Put the lines of the rows of a table that are to be read cell by cell in their new order."""
    rows = _rows(table, page, gone)
    numbers = {cell.row for cell in table.cells if cell.column == 0 and _NUMBER.fullmatch(cell.text.strip())}
    heads = {(cell.row, cell.column) for cell in table.cells if cell.header}
    numbered = len(numbers) >= NUMBERED
    for row in rows:
        places = set(row.pieces)
        opens = numbered and any(at in numbers and column == 0 for at, column in places)
        if numbered and places <= heads and not opens:
            gone.update(row.indexes)
        elif opens:
            _put(row, order, _in_order(row, joined=True))
        elif row.across and sum(_is_text(pieces) for pieces in row.pieces.values()) > 1:
            _put(row, order, _in_order(row, joined=False))


def _put(row: _Row, order: dict[int, list[Line]], lines: list[Line]) -> None:
    first, *others = sorted(row.indexes)
    order[first] = lines
    order.update((index, []) for index in others)


def _is_text(pieces: Sequence[Line]) -> bool:
    letters = sum(char.isalpha() for line in pieces for char in line.text)
    return len(pieces) >= SEVERAL and letters >= LETTERS


def _in_order(row: _Row, *, joined: bool) -> list[Line]:
    """Return the lines of a row cell by cell; `joined`: the number of the row with the text beside it."""
    cells = [(place, row.pieces[place]) for place in sorted(row.pieces)]
    found: list[Line] = []
    if joined and len(cells) > 1 and len(cells[0][1]) == 1:
        (number,), (_, beside) = cells[0][1], cells[1]
        words = (*number.words, *beside[0].words)
        found = [replace(beside[0], words=words, text=text_of(words), x0=number.x0), *beside[1:]]
        cells = cells[2:]
    for (_, column), pieces in cells:
        found += [replace(line, column=COLUMN + column) for line in pieces]
    return found


def _rows(table: Table, page: PageLayout, gone: Collection[int]) -> list[_Row]:
    """Return the lines of a table that are text, by the rows that they tie together."""
    number = page.content.number
    cells = [cell for cell in table.cells if cell.box.page == number]
    rows: list[_Row] = []
    last = -1
    for index, line in enumerate(page.lines):
        if index in gone or not line.upright:
            continue
        parts = _parts(line, cells, page)
        if not parts:
            continue
        top = min(row for row, _ in parts)
        if not rows or top > last:
            rows.append(_Row())
            last = top
        spans = (cell.row + cell.row_span - 1 for cell in cells if (cell.row, cell.column) in parts)
        last = max(last, *spans)
        rows[-1].indexes.append(index)
        rows[-1].across |= len(parts) > 1
        for place, part in parts.items():
            rows[-1].pieces.setdefault(place, []).append(part)
    return rows


def _parts(line: Line, cells: Sequence[Cell], page: PageLayout) -> Mapping[tuple[int, int], Line]:
    """Return the parts of a line by the row and column of their cells; none where a word is in no cell."""
    found: dict[tuple[int, int], list[int]] = {}
    wide, high = page.content.width, page.content.height
    for at, word in enumerate(line.words):
        x, y = (word.x0 + word.x1) / 2 / wide, (word.y0 + word.y1) / 2 / high
        home = next((c for c in cells if c.box.x0 <= x <= c.box.x1 and c.box.y0 <= y <= c.box.y1), None)
        if home is None:
            return {}
        found.setdefault((home.row, home.column), []).append(at)
    return {place: part_of(line, tuple(line.words[at] for at in ats)) for place, ats in found.items()}


Part = tuple[PageContent, Sequence[Segment]]
Place = tuple[float, float, float]  # x, top and bottom of a parting, in steps

SHORTEST = 6.0  # points: a parting is at least as long, and has cells as wide on both its sides
STEP = 3.0  # points: what counts as one place
FAR = 0.15  # of the height: how far into the text the columns of a table go on
CLOSE = 2.5  # type sizes of the table: white between it and its caption
MOST = 1_000  # rules of one direction on a page; with more it is a drawing
NEXT = 0.6  # type sizes of white between the lines of a caption


@dataclass(frozen=True, slots=True)
class _Parting:
    """An upright rule with cells on both its sides, the area of the cells, and the levels of their rules."""

    rule: Rule
    area: Area
    levels: tuple[float, ...]

    @property
    def place(self) -> Place:
        return (self.rule.at // STEP, self.rule.start // STEP, self.rule.end // STEP)


@mechanism(
    "layout.edge_tables",
    "What stands in a table at the edge of a page is no running head.",
    without=lambda *_: set(),
)
def in_tables(parts: Sequence[Part], edge: float, many: int) -> set[tuple[int, int]]:
    """Return (part index, segment index) of the segments in a table, or over it as its caption.

    `edge` is the share of the height where heads and feet stand; what stands at one place on so `many`
    pages is furniture of the pages.
    """
    rules = [ruling(page.strokes) if pieces else Ruling((), (), ()) for page, pieces in parts]
    partings = [tuple(_partings(one)) for one in rules]
    often = _often(parts, partings, many)
    found: set[tuple[int, int]] = set()
    for part, (page, pieces) in enumerate(parts):
        inside = (edge * page.height, (1 - edge) * page.height)
        tables: list[Area] = []
        blocks: list[Area] = []
        for one in partings[part]:
            table = one.place not in often or _goes_on(one, inside, page.height)
            (tables if table else blocks).append(one.area)
        held = _held(pieces, tables, blocks) | rows_in_columns(page, pieces, rules[part].horizontal, edge)
        found |= {(part, at) for at in held}
    return found


def _partings(rules: Ruling) -> Iterator[_Parting]:
    if max(len(rules.vertical), len(rules.horizontal)) > MOST:
        return
    for upright in rules.vertical:
        if upright.length < SHORTEST:
            continue
        first = bisect_left(rules.horizontal, upright.start - JOIN, key=lambda rule: rule.at)
        last = bisect_left(rules.horizontal, upright.end + JOIN, key=lambda rule: rule.at)
        across = [
            rule
            for rule in rules.horizontal[first:last]
            if rule.start < upright.at - SHORTEST and rule.end > upright.at + SHORTEST
        ]
        levels = tuple(rule.at for rule in across)
        if len(levels) > 1 and levels[-1] - levels[0] >= SHORTEST:
            x0, x1 = min(rule.start for rule in across), max(rule.end for rule in across)
            yield _Parting(upright, Area(x0, upright.start, x1, upright.end), levels)


def _often(parts: Sequence[Part], partings: Sequence[Sequence[_Parting]], many: int) -> frozenset[Place]:
    """Return the places at which partings stand on many pages."""
    pages: dict[Place, set[int]] = defaultdict(set)
    for (page, _), found in zip(parts, partings, strict=True):
        for one in found:
            pages[one.place].add(page.number)
    return frozenset(
        place
        for place in pages
        if len(set().union(*(pages[other] for other in _around(place) if other in pages))) >= many
    )


def _around(place: Place) -> Iterator[Place]:
    for steps in product((-1, 0, 1), repeat=3):
        yield (place[0] + steps[0], place[1] + steps[1], place[2] + steps[2])


def _goes_on(parting: _Parting, inside: tuple[float, float], height: float) -> bool:
    """Tell whether the columns go on well into the text, with rules of rows across them there."""
    reach = min(parting.rule.end, inside[1]) - max(parting.rule.start, inside[0])
    return reach >= FAR * height and sum(inside[0] < level < inside[1] for level in parting.levels) > 1


def _held(pieces: Sequence[Segment], tables: Sequence[Area], blocks: Sequence[Area]) -> set[int]:
    """Return the segments that stand in the tables, and the lines of their captions."""
    if not tables:
        return set()
    found = {at for at, piece in enumerate(pieces) if _stands_in(piece, tables)}
    free = [at for at, piece in enumerate(pieces) if at not in found and not _stands_in(piece, blocks)]
    size = max((pieces[at].size for at in found), default=0.0)
    under = [(table.x0, table.x1, table.y0, CLOSE) for table in tables]
    for at in sorted(free, key=lambda at: -pieces[at].y1):
        piece = pieces[at]
        for x0, x1, top, white in under:
            if piece.x0 < x1 and piece.x1 > x0 and -STEP < top - piece.y1 <= white * min(piece.size, size):
                found.add(at)
                under.append((piece.x0, piece.x1, piece.y0, NEXT))
                break
    return found


def _stands_in(piece: Segment, areas: Sequence[Area]) -> bool:
    x, y = (piece.x0 + piece.x1) / 2, (piece.y0 + piece.y1) / 2
    return any(area.holds(x, y) for area in areas)
