"""Tables that go on at the top of the next page with neither a caption nor a frame there.

Rules of this module: pure. Lines that stand in the columns of a table which ends its page go on with it, and
are no table of their own: three columns or more join it, and of fewer it is told, as of those whose columns
are not as many. Running text stands in no columns, and a caption or its table at the top ends it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from appliance.document import Problem
from appliance.ingest.captions import Caption, Style
from appliance.ingest.cells import rows_of
from appliance.ingest.going_on import Loose, is_last, piece_of
from appliance.ingest.grid import make_grid
from appliance.ingest.page import Word
from appliance.ingest.regions import area_from_words
from appliance.ingest.rules import Area
from appliance.ingest.stitch import Piece, going_on
from appliance.ingest.table_strips import Open
from appliance.ingest.tall_cells import Columns, fills, stands_in, tabular
from appliance.ingest.view import View

COLUMNS = 3  # that show surely that lines go on with a table
ROWS = 3  # in columns, at the least
SHARE = 0.8  # of the lines with several parts
FRAMED = 2  # upright rules that make a grid, which was looked at as one
TOP = 2.0  # points over the first line
LATER = "{} on page {} may go on on page {}: see there what stands at the top."


def gone_overleaf(
    groups: Sequence[list[Piece]],
    seen: Sequence[View],
    captions: Sequence[Caption],
    taken: Sequence[tuple[View, Area]],
    usual: Style,
) -> tuple[list[list[Piece]], list[Problem]]:
    """Return the groups with what goes on with them overleaf, and what may.

    `taken` are the areas of tables with a caption.
    """
    held = [*taken, *((caption.view, caption.ground) for caption in captions)]
    pages: dict[int, list[View]] = defaultdict(list)
    for view in seen:
        pages[view.page.number].append(view)
    joined: list[list[Piece]] = []
    problems: list[Problem] = []
    for group in groups:
        own = list(group)
        while (found := _overleaf(own[-1], pages, held, usual)) is not None:
            view, area = found
            piece = _joined(own, view, area)
            if piece is None:
                said = LATER.format(own[0].caption.label, own[-1].view.page.number, view.page.number)
                problems.append(Problem(said, view.page.number, view.box(area)))
                break
            own.append(piece)
        joined.append(own)
    return joined, problems


def _after(view: View, pages: Mapping[int, Sequence[View]]) -> View | None:
    """Return the next page as read in the same direction."""
    alike = (one for one in pages.get(view.page.number + 1, ()) if one.turn == view.turn)
    return next((one for one in alike if one.width == view.width), None)


def _overleaf(
    piece: Piece,
    pages: Mapping[int, Sequence[View]],
    taken: Sequence[tuple[View, Area]],
    usual: Style,
) -> tuple[View, Area] | None:
    """Return the lines at the top of the next page that stand in the columns of a table, None for none."""
    area, view = piece.area, _after(piece.view, pages)
    if view is None or not view.lines or piece.grid is None or area is None or not is_last(piece, area):
        return None
    top, body = view.body.y0 - TOP, view.body
    below = area_from_words(view, Area(body.x0, top - 1, body.x1, top), body.y1 + TOP, usual)
    columns = Open(piece.view, area).columns(area.y1)
    if below is not None and len(view.ruling.within(below).vertical) >= FRAMED:
        return None
    if below is None or len(columns) < 2 or any(owner is view and _meet(one, below) for owner, one in taken):
        return None
    return (view, below) if _in_columns(view.words_in(below), columns) else None


def _in_columns(words: Sequence[Word], columns: Columns) -> bool:
    """Tell whether the first line, and most of those of several parts, stand in these columns."""
    rows = rows_of(words)
    several = [row for row in rows if tabular(row)]
    standing = [row for row in several if stands_in(row, columns, loosely=True)]
    full = [row for row in standing if len(row.fragments) == len(columns)]
    sure = bool(rows) and any(rows[0] is row for row in standing) and not fills(rows, columns)
    return sure and len(full) >= ROWS and len(standing) >= SHARE * len(several)


def outside(loose: Sequence[Loose], groups: Sequence[list[Piece]]) -> list[Loose]:
    """Return the grids without a caption that no table holds."""
    held = [(piece.view, piece.area) for group in groups for piece in group if piece.area is not None]
    return [
        one for one in loose if not any(one.view is view and _meet(one.area, area) for view, area in held)
    ]


def _meet(one: Area, other: Area) -> bool:
    return one.x0 < other.x1 and one.x1 > other.x0 and one.y0 < other.y1 and one.y1 > other.y0


def _joined(group: Sequence[Piece], view: View, area: Area) -> Piece | None:
    """Return the lines as one more piece of the table, None where they have other columns."""
    grid, before = make_grid(view, area, captioned=True), group[-1]
    if grid is None or before.grid is None or not COLUMNS <= grid.columns == before.grid.columns:
        return None
    return going_on(piece_of(Loose(view, area, grid), group[0].caption), before)
