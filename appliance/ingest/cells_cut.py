"""Labels of a table that may have been cut over the rows beside them: "Glued", "laminated", "timber".

Rules of this module: pure. Where rules part groups of rows only, a label of as many lines as its group has
rows stands like one label a row. It may be one where each line after the first goes on with a small letter or
behind a hyphen, and the cell beside is that of the whole group. Such labels are doubtful, never joined:
"Walls", "floors" and "roofs" are printed so as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from appliance.document import Cell, Table

_HYPHENS = ("-", "\u2010", "\u00ad")


def cut_labels(table: Table) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of the first column that may be the lines of one label, downwards."""
    labels = {
        cell.row: cell
        for cell in table.cells
        if cell.column == 0 and cell.row_span == 1 and not cell.header and cell.text.strip()
    }
    groups = {(cell.row, cell.row_span) for cell in table.cells if cell.column > 0 and cell.row_span > 1}
    for first, length in sorted(groups):
        own = [labels[row] for row in range(first, first + length) if row in labels]
        if len(own) == length and _goes_on(own):
            yield tuple(own)


def _goes_on(lines: Sequence[Cell]) -> bool:
    texts = [line.text.strip() for line in lines]
    return not texts[0][0].islower() and all(
        below[0].islower() or above.endswith(_HYPHENS) for above, below in pairwise(texts)
    )
