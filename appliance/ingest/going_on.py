"""Tables that go on over the next page without a caption there: the same columns at its top.

Rules of this module: pure; a grid without a caption goes on with a table where nothing but the table's
own notes stands under that on its page, nothing but a word that says so stands over the grid on the
next one, and the columns are the same to the eye: as many, and as wide or under the same head, printed
again. So does one with another on the page before that has no caption either. A grid right under a table of
its page that begins with the same head for its labels stands under the same caption, a part of its own. Else
both stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from appliance.ingest.captions import Caption
from appliance.ingest.cells import paragraph
from appliance.ingest.grid import Grid
from appliance.ingest.rules import Area
from appliance.ingest.stitch import Piece, going_on
from appliance.ingest.table_heads import head_rows
from appliance.ingest.view import View

SAME = 4.0  # points between the edges of one column on both pages, measured from the table's left side
SAYS = 6  # words of a line over the grid that says that the table goes on
HEADED = 2  # columns with a name each
LIKE = 85.0  # per cent of equal characters that make two heads the same
TOUCHES = 2.0  # points
BELOW = 40.0  # points between the parts of a table under one caption


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
        piece = going_on(piece_of(item, home[0].caption), home[-1]) if home is not None else None
        if home is None or piece is None:
            left.append(item)
        else:
            home.append(piece)
    return joined, [item for item in loose if any(item is one for one in left)]


def chained(pieces: Sequence[Piece], captions: Sequence[Caption], says: Sequence[str]) -> list[list[Piece]]:
    """Return the pieces of tables without a caption, those of one table over several pages together."""
    groups: list[list[Piece]] = []
    for piece in pieces:
        home = None
        if piece.area is not None and piece.grid is not None and piece.caption.kind == "table":
            item = Loose(piece.view, piece.area, piece.grid)
            others = (group for group in groups if group[-1].caption.kind == "table")
            home = next((group for group in others if _goes_on(item, group[-1], captions, says)), None)
        more = going_on(piece, home[-1]) if home is not None else None
        if home is None or more is None:
            groups.append([piece])
        else:
            home.append(more)
    return groups


def parted(
    groups: Sequence[list[Piece]], loose: Sequence[Loose]
) -> tuple[list[tuple[Piece, int]], list[Loose]]:
    """Return the grids that are further parts of tables, with their number from 2 on, and the other grids."""
    lasts = {id(group): (group[-1], group[-1].area, 1) for group in groups}
    found: list[tuple[Piece, int]] = []
    left: list[Loose] = []
    for item in sorted(loose, key=lambda one: (one.view.page.number, one.area.y0)):
        home = next((key for key, (last, area, _) in lasts.items() if _is_part(item, last, area)), None)
        if home is None:
            left.append(item)
            continue
        last, _, count = lasts[home]
        head = head_rows(item.grid, item.view.ruling.within(item.area).fills)
        found.append(
            (Piece(last.caption, item.view, item.area, item.grid, head, (), (), away=True), count + 1)
        )
        lasts[home] = last, item.area, count + 1
    return found, [item for item in loose if any(item is one for one in left)]


def _is_part(item: Loose, first: Piece, over: Area | None) -> bool:
    """Tell whether a grid stands right under a table, or its last part, and begins with the same head."""
    if item.figure or first.grid is None or over is None or item.view is not first.view:
        return False
    between = Area(min(over.x0, item.area.x0), over.y1, max(over.x1, item.area.x1), item.area.y0)
    heads = _first_row(first.grid), _first_row(item.grid)
    near = -TOUCHES <= item.area.y0 - over.y1 < BELOW
    if not near or any(len(head) < HEADED for head in heads) or item.view.words_in(between):
        return False
    return heads[0][0] == heads[1][0] and item.area.x0 < over.x1 and item.area.x1 > over.x0


def piece_of(item: Loose, caption: Caption) -> Piece:
    """Return a grid as a piece of the table with that caption."""
    head = head_rows(item.grid, item.view.ruling.within(item.area).fills)
    return Piece(caption, item.view, item.area, item.grid, head, (), ())


def _goes_on(item: Loose, last: Piece, captions: Sequence[Caption], says: Sequence[str]) -> bool:
    view = item.view
    if item.figure or last.grid is None or last.area is None or view.page.number != last.view.page.number + 1:
        return False
    if view.turn != last.view.turn or view.width != last.view.width:
        return False
    over = [c for c in captions if c.view is view and c.area.y0 < item.area.y0]
    return (
        not over
        and (_same_columns(last.grid, item.grid) or _same_head(last.grid, item.grid))
        and is_last(last, last.area)
        and _is_first(item, says)
    )


def _same_columns(one: Grid, other: Grid) -> bool:
    """Tell whether both grids have as many columns at the same distances from their left sides."""
    if one.columns != other.columns or one.columns < 2:
        return False
    left, right = _edges(one), _edges(other)
    shared = set(left) & set(right)
    return len(shared) == one.columns and all(abs(left[at] - right[at]) <= SAME for at in shared)


def _same_head(one: Grid, other: Grid) -> bool:
    """Tell whether both grids begin with the same row of two names or more, one for each column."""
    head, again = _first_row(one), _first_row(other)
    named = one.columns == other.columns == len(head) == len(again) >= HEADED
    return named and fuzz.ratio("|".join(head), "|".join(again)) >= LIKE


def _first_row(grid: Grid) -> list[str]:
    """Return the words of the first row that have letters, one text for each cell."""
    first = sorted((cell for cell in grid.cells if cell.row == 0), key=lambda cell: cell.column)
    texts = [paragraph(cell.lines).casefold() for cell in first]
    return [text for text in texts if any(sign.isalpha() for sign in text)]


def _edges(grid: Grid) -> dict[int, float]:
    """Return where the columns begin, and the last one ends, from the left side of the grid."""
    side = min(cell.area.x0 for cell in grid.cells)
    edges = {cell.column: cell.area.x0 - side for cell in grid.cells if cell.column}
    return {**edges, grid.columns: max(cell.area.x1 for cell in grid.cells) - side}


def is_last(piece: Piece, area: Area) -> bool:
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
