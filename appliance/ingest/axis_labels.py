"""The labels of vertical axes: lines that run up or down beside a drawing belong to it.

Rules of this module: pure geometry in points. A label stands close to what is drawn, or to another label of
it, and within its height; what runs on beyond the drawing (a stamp in the margin) is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.ingest.figure_area import NEAR, area_of, union
from appliance.ingest.page import Line
from appliance.ingest.rules import Area


def with_axis_labels(area: Area, aside: Sequence[Line]) -> Area:
    """Return the area of a drawing with the lines beside it that run up or down, one after the other."""
    waiting = [line for line in aside if _level(line, area)]
    while joined := [line for line in waiting if _beside(line, area)]:
        waiting = [line for line in waiting if line not in joined]
        area = union([area, *map(area_of, joined)])
    return area


def _level(line: Line, area: Area) -> bool:
    return area.y0 - line.size <= line.y0 and line.y1 <= area.y1 + line.size


def _beside(line: Line, area: Area) -> bool:
    return max(area.x0 - line.x1, line.x0 - area.x1) <= NEAR * line.size
