"""Text of uncaptioned grids read cell by cell, and tables at page edges told from running heads."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from appliance.core.document import Table
from appliance.core.mechanisms import mechanism
from appliance.ingest.layout.lines import text_of
from appliance.ingest.page import Line, PageLayout, Word
from appliance.ingest.structure.captions import part_of

NUMBERED = 2  # rows of a table whose first cell is numbered like a clause
SEVERAL = 2  # lines of a cell whose text may be mixed with another's
COLUMN = 1000  # number of the first column of cells: none that a page is set in
LETTERS = 24  # of a cell whose lines are running text
NUMBER = re.compile(r"[A-Z]{0,3}[.-]?\d+(?:\.\d+)+\.?(?:\s?\(?[A-Z]{1,2}\)?)?")

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
        gone = set(old)
        order = {index: [line] for index, line in enumerate(page.lines)}
        for table in here:
            _read_by_cell(table, page, order, gone)
        flat = [(line, index in gone) for index in order for line in order[index]]
        pages.append(replace(page, lines=tuple(line for line, _ in flat)))
        used -= {(number, index) for index in old}
        used |= {(number, at) for at, (_, is_gone) in enumerate(flat) if is_gone}
    return tuple(pages), frozenset(used)


def _read_by_cell(table: Table, page: PageLayout, order: dict[int, list[Line]], gone: set[int]) -> None:
    """Put the lines of the rows of a table that are to be read cell by cell in their new order."""
    numbers = {cell.row for cell in table.cells if cell.column == 0 and NUMBER.fullmatch(cell.text.strip())}
    heads = {(cell.row, cell.column) for cell in table.cells if cell.header}
    numbered = len(numbers) >= NUMBERED
    for row in _rows(table, page, gone):
        opens = numbered and any(at in numbers and column == 0 for at, column in row.pieces)
        texts = [
            len(pieces) >= SEVERAL and sum(sign.isalpha() for line in pieces for sign in line.text) >= LETTERS
            for pieces in row.pieces.values()
        ]
        if numbered and set(row.pieces) <= heads and not opens:
            gone.update(row.indexes)
            continue
        if not opens and not (row.across and sum(texts) > 1):
            continue
        cells = [(place, row.pieces[place]) for place in sorted(row.pieces)]
        found: list[Line] = []
        if opens and len(cells) > 1 and len(cells[0][1]) == 1:  # the number with the text beside it
            (number,), (_, beside) = cells[0][1], cells[1]
            words = (*number.words, *beside[0].words)
            found = [replace(beside[0], words=words, text=text_of(words), x0=number.x0), *beside[1:]]
            cells = cells[2:]
        for (_, column), pieces in cells:
            found += [replace(line, column=COLUMN + column) for line in pieces]
        first, *others = sorted(row.indexes)
        order[first] = found
        order.update((index, []) for index in others)


def _rows(table: Table, page: PageLayout, gone: Collection[int]) -> list[_Row]:
    """Return the lines of a table that are text, all words in cells, by the rows that they tie together."""
    cells = [cell for cell in table.cells if cell.box.page == page.content.number]
    wide, high = page.content.width, page.content.height
    rows: list[_Row] = []
    last = -1
    for index, line in enumerate(page.lines):
        if index in gone or not line.upright:
            continue
        homes: dict[tuple[int, int] | None, list[Word]] = defaultdict(list)
        for word in line.words:
            x, y = (word.x0 + word.x1) / 2 / wide, (word.y0 + word.y1) / 2 / high
            home = (c for c in cells if c.box.x0 <= x <= c.box.x1 and c.box.y0 <= y <= c.box.y1)
            homes[next(((c.row, c.column) for c in home), None)].append(word)
        parts = {place: part_of(line, tuple(words)) for place, words in homes.items() if place is not None}
        if not parts or None in homes:
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
