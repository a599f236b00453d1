"""Tables of a code as rows that HTML can show: spans kept, or an excerpt around the deciding cells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from appliance.core.document import Cell, Table, TableNote
from appliance.tables import excerpt as excerpts
from appliance.tables.excerpt import Line, grid
from appliance.tables.rows import header_rows
from appliance.tables.rows import rows as body_rows
from appliance.web.reading.marks import View

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
    lines, head = grid(table), header_rows(table)
    under = {row.number: row.heading.row for row in body_rows(table) if row.heading}
    made = (_row(line, row, head, marked, printed or {}) for row, line in enumerate(lines))
    rows = [replace(row, under=under.get(at)) for at, row in enumerate(made)]
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
    return Grid(whole(table).header, tuple(map(_flat_row, shown)), left)


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
    lines += [f"{note.mark} {note.text}".strip() for note in _noted(table)]
    return "".join(f"{line}\r\n" for line in lines)


def _noted(table: Table) -> Iterator[TableNote]:
    """Yield the notes, each on one line."""
    for note in table.notes:
        yield replace(note, text=_field(note.text))


def _field(text: str) -> str:
    """Return a cell without what parts fields; "=1+1" is text, "-5" a number and "-" a dash."""
    plain = " ".join(text.split())
    number = plain.lstrip("+-").replace(",", "").replace(".", "").replace(" ", "")
    return f"'{plain}" if plain[:1] in {"=", "+", "-", "@"} and number and not number.isdigit() else plain


def _row(
    line: tuple[Cell | None, ...],
    row: int,
    head: int,
    marked: Collection[tuple[int, int]],
    printed: Mapping[tuple[int, int], View],
) -> GridRow:
    cells: list[GridCell] = []
    for column, cell in enumerate(line):
        if cell is None:
            cells.append(GridCell("", filled=False))
        elif (cell.row, cell.column) == (row, column):
            cells.append(replace(_shown(cell, head, marked), view=printed.get((row, column))))
    return GridRow(tuple(cells), any(cell.marked for cell in cells), number=row)


def _flat_row(line: Line) -> GridRow:
    cells = (
        GridCell(cell.text, scope="row" if cell.header else "", marked=column in line.marked)
        if cell
        else GridCell("", filled=False)
        for column, cell in enumerate(line.cells)
    )
    return GridRow(tuple(cells), bool(line.marked), line.skipped)


def _shown(cell: Cell, head: int, marked: Collection[tuple[int, int]]) -> GridCell:
    scope: Literal["", "col", "row"] = ("col" if cell.row < head else "row") if cell.header else ""
    hit = any(
        cell.row <= row < cell.row + cell.row_span and cell.column <= column < cell.column + cell.column_span
        for row, column in marked
    )
    return GridCell(cell.text, cell.row_span, cell.column_span, scope, hit)
