"""A table whose numbers measure nothing gives no load and no length."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.picked import why_other

from appliance.core.document import Cell, Label, Table
from appliance.tables.rows import rows
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
