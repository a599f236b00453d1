"""A row of a table as an answer says it: every value with its unit and with what its column is for.

Rules of this module: pure; nothing is said that the table does not print. A header that is a bare number
("5", "6–8") says nothing without what the numbers count, which is printed in the corner above the row
labels; a bare value takes the unit that governs it (governing.py): of its header, else of its row label, else
of the title.
"""

from __future__ import annotations

import re
from functools import cache

from appliance.answer.governing import governing
from appliance.core.document import Cell, Table
from appliance.core.files import shipped
from appliance.tables.rows import Row, column_headers, flat, label_columns, with_unit

_MARKS = re.compile(
    r"(?:\s?[⁽(\[]?[¹²³⁴-⁹](?:\s?[⁾)])?[,\s]?|(?<=[)⁾¹²³⁴-⁹])\s?\d?[)⁾])+$"
)  # of footnotes, at the end


def said(table: Table, row: Row, under: str = "") -> str:
    """Return a row in words: "Minimum length (mm): Number of bedspaces 5: 7430 mm; ...".

    `under` are words that the row stands under and that its group does not hold.
    """
    labels = label_columns(table)
    corner = _corner(table, labels)
    label = _numbered(corner, row.label)
    named = ", ".join(part for part in (under or row.group, label) if part)
    values = [
        _value(table, row, cell, corner) for cell in row.cells if cell.column >= labels and cell.text.strip()
    ]
    return f"{named}: {'; '.join(values)}" if named and values else named or "; ".join(values)


def _value(table: Table, row: Row, cell: Cell, corner: str) -> str:
    headers = column_headers(table, cell.column)
    header = ", ".join(headers)
    value = flat(cell.text)
    bare = _bare().fullmatch(header) is not None
    above = (row.group, table.title) if bare else ()  # a column with a name may be of another unit
    unit = governing(headers[::-1], (row.label, *above))
    told = f"{corner} {header}:".strip() if bare and corner else header
    plain = _MARKS.sub("", value)
    is_number = bool(unit) and with_unit(f"({unit})", plain) == f"({unit}) {plain} {unit}"
    return f"{told} {value}{f' {unit}' if is_number else ''}".strip()


def heads_over(table: Table, column: int) -> tuple[str, ...]:
    """Return what stands over a column; before a bare number what it counts, which the corner says."""
    headers = tuple(column_headers(table, column))
    corner = _corner(table, label_columns(table)) if _bare().fullmatch(", ".join(headers)) else ""
    return (corner, *headers) if corner else headers


def _corner(table: Table, labels: int) -> str:
    """Return what is printed above the row labels."""
    above = (header for column in range(labels) for header in column_headers(table, column))
    return ", ".join(dict.fromkeys(above)).rstrip(" :")


def _numbered(corner: str, label: str) -> str:
    """Return a row label; one that is a bare number with what it counts."""
    return f"{corner} {label}".strip() if _bare().fullmatch(label) else label


@cache
def _bare() -> re.Pattern[str]:
    """Return what matches a bare number, a range or a list of numbers ("5", "6–8", "4 and over")."""
    data = shipped("answer/columns")
    joined = {*data["spanning"], *data["joining"]} - {","}
    between, open_end = ("|".join(map(re.escape, sorted(one))) for one in (joined, data["unbounded"]))
    return re.compile(rf"[<>≤≥±−-]?\s?\d[\d.,\s]*(?:\s?(?:{between})\s?\d[\d.,]*)*\s?(?:{open_end})?")
