"""Cells of scanned tables that differ from their neighbours, and symbols that recognition garbled."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence

from appliance.core.document import Cell, Document, Problem, Table
from appliance.core.mechanisms import mechanism
from appliance.ingest.geometry import in_box
from appliance.tables.rows import columns, flat, label_columns
from appliance.text.folding import (
    value_digits,
)

SIGNED = 3  # numbers of a table with a "+", from which each has a sign
FULL = 5  # values of a column, from which an empty cell among them was lost
ALIKE = 2  # cells beside one that tell what it should be like
NAMED = 30  # cells of one table that are named one by one; then all of it is in doubt

_SIGNED = re.compile(r"([+−–-])\s?\d+(?:[.,]\d+)?°?")
_PLAIN = re.compile(r"\d+(?:[.,]\d+)?°?")
_DEGREES = re.compile(r"[+−–-]?\d+°")
_ENDS_IN_NOUGHT = re.compile(r"[+−–_-]?\s?\d+0|00")
_CARRIES = re.compile(r".*[^\W\d_]{4,} ?([⁰¹²³⁴-⁹ᵃ-ᶻ])")
_VALUE = re.compile(r"[<>≤≥+−–-]*\s?\d+(?:[.,]\d+)?(?: to \d+(?:[.,]\d+)?)?")


@mechanism(
    "tables.unlike_cells", "A cell unlike the others of its column is doubtful.", without=lambda *_: iter(())
)
def unlike_cells(document: Document, known: Sequence[Problem] = ()) -> Iterator[Problem]:
    """Yield a doubt for each such cell of the scanned tables that no `known` doubt lies in."""
    scanned = {page.number for page in document.pages if page.trust == "ocr"}
    told = [problem.box for problem in known if problem.doubt and problem.box]
    for table in document.tables:
        found = {cell.box: cell for cell in _unlike(table) if cell.box.page in scanned}
        new = [cell for box, cell in found.items() if not any(in_box(one, box) for one in told)]
        for cell in new[:NAMED]:
            yield _doubt(table, cell)
        for box in table.boxes if len(new) > NAMED else ():
            message = f"Many cells of {table.label} on page {box.page} are unlike those beside them: "
            yield Problem(message + "compare all of it with the image.", box.page, box, doubt=True)


def _doubt(table: Table, cell: Cell) -> Problem:
    text = flat(cell.text).replace("”", '"').replace("“", '"')
    said = f"“{text}”" if text else "An empty cell"
    message = f"{said} in {table.label} on page {cell.box.page} is unlike the cells beside it: "
    return Problem(message + "compare it with the image.", cell.box.page, cell.box, doubt=True)


def _unlike(table: Table) -> Iterator[Cell]:
    """Yield the cells of a table that are unlike those of their column, row of heads, or the whole."""
    body = [cell for cell in table.cells if not cell.header]
    yield from _raised(table.cells)
    yield from _stray_marks(table)
    yield from _without_sign(body)
    first = label_columns(table)
    by_column, by_row = defaultdict[int, list[Cell]](list), defaultdict[int, list[Cell]](list)
    for cell in table.cells:
        by_row[cell.row].append(cell)
    for cell in body:
        by_column[cell.column].append(cell)
    for column in range(columns(table)):
        yield from _without_degree(by_column[column])
        if column >= first:
            yield from _emptied([cell for cell in by_column[column] if not _is_heading(by_row[cell.row])])
    for cells in by_row.values():
        yield from _no_letter(cells)


def _raised(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the cells that hold raised figures only: a value, not the mark of a note."""
    for cell in cells:
        signs = [sign for sign in cell.text if not sign.isspace()]
        raised = [sign for sign in signs if unicodedata.decomposition(sign).startswith("<super>")]
        if len(raised) > 1 and len(raised) >= len(signs) - 1 and any(sign in ",." for sign in signs):
            yield cell


def _stray_marks(table: Table) -> Iterator[Cell]:
    """Yield the cells that carry a raised sign behind a word which is the mark of none of the notes."""
    marks = {note.mark for note in table.notes if note.mark}
    for cell in table.cells if marks else ():
        found = _CARRIES.fullmatch(flat(cell.text))
        if found and unicodedata.normalize("NFKC", found[1]) not in marks:
            yield cell


def _without_sign(body: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the numbers without a sign in columns where others have one, of a table with both signs."""
    signs = [(cell, _SIGNED.fullmatch(flat(cell.text))) for cell in body]
    if sum(found is not None and found[1] == "+" for _, found in signs) < SIGNED:
        return
    signed = defaultdict[int, set[str]](set)
    for cell, found in signs:
        if found is not None:
            signed[cell.column].add(found[1])
    for cell, found in signs:
        text = flat(cell.text)
        if found is None and _PLAIN.fullmatch(text) and "+" in signed[cell.column] and text.strip("0,.°"):
            yield cell


def _without_degree(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the numbers that end in a nought where angles with a degree stand in the same column."""
    if sum(bool(_DEGREES.fullmatch(flat(cell.text))) for cell in cells) >= ALIKE:
        yield from (cell for cell in cells if _ENDS_IN_NOUGHT.fullmatch(flat(cell.text)))


def _emptied(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the only empty cell of a column of values."""
    empty = [cell for cell in cells if not cell.text.strip()]
    values = [cell for cell in cells if _VALUE.fullmatch(flat(cell.text))]
    if len(empty) == 1 and len(values) >= FULL and len(values) + 1 >= 0.9 * len(cells):
        yield from (cell for cell in empty if cell.row_span == cell.column_span == 1)


def _is_heading(cells: Sequence[Cell]) -> bool:
    """Tell whether a row holds its label only: it is a heading for those below."""
    return sum(bool(cell.text.strip()) for cell in cells) <= 1


def _no_letter(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Yield the figures in a row of single capitals: the "1" that is the zone I."""
    names = [(cell, flat(cell.text)) for cell in cells if cell.text.strip()]
    letters = [text for _, text in names if len(text) == 1 and text.isupper()]
    if len(letters) >= ALIKE and len(letters) + 1 >= len(names) - ALIKE:
        figures = frozenset(value_digits().values())
        yield from (cell for cell, text in names if len(text) == 1 and text in figures)
