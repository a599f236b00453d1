"""Which row answers where the question names no special case, and what rows stand under."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.ordinary import heads, ordinary
from appliance.document import Box, Cell, Label, Table
from appliance.tabular import rows


def table(*labels: str, title: str = "Loads of materials", tall: tuple[int, ...] = ()) -> Table:
    """Return a table with a value for each label; the cells of `tall` hold a heading over their own name."""
    cells = [Cell(0, 0, "Material", box(0), header=True), Cell(0, 1, "Load [kN/m3]", box(0), header=True)]
    for number, label in enumerate(labels, 1):
        where = replace(box(number), y1=box(number).y0 + (0.05 if number in tall else 0.02))
        cells += [Cell(number, 0, label, where), Cell(number, 1, f"{number},0", where)]
    return Table(Label(("Table 1",)), title, tuple(cells), (), (box(0),))


def box(row: int) -> Box:
    return Box(1, 0.1, 0.05 * row, 0.9, 0.05 * row + 0.02)


CONCRETE = table(
    "concrete (see 4.1) light class L 1,0",
    "class L 1,2",
    "normal weight",
    "heavy weight",
    "mortar cement mortar",
    "lime mortar",
    tall=(1, 5),
)
MADE = ("dense stone", "other stone", "slate")


@pytest.mark.parametrize(
    ("asked", "row"),
    [
        ("what load does reinforced concrete have", "normal weight"),
        ("load of light concrete", ""),
        ("load of concrete of class L 1,2", ""),
        ("load of heavy concrete", ""),
        ("load of mortar", ""),  # no row under it is the ordinary one
        ("load of timber", ""),  # nothing here is asked for
        ("load of materials", ""),  # no heading is named
        ("", ""),
    ],
)
def test_the_ordinary_row_answers_unless_a_special_case_is_named(asked: str, row: str) -> None:
    assert [found.label for found in ordinary(asked, CONCRETE, list(rows(CONCRETE)))] == [row] * bool(row)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("load of stone", ["other stone"]),
        ("load of dense stone", []),
        ("load of slate", []),
    ],
)
def test_what_remains_answers_in_a_table_about_what_is_asked(asked: str, found: list[str]) -> None:
    stones = table(*MADE, title="Loads of stone")
    assert [row.label for row in ordinary(asked, stones, list(rows(stones)))] == found


def test_an_ordinary_row_says_nothing_that_its_neighbours_do_not() -> None:
    mixed = table("normal timber", "steel", title="Loads of concrete")
    assert ordinary("load of concrete", mixed, list(rows(mixed))) == ()


def test_a_row_without_a_value_decides_nothing() -> None:
    empty = replace(
        CONCRETE, cells=tuple(replace(c, text=">") if c.text == "3,0" else c for c in CONCRETE.cells)
    )
    assert ordinary("load of concrete", empty, list(rows(empty))) == ()


def test_rows_of_one_kind_stand_under_all_that_is_above_the_first() -> None:
    under = heads("light concrete", list(rows(CONCRETE)))
    assert [under[number].words for number in (1, 2, 3, 5, 6)] == [
        "concrete (see 4.1) light",
        "concrete (see 4.1) light",
        "concrete",
        "",
        "",
    ]


def test_an_empty_table_has_no_ordinary_row() -> None:
    nothing = Table(Label(("Table 1",)), "", (), (), ())
    assert ordinary("load of concrete", nothing, ()) == ()
    assert heads("load of concrete", ()) == {}
