"""Cells over several columns that hold a value of each: a border between them was not seen.

Rules of this module: pure geometry in points. A value that holds for several columns stands once; where runs
with figures stand apart on one line of a cell, each in a column of its own, they may be values of these
columns. What is found is doubtful, never parted.
"""

from __future__ import annotations

from collections.abc import Iterator

from appliance.document import Problem
from appliance.ingest.cells import Row, paragraph
from appliance.ingest.grid import Grid, GridCell
from appliance.ingest.view import View

SHOWN = 60  # signs of a cell that a problem shows


def lumped_cells(grid: Grid, head: int) -> Iterator[GridCell]:
    """Yield the cells under the head over several columns that hold a value of more than one."""
    left = {c.column: c.area.x0 for c in grid.cells if c.column_span == 1}
    for cell in grid.cells:
        if cell.row < head or cell.column_span < 2:
            continue
        starts = [left[at] for at in range(cell.column, cell.column + cell.column_span) if at in left]
        if any(_in_columns(line, starts) > 1 for line in cell.lines):
            yield cell


def lumped_problems(view: View, grid: Grid, head: int, label: str) -> Iterator[Problem]:
    """Yield a doubt for each of these cells of a table."""
    for cell in lumped_cells(grid, head):
        page, said = view.page.number, paragraph(cell.lines)
        shown = said if len(said) <= SHOWN else said[:SHOWN].rstrip() + "…"
        message = f"“{shown}” in {label} on page {page} holds several values in one cell: "
        yield Problem(message + "see which of them it is on the page.", page, view.box(cell.area), doubt=True)


def _in_columns(line: Row, starts: list[float]) -> int:
    """Return in how many columns runs of a line with a figure begin and end."""
    found = set()
    for run in line.fragments:
        if any(sign.isdigit() for word in run.words for sign in word.text):
            ends = {sum(x >= start for start in starts) for x in (run.x0 + 1, run.x1 - 1)}
            found |= ends if len(ends) == 1 else set()
    return len(found)
