"""Columns of open tables: heads over several columns, head rules, frames that stand off the caption."""

from __future__ import annotations

import pytest

from appliance.ingest.geometry import Area
from tests.ingest.drawn import across, row
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


@pytest.mark.parametrize("frame", [84.0, 91.0], ids=["at its top", "far below the caption"])
@pytest.mark.parametrize("cut_in", [False, True])
def test_a_head_over_two_columns_of_an_open_table_is_a_span(frame: float, cut_in: bool) -> None:
    assert open_table(frame, cut_in, lowest=["Residential", "Storage"]) == [
        ["2x1:Floors", f"1x2:{SPANNING}"],
        ["Residential", "Storage"],
        *VALUES,
    ]


def test_numbers_of_columns_part_them_under_a_head_that_crosses() -> None:
    found = open_table(91.0, cut_in=False, lowest=["(2)", "(3)"])
    assert found[1:] == [["(2)", "(3)"], *VALUES]


@pytest.mark.parametrize("rows", [2, 3, 5, 9])
def test_a_head_that_no_rule_ends_closes_no_gap_of_the_rows_under_it(rows: int) -> None:
    lines = [row([(60, "Floors"), (240, SPANNING)], 104), row([(250, "Residential"), (370, "Storage")], 120)]
    lines += [row([(60, str(i)), (260, "40"), (380, "20")], 136 + 16 * i) for i in range(rows)]
    found = grid_of(lines, [], Area(55, 90, 480, 140 + 16 * rows))
    assert found[-rows:] == [[str(i), "40", "20"] for i in range(rows)]


def test_a_head_of_one_column_whose_text_is_wider_than_its_values_stays_one_cell() -> None:
    lines = [row([(60, "Floors"), (240, SPANNING)], 104)]
    lines += [row([(60, t), (320, "0.5 to 1.5")], 126 + 13 * i) for i, t in enumerate("ABCD")]
    found = grid_of(lines, [across(y, 55, 480) for y in (91, 110, 172)], Area(55, 84, 480, 172))
    assert found == [["Floors", SPANNING], *([t, "0.5 to 1.5"] for t in "ABCD")]
