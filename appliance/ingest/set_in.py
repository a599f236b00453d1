"""Labels of a table that are set in under others: where their words begin tells what they belong to.

Rules of this module: pure geometry in points. Labels that begin at a few places, each of which several
share, are set in; those that are centred, or end at one place, begin wherever their length lets them, and
so do bare numbers. The words of an item begin behind its dash, which a layer of a scan may have lost.
"""

from __future__ import annotations

import re

from appliance.ingest.cells import Row
from appliance.ingest.grid import Grid, GridCell

APART = 3.0  # points between two places at which labels begin
AROUND = 1.5  # points before the words of a label
LEVELS = 3  # places at which labels begin
FEWEST = 2  # labels that begin at the left, and further in
MOST = 45.0  # points that labels are set in
_NAMING = re.compile(r"[^-–—•·]")


def set_in(grid: Grid, head: int) -> dict[int, float]:
    """Return by row where each label of the first column begins that is set in."""
    first = [cell for cell in grid.cells if cell.column == 0 and cell.row >= head]
    labels = [cell for cell in first if any(map(str.isalpha, "".join(w.text for w in cell.words)))]
    begins = {cell.row: _begin(cell) for cell in labels}
    levels: list[list[float]] = []
    for x in sorted(begins.values()):
        if levels and x - levels[-1][-1] < APART:
            levels[-1].append(x)
        else:
            levels.append([x])
    left = levels[0] if levels else []
    further = [x for level in levels[1:] for x in level]
    few = len(levels) <= LEVELS and all(level[-1] - level[0] < APART for level in levels)
    if not few or min(len(left), len(further)) < FEWEST or further[-1] - left[0] > MOST or _aligned(labels):
        return {}
    further_in = [cell for cell in labels if begins[cell.row] - left[-1] >= APART]
    return {cell.row: min(word.x0 for word in cell.words) - AROUND for cell in further_in}


def _begin(cell: GridCell) -> float:
    named = [line for line in cell.lines if any(_NAMING.search(word.text) for word in line.words)]
    return min((_first(line) for line in named), default=cell.words[0].x0)


def _first(line: Row) -> float:
    """Return where the first word of a line begins that is no dash."""
    return next(word.x0 for word in line.words if _NAMING.search(word.text))


def _aligned(labels: list[GridCell]) -> bool:
    """Tell whether the labels have one middle, or end at one place."""
    spans = [(min(w.x0 for w in cell.words), max(w.x1 for w in cell.words)) for cell in labels]
    middles, ends = [sum(span) / 2 for span in spans], [x1 for _, x1 in spans]
    return any(max(places) - min(places) < APART for places in (middles, ends))
