"""Which column of a row a question wants: by its noun, not by its case, its bound or the title's words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from appliance.answer.columns import deciding, of_the_case

from appliance.core.document import Cell, Label, Table
from appliance.tables.rows import rows
from tests.answer.builders import box


def table(title: str, head: Sequence[str], *body: Sequence[str]) -> Table:
    """Return a table; a head with " / " stands in two rows, the upper one over its columns."""
    cells = [
        Cell(level, column, text, box(level), header=True)
        for column, said in enumerate(head)
        for level, text in enumerate(said.split(" / "))
        if text
    ]
    top = max(cell.row for cell in cells) + 1
    cells += [
        Cell(number, column, text, box(number))
        for number, line in enumerate(body, top)
        for column, text in enumerate(line)
        if text
    ]
    return Table(Label(("Table 1",)), title, tuple(cells), (), (box(),))


STEPS = table(
    "Lift and tread",
    (
        "Ramp",
        "Lift* / Minimum (mm)",
        "Lift* / Maximum (mm)",
        "Tread* / Minimum (mm)",
        "Tread* / Maximum (mm)",
    ),
    ("Private ramp", "150", "220", "220", "300"),
    ("Utility ramp", "150", "190", "250", "400"),
)
FALLS = table(
    "Recommended minimum falls for gutters",
    ("Peak flow (l/s)", "Pipe size (mm)", "Minimum fall (1 in ...)", "Maximum capacity (l/s)"),
    ("< 1", "75", "1:40", "4.1"),
    ("< 1", "100", "1:40", "9.2"),
    ("> 1", "150", "1:150†", "15.0"),
)
TRAPS = table(
    "Minimum trap sizes and seal depths",
    ("Appliance", "Diameter of trap (mm)", "Depth of seal (mm)"),
    ("Bath", "40", "50"),
    ("Basin", "32", "75"),
)
STAIRS = table(
    "Rise and going",
    ("Stair", "Rise (mm)", "Going (mm)"),
    ("Private", "220", "230"),
    ("Utility", "190", "260"),
)
BOUNDS = table("Rise of a step", ("Stair", "Minimum (mm)", "Maximum (mm)"), ("Private", "150", "220"))


@pytest.mark.parametrize(
    ("asked", "printed", "label", "expected"),
    [
        # the noun decides though the title holds it, the bound chooses among its columns
        ("minimum tread of a utility ramp", STEPS, "Utility ramp", ["250"]),
        ("maximum lift of a private ramp", STEPS, "Private ramp", ["220"]),
        ("what is the max lift of a private ramp in a house with a garden", STEPS, "Private ramp", ["220"]),
        ("utility ramp minimum lift", STEPS, "Utility ramp", ["150"]),
        ("tread of a utility ramp", STEPS, "Utility ramp", ["250", "400"]),
        ("lift and tread of a private ramp", STEPS, "Private ramp", []),
        ("minimum height of a utility ramp", STEPS, "Utility ramp", []),  # a bound alone names nothing
        ("minimum of a utility ramp", STEPS, "Utility ramp", []),
        ("going of a private stair", STAIRS, "Private", ["230"]),  # a small word that stands in a head
        # the case is never the answer
        ("minimum fall of a 100 mm gutter", FALLS, "100", ["1:40"]),
        ("capacity of a 150 mm pipe", FALLS, "150", ["15.0"]),
        ("capacity of a 100 mm pipe laid at 1 in 40", FALLS, "100", ["9.2"]),
        ("capacity of a 150 mm pipe laid at 1 in 40", FALLS, "150", []),  # no row is for both
        ("minimum fall of a 100 mm gutter", FALLS, "75", []),  # a row of another case
        ("maximum fall of a 100 mm gutter", FALLS, "100", []),  # only the minimum is printed
        ("is a tread of 250 mm enough for a utility ramp", STEPS, "Utility ramp", ["250", "400"]),
        # the last word before "of" or "for" is what is wanted
        ("trap size for a bath", TRAPS, "Bath", ["40"]),
        ("seal depth for a basin", TRAPS, "Basin", ["75"]),
        ("diameter of the trap of a bath", TRAPS, "Bath", ["40"]),
        ("diameter of a branch pipe to a basin", TRAPS, "Basin", []),  # of another thing
        ("trap", TRAPS, "Bath", ["40"]),
        # heads of bounds alone stand for the noun of the title
        ("minimum rise of a private stair", BOUNDS, "Private", ["150"]),
        ("rise of a private stair", BOUNDS, "Private", []),
        ("", STEPS, "Utility ramp", []),
        ("100 mm", FALLS, "100", []),
    ],
)
def test_the_column_that_is_wanted_decides(
    asked: str, printed: Table, label: str, expected: list[str]
) -> None:
    row = next(row for row in rows(printed) if label in [cell.text for cell in row.cells])
    assert [cell.text for cell in deciding(asked, printed, row)] == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("fall of a 100 mm gutter", ["100"]),
        ("capacity at 1 in 40", ["75", "100"]),
        ("capacity at 1 in 80", ["75", "100", "150"]),  # stands nowhere: no case
        ("fall of a 100 m gutter", ["75", "100", "150"]),  # another unit
        ("100 mm pipe at 1 in 150", ["75", "100", "150"]),  # no row is for both
    ],
)
def test_rows_of_the_case_come_alone(asked: str, expected: list[str]) -> None:
    found = of_the_case(asked, FALLS, list(rows(FALLS)))
    assert [cell.text for row in found for cell in row.cells if cell.column == 1] == expected
