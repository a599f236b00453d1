"""Classes that one table defines and another gives values for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Cell, Label, Table
from appliance.retrieval.follow.terms import classes_of, meant
from tests.answer.builders import box, query


def table(label: str, title: str, *grid: tuple[str, ...]) -> Table:
    """Return a table whose first row are headers."""
    cells = [
        Cell(number, column, text, box(number), header=number == 0)
        for number, row in enumerate(grid)
        for column, text in enumerate(row)
    ]
    return Table(Label((label,)), title, tuple(cells), (), (box(),))


USES = table(
    "Table 3",
    "Categories of use",
    ("Category", "Use", "Example"),
    ("A", "Living", "rooms of dwellings, wards; rooms in hotels"),
    ("B", "Offices", ""),
    ("c", "Meeting", "Cl: cafes, halls in hotels. C2: churches with fixed seats. C3: museums"),
)
VALUES = table(
    "Table 4",
    "Loads on floors",
    ("Categories of areas", "q [kN/m2]"),
    ("Category A - floors", "1,5"),
    ("- stairs", "2,0"),
    ("Category B", "3,0"),
    ("C1", "3,5"),
    ("C2", "4,0"),
    ("C3", "5,0"),
)
CLASSES = tuple(classes_of("code", USES))


def test_a_cell_may_define_the_classes_of_a_class() -> None:
    assert [one.code for one in CLASSES] == ["A", "B", "C", "C1", "C2", "C3"]


@pytest.mark.parametrize(
    ("terms", "codes"),
    [
        (("load", "office"), ["B"]),
        (("load", "church"), ["C2"]),
        (("load", "church", "seats"), ["C2"]),
        (("load", "hotel"), ["A", "C1"]),  # both may be meant: both are said
        (("load", "hotel", "ward"), ["A"]),
        (("load", "floor"), []),  # a word of the table of values tells no class
        (("load", "category"), []),
        (("load", "roof"), []),
        ((), []),
    ],
)
def test_the_classes_meant_hold_most_of_the_words(terms: tuple[str, ...], codes: list[str]) -> None:
    assert [one.code for one in meant(query(" ".join(terms), "value"), VALUES, CLASSES)] == codes


@pytest.mark.parametrize(
    "other",
    [
        table("Table 5", "Values", ("Category", "q"), ("A", "1,0"), ("B", "2,0")),  # numbers, not words
        table("Table 5", "Uses", ("Use", "Example"), ("A", "room"), ("Office", "desk")),  # not all are codes
        table("Table 5", "Uses", ("Category", "Use"), ("A", "room")),  # one class is none
        Table(Label(("Table 5",)), "", (), (), ()),
    ],
)
def test_a_table_of_something_else_defines_no_classes(other: Table) -> None:
    assert list(classes_of("code", other)) == []


def test_classes_that_are_called_otherwise_are_others() -> None:
    walls = table("Table 6", "Walls", ("Exposure", "cover"), ("A", "20"), ("B", "30"))
    assert meant(query("office", "value"), walls, CLASSES) == ()


def test_the_head_of_a_table_that_was_read_without_heads_defines_no_class() -> None:
    plain = table(
        "Table 9",
        "Roofs",
        ("Categories of roofs", "Use"),
        ("H", "not walked on"),
        ("I", "gardens"),
        ("K", "pads"),
    )
    plain = replace(plain, cells=tuple(replace(cell, header=False) for cell in plain.cells))
    values = table("Table 10", "Loads", ("Roof", "q [kN/m2]"), ("Category H", "0,4"))
    classes = tuple(classes_of("code", plain))
    assert [one.code for one in classes] == ["H", "I", "K"]
    asked = query("load walked", "value")
    assert [one.code for one in meant(asked, values, classes)] == [
        "H"
    ]  # "Categories" and "Category" are one word


def test_a_table_whose_rows_have_no_codes_defines_none_without_heads() -> None:
    plain = table("Table 9", "Roofs", ("Roof", "Use"), ("flat", "none"), ("H", "gardens"), ("K", "pads"))
    plain = replace(plain, cells=tuple(replace(cell, header=False) for cell in plain.cells))
    assert list(classes_of("code", plain)) == []
