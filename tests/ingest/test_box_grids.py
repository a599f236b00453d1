"""Tables without a caption: filled boxes with heads, open tables between rules, pages with too many rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from appliance.ingest.geometry import Area
from appliance.ingest.page import Line, Stroke
from appliance.ingest.structure.schemes import load_schemes
from appliance.ingest.tables.boxes import box_grid, boxes, is_form
from appliance.ingest.tables.cells import paragraph
from appliance.ingest.tables.finder import MANY, find_tables, left_out, loose_grids, nets, stacks
from appliance.ingest.tables.grid import Grid, make_grid
from tests.ingest.drawn import across, band, down, lattice, layout, line, prose, row, view

BOX = Area(50, 90, 550, 300)
HEADS = row([(60, "Requirement"), (320, "Limits on application")], 110, bold=True)
LEFT = [line("Stairs shall be safe", 60, y) for y in (130, 142, 154, 166)]
RIGHT = [line("Applies to dwellings", 320, y) for y in (130, 142)]


def filled(lines: Sequence[Line], *strokes: Stroke) -> list[tuple[Area, Grid]]:
    ground = band(BOX.x0, BOX.y0, BOX.x1, BOX.y1)
    return loose_grids(view(lines, [ground, *strokes]), [])


def texts(grid: Grid) -> list[list[str]]:
    return [[paragraph(c.lines) for c in grid.cells if c.row == r] for r in range(grid.rows)]


def test_heads_set_apart_in_type_part_a_filled_box_where_they_begin() -> None:
    ((area, grid),) = filled([HEADS, *LEFT, *RIGHT])
    assert texts(grid) == [
        ["Requirement", "Limits on application"],
        [" ".join(["Stairs shall be safe"] * 4), " ".join(["Applies to dwellings"] * 2)],
    ]
    assert (area.x0, area.x1) == (BOX.x0, BOX.x1)


def test_a_row_begins_where_several_columns_begin_afresh_together() -> None:
    again = [line("Ramps shall be safe", 60, 200), line("Applies to all", 320, 200)]
    ((_, grid),) = filled([HEADS, *LEFT, *RIGHT, *again])
    assert [r[0].split()[0] for r in texts(grid)] == ["Requirement", "Stairs", "Ramps"]


def test_a_rule_over_the_whole_box_ends_the_table() -> None:
    after = [line("Performance in the Secretary of State's view", 60, 220)]
    ((area, grid),) = filled([HEADS, *LEFT, *RIGHT, *after], across(200, BOX.x0, BOX.x1))
    assert grid.rows == 2
    assert area.y1 < 200


@pytest.mark.parametrize(
    "lines",
    [
        [row([(60, "Requirement"), (320, "Limits")], 110), *LEFT, *RIGHT],  # heads in plain type
        [HEADS, *[line("Stairs shall be safe for all who use any of these", 60, y) for y in (130, 142)]],
        [line("Requirement", 60, 110, bold=True), *LEFT],  # one head
        [HEADS],  # nothing under the heads
        prose(110, 8),
        [],
    ],
)  # fmt: skip
def test_a_filled_box_that_is_no_table(lines: list[Line]) -> None:
    assert filled(lines) == []


@pytest.mark.parametrize("box", [Area(50, 5, 550, 795), Area(50, 90, 200, 300), Area(50, 90, 550, 130)])
def test_the_ground_of_a_page_and_small_fills_are_no_boxes(box: Area) -> None:
    seen = view([HEADS, *LEFT], [band(box.x0, box.y0, box.x1, box.y1)])
    assert boxes(seen) == []


def test_a_box_without_words_has_no_grid() -> None:
    assert box_grid(view([], [band(50, 90, 550, 300)]), BOX) is None


def test_a_form_has_labels_and_room_beside_them() -> None:
    ys = [100 + 20 * i for i in range(5)]
    strokes = lattice([60, 260, 460], ys)
    labels = [line(f"Name of part {i}", 65, y + 15) for i, y in enumerate(ys[:-1])]
    area = Area(60, 100, 460, 180)
    form = make_grid(view(labels, strokes), area)
    full = make_grid(view([*labels, *[line("known", 265, y + 15) for y in ys[:-1]]], strokes), area)
    assert form is not None
    assert full is not None
    assert (is_form(form), is_form(full)) == (True, False)


ENTRIES = [row([(65, "Category"), (300, "Load"), (450, "Unit")], 112)] + [
    row([(65, f"Class {i}"), (300, f"{i}.5"), (450, "kN")], 132 + 14 * i) for i in range(4)
]


def test_an_open_table_between_rules_of_one_width() -> None:
    strokes = [across(y, 60, 540) for y in (98, 118, 190)]
    ((area, grid),) = loose_grids(view(ENTRIES, strokes), [])
    assert (area.y0, area.y1) == (98, 190)
    assert texts(grid)[0] == ["Category", "Load", "Unit"]
    assert grid.rows == 5


@pytest.mark.parametrize(
    ("lines", "strokes"),
    [
        (ENTRIES, [across(98, 60, 540), across(190, 60, 540)]),  # two rules: a frame of anything
        (ENTRIES, [across(98, 60, 540), across(118, 60, 400), across(190, 100, 540)]),  # three widths
        (prose(112, 6), [across(y, 60, 540) for y in (98, 140, 190)]),  # prose between rules
        (ENTRIES, [across(98, 60, 540), across(118, 60, 540), across(700, 60, 540)]),  # too far to be one
    ],
)
def test_rules_that_make_no_open_table(lines: list[Line], strokes: list[Stroke]) -> None:
    assert stacks(view(lines, strokes)) == []


NOISE = [row([(65, "t"), (300, "!h"), (450, "I),")], 112)] + [
    row([(65, "/11 I"), (300, ".R."), (450, "~:")], 132 + 14 * i) for i in range(4)
]


CHART = [row([(65, "A (h/d)"), (300, "0,1 0,2 0,3 0,4 f/d"), (450, "C 0,5")], 112)] + [
    row([(65, "0,1"), (300, "0,4"), (450, "B 0,2")], 132 + 14 * i) for i in range(4)
]


@pytest.mark.parametrize(
    ("lines", "trust", "found"),
    [(CHART, "ocr", 0), (NOISE, "ocr", 0), (NOISE, "digital", 1), (ENTRIES, "ocr", 1)],
)
def test_what_a_scan_reads_of_the_strokes_of_a_drawing_is_no_table(
    lines: list[Line], trust: str, found: int
) -> None:
    seen = view(lines, [across(y, 60, 540) for y in (98, 118, 190)])
    page = replace(seen.page, trust=trust)  # type: ignore[arg-type]  # a literal of the table
    assert len(loose_grids(replace(seen, page=page), [])) == found


def test_a_known_table_is_not_found_again() -> None:
    seen = view(ENTRIES, [across(y, 60, 540) for y in (98, 118, 190)])
    assert loose_grids(seen, [Area(60, 90, 540, 200)]) == []


@pytest.mark.parametrize(("rules", "told"), [(MANY, False), (MANY + 1, True)])
def test_a_page_too_full_of_rules_is_told_with_its_box(rules: int, told: bool) -> None:
    # Rules apart by more than what is taken for one rule.
    strokes = [
        across(20 + 8 * (i % 90), 40 + 100 * (i // 90), 90 + 100 * (i // 90)) for i in range(rules - 1)
    ]
    strokes.append(down(30, 20, 60))
    page = layout(prose(60), strokes, number=3)
    found = find_tables([page], load_schemes(None)[0])
    messages = [p for p in found.problems if "not looked for" in p.message]
    assert bool(messages) is told
    assert bool(left_out(view([], strokes))) is told
    if told:
        assert nets(view([], strokes)) == []
        (problem,) = messages
        assert problem.page == 3
        assert problem.box is not None
        assert str(rules) in problem.message
