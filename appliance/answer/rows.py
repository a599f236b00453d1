"""A row of a table as an answer says it: every value with its unit and with what its column is for.

Rules of this module: pure; nothing is said that the table does not print. A header that is a bare number
("5", "6–8") says nothing without what the numbers count, which is printed in the corner above the row
labels; a bare value takes the unit of its header, else that of its row label, else that of the title.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from appliance.answer.named import named_columns
from appliance.document import Cell, Table
from appliance.lookup import match, words
from appliance.retrieval.parts import number_words
from appliance.shipped import shipped
from appliance.tabular import Row, column_headers, flat, label_columns, unit_of, unit_pattern, with_unit

CLEAR = 0.05  # how much better than all others a column must answer to be the one that decides
NAMED = 0.3  # of the asked words, by weight, that its headers must hold at least

_BARE = re.compile(
    r"[<>≤≥±−-]?\s?\d[\d.,\s]*(?:\s?(?:to|and|or|–|-|/|&)\s?\d[\d.,]*)*\s?(?:\+|and over|or more)?"
)
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


def deciding(asked: str, table: Table, row: Row) -> tuple[Cell, ...]:
    """Return the cells of a row in the columns that a question names, none where it names no one clearly.

    A number of the question leaves the columns whose header holds it; of these its words may name some.
    """
    labels, held = label_columns(table), named_columns(asked, table)
    filled = [
        cell
        for cell in row.cells
        if cell.text.strip()
        and (cell.column >= labels or (cell.column and _holds_numbers(table, cell.column)))
    ]
    cells = [cell for cell in filled if not held or _spans(cell, held)] or filled
    headers = [" ".join(column_headers(table, cell.column)) for cell in cells]
    scores = match(asked_in_digits(asked, f"{table.title} {row.label}"), headers)
    best = max(scores, default=0.0)
    chosen = tuple(cell for cell, score in zip(cells, scores, strict=True) if score >= best - CLEAR)
    named = chosen if best >= NAMED and len(chosen) < len(cells) else tuple(cells)
    return named if len(named) < len(filled) else ()


def _holds_numbers(table: Table, column: int) -> bool:
    """Tell whether most cells of a column begin with a number ("1.10 Gkj,sup"): they name no row."""
    texts = [cell.text.strip() for cell in table.cells if cell.column == column and not cell.header]
    return 2 * sum(text[:1].isdigit() for text in texts) > len(texts)


def _spans(cell: Cell, wanted: Collection[int]) -> bool:
    return any(column in wanted for column in range(cell.column, cell.column + cell.column_span))


def asked_in_digits(asked: str, besides: str = "") -> str:
    """Return the words of a question without those of a text, its numbers in digits."""
    known, numbers = set(words(besides)), number_words()
    plain = (f"{numbers[word]:g}" if word in numbers else word for word in words(asked))
    return " ".join(word for word in plain if word not in known)


def _value(table: Table, row: Row, cell: Cell, corner: str) -> str:
    headers = column_headers(table, cell.column)
    header = ", ".join(headers)
    value = flat(cell.text)
    bare = _BARE.fullmatch(header) is not None
    above = (row.group, table.title) if bare else ()  # a column with a name may be of another unit
    sources = (*reversed(headers), row.label, *above)
    unit = next(filter(None, map(_unit_of_words, sources)), "")
    told = f"{corner} {header}:".strip() if bare and corner else header
    if unit and not unit_of(header):
        measured = with_unit(f"({unit})", value).removeprefix(f"({unit})").strip()
        return f"{told} {measured}".strip()
    plain = _MARKS.sub("", value)
    measured = with_unit(told, plain)
    return (
        f"{told} {value}{measured.removeprefix(f'{told} {plain}')}".strip()
        if plain
        else with_unit(told, value)
    )


def _corner(table: Table, labels: int) -> str:
    """Return what is printed above the row labels."""
    above = (header for column in range(labels) for header in column_headers(table, column))
    return ", ".join(dict.fromkeys(above)).rstrip(" :")


def _numbered(corner: str, label: str) -> str:
    """Return a row label; one that is a bare number with what it counts."""
    return f"{corner} {label}".strip() if _BARE.fullmatch(label) else label


def _unit_of_words(text: str) -> str:
    """Return the unit that words end in or hold in brackets, "" for none ("floor area m2", "(metres)")."""
    plain = flat(text)
    if unit := unit_of(plain):
        return unit
    return next(_units(plain), "")


def _units(text: str) -> Iterator[str]:
    bracketed = re.findall(r"[(\[]([^()\[\]]{1,16})[)\]]", text)
    last = [found[1]] if (found := _LAST.search(text)) else []
    for unit in (*bracketed, *last):
        if unit not in _doubtful() and unit_pattern().fullmatch(unit):
            yield unit


@cache
def _doubtful() -> Sequence[str]:
    doubtful: Sequence[str] = shipped("units")["doubtful"]
    return doubtful
