"""The tables of a document: captioned ones, and grids without a caption."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.core.document import Box, Cell, Figure, Label, Problem, Table, TableNote
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.core.page_boxes import in_box
from appliance.ingest.page import Area, Found, PageLayout, View, around, between_sides, views
from appliance.ingest.structure.captions import REMARK, Caption, Style, body_style, find_captions
from appliance.ingest.structure.schemes import Scheme
from appliance.ingest.tables.cells import (
    CLAUSE_NUMBER,
    NUMBERED_ROWS,
    paragraph,
    rows_of,
    text_of,
    with_whole_words,
)
from appliance.ingest.tables.continuation import (
    Loose,
    Piece,
    lines_of,
    marks_carried,
    running_text,
    stitched,
    with_continuations,
)
from appliance.ingest.tables.grid import head_rows, make_grid, set_in
from appliance.ingest.tables.notes import below, split, told
from appliance.ingest.tables.regions import (
    area_below,
    area_from_words,
    at_top,
    is_title,
    rest_of,
    table_places,
)
from appliance.ingest.tables.uncaptioned import TOUCH, begins_page, is_table, left_out, loose_grids, nets

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
