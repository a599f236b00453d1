"""Grids without a caption on a page: of rules, of filled boxes, of entries in columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from appliance.core.mechanisms import mechanism
from appliance.core.runs import grouped
from appliance.ingest.page import Area, Rule, View, around, between_sides
from appliance.ingest.tables.cells import Row, rows_of, text_of
from appliance.ingest.tables.continuation import RUNNING_WORDS, WIDE
from appliance.ingest.tables.grid import Grid, GridCell, make_grid
from appliance.ingest.tables.regions import APART, is_gap, tabular

TOUCH = 3.0  # points between rules that meet
SMALLEST = (80.0, 24.0)  # points: width and height of a table
LISTED_ROWS = 4  # with entries in columns that no rule parts
LISTED_BETWEEN, LISTED_HEADS = 8, 6  # lines between two such rows, and over the first
BESIDE = 6.0  # points by which entries of one column may miss each other
ENTRY_WORDS, ENTRIES = 2, 0.7  # of an entry; of the entries of a row are values or codes
_ENTRY = re.compile(r"\W{0,2}(?:\d|[\w/]{1,3}\W?$|$)")
HEAD_BEFORE = 40.0  # points by which a head may begin before the entries under it
OPEN = 20.0  # points by which rules across reach beyond the last one down: a column without a side
COLUMNS = 0.75  # of the width that a rule drawn column by column covers
STACKED = 3  # rules of one width, and rows in columns between them, at the least
COLUMNED = 0.6  # of the lines between such rules stand in columns
WIDEST_WORD, TALLEST = 120.0, 500.0  # points: length of such a rule, and between two of them
ENTRY = 6  # words of an entry: a longer run is one of a column of prose
FILLED = 0.5  # of the cells hold words
SAYING = 0.5  # of the filled cells of a scan hold a word or a value
_SAYS = re.compile(r"[^\W\d_]{3,}|\d+[.,]\d|^\W{0,2}[^\W\d_]{0,2}\d{1,4}[°%]?\W?$")
_AXIS = re.compile(r"(?:[+−–-]?\d+(?:[.,]\d+)? ){2,}[+−–-]?\d+(?:[.,]\d+)?(?: \S{1,4})?")  # "0,1 0,2 0,3 f/d"
MANY = 400  # rules on a page: more is a drawing


def loose_grids(view: View, used: Sequence[Area]) -> list[tuple[Area, Grid]]:
    """Return the areas and grids of the page that are tables without a caption, or may end one overleaf."""
    found: list[tuple[Area, Grid]] = []

    def is_free(area: Area) -> bool:
        return not any(area.meets(other) for other in (*used, *(known for known, _ in found)))

    for area in [*nets(view), *frames(view), *stacks(view, used), *listed(view)]:
        if area.width < SMALLEST[0] or area.height < SMALLEST[1] or not is_free(area):
            continue
        grid = make_grid(view, area)
        if grid is not None and (is_table(grid) or begins_page(view, area)):
            found.append((area, grid))
    for fill in boxes(view):  # whose text stands in columns under heads of their own
        boxed = box_grid(view, fill) if is_free(fill) else None
        if boxed is not None:
            found.append(boxed)
    return [one for one in found if view.page.trust != "ocr" or _says(one[1])]


def _says(grid: Grid) -> bool:
    """Tell whether the cells of a grid hold words or values, not what strokes are read as, or an axis."""
    texts = [text_of(cell.words) for cell in grid.cells if cell.lines]
    axis = any(_AXIS.fullmatch(text) for text in texts)
    return not axis and sum(bool(_SAYS.search(text)) for text in texts) >= SAYING * len(texts)


def left_out(view: View) -> str:
    """Return why the grids of a page were not looked for, "" where they were."""
    ruled = len(view.ruling.horizontal) + len(view.ruling.vertical)
    if ruled <= MANY:
        return ""
    return (
        f"Tables without a caption were not looked for on this page: it has {ruled} ruled lines, "
        f"more than {MANY}, as a drawing has."
    )


@mechanism("tables.nets", without=lambda *_: [])
def nets(view: View) -> list[Area]:
    """Return the areas of sets of rules that touch each other, at least 3 across and two columns.

    The sides of the first and of the last column need no rule where the rules across go on over their words.
    """
    if left_out(view):
        return []
    groups: list[tuple[list[Rule], list[Rule]]] = []
    for rule in view.ruling.horizontal:
        touching = [
            other
            for other in view.ruling.vertical
            if rule.start - TOUCH <= other.at <= rule.end + TOUCH
            and other.start - TOUCH <= rule.at <= other.end + TOUCH
        ]
        if not touching:
            continue
        homes = [group for group in groups if any(other in group[1] for other in touching)]
        groups = [group for group in groups if group not in homes]
        across = [rule, *(one for home in homes for one in home[0])]
        down = list(dict.fromkeys([*touching, *(one for home in homes for one in home[1])]))
        groups.append((across, down))
    areas = []
    for across, down in groups:
        thin = [Area(r.start, r.at, r.end, r.at) for r in across]
        thin += [Area(r.at, r.start, r.at, r.end) for r in down]
        area, sides = around(thin), [r.at for r in down]
        outside = (replace(area, x1=min(sides)), replace(area, x0=max(sides)))
        columns = len(down) - 1 + sum(end.width > OPEN and bool(view.words_in(end)) for end in outside)
        if len({round(r.at) for r in across}) >= 3 and columns >= 2:
            areas.append(area)
    return areas


@mechanism("tables.frames", without=lambda *_: [])
def frames(view: View) -> list[Area]:
    """Return the boxes whose rows are ruled column by column, without touching the box."""
    down = [r for r in view.ruling.vertical if r.length > SMALLEST[1]]
    if len(down) > MANY:
        return []
    found = []
    for area in between_sides(down, TOUCH):
        if area.width < SMALLEST[0]:
            continue
        pieces = [r for r in view.ruling.within(area).horizontal if r.length < 0.9 * area.width]
        levels = Counter(round(r.at) for r in pieces)
        lengths = {at: sum(r.length for r in pieces if round(r.at) == at) for at in levels}
        rows = [at for at, n in levels.items() if n >= 2 and lengths[at] > COLUMNS * area.width]
        if len(rows) >= 2 and len(rows) > 0.5 * len(levels):
            found.append(area)
    return found


@mechanism("tables.stacks", without=lambda *_: [])
def stacks(view: View, used: Sequence[Area] = ()) -> list[Area]:
    """Return the areas between rules of one width, one over the other, whose lines stand in columns.

    The open table of books and reports: a rule above, one under the heads, one at the end, none down.
    None stands in the areas that are `used`.
    """
    found: list[Area] = []
    left = [rule for rule in view.ruling.horizontal if rule.length >= WIDEST_WORD]
    while len(left) >= STACKED:
        top = left[0]
        same = [r for r in left if abs(r.start - top.start) < TOUCH and abs(r.end - top.end) < TOUCH]
        left = [rule for rule in left if rule not in same]
        for pile in _piles(view, same, used):
            area = Area(top.start, pile[0].at, top.end, pile[-1].at)
            rows = rows_of(view.words_in(area))
            entries = (row for row in rows if all(len(run.words) <= ENTRY for run in row.fragments[1:]))
            columned = [row for row in entries if tabular(row)]
            if len(columned) >= STACKED and len(columned) >= COLUMNED * len(rows):
                found.append(area)
    return found


@mechanism("tables.listed", without=lambda *_: [])
def listed(view: View) -> list[Area]:
    """Return the areas of rows of short entries in columns that no rule parts, with their heads.

    Each has a label and entries of a word or two in two further columns at least; labels may have more lines,
    and titles of groups may stand between.
    """
    if left_out(view):
        return []
    rows = rows_of(view.words)
    parts = [row.fragments for row in rows]
    entries = list(map(_are_entries, parts))
    found: list[Area] = []
    at = 0
    while at < len(rows):
        end = _end_of_entries(rows, parts, entries, at) if entries[at] else at
        if sum(entries[at:end]) < LISTED_ROWS:
            at += 1
            continue
        begin = min(parts[index][1].x0 for index in range(at, end) if entries[index])
        heads = _heads_over(rows[max(at - LISTED_HEADS, 0) : at], rows[at], begin)
        found.append(around([*heads, *rows[at:end]]))
        at = end
    return found


def _are_entries(parts: Sequence[Row]) -> bool:
    """Tell whether the parts of a line are a label and two entries or more: values, codes, short words."""
    texts = [text_of(part.words) for part in parts[1:] if len(part.words) <= ENTRY_WORDS]
    coded = sum(bool(_ENTRY.match(text)) for text in texts)
    return len(texts) == len(parts) - 1 > 1 and coded >= ENTRIES * len(texts)


def _end_of_entries(
    rows: Sequence[Row], parts: Sequence[Sequence[Row]], entries: Sequence[bool], at: int
) -> int:
    """Return how far rows of entries under those of one go on, with lines of labels and titles between."""
    end = at + 1
    places = {(round(part.x0), round(part.x1)) for part in parts[at][1:]}
    for index in range(end, len(rows)):
        row, last = rows[index], rows[index - 1]
        if row.y0 - last.y1 > APART * row.size or index - end > LISTED_BETWEEN:
            break
        under = (
            any(x0 < p.x1 + BESIDE and p.x0 - BESIDE < x1 for x0, x1 in places) for p in parts[index][1:]
        )
        if entries[index] and all(under):
            end = index + 1
            places |= {(round(part.x0), round(part.x1)) for part in parts[index][1:]}
    return end


def _heads_over(above: Sequence[Row], first: Row, begin: float) -> Sequence[Row]:
    """Return the lines close over rows whose entries begin there that stand over entries, down to the rows.

    The first label may begin between.
    """
    heads, last = 0, first
    for count, row in enumerate(reversed(above), 1):
        over_entries = row.x0 >= begin - HEAD_BEFORE
        if last.y0 - row.y1 > row.size or not (over_entries or (row.x1 < begin and not heads)):
            break
        heads, last = count if over_entries else heads, row
    return above[len(above) - heads :]


def _piles(view: View, rules: Sequence[Rule], used: Sequence[Area]) -> list[list[Rule]]:
    """Return rules of one width, downwards, cut where nothing, too much or a table stands between two."""
    piles: list[list[Rule]] = []
    for rule in rules:
        last = piles[-1][-1] if piles else rule
        strip = Area(rule.start, last.at, rule.end, rule.at)
        inner = replace(strip, y0=strip.y0 + TOUCH, y1=strip.y1 - TOUCH)
        apart = strip.height >= TALLEST or is_gap(view, strip) or any(area.meets(inner) for area in used)
        for row in rows_of(view.words_in(inner)) if not apart else ():
            # text between ruled headings runs from the left over most columns
            words = row.words
            wide = words[-1].x1 - words[0].x0 > WIDE * strip.width and len(words) >= RUNNING_WORDS
            apart = apart or (wide and len(row.fragments) == 1 and words[0].x0 - strip.x0 < words[0].size)
        if piles and not apart:
            piles[-1].append(rule)
        else:
            piles.append([rule])
    return [pile for pile in piles if len(pile) >= STACKED]


def begins_page(view: View, area: Area) -> bool:
    """Tell whether no line of the page stands over an area."""
    return all(line.y1 > area.y0 for _, line in view.lines)


def is_table(grid: Grid) -> bool:
    """Tell whether enough cells of a grid hold words for a table without a caption."""
    if grid.rows < 2 or grid.columns < 2:
        return False
    filled = [cell for cell in grid.cells if cell.lines]
    both = len({c.column for c in filled}) >= 2 and len({c.row for c in filled}) >= 2
    said = len(filled) >= 4 and sum(len(c.words) for c in filled) >= 8
    # a grid to be filled in: labels down its first column, room beside them
    labels = {cell.row for cell in filled if cell.column == 0}
    room = {cell.row for cell in grid.cells if not cell.lines and cell.column > 0}
    form = grid.rows >= LEAST_ROWS and len(labels) >= FORM * grid.rows and len(room & labels) >= LEAST_ROWS
    return said and ((both and len(filled) >= FILLED * len(grid.cells)) or form)


BOX = (200.0, 50.0)  # points: width and height of a filled box with columns
GROUND = 0.9  # of the page: a taller fill is its ground
HEAD_WORDS = 5
HEAD_AMONG = 4  # rows at the top of a box among which its heads stand
BEFORE_HEAD = 2.0  # points by which lines of a column may begin before its head
WHOLE = 0.9  # of the width: a rule that ends the table
LEADING = 1.45  # type sizes from baseline to baseline: more is white space between paragraphs
FORM = 0.75  # of the rows of a form have a label
LEAST_ROWS = 3  # of a form


@mechanism("tables.box_grids", without=lambda *_: [])
def boxes(view: View) -> list[Area]:
    """Return the filled areas that may hold a table, the tallest first."""
    fills = sorted(view.ruling.fills, key=lambda fill: -fill.height)
    return [
        fill
        for fill in fills
        if fill.width >= BOX[0] and fill.height >= BOX[1] and fill.height <= GROUND * view.height
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
    full = [r.at for r in view.ruling.within(box).horizontal if r.length > WHOLE * box.width]
    body = rows[at + 1 :]
    if body:  # down to the first rule over the whole box
        end = min((y for y in full if y > body[0].base), default=box.y1)
        body = [row for row in body if row.base <= end]
    words = [word for row in body for word in row.words]
    # no word runs across where a head begins, and lines begin under each, or a rule does
    crossed = any(word.x0 < x - BEFORE_HEAD < x + BEFORE_HEAD < word.x1 for word in words for x in starts[1:])
    begun = all(any(abs(word.x0 - x) <= BEFORE_HEAD for word in words) for x in starts[1:])
    ruled = bool(body) and any(head.base < y < body[0].y0 + BEFORE_HEAD for y in full)
    if words and not crossed and (begun or ruled) and _apart_in_type(head, body):
        area = Area(box.x0, head.y0 - BEFORE_HEAD, box.x1, body[-1].y1 + BEFORE_HEAD)
        return area, _grid(area, head, body, starts)
    grid = make_grid(view, box)
    if grid is None or grid.columns < 2 or not _apart_in_type(head, rows[at + 1 :]):
        return None
    return box, grid


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
            c not in last or part.base - last[c].base > LEADING * part.size for c, part in parts.items()
        )
        if not groups or (len(parts) > 1 and fresh):
            groups.append([])
        groups[-1].append(at)
        last.update(parts)
    edges = [area.x0, *(x - BEFORE_HEAD for x in starts[1:]), area.x1]
    tops = [area.y0, *(body[group[0]].y0 - BEFORE_HEAD for group in groups), area.y1]
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
    parts = grouped((sum(word.x0 >= x - BEFORE_HEAD for x in starts[1:]), word) for word in row.words)
    return {column: Row(tuple(words)) for column, words in parts.items()}
