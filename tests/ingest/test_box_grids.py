"""Tables without a caption: filled boxes with heads, open tables between rules, pages with too many rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from appliance.ingest.page import Area, Line, Stroke
from appliance.ingest.structure.schemes import load_schemes
from appliance.ingest.tables.finder import find_tables
from appliance.ingest.tables.grid import Grid
from appliance.ingest.tables.uncaptioned import MANY, left_out, loose_grids, nets
from tests.ingest.drawn import across, band, down, layout, line, prose, row, view
from tests.ingest.made import scheme

BOX = Area(50, 90, 550, 300)
HEADS = row([(60, "Requirement"), (320, "Limits on application")], 110, bold=True)
LEFT = [line("Stairs shall be safe", 60, y) for y in (130, 142, 154, 166)]
RIGHT = [line("Applies to dwellings", 320, y) for y in (130, 142)]


def filled(lines: Sequence[Line], *strokes: Stroke) -> list[tuple[Area, Grid]]:
    ground = band(BOX.x0, BOX.y0, BOX.x1, BOX.y1)
    return loose_grids(view(lines, [ground, *strokes]), [])


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


ENTRIES = [row([(65, "Category"), (300, "Load"), (450, "Unit")], 112)] + [
    row([(65, f"Class {i}"), (300, f"{i}.5"), (450, "kN")], 132 + 14 * i) for i in range(4)
]


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


LISTED = [row([(65, "Section"), (250, "Subject"), (420, "Penalty")], 112, bold=True)] + [
    row([(65, f"60-{i}"), (250, f"False alarms of kind {i}"), (420, f"${i}00")], 134 + 22 * i)
    for i in range(3)
]


@pytest.mark.parametrize(
    ("sides", "lines", "columns"),
    [
        ((240, 410), LISTED, 3),  # neither side of the table is drawn
        (
            (240,),
            [row([(65, f"Class {i}"), (250, f"Traffic of kind {i}")], 112 + 22 * i) for i in range(4)],
            2,
        ),
        ((240,), [row([(65, f"Class {i} of the traffic")], 112 + 22 * i) for i in range(4)], 0),  # of a page
    ],
)
def test_a_grid_may_be_open_at_its_sides(sides: Sequence[float], lines: list[Line], columns: int) -> None:
    rules = [across(y, 60, 540) for y in (118, 140, 162)] + [down(x, 98, 186) for x in sides]
    found = loose_grids(view(lines, rules), [])
    assert [grid.columns for _, grid in found] == [columns] * bool(columns)


def test_filled_cells_side_by_side_are_columns() -> None:
    lines = [row([(65, "Works"), (112, "Earthworks"), (165, "Drainage of roads")], 112, bold=True)]
    lines += [
        row([(65, "R1"), (112, "up to 2 m"), (165, "of minor culverts")], 140 + 20 * i) for i in range(3)
    ]
    cells = [
        band(x0, y, x1 - 1.5, y + height - 1.5)
        for y, height in ((98, 20), (118, 80))
        for x0, x1 in ((60, 110), (110, 162), (162, 300))
    ]
    caption = line("Table 7 - Works", 60, 90, bold=True)
    (table,) = find_tables([layout([caption, *lines, *prose(300)], cells)], scheme("decimal")).items
    assert [cell.text for cell in table.cells[:3]] == ["Works", "Earthworks", "Drainage of roads"]
    assert "up to 2 m" in {cell.text for cell in table.cells}


USES = [row([(300, "Shoreland"), (380, "Village"), (460, "Rural")], 112, bold=True)] + [
    row(
        [(65, f"Dwellings of kind {i}"), *((x + 10, "N/A" if i > 2 else "C") for x in (300, 380, 460))],
        128 + 14 * i,
    )
    for i in range(5)
]


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        (USES, 6),
        ([*USES[:3], line("and their outbuildings in the same place", 75, 163), *USES[4:]], 6),
        (USES[:4], 0),  # too few
        ([row([(65, f"{i}"), (90, "Scope"), (460, f"{i}")], 112 + 14 * i) for i in range(9)], 0),  # contents
        (USES[::-2] + prose(112 + 14 * 8), 0),  # far apart
        ([row([(x, "a column of plain text") for x in (40, 230, 420)], 112 + 14 * i) for i in range(9)], 0),
    ],
)  # fmt: skip
def test_short_entries_in_columns_without_rules_are_a_table(lines: list[Line], rows: int) -> None:
    around = [*prose(60), *lines, *prose(300)]
    assert [grid.rows for _, grid in loose_grids(view(around), [])] == [rows] * bool(rows)


@pytest.mark.parametrize("ruled", [True, False])
def test_entries_that_nothing_parts_stay_text_too(*, ruled: bool) -> None:
    rules = [across(y, 60, 560) for y in (98, 116, 190)] if ruled else []
    found = find_tables([layout([*prose(60), *USES, *prose(300)], rules)], scheme("decimal"))
    assert len(found.items) == 1
    assert len(found.taken) == (len(USES) if ruled else 0)
