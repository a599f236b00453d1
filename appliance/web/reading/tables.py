"""Tables of a code as rows that HTML can show; where their deciding cells stand, what these leave open."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import groupby, pairwise
from typing import Literal

from appliance.core.document import Box, Table
from appliance.core.page_boxes import union
from appliance.tables import excerpt as excerpts
from appliance.tables.excerpt import grid
from appliance.tables.rows import header_rows, heads_apart, positions
from appliance.tables.rows import rows as body_rows
from appliance.web.reading.marks import View

FEW = 3  # values of one row among which a reader finds his own; of more the column is to be chosen
WORDY = 1_200  # characters of a body that fills several screens of a phone: its deciding rows alone are shown


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell to show; `scope` is set for a header cell."""

    text: str
    rows: int = 1
    columns: int = 1
    scope: Literal["", "col", "row"] = ""
    marked: bool = False
    filled: bool = True  # False for the hole that a broken grid leaves
    view: View | None = None  # of one read with doubt: what is printed there


@dataclass(frozen=True, slots=True)
class GridRow:
    """One row; `skipped` tells how many are left out just before it, `number` which of the table it is.

    `under` is the number of the row that heads its group.
    """

    cells: tuple[GridCell, ...]
    marked: bool = False
    skipped: int = 0
    number: int | None = None
    under: int | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """A table to show: header rows, body rows, and how many body rows are left out after the last."""

    header: tuple[GridRow, ...]
    body: tuple[GridRow, ...]
    skipped: int = 0

    @property
    def whole(self) -> bool:
        """Tell whether no row is left out."""
        return not self.skipped and not any(row.skipped for row in self.body)


def whole(
    table: Table,
    marked: Collection[tuple[int, int]] = (),
    printed: Mapping[tuple[int, int], View] | None = None,
) -> Grid:
    """Return all rows of a table with their spans, the marked (row, column) cells marked.

    `printed` are the pictures of the cells that were read with doubt.
    """
    head, pictures, rows = header_rows(table), printed or {}, []
    under = {row.number: row.heading.row for row in body_rows(table) if row.heading}
    for at, line in enumerate(grid(table)):
        cells: list[GridCell] = []
        for column, cell in enumerate(line):
            if cell is None:
                cells.append(GridCell("", filled=False))
            elif (cell.row, cell.column) == (at, column):
                scope: Literal["", "col", "row"] = ("col" if at < head else "row") if cell.header else ""
                hit = any(
                    cell.row <= row < cell.row + cell.row_span
                    and cell.column <= of_row < cell.column + cell.column_span
                    for row, of_row in marked
                )
                view = pictures.get((at, column))
                cells.append(GridCell(cell.text, cell.row_span, cell.column_span, scope, hit, view=view))
        decides = any(cell.marked for cell in cells)
        rows.append(GridRow(tuple(cells), decides, number=at, under=under.get(at)))
    return Grid(tuple(rows[:head]), tuple(rows[head:]))


def excerpt(table: Table, marked: Collection[tuple[int, int]]) -> Grid:
    """Return the header and the rows of the excerpt; spans are resolved in it, and kept where it is all.

    Of a table of long sentences the deciding rows stand alone, else its first rows would hide them.
    """
    full, head = whole(table, marked), header_rows(table)
    wordy = sum(len(cell.text) for cell in table.cells if cell.row >= head) > WORDY
    shown, left = excerpts.excerpt(table, marked, 0 if wordy else excerpts.NEIGHBOURS)
    if len(shown) == len(full.body):
        return full
    body = []
    for line in shown:
        cells = (
            GridCell(cell.text, scope="row" if cell.header else "", marked=column in line.marked)
            if cell
            else GridCell("", filled=False)
            for column, cell in enumerate(line.cells)
        )
        body.append(GridRow(tuple(cells), bool(line.marked), line.skipped))
    return Grid(whole(table).header, tuple(body), left)


def tsv(
    table: Table, rows: Collection[int] = (), doubtful: Mapping[tuple[int, int], str] | None = None
) -> str:
    """Return a table as tab-separated lines (IANA text/tab-separated-values), a span in its first field.

    Where `rows` are given, these alone under the heads, a span in each. `doubtful` is written in place
    of cells read with doubt. A field never begins with what a spreadsheet would take for a formula.
    """
    lines, doubts, head = [], doubtful or {}, header_rows(table)
    for row, line in enumerate(grid(table)):
        if rows and row >= head and row not in rows:
            continue
        own = [
            cell if cell and cell.column == at and (cell.row == row or rows) else None
            for at, cell in enumerate(line)
        ]
        texts = (doubts.get((cell.row, cell.column), cell.text) if cell else "" for cell in own)
        lines.append("\t".join(map(_field, texts)))
    lines += [f"{note.mark} {_field(note.text)}".strip() for note in table.notes]
    return "".join(f"{line}\r\n" for line in lines)


def _field(text: str) -> str:
    """Return a cell without what parts fields; "=1+1" is text, "-5" a number and "-" a dash."""
    plain = " ".join(text.split())
    number = plain.lstrip("+-").replace(",", "").replace(".", "").replace(" ", "")
    return f"'{plain}" if plain[:1] in {"=", "+", "-", "@"} and number and not number.isdigit() else plain


def columns_open(table: Table, marked: Collection[tuple[int, int]]) -> tuple[str, ...]:
    """Return the heads of the columns that a marked row leaves open, without what heads all of them."""
    told = [
        [column for row, column in sorted(set(marked)) if row == one.number and column]
        for one in body_rows(table)
    ]
    widest = max(told, key=len, default=[])
    if len(widest) <= FEW:
        return ()
    _, heads = heads_apart(table, widest)
    return tuple(dict.fromkeys(" · ".join(own) for own in heads if own))


def boxes(table: Table, marked: Collection[tuple[int, int]]) -> tuple[Box, ...]:
    """Return the frames of the marked cells: one for a stretch of a row, each cell its own else."""
    at = positions(table)
    found: list[Box] = []
    for _, cells in groupby(sorted(set(marked)), key=lambda position: position[0]):
        seen = {at[position] for position in cells if position in at}
        ordered = sorted(
            (cell for cell in seen if cell.box.x1 > cell.box.x0),
            key=lambda cell: (cell.row, cell.row_span, cell.column),
        )
        # A cell over several rows has a frame of its own.
        for _, row in groupby(ordered, key=lambda cell: (cell.row, cell.row_span, cell.box.page)):
            beside = list(row)
            adjoin = all(one.column + one.column_span >= other.column for one, other in pairwise(beside))
            own = [cell.box for cell in beside]
            found += [reduce(union, own)] if adjoin else own
    return tuple(found)
