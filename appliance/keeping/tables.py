"""The tables of an answer as lines under their headers, with raised note marks and their notes."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import groupby

from appliance.core.document import Box, Cell, Table, TableNote
from appliance.site.saved import KeptRow
from appliance.tables.rows import column_headers, positions
from appliance.tables.rows import rows as body

WHOLE = 14  # rows up to which a table is kept whole
NEIGHBOURS = 1  # rows above and below a deciding one
BESIDE = 4  # values of a row that fit beside its name
BETWEEN = " › "  # a header and the one below it

Grid = dict[tuple[int, int], Cell]


def lines(
    table: Table, marked: Collection[tuple[int, int]]
) -> tuple[tuple[str, ...], tuple[KeptRow, ...], int]:
    """Return the headers of the columns, the deciding rows with their neighbours, and how many follow."""
    at = positions(table)
    height = max((row + 1 for row, _ in at), default=0)
    width = max((column + 1 for _, column in at), default=0)
    top = min((row for (row, _), cell in at.items() if cell.text.strip() and not cell.header), default=height)
    deciding = {position for position in marked if position in at and position[0] >= top}
    rows: list[KeptRow] = []
    last = top - 1
    for row in _chosen(top, height, {row for row, _ in deciding}):
        cells = tuple(_text(at.get((row, column))) for column in range(width))
        theirs = tuple(column for column in range(width) if _decides(at, row, column, deciding))
        rows.append(KeptRow(cells, theirs, row - last - 1))
        last = row
    return tuple(_header(at, column, top) for column in range(width)), tuple(rows), height - 1 - last


def deciding(table: Table, marked: Iterable[tuple[int, int]]) -> tuple[tuple[str, ...], tuple[KeptRow, ...]]:
    """Return the rows of deciding cells in the order given under the heads of their columns; none too wide.

    The first column names the row; above it stands its own head with what heads all the others.
    """
    at, named = positions(table), {row.number: row for row in body(table)}
    order = [position for position in marked if position in at and position[0] in named]
    numbers = sorted({column for _, column in order})
    heads = [column_headers(table, column) for column in numbers]
    shared = set(heads[0]).intersection(*heads) if len(heads) > 1 else set()
    over = [head for head in heads[0] if head in shared] if heads else []
    columns = (
        " \N{MIDDLE DOT} ".join((*column_headers(table, 0), *over)),
        *(BETWEEN.join(head for head in own if head not in shared) for own in heads),
    )
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
    return (columns, rows) if len(numbers) <= BESIDE else ((), ())


def places(table: Table, marked: Collection[tuple[int, int]]) -> tuple[Box, ...]:
    """Return where the deciding cells stand, each once."""
    at = positions(table)
    cells = dict.fromkeys(at[position] for position in sorted(set(marked)) if position in at)
    return tuple(cell.box for cell in cells)


def _chosen(top: int, height: int, deciding: Collection[int]) -> list[int]:
    if height - top <= WHOLE or not deciding:
        return list(range(top, min(height, top + WHOLE)))
    near = {at for row in deciding for at in range(row - NEIGHBOURS, row + NEIGHBOURS + 1)}
    return sorted(row for row in near if top <= row < height)


def _decides(at: Grid, row: int, column: int, deciding: Collection[tuple[int, int]]) -> bool:
    cell = at.get((row, column))
    return cell is not None and ((row, column) in deciding or (cell.row, cell.column) in deciding)


def _header(at: Grid, column: int, top: int) -> str:
    """Return the headers over a column, each said once."""
    said = (_text(at.get((row, column))) for row in range(top))
    return BETWEEN.join(dict.fromkeys(text for text in said if text))


def _text(cell: Cell | None) -> str:
    return " ".join(cell.text.split()) if cell else ""


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
