"""The row of a table of classes whose examples name the thing that is asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.cells import from_table
from appliance.answer.examples import with_examples
from appliance.answer.findings import Part

from appliance.core.document import Cell, Label, Table
from appliance.core.evidence import Query
from appliance.tables.rows import rows
from tests.answer.builders import box, chunk, place, query

ROWS = (
    ("1", "Sheds in which people rarely sleep, kiosks, and single houses of not more than four storeys."),
    (
        "2a",
        "Hotels of not more than four storeys, flats, offices, and shops of not more than three storeys.",
    ),
    (
        "2b",
        "Hotels and flats of more than four storeys, clinics of not more than three storeys, larger shops.",
    ),
    (
        "3",
        "All buildings that are larger than those of the classes above, and halls for great crowds.",
    ),
)


def made(texts: tuple[tuple[str, str], ...] = ROWS) -> Table:
    cells = [
        Cell(0, 0, "Class", box(0), header=True),
        Cell(0, 1, "Examples of buildings", box(0), header=True),
    ]
    for number, (name, text) in enumerate(texts, 1):
        cells += [Cell(number, 0, name, box(number)), Cell(number, 1, text, box(number))]
    return Table(Label(("Table 1",)), "Classes", tuple(cells), (), (box(),))


def asking(text: str) -> Query:
    small = {"which", "is", "a", "of", "an", "with", "two"}
    return replace(query(text), terms=tuple(word for word in text.split() if word not in small))


@pytest.mark.parametrize(
    ("asked", "table", "told"),
    [
        ("which class is a clinic with two storeys", made(), (3,)),
        ("class of an hotel", made(), (2, 3)),
        ("which class is a two storey shop", made(), (2, 3)),
        ("class of a spaceship with storeys", made(), ()),  # no row is about it
        ("which class of buildings", made(), ()),  # in every head
        ("class of a clinic", made((("1", "Clinics."), ("2", "Hotels."))), ()),  # names, no examples
        ("class of a clinic", made(ROWS[2:3]), ()),
        ("class", made(), ()),
    ],
)
def test_the_rows_whose_examples_hold_the_rare_word(asked: str, table: Table, told: tuple[int, ...]) -> None:
    assert with_examples(asking(asked), table, list(rows(table))) == told


def test_that_row_leads_and_the_others_follow() -> None:
    parts = [Part(place("table", "Table 1"), chunk(f"{name}: {text}", "table", "Table 1", n), 0.5 - n / 20, 5)
             for n, (name, text) in enumerate(ROWS, 1)]  # fmt: skip
    found = from_table(asking("which class is a clinic with two storeys"), parts, made())
    assert found is not None
    assert found.text.startswith("Table 1: Class 2b:") or found.text.startswith("Table 1: 2b:")
    assert "single houses" in found.text
    assert found.unsure
