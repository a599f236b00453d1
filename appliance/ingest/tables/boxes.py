"""Filled boxes and small open grids whose text stands in columns."""

from __future__ import annotations

from appliance.ingest.tables.grid import Grid

FORM = 0.75  # of the rows of a form have a label
LEAST_ROWS = 3  # of a form


def is_form(grid: Grid) -> bool:
    """Tell whether a ruled grid is one to be filled in: labels down its first column, room beside them."""
    labels = {cell.row for cell in grid.cells if cell.lines and cell.column == 0}
    room = {cell.row for cell in grid.cells if not cell.lines and cell.column > 0}
    return grid.rows >= LEAST_ROWS and len(labels) >= FORM * grid.rows and len(room & labels) >= LEAST_ROWS
