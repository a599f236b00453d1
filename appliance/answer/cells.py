"""Findings from tables: the deciding row with its headers, and the notes that bear on it.

Rules of this module: a cell is quoted as printed; a value is never computed, rounded or interpolated.
A footnote whose mark stands in the row or its headers is part of the finding, for it may change the
value; so is every general note of the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from appliance.answer.findings import Finding, Quote, Weights, judge
from appliance.document import Box, Cell, Chunk, Table, TableNote
from appliance.evidence import Place, Query

BETWEEN = " | "  # stands between the cells of a quoted row
NOTES_QUOTED = 4  # further notes stay with the table, which is shown whole


def from_row(
    query: Query, place: Place, chunk: Chunk, table: Table, similarity: float, rank: int, weights: Weights
) -> Finding | None:
    """Return what one row says, None where the row is empty."""
    if chunk.row is None:
        return None
    row = cells_of_row(table, chunk.row)
    headers = [cell for cell in table.cells if cell.header and cell.text]
    if not any(cell.text for cell in row):
        return None
    notes = notes_of(table, [*row, *headers])
    quotes = (
        _quote(place, table, headers),
        _quote(place, table, row),
        *(_note(place, table, n) for n in notes),
    )
    said = f"{table.label}: {' '.join(chunk.passage.text.split())}"
    text = " ".join([said, *(f"Note {note.mark}: {note.text}".replace(" :", ":") for note in notes)])
    marked = tuple((cell.row, cell.column) for cell in row if cell.text)
    score = judge(query, chunk.passage.text, similarity, rank, weights)
    return Finding(text, tuple(quote for quote in quotes if quote), score, place, marked)


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
    bare = re.escape(mark.strip("()[].: "))
    return bool(bare) and bool(
        re.search(rf"[(\[]{bare}[)\]]|(?:^|[\s,;]){bare}(?:$|[\s,;)])|(?<=\w){bare}$", text)
        if not mark.strip("()[].: ").isdigit()
        else re.search(rf"[(\[]{bare}[)\]]|\s{bare}\)?$", text)
    )


def _quote(place: Place, table: Table, cells: list[Cell]) -> Quote | None:
    if not cells:
        return None
    return _quoted(
        place, table, BETWEEN.join(cell.text for cell in cells if cell.text), [c.box for c in cells]
    )


def _note(place: Place, table: Table, note: TableNote) -> Quote:
    return _quoted(place, table, f"{note.mark} {note.text}".strip(), [note.box])


def _quoted(place: Place, table: Table, text: str, boxes: list[Box]) -> Quote:
    return Quote(place.document, table.label, boxes[0].page, tuple(boxes), text)
