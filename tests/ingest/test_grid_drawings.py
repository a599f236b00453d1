"""Drawings in cells of scanned tables: their lines part nothing, those of the table do."""

from __future__ import annotations

import pytest

from appliance.ingest.page import Area, Rule, Ruling
from appliance.ingest.tables.grid import MANY, without_drawings

AREA = Area(0, 0, 400, 400)
FRAME = tuple(Rule(y, 0, 400) for y in (0, 150, 400))
SIDES = tuple(Rule(x, 0, 400) for x in (0, 200, 400))
PLAN = (
    (Rule(30, 240, 320), Rule(100, 240, 320)),
    (Rule(240, 30, 100), Rule(320, 30, 100)),
)  # closed, in a cell


def ruled(across: tuple[Rule, ...], down: tuple[Rule, ...]) -> Ruling:
    return Ruling((*FRAME, *across), (*SIDES, *down), ())


@pytest.mark.parametrize(
    ("across", "down", "left"),
    [
        ((), (), (0, 0)),
        (*PLAN, (0, 0)),
        ((*PLAN[0], Rule(300, 210, 260)), PLAN[1], (1, 0)),  # a line far below
        ((Rule(60, 210, 235),), (), (1, 0)),  # a line beside no drawing
        ((Rule(30, 200, 320), PLAN[0][1]), PLAN[1], (2, 2)),  # it meets the table's own lines
        ((), (Rule(300, 30, 140),), (0, 1)),  # an upright line alone: a parting that faded
        (
            (Rule(10, 10, 390), Rule(390, 10, 390)),
            (Rule(10, 10, 390), Rule(390, 10, 390)),
            (2, 2),
        ),  # too large
    ],
)
def test_lines_of_drawings_are_left_out(
    across: tuple[Rule, ...], down: tuple[Rule, ...], left: tuple[int, int]
) -> None:
    found = without_drawings(ruled(across, down), AREA)
    assert (len(found.horizontal) - len(FRAME), len(found.vertical) - len(SIDES)) == left
    assert found.horizontal[: len(FRAME)] == FRAME
    assert found.vertical[: len(SIDES)] == SIDES


@pytest.mark.parametrize("rules", [Ruling((), (), ()), Ruling(*PLAN, ()), ruled(PLAN[0] * MANY, PLAN[1])])
def test_without_a_frame_or_with_too_many_lines_nothing_is_left_out(rules: Ruling) -> None:
    assert without_drawings(rules, AREA) is rules
