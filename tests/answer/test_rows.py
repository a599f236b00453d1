"""How a row of a table is said: its numbers with what they count and the unit that they have."""

from __future__ import annotations

import pytest
from appliance.answer.columns import deciding
from appliance.answer.rows import heads_over, said

from appliance.core.document import Cell, Label, Table
from appliance.tables.rows import key_columns, rows
from tests.answer.builders import box


def made(title: str, *lines: tuple[str, ...]) -> Table:
    cells = [
        Cell(row, column, text, box(row), header=row == 0)
        for row, line in enumerate(lines)
        for column, text in enumerate(line)
        if text
    ]
    return Table(Label(("Table 1",)), title, tuple(cells), (), (box(),))


BEDSPACES = made(
    "Worktops", ("Number of bedspaces", "2", "3 & 4", "6–8"), ("Minimum length (mm)", "6130", "6530", "8530")
)
TANKS = made("Tanks", ("Capacity (tonnes)", "No wall", "Fire wall (metres)"), ("1.1", "3", "1.5"))
UVALUES = made(
    "Limits", ("Element", "U-value W/(m2·K)", "Permeability m3/(h·m2) at 50 Pa"), ("Wall", "0.26", "8.0")
)
TESTS = made(
    "Tests",
    (
        "Property",
        "Minimum",
        "Number of tests",
        "Age (days)",
        "Partial factor",
        "Clause",
        "Density at 20 °C",
        "C30/37",
    ),
    ("Compressive strength (N/mm2)", "30", "3", "28", "1.5", "5", "24", "37"),
)
AREAS = made("Areas in m2", ("Bedspaces", "2", "3"), ("Bedroom", "12", "14"))


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        pytest.param(
            BEDSPACES,
            "Minimum length (mm): Number of bedspaces 2: 6130 mm; Number of bedspaces 3 & 4: 6530 mm; "
            "Number of bedspaces 6–8: 8530 mm",
            id="headers that are numbers say what they count, values take the unit of their row",
        ),
        pytest.param(
            TANKS,
            "Capacity (tonnes) 1.1: No wall 3; Fire wall (metres) 1.5 metres",
            id="a label that is a number says what it counts; no unit is borrowed from another column",
        ),
        pytest.param(
            UVALUES,
            "Wall: U-value W/(m2·K) 0.26 W/(m2·K); Permeability m3/(h·m2) at 50 Pa 8.0",
            id="the brackets of a compound unit are no unit of their own",
        ),
        pytest.param(
            AREAS,
            "Bedroom: Bedspaces 2: 12 m2; Bedspaces 3: 14 m2",
            id="the unit of the title is the last resort",
        ),
        pytest.param(
            made("Pipes (mm)", ("Outlet", "Number connected"), ("Up to 80 mm", "8")),
            "Up to 80 mm: Number connected 8",
            id="the unit of a number in the label, or of the title, is not that of a named column",
        ),
        pytest.param(
            made("Classes", ("Class", "1", "2"), ("Type A", "5", "C30/37")),
            "Type A: Class 1: 5; Class 2: C30/37",
            id="a letter that may be a unit is none",
        ),
        pytest.param(
            made("Expansion", ("Material", ""), ("Stainless steel", "16")),
            "Stainless steel: 16",
            id="a value under no header is said once",
        ),
        pytest.param(
            made("Openings", ("Angle of opening", ""), ("15° to 30°", "1/10 of the floor area")),
            "15° to 30°: 1/10 of the floor area",
            id="words under no header are said once",
        ),
        pytest.param(
            made("Worktops (mm)", ("Kind", ""), ("Sink", "1200¹")),
            "Sink: 1200¹",
            id="a value with the mark of a note under no header is said once",
        ),
        pytest.param(
            made("Worktops", ("Kind", ""), ("Length (mm)", "1200")),
            "Length (mm): 1200 mm",
            id="a value under no header takes the unit of its row",
        ),
        pytest.param(
            made(
                "Uses",
                ("Fitting", "(2), Use factor", "(3), Fixed use (litres/ person/ day)"),
                ("Sink taps Flow rate (litres/minute)", "0.44", "10.36"),
            ),
            "Sink taps Flow rate (litres/minute): (2), Use factor 0.44; "
            "(3), Fixed use (litres/ person/ day) 10.36 litres/person/day",
            id="a factor has no unit, and a unit printed with blanks is one",
        ),
        pytest.param(
            TESTS,
            "Compressive strength (N/mm2): Minimum 30 N/mm2; Number of tests 3; Age (days) 28 days; "
            "Partial factor 1.5; Clause 5; Density at 20 °C 24; C30/37 37 N/mm2",
            id="the unit of a row is that of columns that name no other quantity",
        ),
        pytest.param(
            made("Modes", ("Mode shape", "K"), ("Φ,y(s)", "0,13")),
            "Φ,y(s): K 0,13",
            id="what a function is of is no unit",
        ),
        pytest.param(
            made("Guards", ("Place", "Height (h)"), ("Stairs", "900")),
            "Stairs: Height (h) 900",
            id="a symbol in brackets is no unit of another quantity",
        ),
        pytest.param(
            made("Loads", ("Use", "qk", "Minimum"), ("Homes (kN/m2)", "1.5", "1.2")),
            "Homes (kN/m2): qk 1.5; Minimum 1.2 kN/m2",
            id="a symbol has a unit of its own",
        ),
        pytest.param(
            made("Doors", ("Part", "Needed"), ("Leaf wall(s)", "2")),
            "Leaf wall(s): Needed 2",
            id="the ending of a plural is no unit",
        ),
        pytest.param(made("Empty", ("Use", "Load"), ("Homes", "")), "Homes", id="a row without values"),
    ],
)
def test_a_row_is_said_with_units(table: Table, expected: str) -> None:
    assert said(table, next(rows(table))) == expected


def test_heads_in_two_tiers_govern_their_numbers() -> None:
    cells = [
        Cell(0, 0, "Property", box(0), row_span=2, header=True),
        Cell(0, 1, "Spacing in mm", box(0), column_span=2, header=True),
        Cell(0, 3, "Mass of vehicle", box(0), header=True),
        Cell(1, 1, "Partial factor", box(1), header=True),
        Cell(1, 2, "Appliance with pressure burner", box(1), header=True),
        Cell(1, 3, "up to 5 kg", box(1), header=True),
        *(Cell(2, at, text, box(2)) for at, text in enumerate(("Speed (m/s)", "2", "600", "4.5"))),
    ]
    table = Table(Label(("Table 1",)), "Gaps", tuple(cells), (), (box(),))
    assert said(table, next(rows(table))) == (
        "Speed (m/s): Spacing in mm, Partial factor 2; Spacing in mm, Appliance with pressure burner 600 mm; "
        "Mass of vehicle, up to 5 kg 4.5 m/s"
    )


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("worktop length for 4 bedspaces", ["6530"]),
        ("worktop length for two bedspaces", ["6130"]),
        ("worktop length", []),
        ("worktop length for 11 bedspaces", []),
        ("", []),
    ],
)
def test_the_column_that_is_asked_for_decides(asked: str, expected: list[str]) -> None:
    assert [cell.text for cell in deciding(asked, BEDSPACES, next(rows(BEDSPACES)))] == expected


@pytest.mark.parametrize(
    ("lines", "keys"),
    [
        ((("Material", "Thickness", "Load"), ("Timber", "18", "2.5"), ("Steel", "3", "5")), 1),
        ((("Material", "Thickness", "Load"), ("Timber", "18", "2.5"), ("Timber", "25", "4")), 2),
        (
            (
                ("Material", "Thickness", "Span", "Load"),
                ("Timber", "18", "400", "2"),
                ("Timber", "18", "600", "1"),
            ),
            3,
        ),
        ((("Material", "Load"), ("Timber", "2"), ("Timber", "2")), 1),  # the same twice: nothing to leave out
        ((("Material", "Load", "Mass"), ("Timber", "2", "1"), ("Timber", "2", "3")), 2),
        ((("Use", "Load"), ("Homes", ""), ("Flats", "2"), ("Flats", "3")), 1),
    ],
)
def test_the_key_of_a_table_is_what_tells_its_rows_apart(
    lines: tuple[tuple[str, ...], ...], keys: int
) -> None:
    assert key_columns(made("Any", *lines)) == keys


def test_what_a_bare_number_over_a_column_counts_stands_over_it_too() -> None:
    assert heads_over(BEDSPACES, 1) == ("Number of bedspaces", "2")
    assert heads_over(TANKS, 1) == ("No wall",)
    assert heads_over(TANKS, 9) == ()
