"""Grids of rules that no caption names: kept where they are clearly tables, never a box around prose.

Rules of this module: pure geometry; rules that touch form a net; a net with at least two rows and two
columns whose cells mostly hold words is a table; a chart (few words, words across its lines) is not, nor is
a drawing of a scan, whose strokes were read as signs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from appliance.ingest.box_grids import box_grid, boxes, is_form
from appliance.ingest.cells import Row, rows_of, text_of
from appliance.ingest.grid import Grid, make_grid
from appliance.ingest.rules import Area, Rule
from appliance.ingest.small_grids import small_grids
from appliance.ingest.tall_cells import tabular
from appliance.ingest.view import View

TOUCH = 3.0  # points between rules that meet
SMALLEST = (80.0, 24.0)  # points: width and height of a table
LONG, MOSTLY, TINY = 0.4, 0.55, 0.08  # of the width: a rule of rows; of the rules; of the width: a sign
COLUMNS = 0.75  # of the width that a rule drawn column by column covers
STACKED = 3  # rules of one width, and rows in columns between them, at the least
COLUMNED = 0.6  # of the lines between such rules stand in columns
WIDEST_WORD, TALLEST = 120.0, 500.0  # points: length of such a rule, and between two of them
ENTRY = 6  # words of an entry
FILLED = 0.5  # of the cells hold words
SAYING = 0.5  # of the filled cells of a scan hold a word or a value
_SAYS = re.compile(r"[^\W\d_]{3,}|\d+[.,]\d|^\W{0,2}[^\W\d_]{0,2}\d{1,4}[°%]?\W?$")
_AXIS = re.compile(r"(?:[+−–-]?\d+(?:[.,]\d+)? ){2,}[+−–-]?\d+(?:[.,]\d+)?(?: \S{1,4})?")  # "0,1 0,2 0,3 f/d"
MANY = 400  # rules on a page: more is a drawing


def loose_grids(view: View, used: Sequence[Area]) -> list[tuple[Area, Grid]]:
    """Return the areas and grids of the page that are tables without a caption."""
    found = [one for one in small_grids(view) if not any(_overlap(one[0], u) for u in used)]
    for area in [*nets(view), *frames(view), *stacks(view)]:
        taken = [*used, *(known for known, _ in found)]
        if area.width < SMALLEST[0] or area.height < SMALLEST[1] or any(_overlap(area, u) for u in taken):
            continue
        grid = make_grid(view, area) if _runs_across(view, area) else None
        if grid is not None and _is_table(grid):
            found.append((area, grid))
    found += _boxes(view, [*used, *(known for known, _ in found)])
    return [one for one in found if view.page.trust != "ocr" or _says(one[1])]


def _says(grid: Grid) -> bool:
    """Tell whether the cells of a grid hold words or values, not what strokes are read as, or an axis."""
    texts = [text_of(cell.words) for cell in grid.cells if cell.lines]
    if any(_AXIS.fullmatch(text) for text in texts):
        return False
    return sum(bool(_SAYS.search(text)) for text in texts) >= SAYING * len(texts)


def _boxes(view: View, used: Sequence[Area]) -> list[tuple[Area, Grid]]:
    """Return filled boxes whose text stands in columns under heads of their own."""
    found: list[tuple[Area, Grid]] = []
    for fill in boxes(view):
        if any(_overlap(fill, u) for u in [*used, *(area for area, _ in found)]):
            continue
        one = box_grid(view, fill)
        if one is not None:
            found.append(one)
    return found


def left_out(view: View) -> str:
    """Return why the grids of a page were not looked for, "" where they were."""
    ruled = len(view.ruling.horizontal) + len(view.ruling.vertical)
    if ruled <= MANY:
        return ""
    return (
        f"Tables without a caption were not looked for on this page: it has {ruled} ruled lines, "
        f"more than {MANY}, as a drawing has."
    )


def nets(view: View) -> list[Area]:
    """Return the areas of sets of rules that touch each other, with at least 3 across and 2 down."""
    across, down = view.ruling.horizontal, view.ruling.vertical
    if left_out(view):
        return []
    groups: list[tuple[list[Rule], list[Rule]]] = []
    for rule in across:
        touching = [v for v in down if _meets(rule, v)]
        if not touching:
            continue
        homes = [g for g in groups if any(v in g[1] for v in touching)]
        merged = ([rule], list(touching))
        for home in homes:
            merged[0].extend(home[0])
            merged[1].extend(home[1])
            groups.remove(home)
        groups.append((merged[0], list(dict.fromkeys(merged[1]))))
    return [_extent(g) for g in groups if len({round(r.at) for r in g[0]}) >= 3 and len(g[1]) >= 3]


def frames(view: View) -> list[Area]:
    """Return the boxes whose rows are ruled column by column, without touching the box."""
    down = [r for r in view.ruling.vertical if r.length > SMALLEST[1]]
    if len(down) > MANY:
        return []
    found = []
    for left in down:
        for right in down:
            same = abs(left.start - right.start) < TOUCH and abs(left.end - right.end) < TOUCH
            if not same or right.at - left.at < SMALLEST[0]:
                continue
            area = Area(left.at, left.start, right.at, left.end)
            pieces = [r for r in view.ruling.within(area).horizontal if r.length < 0.9 * area.width]
            levels = Counter(round(r.at) for r in pieces)
            lengths = {at: sum(r.length for r in pieces if round(r.at) == at) for at in levels}
            rows = [at for at, n in levels.items() if n >= 2 and lengths[at] > COLUMNS * area.width]
            if len(rows) >= 2 and len(rows) > 0.5 * len(levels):
                found.append(area)
    return found


def stacks(view: View) -> list[Area]:
    """Return the areas between rules of one width, one over the other, whose lines stand in columns.

    The open table of books and reports: a rule above, one under the heads, one at the end, none down.
    """
    found: list[Area] = []
    left = [rule for rule in view.ruling.horizontal if rule.length >= WIDEST_WORD]
    while len(left) >= STACKED:
        top = left[0]
        same = [r for r in left if abs(r.start - top.start) < TOUCH and abs(r.end - top.end) < TOUCH]
        left = [rule for rule in left if rule not in same]
        for pile in _piles(same):
            area = Area(top.start, pile[0].at, top.end, pile[-1].at)
            rows = rows_of(view.words_in(area))
            columned = [row for row in rows if tabular(row) and _is_of_entries(row)]
            if len(columned) >= STACKED and len(columned) >= COLUMNED * len(rows):
                found.append(area)
    return found


def _piles(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Return rules of one width, downwards, cut where too much stands between two of them."""
    piles: list[list[Rule]] = []
    for rule in rules:
        if piles and rule.at - piles[-1][-1].at < TALLEST:
            piles[-1].append(rule)
        else:
            piles.append([rule])
    return [pile for pile in piles if len(pile) >= STACKED]


def _is_of_entries(row: Row) -> bool:
    """Tell whether the runs of a line are short, as entries are, and not the lines of columns of prose."""
    return all(len(fragment.words) <= ENTRY for fragment in row.fragments[1:])


def _meets(across: Rule, down: Rule) -> bool:
    return (
        across.start - TOUCH <= down.at <= across.end + TOUCH
        and down.start - TOUCH <= across.at <= down.end + TOUCH
    )


def _extent(group: tuple[list[Rule], list[Rule]]) -> Area:
    across, down = group
    xs = [x for r in across for x in (r.start, r.end)] + [r.at for r in down]
    ys = [y for r in down for y in (r.start, r.end)] + [r.at for r in across]
    return Area(min(xs), min(ys), max(xs), max(ys))


def _runs_across(view: View, area: Area) -> bool:
    """Tell whether most of the rules across the net run over most of its width, as those of rows do."""
    levels: dict[int, float] = {}
    for rule in view.ruling.within(area).horizontal:
        at = next((y for y in levels if abs(y - rule.at) <= TOUCH), round(rule.at))
        levels[at] = levels.get(at, 0.0) + rule.length
    lengths = [length for length in levels.values() if length > TINY * area.width]
    return sum(length > LONG * area.width for length in lengths) >= MOSTLY * len(lengths)


def _overlap(one: Area, other: Area) -> bool:
    return one.x0 < other.x1 and one.x1 > other.x0 and one.y0 < other.y1 and one.y1 > other.y0


def _is_table(grid: Grid) -> bool:
    if grid.rows < 2 or grid.columns < 2:
        return False
    filled = [cell for cell in grid.cells if cell.lines]
    both = len({c.column for c in filled}) >= 2 and len({c.row for c in filled}) >= 2
    said = len(filled) >= 4 and sum(len(c.words) for c in filled) >= 8
    return said and ((both and len(filled) >= FILLED * len(grid.cells)) or is_form(grid))
