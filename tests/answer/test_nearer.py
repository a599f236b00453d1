"""Which large numbers another table takes away, and how a table is read backwards, in parts and by twins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from appliance.answer.cells import from_table
from appliance.answer.findings import Part
from appliance.answer.nearer import without_nearer
from appliance.document import Cell, Label, Table
from tests.answer.builders import box, chunk, place, query

if TYPE_CHECKING:
    from appliance.answer.findings import Finding

Grid = tuple[tuple[str, ...], ...]

CLAY = ("Cover of clay pipes", (("Size (mm)", "In fields"), ("100", "0.6"), ("225", "0.7")))
PLASTIC = ("Cover of plastic pipes", (("Size (mm)", "In fields"), ("100", "0.9"), ("225", "1.0")))
AXLES = ("Axle loads of lifters", (("Class", "Axle load [kN]"), ("L1", "26"), ("L2", "40")))
LIFTERS = (
    "Sizes of lifters",
    (("Class", "Hoisting load [kN]", "Width [m]"), ("L1", "10", "1"), ("L2", "15", "2")),
)
CHANNELS = (
    "Channels",
    (
        ("Max. roof area (m2)", "Channel (mm)", "Outlet (mm)", "Flow (l/s)"),
        ("18.0", "75", "50", "0.38"),
        ("37.0", "100", "63", "0.78"),
    ),
)
POWER = (
    "Lighting",
    (
        ("Common rooms", "Power (W/m2)", "Special rooms", "Power (W/m2)"),
        ("Office", "8", "Court", "9"),
        ("Lobby", "5", "Cell", "7"),
        ("Store", "4", "Ward", "6"),
    ),
)
LISTED = ("", tuple((f"Table {n}.1", name, str(n)) for n, name in ((3, "Fans"), (4, "Pumps"), (5, "Ducts"))))


def found(asked: str, printed: tuple[str, Grid], label: str = "Table 1") -> Finding | None:
    title, grid = printed
    cells = tuple(
        Cell(row, column, text, box(row), header=row == 0 and bool(title))
        for row, line in enumerate(grid)
        for column, text in enumerate(line)
    )
    table = Table(Label((label,)), title, cells, (), (box(),))
    parts = [
        Part(place("table", label), chunk(" ".join(line), "table", label, row), 0.4, 5)
        for row, line in enumerate(grid)
        if row or not title
    ]
    return from_table(query(asked, "value"), parts, table)


@pytest.mark.parametrize(
    ("asked", "right", "other", "reason"),
    [
        ("cover to a 100 mm clay pipe", CLAY, PLASTIC, "Table 1 speaks of “clay”, Table 2 does not"),
        ("axle load of lifter L2", AXLES, LIFTERS, "Table 1 speaks of “axle”, Table 2 does not"),
        ("cover to a 100 mm pipe", CLAY, PLASTIC, ""),  # both name as much: both stand
    ],
)
def test_a_table_that_another_one_outdoes_has_no_sure_value(
    asked: str, right: tuple[str, Grid], other: tuple[str, Grid], reason: str
) -> None:
    one, two = found(asked, right), found(asked, other, "Table 2")
    assert one is not None
    assert two is not None
    first, second = without_nearer(query(asked, "value"), (one, replace(two, unsure="")))
    assert (first.unsure, second.unsure) == ("", reason)


@pytest.mark.parametrize(
    ("asked", "printed", "marked"),
    [
        ("roof area for a 100 mm channel", CHANNELS, ((2, 0),)),  # read backwards
        ("outlet for a 100 mm channel", CHANNELS, ((2, 2),)),
        ("flow of a 100 mm channel", CHANNELS, ((2, 3),)),
        ("power of a lobby", POWER, ((2, 0), (2, 1))),  # not that of the cell beside it
    ],
)
def test_the_cells_that_decide(
    asked: str, printed: tuple[str, Grid], marked: tuple[tuple[int, int], ...]
) -> None:
    answer = found(asked, printed)
    assert answer is not None
    assert answer.marked == marked


def test_a_list_of_tables_gives_no_value() -> None:
    assert found("power of pumps", LISTED) is None
