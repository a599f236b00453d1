"""A table whose numbers measure nothing gives no load and no length."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.picked import joined, why_other
from appliance.document import Cell, Label, Table
from appliance.tabular import rows
from tests.answer.builders import box, query

OTHER = "no column of Table 4.1 is of the kind asked for (load)"


def table(*heads: str, values: tuple[str, ...]) -> Table:
    cells = [Cell(0, column, text, box(0), header=True) for column, text in enumerate(("Altitude", *heads))]
    cells += [Cell(1, column, text, box(1)) for column, text in enumerate(("A below 1 000", *values))]
    return Table(Label(("Table 4.1",)), "Values for snow loads", tuple(cells), (), (box(0),))


FACTORS = table("Factor ψ0", "Factor ψ1", values=("0.50", "0.20"))


@pytest.mark.parametrize(
    ("asked", "found", "why"),
    [
        ("snow load for a house", FACTORS, OTHER),
        ("which factor for the snow load", FACTORS, ""),  # asks for one
        ("combination of snow", FACTORS, ""),  # names no quantity
        ("snow load for a house", table("Load", values=("0.50",)), ""),  # a number without its unit may be it
        ("snow load for a house", table("Factor", "Load", values=("0.50", "1.2")), ""),
    ],
)
def test_factors_are_no_load(asked: str, found: Table, why: str) -> None:
    read = replace(query(asked), intent="general")
    assert why_other(read, found, list(rows(found))) == why


ROWS = {1: "A – floors", 2: "A – balconies", 3: "B – offices", 4: "C – halls with seats", 5: "C – seats"}


@pytest.mark.parametrize(
    ("asked", "stated", "further"),
    [
        ("load of balconies and offices", [3], [2]),
        ("load of balconies, offices", [2], [3]),
        ("load of balconies and offices", [2, 3], []),
        ("load of a balcony of an office", [3], []),  # one thing
        ("load of offices and halls", [3], [4]),
        ("load of offices and seats", [3], [4, 5]),
        ("load of offices and roofs", [3], []),  # no row is for them
        ("", [3], []),
    ],
)
def test_each_row_that_a_question_joins_is_stated(asked: str, stated: list[int], further: list[int]) -> None:
    telling = asked.replace("load of ", "")
    assert joined(query(asked), telling, ROWS, stated) == further


def test_too_many_joined_rows_are_left_to_the_table() -> None:
    many = {row: f"hall {row} with seats" for row in range(10)}
    assert joined(query("offices and seats"), "offices and seats", many | {99: "office"}, [99]) == []
