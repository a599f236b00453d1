"""What a question names of a table beyond doubt: rows and columns by a code, or by a number in range."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from appliance.answer.columns import deciding
from appliance.answer.lacking import lacking_code, lacking_sign
from appliance.answer.named import named_columns, named_rows, takes

from appliance.core.document import Cell, Label, Table
from appliance.tables.rows import rows
from tests.answer.builders import box


def table(header: Sequence[str], *body: Sequence[str], title: str = "Values") -> Table:
    cells = [Cell(0, column, text, box(0), header=True) for column, text in enumerate(header)]
    for number, row in enumerate(body, 1):
        cells += [Cell(number, column, text, box(number)) for column, text in enumerate(row)]
    return Table(Label(("Table 1",)), title, tuple(cells), (), (box(),))


ZONES = table(
    ("Zone", "Region", "s0, in kN/m²", "H, in m"),
    ("1", "Coast, zone of 3 islands", "0.50", "900"),
    ("2", "Lowlands", "0.90", "750"),
    ("3", "Uplands", "1.30", "700"),
    ("13", "Mountains", "1.90", "620"),
)
ALTITUDES = table(
    ("Altitude A", "sk"),
    ("up to 200 m", "0.5"),
    ("over 200 m, up to 400 m", "0.9"),
    ("over 400 m", "1.4"),
)
HEIGHTS = table(("Height (m)", "Load"), ("A ≤ 5", "1"), ("5 < A ≤ 10", "2"), ("A > 10", "3"))
CLASSES = table(("Category", "qk"), ("C1 – tables", "3"), ("C2 – seats", "4"), ("C12 – other", "5"))
GRADES = table(("Material", "Weight"), ("of class C 18", "3"), ("of class C 24", "4"), ("class LC 1,4", "12"))
PANS = table(("Thing", "Trap"), ("Sink", "40"), ("WC – outlet < 80 mm", "75"), ("WC – outlet > 80 mm", "100"))
ROOMS = table(("Number of bedrooms", "Rate"), ("4", "37"), ("5", "43"))
RUNS = table(("Category", "Load"), ("B and C1", "0.8"), ("C2 to C4, D", "1.0"), ("C6", "3.0"))
DOORS = table(("Width", "Length"), ("750 mm", "1"), ("775 mm", "2"), ("900 mm", "3"))


@pytest.mark.parametrize(
    ("asked", "printed", "expected"),
    [
        ("snow load zone 3 at 250 m", ZONES, ["3"]),
        ("Zone 13", ZONES, ["13"]),
        ("zones 1 and 2", ZONES, ["1", "2"]),
        ("load zone: 2", ZONES, ["2"]),
        ("weight of timber C18", GRADES, ["of class C 18"]),  # a scan parts letters and figures
        ("weight of LC 1.4", GRADES, ["class LC 1,4"]),
        ("snow load at 3 m", ZONES, []),  # a number that is no code
        ("zone 4", ZONES, []),  # none of that code: nothing is named
        ("zones 1, 2, 3 and 13", ZONES, []),  # all of them
        ("which zone", ZONES, []),
        ("load at 400 m", ALTITUDES, ["over 200 m, up to 400 m"]),
        ("load at 200 m", ALTITUDES, ["up to 200 m"]),
        ("load at 401 m", ALTITUDES, ["over 400 m"]),
        ("load at 250 mm", ALTITUDES, []),  # another unit
        ("load at 250", ALTITUDES, []),
        ("height 5 m", HEIGHTS, ["A ≤ 5"]),  # the unit is printed in the header
        ("height 10.5 m", HEIGHTS, ["A > 10"]),
        ("category C1", CLASSES, ["C1 – tables"]),
        ("C2", CLASSES, ["C2 – seats"]),
        ("concrete C12/15", CLASSES, []),
        ("trap of a WC with a 60 mm outlet", PANS, ["WC – outlet < 80 mm"]),
        ("trap for a 30 mm waste", PANS, []),  # the bound is that of another thing
        ("rate for 5 bedrooms", ROOMS, ["5"]),
        ("rate for 2.5 bedrooms", ROOMS, []),
        ("door 800 mm wide", DOORS, []),  # between two rows: nothing is interpolated
        ("", ZONES, []),
    ],
)
def test_rows_that_are_named_decide(asked: str, printed: Table, expected: list[str]) -> None:
    found = named_rows(asked, printed, list(rows(printed)))
    first = [next(cell.text for cell in row.cells if cell.column == 0) for row in found]
    assert first == expected


@pytest.mark.parametrize(
    ("asked", "printed", "lacking"),
    [
        ("weight of timber C30", GRADES, "C30"),
        ("weight of timber c 30", GRADES, ""),  # apart and in small letters it may be words
        ("weight of c30", GRADES, "C30"),
        ("weight of LC 3.0", GRADES, "LC3.0"),
        ("weight of LC 1.4", GRADES, ""),
        ("weight of GT30", GRADES, ""),  # no code like it: the table may be for all of them
        ("load of C6", CLASSES, "C6"),
        ("load of C3", RUNS, ""),
        ("load of C5", RUNS, "C5"),
        ("load of C1 by C 1-3", CLASSES, ""),  # a document
        ("load of C7 as in Annex C7", CLASSES, ""),
        ("load on 30 m2 as in C2", CLASSES, ""),
    ],
)
def test_a_code_that_a_table_lacks_beside_others_like_it(asked: str, printed: Table, lacking: str) -> None:
    besides = ("Annex C7",) if "Annex" in asked else ()
    assert lacking_code(asked, besides, printed, list(rows(printed))) == lacking


@pytest.mark.parametrize(
    ("asked", "named", "lacking"),
    [
        ("ψ0 of an office", "Category B: offices, qk in kN/m²", "ψ0"),
        ("ψ0 of an office", "Category B: offices, Factor ψ₀", ""),
        ("ψ0 and ψ1 of an office", "Category B: offices, ψ1", ""),
        ("load of an office", "Category B: offices", ""),
    ],
)
def test_a_symbol_stands_where_the_values_are_named(asked: str, named: str, lacking: str) -> None:
    assert lacking_sign(asked, CLASSES, (named,)) == lacking


PITCH = table(
    ("Coefficient", "0° ≤ α ≤ 30°", "30° < α < 60°", "α ≥ 60°"), ("μ1", "0.8", "0.8 (60 − α) / 30", "0.0")
)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("duopitch roof 40°", "0.8 (60 − α) / 30"),
        ("duopitch roof of 30 degrees", "0.8"),
        ("pitch 30.1°", "0.8 (60 − α) / 30"),
        ("pitch 59.9°", "0.8 (60 − α) / 30"),
        ("pitch 60°", "0.0"),
        ("pitch 0°", "0.8"),
        ("pitch 40 m", ""),
        ("pitch", ""),
    ],
)
def test_a_range_in_a_header_decides_with_its_bounds(asked: str, expected: str) -> None:
    row = next(iter(rows(PITCH)))
    assert [cell.text for cell in deciding(asked, PITCH, row)] == ([expected] if expected else [])


def test_a_code_under_a_common_header_names_a_column() -> None:
    spanning = Table(
        Label(("Table 1",)),
        "Ground load",
        (
            Cell(0, 0, "Altitude", box(), row_span=2, header=True),
            Cell(0, 1, "Zone", box(), column_span=3, header=True),
            *(Cell(1, column, str(column), box(1), header=True) for column in (1, 2, 3)),
            Cell(2, 0, "up to 2 m", box(2)),
            *(Cell(2, column, f"0.{column}5", box(2)) for column in (1, 2, 3)),
        ),
        (),
        (box(),),
    )
    assert named_columns("load in zone 2 at 3 m", spanning) == {2}
    assert named_columns("load in zone 7", spanning) == frozenset()


def test_a_number_is_taken_by_an_axis_of_its_unit_only() -> None:
    assert takes("250 m", ALTITUDES, list(rows(ALTITUDES)))
    assert takes("40°", PITCH, list(rows(PITCH)))
    assert not takes("250 m", ZONES, list(rows(ZONES)))
