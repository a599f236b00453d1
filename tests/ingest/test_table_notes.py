"""Notes under and in a table: lists under one word, marks in brackets, lines that only name what follows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from appliance.core.document import Table
from appliance.ingest.page import Found, Line
from appliance.ingest.structure.schemes import Scheme, load_schemes, with_words
from appliance.ingest.tables.finder import find_tables
from tests.ingest.drawn import lattice, layout, line, prose, row

SCHEME = with_words(next(scheme for scheme in load_schemes() if scheme.name == "eurocode"), "")
XS = (60, 260, 400)


def under(
    notes: Sequence[str], cell: str = "2.0", *, size: float = 8.0, scheme: Scheme = SCHEME
) -> Found[Table]:
    """Return what is found on a page with a ruled table and lines right under it."""
    name = scheme.captions["table"][0]
    lines: list[Line] = [line(f"{name} 6.2 – Imposed loads", 150, 144, 11, bold=True)]
    lines += [row([(65, "Use of the area"), (265, "Load")], 164, bold=True)]
    lines += [row([(65, "Floors"), (265, cell)], 184), row([(65, "Stairs"), (265, "3.0")], 204)]
    lines += [line(text, 65, 222 + 1.3 * size * at, size) for at, text in enumerate(notes)]
    return find_tables([layout([*lines, *prose(400)], lattice(XS, (150, 170, 190, 210)))], scheme)


@pytest.mark.parametrize(
    ("cell", "note", "mark", "shown"),
    [
        ("2.0 [1]", "[1] Not for halls.", "1", "2.0 [1]"),
        ("2.0 (*)", "(*) Not for halls.", "*", "2.0 (*)"),
        ("2.0 (**)", "(**) Not for halls.", "**", "2.0 (**)"),
        ("2.0", "[1] Not for halls.", None, "2.0"),  # no cell carries it: the text of a clause
    ],
)
def test_marks_in_brackets_tie_notes_of_the_size_of_the_text(
    cell: str, note: str, mark: str | None, shown: str
) -> None:
    (table,) = under([note], cell, size=10).items
    assert [one.mark for one in table.notes] == ([mark] if mark else [])
    assert shown in [one.text for one in table.cells]
