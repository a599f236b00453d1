"""Findings from tables: the deciding row with its headers, and the notes that bear on it.

Rules of this module: a cell is quoted as printed; a value is never computed, rounded or interpolated.
A footnote whose mark stands in the row or its headers is part of the finding, for it may change the
value; so is every general note of the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from appliance.answer.findings import Finding, Part, Quote, judge
from appliance.document import Box, Cell, Table, TableNote
from appliance.evidence import Place, Query

BETWEEN = " | "  # stands between the cells of a quoted row
NOTES_QUOTED = 4  # further notes stay with the table, which is shown whole


def from_row(query: Query, part: Part, table: Table) -> Finding | None:
    """Return what one row says, None where the part is no row or the row is empty."""
    place, chunk = part.place, part.chunk
    row = cells_of_row(table, chunk.row) if chunk.row is not None else []
    if not any(cell.text for cell in row):
        return None
    headers = [cell for cell in table.cells if cell.header and cell.text]
    notes = notes_of(table, [*row, *headers])
    quotes = [_quoted(place, table, cells) for cells in (headers, row) if cells]
    quotes += [Quote(place.document, table.label, n.box.page, (n.box,), _printed(n)) for n in notes]
    said = " ".join(chunk.passage.text.split())
    text = " ".join([f"{table.label}: {said}", *(f"Note {_printed(note)}" for note in notes)])
    marked = tuple((cell.row, cell.column) for cell in row if cell.text)
    return Finding(text, tuple(quotes), judge(query, part, said), place, marked)


def cells_of_row(table: Table, row: int) -> list[Cell]:
    """Return the cells that reach into a row of the grid, left to right, headers left out."""
    reaching = (c for c in table.cells if c.row <= row < c.row + c.row_span and not c.header)
    return sorted(reaching, key=lambda cell: cell.column)


def notes_of(table: Table, cells: Iterable[Cell]) -> list[TableNote]:
    """Return the notes whose mark the cells carry, then those that hold for the whole table."""
    texts = [cell.text for cell in cells]
    marked = [note for note in table.notes if note.mark and any(carries(text, note.mark) for text in texts)]
    general = [note for note in table.notes if not note.mark]
    return [*marked, *general][:NOTES_QUOTED]


def carries(text: str, mark: str) -> bool:
    """Tell whether a cell ends in, or sets apart, a footnote mark ("24 a", "Timber (1)", "0.8*")."""
    bare = mark.strip("()[].: ")
    if not bare:
        return False
    apart = rf"[(\[]{re.escape(bare)}[)\]]|\s{re.escape(bare)}\)?$"
    glued = "" if bare.isdigit() else rf"|\w{re.escape(bare)}$"  # "81" is no 8 with the mark 1
    return bool(re.search(apart + glued, text))


def _printed(note: TableNote) -> str:
    return f"{note.mark} {note.text}".strip()


def _quoted(place: Place, table: Table, cells: list[Cell]) -> Quote:
    boxes: tuple[Box, ...] = tuple(cell.box for cell in cells)
    text = BETWEEN.join(cell.text for cell in cells if cell.text)
    return Quote(place.document, table.label, boxes[0].page, boxes, text)
