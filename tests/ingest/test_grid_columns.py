"""Columns of open tables: heads over several columns, head rules, frames that stand off the caption."""

from __future__ import annotations

import pytest

from appliance.ingest.page import Area
from tests.ingest.drawn import across, down, row
from tests.ingest.test_grid import grid_of

SPANNING = "Reduction in imposed load for, percent"  # 190 points of ten: over the gap of both columns
VALUES = [["1", "0", "0"], ["2", "10", "5"], ["3", "20", "10"], ["5 to 10", "40", "20"]]


def open_table(frame: float, cut_in: bool, *, lowest: list[str], under: float = 116) -> list[list[str]]:
    """Return an open table as read: a frame rule, a head over two columns, a rule, rows, a rule."""
    xs = [60, 250, 370]
    lines = [row([(60, "Floors"), (240, SPANNING)], 104, bold=True)]
    lines += [row(list(zip(xs[1:], lowest, strict=True)), under, bold=True)]
    end = under + 8
    for i, entries in enumerate(VALUES):
        lines.append(
            row([(x + 10 * bool(x > 60), t) for x, t in zip(xs, entries, strict=True)], end + 12 + 13 * i)
        )
    bottom = end + 17 + 13 * (len(VALUES) - 1)
    strokes = [across(y, 55, 480) for y in (frame, end, bottom)]
    strokes += [across(106, 235, 440)] if cut_in else []
    return grid_of(lines, strokes, Area(55, 84, 480, bottom))


def test_numbers_of_columns_part_them_under_a_head_that_crosses() -> None:
    found = open_table(91.0, cut_in=False, lowest=["(2)", "(3)"])
    assert found[1:] == [["(2)", "(3)"], *VALUES]


@pytest.mark.parametrize("named", [True, False])
def test_heads_part_narrow_columns_beside_a_ruled_one(*, named: bool) -> None:
    """The heads have more lines than there are rows, and stand under a double rule."""
    starts = (120, 162, 204)
    heads = ("45 deg", "90 deg", "of all") if named else ("45 degrees and all others",)
    lines = [row(list(zip(starts, heads, strict=False)), 112 + 10 * at, bold=True) for at in range(5)]
    lines += [row([(65, f"{at} in"), *((x, f"{at} to m") for x in starts)], 176 + 12 * at) for at in range(4)]
    strokes = [*(across(y, 60, 260) for y in (100, 103, 164, 218)), down(110, 100, 218)]
    found = grid_of(lines, strokes, Area(60, 98, 260, 218))
    assert {len(cells) for cells in found[-4:]} == {4 if named else 2}
