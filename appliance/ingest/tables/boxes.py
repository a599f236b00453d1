"""Filled boxes and small open grids whose text stands in columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import Area, Rule
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
    at = next((i for i, row in enumerate(rows[:HEAD_AMONG]) if _is_head(rows, i)), None)
    if at is None:
        return None
    starts = [fragment.x0 for fragment in rows[at].fragments]
    body = _above_rule(view, box, rows[at + 1 :])
    ruled = bool(body) and any(rows[at].base < y < body[0].y0 + EDGE for y in _full(view, box))
    if _parted(body, starts, ruled=ruled) and _apart_in_type(rows[at], body):
        area = Area(box.x0, rows[at].y0 - EDGE, box.x1, body[-1].y1 + EDGE)
        return area, _grid(area, rows[at], body, starts)
    grid = make_grid(view, box)
    if grid is None or grid.columns < 2 or not _apart_in_type(rows[at], rows[at + 1 :]):
        return None
    return box, grid


def is_form(grid: Grid) -> bool:
    """Tell whether a ruled grid is one to be filled in: labels down its first column, room beside them."""
    labels = {cell.row for cell in grid.cells if cell.lines and cell.column == 0}
    room = {cell.row for cell in grid.cells if not cell.lines and cell.column > 0}
    return grid.rows >= LEAST_ROWS and len(labels) >= FORM * grid.rows and len(room & labels) >= LEAST_ROWS


def _is_head(rows: Sequence[Row], at: int) -> bool:
    fragments = rows[at].fragments
    return len(fragments) > 1 and all(len(fragment.words) <= HEAD_WORDS for fragment in fragments)


def _apart_in_type(head: Row, body: Sequence[Row]) -> bool:
    """Tell whether the heads are bold or italic and what stands under them mostly is not."""
    under = [word for row in body for word in row.words]
    looks = [[(w.bold, w.italic) for w in words] for words in (head.words, under)]
    shares = [[sum(look[i] for look in side) / max(len(side), 1) for side in looks] for i in (0, 1)]
    return bool(under) and any(above > 0.8 > 2 * below for above, below in shares)


def _above_rule(view: View, box: Area, rows: Sequence[Row]) -> list[Row]:
    """Return the rows down to the first rule over the whole box that stands under some of them."""
    if not rows:
        return []
    end = min((at for at in _full(view, box) if at > rows[0].base), default=box.y1)
    return [row for row in rows if row.base <= end]


def _full(view: View, box: Area) -> list[float]:
    return [r.at for r in view.ruling.within(box).horizontal if r.length > FULL * box.width]


def _parted(body: Sequence[Row], starts: Sequence[float], *, ruled: bool) -> bool:
    """Tell whether no word runs across where a head begins, and lines begin under each, or a rule does."""
    words = [word for row in body for word in row.words]
    crossed = any(word.x0 < x - EDGE < x + EDGE < word.x1 for word in words for x in starts[1:])
    begun = all(any(abs(word.x0 - x) <= EDGE for word in words) for x in starts[1:])
    return bool(words) and not crossed and (begun or ruled)


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


HEAD = (5.0, 34.0)  # points from the tops of the upright rules to the rule under the heads
BODY = 18.0  # points below it, at least: two rows
EVEN = 7.0  # points between the ends of the upright rules: scans fade
WIDTHS = (12.0, 160.0)  # points between two of them
OVER = 8.0  # points by which the rule across reaches beyond them
NEAR = 4.0  # points: a rule so near another is the same
VALUES = 0.6  # of the filled cells of the body hold a figure
MANY = 300  # rules of a page: more is a drawing


@mechanism("tables.small_grids", "Small ruled grids without a caption are tables.", without=lambda *_: [])
def small_grids(view: View) -> list[tuple[Area, Grid]]:
    """Return the areas and grids of the small tables of values of a page."""
    found = []
    for area, under in open_grids(view):
        grid = make_grid(view, area)
        if grid is not None and _is_of_values(grid, under):
            found.append((area, grid))
    return found


@mechanism("tables.open_grids", "Grids without an outer rule are tables.", without=lambda *_: [])
def open_grids(view: View) -> list[tuple[Area, float]]:
    """Return the areas in which such rules stand, whatever they hold, and where their heads end."""
    across, down = view.ruling.horizontal, view.ruling.vertical
    if len(across) + len(down) > MANY:
        return []
    found: list[tuple[Area, float]] = []
    for rule in across:
        sides = _sides(rule, down)
        if len(sides) < 2:
            continue
        end = max(side.end for side in sides)
        bottom = [r for r in across if abs(r.at - end) <= EVEN and _spans(r, rule)]
        top = min(side.start for side in sides) - 1
        area = Area(rule.start, top, rule.end, max([end, *(r.at for r in bottom)]))
        ruled = any(rule.at + NEAR < r.at < end - NEAR and _spans(r, rule) for r in across)
        if not ruled and not any(_overlap(area, known) for known, _ in found):
            found.append((area, rule.at))
    return found


def _sides(rule: Rule, down: Sequence[Rule]) -> list[Rule]:
    """Return the upright rules that part columns under a rule, [] where they are no such set."""
    crossing = [
        side
        for side in down
        if rule.start - NEAR <= side.at <= rule.end + NEAR
        and HEAD[0] <= rule.at - side.start <= HEAD[1]
        and side.end - rule.at >= BODY
    ]
    if not crossing or crossing[0].at - rule.start < OVER or rule.end - crossing[-1].at < OVER:
        return []
    even = all(abs(s.end - crossing[0].end) <= EVEN for s in crossing)
    edges = [rule.start, *(side.at for side in crossing), rule.end]
    wide = all(WIDTHS[0] <= b - a <= WIDTHS[1] for a, b in pairwise(edges))
    return crossing if even and wide else []


def _spans(rule: Rule, other: Rule) -> bool:
    """Tell whether a rule runs over most of the width of another."""
    return min(rule.end, other.end) - max(rule.start, other.start) > (other.end - other.start) / 2


def _overlap(one: Area, other: Area) -> bool:
    return one.x0 < other.x1 and one.x1 > other.x0 and one.y0 < other.y1 and one.y1 > other.y0


def _is_of_values(grid: Grid, under: float) -> bool:
    """Tell whether most of what stands below the heads is values."""
    body = [cell for cell in grid.cells if cell.lines and cell.area.y1 > under + NEAR]
    values = [c for c in body if any(sign.isdigit() for word in c.words for sign in word.text)]
    rows = {cell.row for cell in values}
    return len(rows) > 1 and len({c.column for c in values}) > 1 and len(values) >= VALUES * len(body)
