"""Which row answers where the question names no special case, and what rows stand under."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.ordinary import heads, ordinary

from appliance.core.document import Box, Cell, Label, Table
from appliance.tables.rows import rows


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


def spanned(*labels: str, over: dict[int, int]) -> Table:
    """Return a table whose first cells stand over several rows each; "" where one goes on."""
    made = table(*(label or f"row {number}" for number, label in enumerate(labels, 1)))
    kept = [cell for cell in made.cells if cell.column > 0 or cell.header or labels[cell.row - 1]]
    tall = [
        replace(cell, row_span=over[cell.row], box=replace(cell.box, y1=cell.box.y0 + 0.05 * over[cell.row]))
        if cell.column == 0 and cell.row in over
        else cell
        for cell in kept
    ]
    return replace(made, cells=tuple(tall))


@pytest.mark.parametrize("asked", ["cover in severe exposure", "cover in moderate exposure", "cover"])
def test_a_cell_over_several_rows_heads_none_that_follows(asked: str) -> None:
    cover = spanned("severe", "", "", "moderate", "", "", "mild", "dry", "buried", over={1: 3, 4: 3})
    under = heads(asked, list(rows(cover)))
    assert not any(head.words for head in under.values())


def test_a_cell_over_several_rows_ends_what_stands_above_it() -> None:
    labels = ("concrete light class L 1,0", "class L 1,2", "bridges", "", "timber")
    glued = replace(
        (made := spanned(*labels, over={3: 2})),
        cells=tuple(
            replace(c, box=replace(c.box, y1=c.box.y0 + 0.06)) if (c.row, c.column) == (1, 0) else c
            for c in made.cells
        ),
    )
    under = heads("light concrete", list(rows(glued)))
    assert [under[row.number].words for row in rows(glued)] == ["concrete light"] * 2 + [""] * 3


def test_a_long_label_is_no_heading() -> None:
    timber = table("solid timber of all strength classes in use", "glued timber", "boards", tall=(1,))
    under = heads("partial factor of solid timber", list(rows(timber)))
    assert not any(head.words for head in under.values())


def test_an_empty_table_has_no_ordinary_row() -> None:
    nothing = Table(Label(("Table 1",)), "", (), (), ())
    assert ordinary("load of concrete", nothing, ()) == ()
    assert heads("load of concrete", ()) == {}
