"""Candidates from tables: a row with its whole header path, units, heading and marked notes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from appliance.answer.candidates.values import BETWEEN, Candidate, Quote, RowValue, Sources
from appliance.answer.verify import Claim, governing
from appliance.core.document import Cell, Table, TableNote
from appliance.core.evidence import Place
from appliance.core.files import shipped
from appliance.tables.rows import Row, column_headers, counting_columns, flat, label_columns, rows, with_unit

_MARKS = re.compile(
    r"(?:\s?[⁽(\[]?[¹²³⁴-⁹](?:\s?[⁾)])?[,\s]?|(?<=[)⁾¹²³⁴-⁹])\s?\d?[)⁾])+$"
)  # of footnotes, at the end


def from_table(sources: Sources, place: Place, rank: int) -> Iterator[Candidate]:
    """Yield the rows of a table that say something, then its notes."""
    table = sources.table(place.document, place.label.key)
    if table is None:
        return
    parts = sources.parts(place)
    by_row = {part.chunk.row: part.id for part in parts if part.chunk.row is not None}
    whole = next((part.id for part in parts if part.chunk.row is None), parts[0].id if parts else 0)
    headers = [cell for cell in table.cells if cell.header and cell.text.strip()]
    caption = f"{table.label} {table.title}".strip()
    heads = " ".join(dict.fromkeys((*place.heading_path[1:], caption)))
    for row in rows(table):
        values = tuple(_values(table, row))
        cells = [cell for cell in (row.heading, *row.cells) if cell and cell.text.strip()]
        if not values or not cells:
            continue
        name = _name(table, row)
        text = said(table.label.named, name, values)
        printed = BETWEEN.join(cell.text for cell in cells)
        over = [cell for cell in headers if _is_over(cell, [value.cell for value in values])]
        notes = tuple(_notes(place, table, [*over, *cells]))
        head_quote = _quoted(place, table, headers) if headers else None
        quotes = tuple(one for one in (head_quote, _quoted(place, table, cells)) if one)
        yield Candidate(
            "row",
            text,
            quotes,
            place,
            rank,
            by_row.get(row.number, whole),
            heads=heads,
            name=name,
            values=values,
            marked=tuple((row.number, value.cell.column) for value in values),
            notes=notes,
            labels=(table.label,),
            claims=(Claim(text, (BETWEEN.join(cell.text for cell in headers), caption, printed)),),
        )
    for note in table.notes:
        quote = _note(place, table, note)
        text = flat(quote.text)
        yield Candidate(
            "sentence", text, (quote,), place, rank, whole, heads=heads, labels=(table.label,),
            claims=(Claim(text, (quote.text,)),),
        )  # fmt: skip


def said(label: str, name: str, values: Sequence[RowValue]) -> str:
    """Return a row in words: "Table 1.1: Private stair: Maximum rise (mm) 220 mm; ..."."""
    told = "; ".join(value.text for value in values)
    return f"{label}: {name}: {told}" if name else f"{label}: {told}"


def _name(table: Table, row: Row) -> str:
    corner = _corner(table, label_columns(table))
    label = f"{corner} {row.label}".strip() if _bare().fullmatch(row.label) else row.label
    return ", ".join(part for part in (row.group, label) if part)


def _values(table: Table, row: Row) -> Iterator[RowValue]:
    """Yield the values of a row with their heads and units."""
    labels = label_columns(table)
    corner = _corner(table, labels)
    for cell in row.cells:
        if cell.column < labels or not cell.text.strip():
            continue
        headers = column_headers(table, cell.column)
        header, value = ", ".join(headers), flat(cell.text)
        bare = _bare().fullmatch(header) is not None
        above = (row.group, table.title) if bare or not header else ()
        unit = governing(headers[::-1], (row.label, *above))
        told = f"{corner} {header}:".strip() if bare and corner else header
        plain = without_marks(value)
        is_number = bool(unit) and with_unit(f"({unit})", plain) == f"({unit}) {plain} {unit}"
        heads = (corner, *headers) if bare and corner else headers
        text = f"{told} {value}{f' {unit}' if is_number else ''}".strip()
        yield RowValue(cell, tuple(heads), unit if is_number else "", text)


def without_marks(value: str) -> str:
    """Return a value without the raised marks of footnotes at its end."""
    end = len(value)
    while end and (value[end - 1] in ", " or unicodedata.decomposition(value[end - 1]).startswith("<super>")):
        end -= 1
    return _MARKS.sub("", value[:end])


def _corner(table: Table, labels: int) -> str:
    """Return what is printed above the row labels."""
    above = (
        header
        for column in range(counting_columns(table), labels)
        for header in column_headers(table, column)
    )
    return ", ".join(dict.fromkeys(above)).rstrip(" :")


@cache
def _bare() -> re.Pattern[str]:
    """Return what matches a bare number, a range or a list of numbers ("5", "6–8", "4 and over")."""
    data = shipped("answer/columns")
    joined = {*data["spanning"], *data["joining"]} - {","}
    between, open_end = ("|".join(map(re.escape, sorted(one))) for one in (joined, data["unbounded"]))
    return re.compile(rf"[<>≤≥±−-]?\s?\d[\d.,\s]*(?:\s?(?:{between})\s?\d[\d.,]*)*\s?(?:{open_end})?")


def _is_over(head: Cell, cells: Iterable[Cell]) -> bool:
    return any(
        head.column < cell.column + cell.column_span and cell.column < head.column + head.column_span
        for cell in cells
    )


def _quoted(place: Place, table: Table, cells: Sequence[Cell]) -> Quote:
    boxes = tuple(dict.fromkeys(cell.box for cell in cells))
    text = BETWEEN.join(cell.text for cell in cells)
    return Quote(place.document, table.label, boxes[-1].page, boxes, text)


def _note(place: Place, table: Table, note: TableNote) -> Quote:
    printed = f"{note.mark} {note.text}".strip() if note.mark else note.text
    return Quote(place.document, table.label, note.box.page, (note.box,), printed)


def _notes(place: Place, table: Table, cells: Sequence[Cell]) -> Iterator[Quote]:
    """Yield the notes whose mark stands in these cells."""
    marks = {mark for cell in cells for mark in _marks_of(cell.text)}
    for note in table.notes:
        if note.mark and note.mark.casefold().strip("() ") in marks:
            yield _note(place, table, note)


def _marks_of(text: str) -> Iterator[str]:
    """Yield the raised marks of a cell in plain signs, those in brackets at its end too."""
    raised = "".join(
        unicodedata.normalize("NFKC", sign) if unicodedata.decomposition(sign).startswith("<super>") else " "
        for sign in text
    )
    yield from re.findall(r"[a-z0-9]+|\*+", raised.casefold())
    yield from (
        found[1].casefold() for found in re.finditer(r"[(\[]([a-z0-9])[)\]]\s*$", text, re.IGNORECASE)
    )
