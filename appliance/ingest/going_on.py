"""Tables that go on over the next page without a caption there: the same columns at its top.

Rules of this module: pure; a grid without a caption goes on with a table where nothing but the table's
own notes stands under that on its page, nothing but a word that says so stands over the grid on the
next one, and the columns are the same to the eye: as many, and as wide. Else both stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from appliance.ingest.captions import Caption
from appliance.ingest.grid import Grid
from appliance.ingest.rules import Area
from appliance.ingest.stitch import Piece, going_on
from appliance.ingest.table_heads import head_rows
from appliance.ingest.view import View

SAME = 4.0  # points between the edges of one column on both pages, measured from the table's left side
SAYS = 6  # words of a line over the grid that says that the table goes on
TOUCHES = 2.0  # points


@dataclass(frozen=True, slots=True)
class Loose:
    """A grid without a caption of a table, and the figure that it stands in."""

    view: View
    area: Area
    grid: Grid
    figure: Caption | None = None


def gone_on(
    groups: Sequence[list[Piece]],
    loose: Sequence[Loose],
    captions: Sequence[Caption],
    says: Sequence[str],
) -> tuple[list[list[Piece]], list[Loose]]:
    """Return the groups with the grids that go on with their tables, and the other grids.

    `says` are the words that say that a table goes on.
    """
    joined = [list(group) for group in groups]
    left = []
    for item in sorted(loose, key=lambda one: (one.view.page.number, one.area.y0)):
        home = next((group for group in joined if _goes_on(item, group[-1], captions, says)), None)
        if home is None:
            left.append(item)
        else:
            head = head_rows(item.grid, item.view.ruling.within(item.area).fills)
            piece = Piece(home[0].caption, item.view, item.area, item.grid, head, (), ())
            home.append(going_on(piece, home[-1]))
    return joined, [item for item in loose if any(item is one for one in left)]


def _goes_on(item: Loose, last: Piece, captions: Sequence[Caption], says: Sequence[str]) -> bool:
    view = item.view
    if item.figure or last.grid is None or last.area is None or view.page.number != last.view.page.number + 1:
        return False
    if view.turn != last.view.turn or view.width != last.view.width:
        return False
    over = [c for c in captions if c.view is view and c.area.y0 < item.area.y0]
    return (
        not over
        and _same_columns(last.grid, item.grid)
        and _is_last(last, last.area)
        and _is_first(item, says)
    )


def _same_columns(one: Grid, other: Grid) -> bool:
    """Tell whether both grids have as many columns at the same distances from their left sides."""
    if one.columns != other.columns or one.columns < 2:
        return False
    left, right = _edges(one), _edges(other)
    shared = set(left) & set(right)
    return len(shared) == one.columns and all(abs(left[at] - right[at]) <= SAME for at in shared)


def _edges(grid: Grid) -> dict[int, float]:
    """Return where the columns begin, and the last one ends, from the left side of the grid."""
    side = min(cell.area.x0 for cell in grid.cells)
    edges = {cell.column: cell.area.x0 - side for cell in grid.cells if cell.column}
    return {**edges, grid.columns: max(cell.area.x1 for cell in grid.cells) - side}


def _is_last(piece: Piece, area: Area) -> bool:
    """Tell whether nothing but its notes stands under a table."""
    notes = {line for note in piece.outside for line in piece.view.lines_in(note.area)}
    return all(line.y0 < area.y1 - TOUCHES or index in notes for index, line in piece.view.lines)


def _is_first(item: Loose, says: Sequence[str]) -> bool:
    """Tell whether nothing but a few words that say that the table goes on stands over a grid."""
    over = [line for _, line in item.view.lines if line.y1 < item.area.y0 + TOUCHES]
    if len(over) > 1:
        return False
    words = over[0].text.casefold().split() if over else []
    said = {word.strip("()[].,:;–—-") for word in words} & {word.casefold().strip(".") for word in says}
    return not words or (len(words) <= SAYS and bool(said))
