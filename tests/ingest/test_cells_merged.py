"""Cells in which the values of several rows or columns have run together."""

from __future__ import annotations

import pytest

from appliance.core.document import Table
from appliance.ingest.tables.doubts import merged_cell_problems, merged_cells, values
from tests.test_lookup import grid

COLUMN = [["Liquid", "Density"], ["oil", "8,8"], ["ether", "7,4"], ["aniline", "9,8"]]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("11,8 7,8", 2), ("13,7 17,7 8,3", 3), ("-1,9 -0,5", 2), ("+0,2 -0,2", 2), ("30° 45°", 2),
        ("- 1,2 0,3", 2), ("2,5 - 3,5", 0), ("- 0,9 - 1,2", 2),
        ("4 kN 3 kN", 2), ("17,5", 1), ("1 200", 1), ("> 30,0", 0), ("5 mm", 1), ("2,0 to 3,0", 1),
        ("0,2 x 0,2", 1), ("6 to 9 3 to 6", 2), ("6 bis 9 3 bis 6", 2), ("35 mm 40 mm", 2),
        ("2,5 to 7,0 (4,0)", 0), ("24,0¹⁾", 0), ("see 4.2 and 5.1", 0),
        ("200/25 200/31", 2), ("200/25", 1), ("1:12 1:20", 2),
        ("1 1/2", 1), ("1 3/4", 1), ("1/25 1/50", 2), ("and/or 1/2", 0), ("A 1", 0), ("", 0), ("-", 0),
    ],
)  # fmt: skip
def test_only_values_that_follow_each_other_are_several(text: str, count: int) -> None:
    assert values(text) == count


@pytest.mark.parametrize(
    ("table", "merged"),
    [
        (grid([*COLUMN, ["acid alcohol", "11,8 7,8"]]), ["11,8 7,8"]),
        (grid([["x", "y"], ["a", "1 2"], ["b", "3 4"], ["c", "5"]]), ["1 2", "3 4"]),  # two columns
        (grid([["x", "y"], ["a", "10 5"], ["b", "20 10"], ["c", "40 20"]]), ["10 5", "20 10", "40 20"]),
        (grid([["x", "y", "z"], ["a", "10 5", "1"], ["b", "20 10", "2"]]), ["10 5", "20 10"]),
        (grid([["x", "y"], ["a", "4 ft 1 220 mm"], ["b", "5 ft 1 520 mm"]]), []),  # printed so
        (grid([["x", "y"], ["a", "1 200"], ["b", "2 500"]]), []),  # groups of three
        (grid([["x", "y"], ["1 2", "a"], ["3 4", "b"]]), []),  # of the labels
        (grid([["x", "y"], ["a", "1,0"], ["b", "2,0 3,0"]]), []),  # too few to tell
        (grid([*COLUMN, ["acid", "11,8 to 12,8"], ["oil of 2 3", "7,8"]]), []),
        (
            grid([["z", "F", "G"], ["a", "1", "2"], ["b", "3", "4"], ["c", "5 6", "7"]]),
            ["5 6"],
        ),  # by the table
        (
            grid([["R", "b"], ["a", "200/25 200/31"], ["b", "200/36"], ["c", "300/45"], ["d", "200/25"]]),
            ["200/25 200/31"],
        ),
        (grid([], headers=0), []),
    ],
)
def test_a_cell_of_several_values_is_odd_among_single_ones(table: Table, merged: list[str]) -> None:
    assert [cell.text for cell in merged_cells(table)] == merged


def test_several_values_in_a_cell_are_a_doubt_with_its_words_and_box() -> None:
    (problem,) = merged_cell_problems([grid([*COLUMN, ["acid alcohol", "11,8 7,8"]])])
    assert problem.doubt
    assert problem.box is not None
    assert "“11,8 7,8”" in problem.message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("15,0 to 16,01)", 1),
        ("0,71) 2)", 1),
        ("15,0 to 16,0¹⁾", 0),
        ("7,0 (4,0)", 0),
        ("see (C 4.2)", 0),
        ("5.2)", 1),
        ("1)", 0),
    ],
)
def test_a_mark_that_has_run_into_its_value_is_a_doubt(text: str, told: int) -> None:
    assert len(list(merged_cell_problems([grid([["Liquid", "Density"], ["oil", text]])]))) == told
