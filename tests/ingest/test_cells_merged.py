"""Cells in which the values of several rows or columns have run together."""

from __future__ import annotations

import pytest

from appliance.ingest.tables.cells import merged_cell_problems
from tests.test_lookup import grid

COLUMN = [["Liquid", "Density"], ["oil", "8,8"], ["ether", "7,4"], ["aniline", "9,8"]]


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
