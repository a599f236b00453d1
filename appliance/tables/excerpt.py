"""The part of a table that is shown with an answer, on a page and on paper."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from appliance.core.document import Cell, Table
from appliance.tables.rows import columns, header_rows, height, positions

WHOLE_ROWS = 14  # body rows up to which the whole table is shown with an answer
NEIGHBOURS = 1  # rows shown above and below a deciding row


@dataclass(frozen=True, slots=True)
class Line:
    """A body row by columns, a cell over several repeated in each, None for a hole; `marked` are deciding.

    `skipped` tells how many rows are left out just before it.
    """

    cells: tuple[Cell | None, ...]
    marked: tuple[int, ...]
    skipped: int


def excerpt(
    table: Table, marked: Collection[tuple[int, int]], reach: int = NEIGHBOURS
) -> tuple[tuple[Line, ...], int]:
    """Return the deciding rows with so many rows above and below each, and how many rows follow.

    All rows are shown where none decides, and of a table of few rows unless the deciding are to stand alone.
    """
    found, head = grid(table), header_rows(table)
    body = range(head, len(found))
    near = {at for row, _ in marked if row in body for at in range(row - reach, row + reach + 1)}
    if (len(body) <= WHOLE_ROWS and reach) or not near:
        near = set(body)
    shown: list[Line] = []
    last = head - 1
    for row in sorted(near.intersection(body)):
        theirs = (
            column
            for column, cell in enumerate(found[row])
            if cell and ((row, column) in marked or (cell.row, cell.column) in marked)
        )
        shown.append(Line(found[row], tuple(theirs), row - last - 1))
        last = row
    return tuple(shown), len(found) - 1 - last


def grid(table: Table) -> list[tuple[Cell | None, ...]]:
    """Return the rows as the cell that stands at each column, None for a hole."""
    taken, across = positions(table), range(columns(table))
    return [tuple(taken.get((row, column)) for column in across) for row in range(height(table))]
