"""The raised marks of a table's notes in what its cells hold, and the notes that they lead to.

Rules of this module: pure functions of a table; a raised sign that no note of the table bears is no mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from appliance.document import Table, TableNote

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
