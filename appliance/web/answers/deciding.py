"""The cells of a table that decide: where they stand, and which columns they leave open."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import reduce
from itertools import groupby, pairwise

from appliance.core.document import Box, Cell, Table
from appliance.core.frames import union
from appliance.tables.rows import heads_apart, positions
from appliance.tables.rows import rows as body

FEW = 3  # values of one row among which a reader finds his own; of more the column is to be chosen


def columns_open(table: Table, marked: Collection[tuple[int, int]]) -> tuple[str, ...]:
    """Return the heads of the columns that a marked row leaves open, without what heads all of them."""
    told = [
        [column for row, column in sorted(set(marked)) if row == one.number and column] for one in body(table)
    ]
    widest = max(told, key=len, default=[])
    if len(widest) <= FEW:
        return ()
    _, heads = heads_apart(table, widest)
    return tuple(dict.fromkeys(" · ".join(own) for own in heads if own))


def boxes(table: Table, marked: Collection[tuple[int, int]]) -> tuple[Box, ...]:
    """Return the frames of the marked cells: one for a stretch of a row, each cell its own else."""
    at = positions(table)
    found: list[Box] = []
    for _, cells in groupby(sorted(set(marked)), key=lambda position: position[0]):
        standing = [at[position] for position in cells if position in at]
        found += _joined([cell for cell in dict.fromkeys(standing) if cell.box.x1 > cell.box.x0])
    return tuple(found)


def _joined(cells: list[Cell]) -> Iterator[Box]:
    """Yield one frame for cells side by side in one row; a cell over several rows has its own."""
    ordered = sorted(cells, key=lambda cell: (cell.row, cell.row_span, cell.column))
    for _, row in groupby(ordered, key=lambda cell: (cell.row, cell.row_span, cell.box.page)):
        beside = list(row)
        if all(one.column + one.column_span >= other.column for one, other in pairwise(beside)):
            yield reduce(union, (cell.box for cell in beside))
        else:
            yield from (cell.box for cell in beside)
