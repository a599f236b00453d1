"""Small open grids inside drawings: a rule under short heads, upright rules between columns of values.

Rules of this module: pure geometry in points. Upright rules of one height stand side by side, one rule
crosses all of them below their tops and reaches beyond the first and the last; no rule closes the sides,
and none of that width stands between it and their ends. What such rules hold is a table of values if
most of its cells below the rule hold a figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from appliance.ingest.grid import Grid, make_grid
from appliance.ingest.rules import Area, Rule
from appliance.ingest.view import View

HEAD = (5.0, 34.0)  # points from the tops of the upright rules to the rule under the heads
BODY = 18.0  # points below it, at least: two rows
EVEN = 7.0  # points between the ends of the upright rules: scans fade
WIDTHS = (12.0, 160.0)  # points between two of them
OVER = 8.0  # points by which the rule across reaches beyond them
NEAR = 4.0  # points: a rule so near another is the same
VALUES = 0.6  # of the filled cells of the body hold a figure
MANY = 300  # rules of a page: more is a drawing


def small_grids(view: View) -> list[tuple[Area, Grid]]:
    """Return the areas and grids of the small tables of values of a page."""
    found = []
    for area, under in open_grids(view):
        grid = make_grid(view, area)
        if grid is not None and _is_of_values(grid, under):
            found.append((area, grid))
    return found


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
