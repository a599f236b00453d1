"""Which large numbers another table takes away, and how a table is read backwards, in parts and by twins."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from appliance.answer.cells import from_table
from appliance.answer.findings import Part
from appliance.answer.nearer import whole_thing_first, without_nearer
from appliance.answer.unfit import without_unfit
from appliance.answer.unnamed import without_unnamed

from appliance.core.document import Cell, Label, Table
from tests.answer.builders import box, chunk, finding, place, query

if TYPE_CHECKING:
    from appliance.answer.findings import Finding

    from appliance.core.evidence import Intent
    from appliance.store.read import Store

STORE = cast("Store", SimpleNamespace(documents=lambda: ()))
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


TRAPS = ("Traps", (("Appliance", "Depth of seal (mm)", "Room"), ("Bath", "50", "1"), ("Sink", "75", "2")))
RATES = ("Rates of intermittent fans", (("Room", "Flow (l/s)"), ("Bath", "15"), ("Kitchen", "see EN 771-3")))


def tabled(printed: tuple[str, Grid], label: str = "Table 1") -> Table:
    title, grid = printed
    cells = tuple(
        Cell(row, column, text, box(row), header=row == 0 and bool(title))
        for row, line in enumerate(grid)
        for column, text in enumerate(line)
    )
    return Table(Label((label,)), title, cells, (), (box(),))


def found(asked: str, printed: tuple[str, Grid], label: str = "Table 1") -> Finding | None:
    (title, grid), table = printed, tabled(printed, label)
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
    ("asked", "other", "right"),
    [
        ("axle load of lifter L2", LIFTERS, AXLES),
        ("cover to a 100 mm clay pipe", PLASTIC, CLAY),
    ],
)
def test_the_table_that_names_more_of_the_question_leads(
    asked: str, other: tuple[str, Grid], right: tuple[str, Grid]
) -> None:
    one, two = found(asked, other), found(asked, right, "Table 2")
    assert one is not None
    assert two is not None
    own = replace(two, unsure="")
    assert [item.place.label for item in without_nearer(query(asked, "value"), (one, own))] == [
        two.place.label,
        one.place.label,
    ]
    doubted = replace(two, unsure="read with doubt")
    assert without_nearer(query(asked, "value"), (one, doubted))[0].place == one.place  # not sure itself


@pytest.mark.parametrize(
    ("asked", "first", "second", "leads"),
    [
        ("weight of lead", "red lead paint", "lead", 1),
        ("weight of lead", "white lead, in oil", "lead", 1),
        ("weight of lead", "lead (sheet)", "lead", 0),  # more is said of the same thing
        ("flow of a kitchen", "kitchen with no hood", "kitchen", 0),
        ("weight of red lead paint", "red lead paint", "lead", 0),
        ("weight of lead", "red lead paint", "zinc", 0),
        ("weight of lead", "", "lead", 0),  # which has no name
        ("weight of straw", "silage straw", "strawberries", 0),  # which only begins so
        ("weight of straw", "silage straw", "straws", 1),
    ],
)
def test_the_row_that_is_the_whole_thing_asked_about_leads(
    asked: str, first: str, second: str, leads: int
) -> None:
    held = [
        replace(finding("59 kN/m3", 1.0), rows=(name,), named=(f"weight {name}",), marked=((1, 1),))
        for name in (first, second)
    ]
    assert whole_thing_first(query(asked), held)[0] is held[leads]
    assert whole_thing_first(query(asked), ()) == ()
    unsure = (held[0], replace(held[1], unsure="read with doubt"))
    assert whole_thing_first(query(asked), unsure) == unsure


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


@pytest.mark.parametrize(
    ("asked", "typed", "after", "lacking"),
    [
        ("cover of a 225 mm clay pipe in fields", "and for clay?", "cover of a 225 mm pipe in fields", ""),
        ("cover of a 225 mm pipe in fields, 5", "and 5?", "cover of a 225 mm pipe in fields", "5"),
        ("cover of a 225 mm pipe in roads", "and in roads?", "cover of a 225 mm pipe in fields", "roads"),
        ("cover of a 225 mm pipe in roads", "", "", ""),  # no question goes before it
    ],
)
def test_what_a_following_question_adds_is_named_by_the_row(
    asked: str, typed: str, after: str, lacking: str
) -> None:
    one = found(asked, CLAY)
    assert one is not None
    said = replace(query(asked, "value"), typed=typed, after=after)
    (held,) = without_unnamed(STORE, said, [replace(one, unsure="")])
    assert held.unsure == (f"no row or column of Table 1 is for \u201c{lacking}\u201d" if lacking else "")


@pytest.mark.parametrize(
    ("asked", "intent", "printed", "named", "reason"),
    [
        ("flow of a bath", "value", RATES, "", ""),
        ("flow of a bath with a continuous fan", "value", RATES, "", "is for another case than asked about"),
        ("flow of a kitchen", "value", RATES, "", "no cell stated of Table 1 holds a value"),
        ("width of a bath fan", "value", RATES, "", "no row or column of Table 1 is for \u201cwidth\u201d"),
        ("what is a bath flow", "definition", RATES, "", "the question does not say which row"),
        ("depth of a bath", "value", TRAPS, "", "what is measured in Table 1 is \u201cseal\u201d"),
        ("depth of the seal of a bath", "value", TRAPS, "", ""),
        ("flow of a bath", "value", RATES, "Diagram 9", "is for \u201cDiagram 9\u201d"),
        ("flow of a bath", "value", RATES, "Table 1", ""),
    ],
)
def test_a_value_that_cannot_be_the_one_asked_for_is_not_sure(
    asked: str, intent: Intent, printed: tuple[str, Grid], named: str, reason: str
) -> None:
    one = found(asked, printed)
    assert one is not None
    store = cast("Store", SimpleNamespace(table=lambda *_: tabled(printed)))
    exact = replace(place("figure", named, text="Rates"), found_by=("exact",)) if named else one.place
    text = "Rates are those of Table 1" if named == "Table 1" else "Rates"
    hits = [replace(exact, text=text)]
    (held,) = without_unfit(store, query(asked, intent), hits, [replace(one, unsure="")])
    assert (reason in held.unsure) if reason else not held.unsure


def test_a_list_of_tables_gives_no_value() -> None:
    assert found("power of pumps", LISTED) is None
