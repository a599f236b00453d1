"""The tables of an answer as lines under their headers, with raised note marks and their notes."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby

from appliance.core.document import Box, Cell, Table, TableNote
from appliance.site.saved import KeptRow
from appliance.tables.excerpt import excerpt
from appliance.tables.rows import column_headers, columns, flat, heads_apart, positions
from appliance.tables.rows import rows as body

BESIDE = 4  # values of a row that fit beside its name
BETWEEN = " › "  # a header and the one below it


def lines(
    table: Table, marked: Collection[tuple[int, int]]
) -> tuple[tuple[str, ...], tuple[KeptRow, ...], int]:
    """Return the headers of the columns, the deciding rows with their neighbours, and how many follow."""
    shown, left = excerpt(table, marked)
    heads = (column_headers(table, column) for column in range(columns(table)))
    rows = (KeptRow(tuple(map(_text, line.cells)), line.marked, line.skipped) for line in shown)
    return tuple(map(BETWEEN.join, heads)), tuple(rows), left


def deciding(table: Table, marked: Iterable[tuple[int, int]]) -> tuple[tuple[str, ...], tuple[KeptRow, ...]]:
    """Return the rows of deciding cells in the order given under the heads of their columns; none too wide.

    The first column names the row; above it stands its own head with what heads all the others.
    """
    at, named = positions(table), {row.number: row for row in body(table)}
    order = [position for position in marked if position in at and position[0] in named]
    numbers = sorted({column for _, column in order})
    over, heads = heads_apart(table, numbers)
    named_over = " \N{MIDDLE DOT} ".join((*column_headers(table, 0), *over))
    rows = tuple(
        KeptRow(
            (
                ", ".join(filter(None, (named[number].group, named[number].label))),
                *(_text(at.get((number, column))) for column in numbers),
            ),
            tuple(1 + numbers.index(column) for row, column in order if row == number),
        )
        for number in dict.fromkeys(row for row, _ in order)
    )
    return ((named_over, *map(BETWEEN.join, heads)), rows) if len(numbers) <= BESIDE else ((), ())


def places(table: Table, marked: Collection[tuple[int, int]]) -> tuple[Box, ...]:
    """Return where the deciding cells stand, each once."""
    at = positions(table)
    cells = dict.fromkeys(at[position] for position in sorted(set(marked)) if position in at)
    return tuple(cell.box for cell in cells)


def _text(cell: Cell | None) -> str:
    return flat(cell.text) if cell else ""


_UNIT_ENDS = frozenset("mM")  # "kN/m²", "mm³": what is raised behind them is a power


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a cell; `mark` where it is the raised mark of a note, as the note writes it."""

    text: str
    mark: str = ""


def pieces(text: str, table: Table) -> tuple[Piece, ...]:
    """Return a cell with the marks of the table's notes apart: "18²" with a note 2 is 18 and its mark.

    The raised sign of a unit ("m²") is none. A sign that is no letter or figure may stand low ("1:80*").
    """
    marks = {note.mark for note in table.notes if note.mark}
    signs = {mark for mark in marks if len(mark) == 1 and not mark.isalnum()}
    found: list[Piece] = []
    for raised, run in groupby(text, key=lambda sign: sign if sign in signs else _raised(sign)):
        said = "".join(run)
        if found and found[-1].mark:
            said = said.removeprefix(")")  # it is written with its mark
        mark = unicodedata.normalize("NFKC", said) if raised else ""
        unit = bool(found) and found[-1].text[-1:] in _UNIT_ENDS
        if mark in marks and not unit:
            found.append(Piece(mark, mark))
        elif not said:
            continue
        elif found and not found[-1].mark:
            found[-1] = Piece(found[-1].text + said)
        else:
            found.append(Piece(said))
    return tuple(found)


def noted(table: Table, texts: Iterable[str]) -> tuple[TableNote, ...]:
    """Return the notes whose marks stand in any of the texts."""
    marks = {piece.mark for text in texts for piece in pieces(text, table) if piece.mark}
    return tuple(note for note in table.notes if note.mark in marks)


def _raised(sign: str) -> bool:
    return unicodedata.decomposition(sign).startswith("<super>")
