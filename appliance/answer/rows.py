"""A row of a table as an answer says it: every value with its unit and with what its column is for.

Rules of this module: pure; nothing is said that the table does not print. A header that is a bare number
("5", "6–8") says nothing without what the numbers count, which is printed in the corner above the row
labels; a bare value takes the unit of its header, else that of its row label, else that of the title.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from appliance.document import Cell, Table
from appliance.shipped import shipped
from appliance.tabular import Row, column_headers, flat, label_columns, unit_of, unit_pattern, with_unit

_MARKS = re.compile(
    r"(?:\s?[⁽(\[]?[¹²³⁴-⁹](?:\s?[⁾)])?[,\s]?|(?<=[)⁾¹²³⁴-⁹])\s?\d?[)⁾])+$"
)  # of footnotes, at the end
_LAST = re.compile(r"(?<!\d)(?<!\d )(?<!\S)(\S{2,16})$")  # not of a number ("up to 80 mm")


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
    sources = (*reversed(headers), row.label, *above)
    unit = next(filter(None, map(_unit_of_words, sources)), "")
    told = f"{corner} {header}:".strip() if bare and corner else header
    if unit and not unit_of(header):
        measured = with_unit(f"({unit})", value).removeprefix(f"({unit})").strip()
        return f"{told} {measured}".strip()
    plain = _MARKS.sub("", value)
    unit = with_unit(told, plain).removeprefix(f"{told} {plain}".strip()) if plain else ""
    return f"{told} {value}{unit}".strip()


def _corner(table: Table, labels: int) -> str:
    """Return what is printed above the row labels."""
    above = (header for column in range(labels) for header in column_headers(table, column))
    return ", ".join(dict.fromkeys(above)).rstrip(" :")


def _numbered(corner: str, label: str) -> str:
    """Return a row label; one that is a bare number with what it counts."""
    return f"{corner} {label}".strip() if _bare().fullmatch(label) else label


def _unit_of_words(text: str) -> str:
    """Return the unit that words end in or hold in brackets, "" for none ("floor area m2", "(metres)")."""
    plain = flat(text)
    if unit := unit_of(plain):
        return unit
    return next(_units(plain), "")


def _units(text: str) -> Iterator[str]:
    bracketed = re.findall(r"(?<!/)(?<!/ )[(\[]([^()\[\]]{1,16})[)\]]", text)  # no divisor: "m³/(h·m²)"
    last = [found[1]] if (found := _LAST.search(text)) else []
    for unit in (*bracketed, *last):
        if unit not in _doubtful() and unit_pattern().fullmatch(unit):
            yield unit


@cache
def _doubtful() -> Sequence[str]:
    doubtful: Sequence[str] = shipped("units")["doubtful"]
    return doubtful


@cache
def _bare() -> re.Pattern[str]:
    """Return what matches a bare number, a range or a list of numbers ("5", "6–8", "4 and over")."""
    data = shipped("answer/columns")
    joined = {*data["spanning"], *data["joining"]} - {","}
    between, open_end = ("|".join(map(re.escape, sorted(one))) for one in (joined, data["unbounded"]))
    return re.compile(rf"[<>≤≥±−-]?\s?\d[\d.,\s]*(?:\s?(?:{between})\s?\d[\d.,]*)*\s?(?:{open_end})?")
