"""Filled boxes whose text stands in columns."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import Area
from appliance.ingest.page import Word
from appliance.ingest.tables.cells import Row, rows_of
from appliance.ingest.tables.grid import Grid, GridCell, make_grid
from appliance.ingest.view import View

BOX = (200.0, 50.0)  # points: width and height of a filled box with columns
TALLEST = 0.9  # of the page: a taller fill is its ground
HEAD_WORDS = 5
HEAD_AMONG = 4  # rows at the top of a box among which its heads stand
EDGE = 2.0  # points by which lines of a column may begin before its head
FULL = 0.9  # of the width: a rule that ends the table
APART = 1.45  # type sizes from baseline to baseline: more is white space between paragraphs
FORM = 0.75  # of the rows of a form have a label
LEAST_ROWS = 3  # of a form


@mechanism("tables.box_grids", "Boxes of text side by side are read as a grid.", without=lambda *_: [])
def boxes(view: View) -> list[Area]:
    """Return the filled areas that may hold a table, the tallest first."""
    fills = sorted(view.ruling.fills, key=lambda fill: -fill.height)
    return [
        fill
        for fill in fills
        if fill.width >= BOX[0] and fill.height >= BOX[1] and fill.height <= TALLEST * view.height
    ]


def box_grid(view: View, box: Area) -> tuple[Area, Grid] | None:
    """Return the area and grid of the table in a filled box, None where there is none."""
    rows = rows_of(view.words_in(box))
    heads = (
        at
        for at, row in enumerate(rows[:HEAD_AMONG])
        if len(row.fragments) > 1 and all(len(fragment.words) <= HEAD_WORDS for fragment in row.fragments)
    )
    at = next(heads, None)
    if at is None:
        return None
    head = rows[at]
    starts = [fragment.x0 for fragment in head.fragments]
    full = [r.at for r in view.ruling.within(box).horizontal if r.length > FULL * box.width]
    body = rows[at + 1 :]
    if body:  # down to the first rule over the whole box
        end = min((y for y in full if y > body[0].base), default=box.y1)
        body = [row for row in body if row.base <= end]
    words = [word for row in body for word in row.words]
    # no word runs across where a head begins, and lines begin under each, or a rule does
    crossed = any(word.x0 < x - EDGE < x + EDGE < word.x1 for word in words for x in starts[1:])
    begun = all(any(abs(word.x0 - x) <= EDGE for word in words) for x in starts[1:])
    ruled = bool(body) and any(head.base < y < body[0].y0 + EDGE for y in full)
    if words and not crossed and (begun or ruled) and _apart_in_type(head, body):
        area = Area(box.x0, head.y0 - EDGE, box.x1, body[-1].y1 + EDGE)
        return area, _grid(area, head, body, starts)
    grid = make_grid(view, box)
    if grid is None or grid.columns < 2 or not _apart_in_type(head, rows[at + 1 :]):
        return None
    return box, grid


def is_form(grid: Grid) -> bool:
    """Tell whether a ruled grid is one to be filled in: labels down its first column, room beside them."""
    labels = {cell.row for cell in grid.cells if cell.lines and cell.column == 0}
    room = {cell.row for cell in grid.cells if not cell.lines and cell.column > 0}
    return grid.rows >= LEAST_ROWS and len(labels) >= FORM * grid.rows and len(room & labels) >= LEAST_ROWS


def _apart_in_type(head: Row, body: Sequence[Row]) -> bool:
    """Tell whether the heads are bold or italic and what stands under them mostly is not."""
    under = [word for row in body for word in row.words]
    looks = [[(w.bold, w.italic) for w in words] for words in (head.words, under)]
    shares = [[sum(look[i] for look in side) / max(len(side), 1) for side in looks] for i in (0, 1)]
    return bool(under) and any(above > 0.8 > 2 * below for above, below in shares)


def _grid(area: Area, head: Row, body: Sequence[Row], starts: Sequence[float]) -> Grid:
    """Return the heads as the first row, and under them the rows that begin in several columns at once."""
    columns = [_in_columns(row, starts) for row in body]
    groups: list[list[int]] = []
    last: dict[int, Row] = {}
    for at, parts in enumerate(columns):
        fresh = all(
            c not in last or part.base - last[c].base > APART * part.size for c, part in parts.items()
        )
        if not groups or (len(parts) > 1 and fresh):
            groups.append([])
        groups[-1].append(at)
        last.update(parts)
    edges = [area.x0, *(x - EDGE for x in starts[1:]), area.x1]
    tops = [area.y0, *(body[group[0]].y0 - EDGE for group in groups), area.y1]
    cells = []
    printed = [[_in_columns(head, starts)], *([columns[i] for i in group] for group in groups)]
    for number, members in enumerate(printed):
        for column in range(len(starts)):
            lines = tuple(part[column] for part in members if column in part)
            place = Area(edges[column], tops[number], edges[column + 1], tops[number + 1])
            cells.append(GridCell(number, column, 1, 1, lines, place))
    return Grid(tuple(cells), len(groups) + 1, len(starts))


def _in_columns(row: Row, starts: Sequence[float]) -> dict[int, Row]:
    """Return the words of a row by the column that they stand in."""
    parts: dict[int, list[Word]] = {}
    for word in row.words:
        column = sum(word.x0 >= x - EDGE for x in starts[1:])
        parts.setdefault(column, []).append(word)
    return {column: Row(tuple(words)) for column, words in parts.items()}
