"""The cells of a table that decide, each value under its headers, and its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby, pairwise, takewhile

from appliance.core.document import Box, Cell, Table, TableNote
from appliance.core.frames import union
from appliance.keeping.tables import noted
from appliance.web.reading.tables import header_rows, positions

MOST = 8  # values shown large
FEW = 3  # values of one row shown large; of more the column is not told, and the row is read in its table
LONG = 40  # characters of a cell that is no value but a sentence


@dataclass(frozen=True, slots=True)
class Value:
    """One deciding cell: the headers over it from the outside in, and what it holds."""

    headers: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """The deciding values of one row under the words that head it; `boxes` are those of their cells."""

    head: str
    values: tuple[Value, ...]
    boxes: tuple[Box, ...] = field(default=(), compare=False)  # where it stands, not what it says


def rows(table: Table, marked: Collection[tuple[int, int]]) -> tuple[Row, ...]:
    """Return the deciding rows with their values; none where they are too many or too long to be read so."""
    at, top = positions(table), header_rows(table)
    made = tuple(
        _row(at, number, [column for _, column in cells], top)
        for number, cells in groupby(sorted(set(marked)), key=lambda position: position[0])
        if number >= top
    )
    values = [value for row in made for value in row.values]
    if not values or len(values) > MOST or any(len(value.text) > LONG for value in values):
        return ()
    if any(len(row.values) > FEW for row in made):
        return ()
    return tuple(row for row in made if row.values)


def columns_open(table: Table, marked: Collection[tuple[int, int]]) -> tuple[str, ...]:
    """Return the heads of the columns that a marked row leaves open, without what heads all of them."""
    at, top = positions(table), header_rows(table)
    numbered = groupby(sorted(set(marked)), key=lambda position: position[0])
    made = [_row(at, row, [column for _, column in cells], top) for row, cells in numbered if row >= top]
    widest = max((row.values for row in made), key=len, default=())
    if len(widest) <= FEW:
        return ()
    shared = set.intersection(*(set(value.headers) for value in widest))
    names = (" · ".join(name for name in value.headers if name not in shared) for value in widest)
    return tuple(dict.fromkeys(filter(None, names)))


def notes(table: Table, shown: Collection[Row]) -> tuple[TableNote, ...]:
    """Return the notes whose marks stand in the values shown, or in what heads them."""
    return noted(
        table,
        (text for row in shown for value in row.values for text in (row.head, value.text, *value.headers)),
    )


def boxes(table: Table, marked: Collection[tuple[int, int]]) -> tuple[Box, ...]:
    """Return the frames of the marked cells: one for a stretch of a row, each cell its own else."""
    at = positions(table)
    found: list[Box] = []
    for _, cells in groupby(sorted(set(marked)), key=lambda position: position[0]):
        standing = [at[position] for position in cells if position in at]
        found += _joined([cell for cell in dict.fromkeys(standing) if cell.box.x1 > cell.box.x0])
    return tuple(found)


def _row(at: dict[tuple[int, int], Cell], row: int, columns: list[int], top: int) -> Row:
    """Return a row: what stands before its first number heads it, as the first cell always does."""
    keys = list(_keys(at, row, columns))
    first = keys[0] if keys else None
    cells = dict.fromkeys(at[row, column] for column in columns if (row, column) in at)
    left = [cell for cell in cells if cell not in keys and cell.text.strip()]
    words = list(takewhile(lambda cell: not any(map(str.isdigit, cell.text)), left))
    if len(words) == len(left):
        words = []  # no number: words are what decides
    values = tuple(
        Value(tuple(_over(at, cell.column, top)), cell.text.strip()) for cell in left[len(words) :]
    )
    if not values and first is not None and first.text.strip():  # a list: its first column is the value
        return Row("", (Value(tuple(_over(at, first.column, top)), first.text.strip()),), (first.box,))
    heads = [cell.text.strip() for cell in (*keys, *words)]
    if not any(map(str.isalpha, "".join(heads))):  # numbers say nothing without the heads of their columns
        heads = [" ".join((*_over(at, cell.column, top), cell.text.strip())).strip() for cell in keys]
    return Row(" · ".join(filter(None, heads)), values, tuple(cell.box for cell in left[len(words) :]))


def _keys(at: dict[tuple[int, int], Cell], row: int, columns: list[int]) -> Iterator[Cell]:
    """Yield what tells a row from others: its first cell, and where that heads several rows, the next too."""
    cells = dict.fromkeys(at[row, column] for column in range(max(columns) + 1) if (row, column) in at)
    for cell in cells:
        if cell.column in columns and min(columns) > 0:
            return
        yield cell
        if cell.row_span == 1 or cell.column + cell.column_span > min(columns):
            return


def _over(at: dict[tuple[int, int], Cell], column: int, top: int) -> Iterator[str]:
    """Yield the headers over a column from the top, each once."""
    cells = [at[row, column] for row in range(top) if (row, column) in at]
    yield from (cell.text.strip() for cell in dict.fromkeys(cells) if cell.text.strip())


def _joined(cells: list[Cell]) -> Iterator[Box]:
    """Yield one frame for cells side by side in one row; a cell over several rows has its own."""
    ordered = sorted(cells, key=lambda cell: (cell.row, cell.row_span, cell.column))
    for _, row in groupby(ordered, key=lambda cell: (cell.row, cell.row_span, cell.box.page)):
        beside = list(row)
        if all(one.column + one.column_span >= other.column for one, other in pairwise(beside)):
            yield reduce(union, (cell.box for cell in beside))
        else:
            yield from (cell.box for cell in beside)
