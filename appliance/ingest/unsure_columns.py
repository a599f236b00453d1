"""Pages whose lines may be read across two columns, told where no table accounts for what stands there.

Rules of this module: pure; `columns` finds the places, a table that was found over most of one settles it.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.document import Box, Problem, Table
from appliance.ingest.page import PageLayout

MOST = 0.5  # of such a place that one table covers


def unsure_columns(layouts: Sequence[PageLayout], tables: Sequence[Table]) -> tuple[Problem, ...]:
    """Return the problems of the layouts that no table settles."""
    boxes = [box for table in tables for box in table.boxes]
    told = [problem for layout in layouts for problem in layout.problems]
    return tuple(p for p in told if p.box is None or not any(_covered(p.box, box) for box in boxes))


def _covered(box: Box, table: Box) -> bool:
    across = min(box.x1, table.x1) - max(box.x0, table.x0)
    down = min(box.y1, table.y1) - max(box.y0, table.y0)
    shared = max(across, 0.0) * max(down, 0.0)
    return box.page == table.page and shared >= MOST * (box.x1 - box.x0) * (box.y1 - box.y0)
