"""The tables of a document: captioned ones, and grids without a caption."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.core.document import Box, Cell, Figure, Label, Problem, Table, TableNote
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.core.page_boxes import in_box
from appliance.core.runs import grouped
from appliance.ingest.page import Area, Found, PageLayout, Rule, View, around, between_sides, views
from appliance.ingest.structure.captions import REMARK, Caption, Style, body_style, find_captions
from appliance.ingest.structure.schemes import Scheme
from appliance.ingest.tables.cells import (
    CLAUSE_NUMBER,
    NUMBERED_ROWS,
    Row,
    paragraph,
    rows_of,
    text_of,
    with_whole_words,
)
from appliance.ingest.tables.continuation import (
    RUNNING_WORDS,
    WIDE,
    Loose,
    Piece,
    lines_of,
    marks_carried,
    running_text,
    stitched,
    with_continuations,
)
from appliance.ingest.tables.grid import Grid, GridCell, head_rows, make_grid, set_in
from appliance.ingest.tables.notes import below, split, told
from appliance.ingest.tables.regions import (
    APART,
    area_below,
    area_from_words,
    at_top,
    is_gap,
    is_title,
    rest_of,
    table_places,
    tabular,
)

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


NOTES = 120.0  # points that the notes under a table reach down at most
DATA_COLUMNS = 3  # of a grid without a caption whose text is no clause
OVER = 30.0  # points between a table and its caption under it
FEW_CELLS = 6  # under a caption, of a drawing rather than a table
AGAIN = 0.6  # of the words of a head begin the page on which the table goes on
NEAR = 24.0  # points between the caption of a figure and a grid that is the figure


def find_tables(layouts: Sequence[PageLayout], scheme: Scheme) -> Found[Table]:
    """Return the tables of the document, in the order of their pages."""
    seen = tuple(view for layout in layouts for view in views(layout))
    captions = find_captions(seen, scheme.captions)
    usual = body_style(seen)
    words = scheme.captions.get("note", ())
    places = _captioned_below(table_places(captions, seen, usual, words), captions, usual)
    pieces = [_piece(place, captions, usual, words) for place in _left_to_nets(places)]
    pieces = [one for piece in pieces for one in _with_its_head_again(piece, seen, captions, usual, words)]
    loose = _loose(seen, captions, [(piece.view, piece.area) for piece in pieces if piece.area is not None])
    lower = _near_captions(pieces, loose, captions)
    pieces = [
        _piece(replace(piece, view=one.view, area=one.area, grid=None), captions, usual, words)
        if one
        else piece
        for piece, one in zip(pieces, lower, strict=True)
    ]
    loose = [one for one in loose if one not in lower]
    groups = stitched(pieces)
    for group in groups:  # before a table overleaf its caption without cells
        if group[0].apart:
            caption = group[0].caption
            group.insert(0, Piece(caption, caption.view))
    captioned, others = with_continuations(groups, loose, captions)
    tables = [_table(group, captioned=True) for group in captioned]
    tables += [_table(group, captioned=False) for group in others]
    tables = _numbered(tables)
    tables.sort(key=lambda table: (table.boxes[0].page, table.boxes[0].y0, table.boxes[0].x0))
    problems = []
    for caption in (group[0].caption for group in captioned if not any(piece.grid for piece in group)):
        message = f"No cells were found under the caption of {caption.label}."
        problems.append(Problem(message, caption.page, caption.view.box(caption.ground)))
    problems += _cut_off([piece for group in captioned for piece in group], captions)
    for view in seen:
        if why := left_out(view):
            whole = view.box(Area(0, 0, view.width, view.height))
            problems.append(Problem(why, view.page.number, whole))
    return Found(
        tuple(with_whole_words(tables, layouts)),
        lines_of([*captioned, *filter(_is_data, others)], layouts),
        tuple(problems),
    )


def _piece(place: Piece, captions: Sequence[Caption], usual: Style, words: Sequence[str]) -> Piece:
    """Return what is printed under one caption on one page."""
    view, whole = place.view, place.area
    if whole is None:
        return place
    body, inside = split(view, whole, words)
    tops = [c.ground.y0 for c in captions if c.view is view and c.ground.y0 > whole.y1]
    limit = min([*tops, whole.y1 + NOTES, view.height])
    under = below(view, whole, limit, words=words, usual=usual, marks=frozenset("123456789"))
    grid = make_grid(view, body, {n.mark for n in (*inside, *under) if n.mark})
    if grid is None:
        return replace(place, inside=inside)
    marks = marks_carried(grid)
    outside = told(below(view, whole, limit, words=words, usual=usual, marks=marks), marks)
    inside = told(inside, marks)
    head = head_rows(grid, view.ruling.within(body).fills)
    return replace(place, grid=grid, head=head, inside=inside, outside=outside)


@mechanism("tables.heads_again", without=lambda piece, *_: [piece])
def _with_its_head_again(
    piece: Piece, seen: Sequence[View], captions: Sequence[Caption], usual: Style, words: Sequence[str]
) -> list[Piece]:
    """Return what one page shows of a table, and the pages behind it that begin with the head of the table.

    Where a grid of rules begins the page it is found without that.
    """
    found = [piece]
    while piece.head and (last := found[-1]).grid is not None:
        number, turn = last.view.page.number + 1, last.view.turn
        view = next((one for one in seen if one.page.number == number and one.turn == turn), None)
        if view is None or not view.words or not _begins_with_head(view, piece):
            break
        caption = replace(at_top(view, piece.caption), continued=True)
        area = area_below(caption, captions, usual, words)
        if area is None or any(net.meets(area) for net in nets(view)):
            break
        again = _piece(Piece(caption, view, area), captions, usual, words)
        if again.grid is None or again.grid.columns != last.grid.columns:
            break
        found.append(replace(again, head=again.head or piece.head, repeats=True))
    return found


def _begins_with_head(view: View, piece: Piece) -> bool:
    """Tell whether the first lines of a page are the words of the head of a table.

    Some may be missing: what begins every page was taken for its running head.
    """
    cells = piece.grid.cells if piece.grid is not None else ()
    head = [word for cell in cells if cell.row < piece.head for word in cell.words]
    if not head:
        return False
    top, height = min(word.y0 for word in view.words), max(w.y1 for w in head) - min(w.y0 for w in head)
    first = Counter(word.text for word in view.words if word.y0 < top + height - TOUCH)
    again = Counter(word.text for word in head)
    return first <= again and first.total() >= AGAIN * again.total()


def _table(group: Sequence[Piece], *, captioned: bool) -> Table:
    """Return the pieces of one table, which follow each other over pages, as one.

    Without a caption it is named after the figure or the page that it stands in.
    """
    first = group[0].caption
    cells: list[Cell] = []
    notes: list[TableNote] = []
    boxes_of: list[Box] = []
    offset = 0
    for number, piece in enumerate(group):
        box = piece.view.box
        if piece.grid is not None:
            dropped = piece.head if number and piece.repeats else 0
            begins = set_in(piece.grid, piece.head)
            for cell in piece.grid.cells:
                if cell.row < dropped:
                    continue
                area = cell.area if cell.column else replace(cell.area, x0=begins.get(cell.row, cell.area.x0))
                cells.append(
                    Cell(
                        row=cell.row + offset - dropped,
                        column=cell.column,
                        text=paragraph(cell.lines),
                        box=box(area),
                        row_span=cell.row_span,
                        column_span=cell.column_span,
                        header=cell.row < piece.head,
                    )
                )
            offset += piece.grid.rows - dropped
        notes += [TableNote(note.mark, note.text, box(note.area)) for note in piece.inside + piece.outside]
        areas = [piece.caption.ground] if captioned and not piece.apart else []
        areas += [piece.area] if piece.area is not None else []
        boxes_of.append(box(around([*areas, *(note.area for note in piece.outside)])))
    label = first.label
    if not captioned and not first.continued:
        names: dict[str, str] = shipped("tables")["names"]
        name = names["in_figure" if first.kind == "figure" else "on_page"]
        label = name.format(figure=first.label, page=group[0].view.page.number)
    return Table(
        Label((label,)),
        first.title,
        tuple(cells),
        tuple(dict.fromkeys(notes)),
        tuple(boxes_of),
        captioned=captioned,
    )


def _cut_off(pieces: Sequence[Piece], captions: Sequence[Caption]) -> Iterator[Problem]:
    """Yield a problem for each page on which rules and columns of a table go on under its end, unread."""
    read = [(piece.view, piece.area) for piece in pieces if piece.area is not None and piece.grid is not None]
    heads = [(caption.view, caption.ground) for caption in captions]
    for piece in pieces:
        view, area = piece.view, piece.area
        if area is None or piece.grid is None:
            continue
        tops = [other.y0 for owner, other in (*read, *heads) if owner is view and other.y0 > area.y1 - 1]
        rest = rest_of(view, area, min([*tops, view.body.y1 + 12]))
        if rest is not None:
            page, told = view.page.number, "may go on below: see on the page what stands under it."
            yield Problem(f"{piece.caption.label} on page {page} {told}", page, view.box(rest))


def _loose(
    seen: Sequence[View], captions: Sequence[Caption], taken: Sequence[tuple[View, Area]]
) -> list[Loose]:
    """Return the grids without a caption of a table; one in a figure must say something."""
    found = []
    for view in seen:
        figures = [c for c in captions if c.kind == "figure" and c.view is view]
        for area, grid in loose_grids(view, [area for owner, area in taken if owner is view]):
            # the figure in whose frame it stands, or right beside whose caption
            frames = [(caption, captioned_box(caption)) for caption in figures]
            near = [c for c, frame in frames if frame is not None and frame.holds_middle(area)]
            near += [c for c in figures if min(abs(c.ground.y0 - area.y1), abs(area.y0 - c.ground.y1)) < NEAR]
            figure = near[0] if near else None
            if figure is None or sum(bool(c.lines) for c in grid.cells) >= CHART_SAYING * len(grid.cells):
                alone = is_table(grid) or not begins_page(view, area)
                found.append(Loose(view, area, grid, figure, alone))
    return found


BOX_GAP = 16.0  # points between a caption and the frame of its drawing
BOX_LEVEL = 4.0  # points between the ends of the sides of such a frame


def captioned_box(caption: Caption) -> Area | None:
    """Return the drawn box that stands right over or under the caption, or around it."""
    ground = caption.ground
    right = min(ground.x1, caption.area.x1) - 6
    sides = [rule for rule in caption.view.ruling.vertical if rule.length > 40]
    found = (
        area
        for area in between_sides(sides, BOX_LEVEL)
        if area.x0 <= ground.x0 + 6
        and area.x1 >= right
        and (
            0 <= ground.y0 - area.y1 < BOX_GAP
            or 0 <= area.y0 - ground.y1 < BOX_GAP
            or (area.y0 < ground.y0 - 30 and abs(area.y1 - ground.y1) < 30)
        )
    )
    return min(found, key=lambda area: area.width, default=None)


CHART_SAYING = 0.7  # of the cells of a table in a figure hold words; a chart has fewer


@mechanism("figures.charts", without=lambda tables, _figures: tables)
def without_charts(tables: Sequence[Table], figures: Sequence[Figure]) -> tuple[Table, ...]:
    """Return the tables without the charts of figures."""
    drawn = [box for figure in figures for box in figure.boxes]
    kept = []
    for table in tables:
        inside = all(any(_holds(outer, box) for outer in drawn) for box in table.boxes)
        spoken = sum(bool(cell.text.strip()) for cell in table.cells) >= CHART_SAYING * len(table.cells)
        if table.captioned or not inside or spoken:
            kept.append(table)
    return tuple(kept)


def _holds(outer: Box, inner: Box) -> bool:
    smaller = inner.x1 - inner.x0 <= outer.x1 - outer.x0 and inner.y1 - inner.y0 <= outer.y1 - outer.y0
    return smaller and in_box(inner, outer)


def _captioned_below(places: list[Piece], captions: Sequence[Caption], usual: Style) -> list[Piece]:
    """Return the places of tables; in a document most of whose captions stand under theirs, over them.

    A caption tells that where lines in columns stand over it, and under it nothing or numbered clauses.
    """
    over: dict[int, tuple[View, Area, Area]] = {}
    tell = [0, 0]  # captions that stand over their tables, and under them
    for at, one in enumerate(places):
        view, head = one.caption.view, one.caption.ground
        ends = [c.ground.y1 for c in captions if c.view is view and c.ground.y1 < head.y0]
        area = area_from_words(view, head, max([*ends, view.body.y0 - 1]), usual)
        firsts = [row.fragments[0] for row in rows_of(one.view.words_in(one.area))] if one.area else []
        numbers = sum(bool(CLAUSE_NUMBER.match(text_of(first.words))) for first in firsts)
        empty = one.area is None or numbers >= NUMBERED_ROWS
        tell[empty] += not empty or area is not None
        over |= {at: (view, head, area)} if area is not None else {}
    if tell[1] <= max(tell[0], 1):
        return places
    for at, (view, head, area) in over.items():  # a ruled grid that is taller is the whole of it
        grids = [grid for grid, _ in loose_grids(view, ()) if grid.meets(replace(head, y0=head.y0 - OVER))]
        part = any(grid.height > area.height for grid in grids)
        places[at] = replace(places[at], view=view, area=None if part else area)
    return places


def _left_to_nets(places: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the places of tables, none where most of a grid of rules below the caption is left out."""
    drawn = {id(one.view): nets(one.view) for one in places if one.area is not None}
    for one in places:
        cut = one.area is not None and any(
            net.y0 > one.caption.ground.y1 and net.meets(one.area) and 2 * (net.y1 - one.area.y1) > net.height
            for net in drawn[id(one.view)]
        )
        yield replace(one, area=None) if cut else one


@mechanism("tables.near_captions", without=lambda pieces, *_: [None for _ in pieces])
def _near_captions(
    pieces: Sequence[Piece], loose: Sequence[Loose], captions: Sequence[Caption]
) -> list[Loose | None]:
    """Return for each piece without cells the grid right over it, or further down, with no text between.

    A few cells without a grid of rules are none: letters of a drawing over the grid.
    """
    found: list[Loose | None] = []
    for piece in pieces:
        view, head = piece.caption.view, piece.caption.ground
        few = piece.grid is None or len(piece.grid.cells) < FEW_CELLS
        bare = few and not any(piece.area and net.meets(piece.area) for net in nets(piece.view))
        free = [one for one in loose if bare and one.view is view and one not in found]
        above = replace(head, y0=head.y0 - OVER, y1=head.y0)
        over = [one for one in free if one.area.meets(above)]
        under = [one for one in free if one.area.y0 > head.y1]
        nearest = min(over or under, key=lambda one: abs(one.area.y0 - head.y1), default=None)
        apart = nearest is None or (not over and _text_between(piece.caption, nearest.area, captions))
        found.append(None if apart else nearest)
    return found


def _text_between(caption: Caption, area: Area, captions: Sequence[Caption]) -> bool:
    """Tell whether more than a title stands between; under the title of a section a remark may."""
    view, top = caption.view, caption.ground.y1
    if any(c.view is view and c is not caption and top <= c.ground.y0 < area.y0 for c in captions):
        return True
    lines = [line for at, line in view.lines if top < line.y0 < area.y0 and at not in caption.lines]
    return not is_title(caption, lines) and running_text(view, top, area.y0, caption.lines) > (
        REMARK if caption.titles else 0
    )


def _is_data(group: Sequence[Piece]) -> bool:
    """Tell whether a grid without a caption holds no running text that belongs to the clauses round it.

    It has three columns or more that something drawn parts, and is neither that of a figure nor one of
    numbered clauses.
    """
    grids = [piece.grid for piece in group if piece.grid is not None]
    if group[0].caption.kind == "figure" or min((grid.columns for grid in grids), default=0) < DATA_COLUMNS:
        return False
    drawn = (one.view.ruling.within(one.area) for one in group if one.area is not None)
    if not any(rules.horizontal or rules.vertical or rules.fills for rules in drawn):
        return False
    firsts = [text_of(cell.words) for grid in grids for cell in grid.cells if cell.column == 0]
    return sum(bool(CLAUSE_NUMBER.match(text)) for text in firsts) < NUMBERED_ROWS


def _numbered(tables: Sequence[Table]) -> list[Table]:
    """Return the uncaptioned tables of one name numbered; captioned ones keep the label as printed."""
    result = []
    seen: Counter[str] = Counter()
    for table in tables:
        name = str(table.label)
        seen[name] += 1
        again = seen[name] > 1 and not table.captioned
        result.append(replace(table, label=Label((f"{name} ({seen[name]})",))) if again else table)
    return result
