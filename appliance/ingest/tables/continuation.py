"""Tables that continue over pages, with or without a caption there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from rapidfuzz import fuzz

from appliance.core.mechanisms import mechanism
from appliance.ingest.page import Area, PageLayout, Place, View
from appliance.ingest.structure.captions import Caption, spread
from appliance.ingest.tables.cells import paragraph
from appliance.ingest.tables.grid import Grid, head_rows
from appliance.ingest.tables.notes import PrintedNote, bare

LIKE = 85.0  # per cent of equal characters that make two names the same
SHARED = 0.6  # of the words of two heads: one is the other, or takes its place
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Piece:
    """What one page shows of a table; `repeats` tells that its head was printed before."""

    caption: Caption
    view: View
    area: Area | None = None
    grid: Grid | None = None
    head: int = 0  # rows
    inside: tuple[PrintedNote, ...] = ()
    outside: tuple[PrintedNote, ...] = ()
    repeats: bool = False

    @property
    def apart(self) -> bool:
        """Tell whether the caption stands elsewhere: on the page before."""
        return self.view is not self.caption.view


@mechanism("tables.continuation", without=lambda pieces: [[piece] for piece in pieces])
def stitched(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return the pieces in groups, one for each table.

    A numbered sheet with a head of its own is a part of its table, which is named after it: "Table 5.2 (2)".
    """
    groups: list[list[Piece]] = []
    homes: list[str] = []  # the label that is printed over each group
    for piece in pieces:
        caption, home = piece.caption, None
        for group, label in zip(reversed(groups), reversed(homes), strict=True):
            if caption.continued and label == caption.label and caption.page - _page(group[-1]) <= 1:
                home = group
                break
        joined = going_on(piece, home[-1]) if home is not None else None
        if home is not None and joined is not None:
            home.append(joined)
            continue
        if home is not None and caption.sheet:
            label = f"{caption.label} ({caption.sheet})"
            groups.append([replace(piece, caption=replace(caption, label=label))])
        else:
            groups.append([piece])
        homes.append(caption.label)
    return groups


def _page(piece: Piece) -> int:
    return piece.view.page.number


def going_on(piece: Piece, before: Piece) -> Piece | None:
    """Return the piece with what it shares with the one before: its head, or how many rows it has.

    None where it has a head of its own: its values stand under other names, whatever the caption says.
    """
    if piece.grid is None or before.grid is None or piece.repeats:
        return piece
    head = _rows(before.grid, before.head)
    for count in range(len(head), 0, -1):  # the title over a head is not repeated with it
        same, again = head[-count:], _rows(piece.grid, count)
        if [row.keys() for row in again] != [row.keys() for row in same]:
            continue
        cells = [
            (text, row[at]) for row, other in zip(same, again, strict=True) for at, text in other.items()
        ]
        # cell by cell the same but for a few letters; no figure may be another
        figures = all(_FIGURES.findall(one) == _FIGURES.findall(other) for one, other in cells)
        if figures and all(fuzz.ratio(one, other) >= LIKE for one, other in cells):
            return replace(piece, head=count, repeats=True)
    if piece.head and not piece.caption.sheet:  # a head like that of the page before, but not the same
        mine, its = (
            {word for row in rows for text in row.values() for word in text.split()}
            for rows in (_rows(piece.grid, piece.head), head)
        )
        own = bool(its) and len(mine & its) >= SHARED * max(len(mine), len(its))
    else:
        own = bool(piece.head)
    return None if own else replace(piece, head=0)


def _rows(grid: Grid, count: int) -> list[dict[int, str]]:
    """Return the first rows as the text of each cell that has any, by column."""
    rows: list[dict[int, str]] = [{} for _ in range(min(count, grid.rows))]
    for cell in grid.cells:
        if cell.row < len(rows) and (text := paragraph(cell.lines).casefold()):
            rows[cell.row][cell.column] = text
    return rows


SAME = 4.0  # points between the edges of one column on both pages, measured from the table's left side
TOUCHES = 2.0  # points
RUNNING_WORDS, WIDE = 8, 0.6  # words, and share of the width of the text: a line of running text
TITLE_GAP, TITLE_OVERLAP = 1.5, 3.0  # type sizes, and points, between a grid and a title without a number
TITLE_CENTRED = 6.0  # points between their middles


@dataclass(frozen=True, slots=True)
class Loose:
    """A grid without a caption of a table, and the figure that it stands in.

    One that holds too little to be a table `alone` may be the end of one.
    """

    view: View
    area: Area
    grid: Grid
    figure: Caption | None = None
    alone: bool = True


def with_continuations(
    groups: Sequence[list[Piece]], loose: Sequence[Loose], captions: Sequence[Caption]
) -> tuple[list[list[Piece]], list[list[Piece]]]:
    """Return the groups of captioned tables and those of grids without a caption, one group for each table.

    A grid joins the group that it continues overleaf. One with columns of its own right behind a captioned
    table is a further part of that, named after it: "Table 5.2 (2)". Any other begins a group.
    """
    captioned = [list(group) for group in groups]
    others: list[list[Piece]] = []
    parts: dict[str, list[list[Piece]]] = {}
    for item in sorted(loose, key=lambda one: (one.view.page.number, one.area.y0)):
        home = next((one for one in [*captioned, *others] if _goes_on(item, one[-1], captions)), None)
        piece = going_on(_piece_of(item, home[0].caption), home[-1]) if home is not None else None
        if home is not None and piece is not None:
            home.append(piece)
            continue
        if not item.alone:
            continue
        caption = item.figure or _nameless(item)
        for whole in captioned if item.figure is None else ():
            further = parts.setdefault(whole[0].caption.label, [])
            if _is_behind(item, (further[-1] if further else whole)[-1], captions):
                label = f"{whole[0].caption.label} ({len(further) + 2})"
                caption = replace(whole[0].caption, label=label, continued=True)
                further.append([_piece_of(item, caption)])
                others.append(further[-1])
                break
        else:
            others.append([_piece_of(item, caption)])
    return captioned, others


def _is_behind(item: Loose, last: Piece, captions: Sequence[Caption]) -> bool:
    """Tell whether nothing but notes stands between a table and a grid, as wide under it or overleaf."""
    view, area = item.view, last.area
    if view is not last.view or area is None:
        return _is_overleaf(item, last, captions)
    notes = {line for note in last.outside for line in view.lines_in(note.area)}
    between = any(
        area.y1 - TOUCHES < line.y0 < item.area.y0 - TOUCHES and at not in notes for at, line in view.lines
    )
    return abs(area.x0 - item.area.x0) <= SAME and not between


def _piece_of(item: Loose, caption: Caption) -> Piece:
    """Return a grid as a piece of the table with that caption."""
    head = head_rows(item.grid, item.view.ruling.within(item.area).fills)
    return Piece(caption, item.view, item.area, item.grid, head)


def _nameless(item: Loose) -> Caption:
    """Return a caption without a number: of the bold line that stands right over the middle of the grid."""
    area, middle = item.area, item.area.x0 + item.area.x1
    over = [
        (index, line)
        for index, line in item.view.lines
        if line.bold
        and 0 <= area.y0 - line.y1 + TITLE_OVERLAP <= TITLE_GAP * line.size
        and abs(line.x0 + line.x1 - middle) < 2 * TITLE_CENTRED
    ]
    title, lines = (over[-1][1].text, (over[-1][0],)) if over else ("", ())
    return Caption("table", "Table", title, item.view, lines, area, 0.0, ("", False, 0, 0))


def _goes_on(item: Loose, last: Piece, captions: Sequence[Caption]) -> bool:
    """Tell whether a grid repeats the head of a table, or has its columns overleaf at the same distances."""
    one, other = last.grid, item.grid
    if one is None or one.columns != other.columns:
        return False
    head, again = _named_row(one), _named_row(other)
    if len(head) > 1 and fuzz.ratio("|".join(head), "|".join(again)) >= LIKE:
        return _is_overleaf(item, last, captions) or _is_under(item, last, captions)
    left, right = _edges(one), _edges(other)
    shared = set(left) & set(right)
    aligned = len(shared) == one.columns and all(abs(left[at] - right[at]) <= SAME for at in shared)
    return aligned and _is_overleaf(item, last, captions)


def _is_under(item: Loose, last: Piece, captions: Sequence[Caption]) -> bool:
    """Tell whether no caption and no running text parts a captioned table from a grid below or overleaf."""
    view, area, leaves = item.view, last.area, item.view.page.number - _page(last)
    titled = last.caption.kind == "table" and bool(last.caption.lines) and not item.figure
    if area is None or not titled or leaves not in (0, 1):
        return False
    strips = [(view, 0.0 if leaves else area.y1, item.area.y0), (last.view, area.y1, last.view.height)]
    return not any(
        running_text(seen, top, foot) or any(c.view is seen and top <= c.area.y0 < foot for c in captions)
        for seen, top, foot in strips[: 1 + leaves]
    )


def running_text(view: View, top: float, foot: float, besides: Collection[int] = ()) -> int:
    """Return how many lines of running text begin between two heights."""
    return sum(
        len(line.words) >= RUNNING_WORDS and line.x1 - line.x0 > WIDE * view.body.width and not spread(line)
        for index, line in view.lines
        if top < line.y0 < foot and index not in besides
    )


def _is_overleaf(item: Loose, last: Piece, captions: Sequence[Caption]) -> bool:
    """Tell whether nothing but notes parts a table and a grid overleaf."""
    view, area = item.view, last.area
    if item.figure or last.grid is None or area is None or last.caption.kind != "table":
        return False
    if view.page.number != _page(last) + 1:
        return False
    captioned = any(c.view is view and c.area.y0 < item.area.y0 for c in captions)
    first = all(line.y1 >= item.area.y0 + TOUCHES for _, line in view.lines)
    return first and not captioned and all(line.y0 < area.y1 - TOUCHES for _, line in last.view.lines)


def _named_row(grid: Grid) -> list[str]:
    """Return the words of the first row that has letters in each column, [] where none has."""
    rows = ([text for text in row.values() if any(map(str.isalpha, text))] for row in _rows(grid, grid.rows))
    return next((row for row in rows if len(row) == grid.columns), [])


def _edges(grid: Grid) -> dict[int, float]:
    """Return where the columns begin, and the last one ends, from the left side of the grid."""
    side = min(cell.area.x0 for cell in grid.cells)
    edges = {cell.column: cell.area.x0 - side for cell in grid.cells if cell.column}
    return {**edges, grid.columns: max(cell.area.x1 for cell in grid.cells) - side}


_SIGNS = re.compile(r"[*†‡§]{2,3}")
_BRACKETED = re.compile(r"(?<=\s)\[(\d{1,2}|[a-z])\]")  # "9 [1]"


def marks_carried(grid: Grid) -> frozenset[str]:
    """Return the marks of footnotes that the cells carry."""
    marks = set()
    for cell in grid.cells:
        raised = [word.text for word in cell.words if word.rise > 0]
        marks |= {bare(mark) for text in raised for mark in (text, *text.split(")"))} - {""}
        text = paragraph(cell.lines)
        marks |= {*_SIGNS.findall(text), *_BRACKETED.findall(text), *set(text).intersection("*†‡§")}
    return frozenset(marks)


def lines_of(groups: Sequence[list[Piece]], layouts: Sequence[PageLayout]) -> frozenset[Place]:
    """Return the lines of these tables, each a group of pieces."""
    taken: set[Place] = set()
    notes: set[Place] = set()
    areas: dict[int, list[Area]] = defaultdict(list)
    seen: dict[int, View] = {}
    for piece in (piece for group in groups for piece in group):
        view, page = piece.view, _page(piece)
        seen[id(view)] = view
        lines = [] if piece.apart or piece.caption.titles else list(piece.caption.lines)
        if piece.area is not None:
            lines += view.lines_in(piece.area)
            areas[id(view)].append(piece.area)
        last = max((at for at, note in enumerate(piece.outside) if note.mark), default=-1)
        for at, note in enumerate(piece.outside):
            below = view.lines_in(note.area)
            notes |= {(page, line) for line in below}
            if note.mark or at < last:  # footnotes of the table, and what stands over them
                lines += below
        taken |= {(page, line) for line in lines}
    for key, view in seen.items():  # lines that run over several tables side by side
        for index, line in view.lines if len(areas[key]) > 1 else ():
            if all(any(area.holds_middle(word) for area in areas[key]) for word in line.words):
                taken.add((view.page.number, index))
    known = taken | notes
    alone = {
        layout.content.number
        for layout in layouts
        if all((layout.content.number, at) in known for at in range(len(layout.lines)))
    }
    return frozenset(taken | {line for line in notes if line[0] in alone})
