"""Charts in figures whose grid lines look like a table: they stay figures.

Rules of this module: pure; a grid without a caption that lies in a figure is a table only where most of its
cells say something. Its words stay in the text of the figure, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.document import Box, Figure, Table

SAYING = 0.7  # of the cells of a table in a figure hold words; a chart has fewer


def without_charts(tables: Sequence[Table], figures: Sequence[Figure]) -> tuple[Table, ...]:
    """Return the tables without the charts of figures."""
    drawn = [box for figure in figures for box in figure.boxes]
    return tuple(table for table in tables if table.captioned or not _is_chart(table, drawn))


def _is_chart(table: Table, drawn: Sequence[Box]) -> bool:
    inside = all(any(_holds(outer, box) for outer in drawn) for box in table.boxes)
    return inside and sum(bool(cell.text.strip()) for cell in table.cells) < SAYING * len(table.cells)


def _holds(outer: Box, inner: Box) -> bool:
    across = outer.x0 <= (inner.x0 + inner.x1) / 2 <= outer.x1 and inner.x1 - inner.x0 <= outer.x1 - outer.x0
    down = outer.y0 <= (inner.y0 + inner.y1) / 2 <= outer.y1 and inner.y1 - inner.y0 <= outer.y1 - outer.y0
    return outer.page == inner.page and across and down
