"""Look-up with other words for the same."""

from __future__ import annotations

import pytest

from appliance.core.document import Table
from appliance.tables.lookup import best_lookup, look_up
from tests.test_lookup import grid

GROUPS = (
    (("slope",), ("gradient",), ("steepness",)),
    (("riser", "height"), ("step", "height"), ("rise",)),
    (("house",), ("dwelling",)),
    (("flat",), ("dwelling",), ("apartment",)),
)
RAMPS = grid(
    [
        ["Use", "Maximum gradient", "Maximum length", "Rise"],
        ["Dwelling", "1:12", "2 m", "166"],
        ["Office", "1:20", "5 m", "500"],
    ]
)
BOTH = grid([["Use", "Gradient", "Slope of the side"], ["Dwelling", "1:12", "1:3"]])
TWO = grid([["Use", "Gradient", "Steepness of kerbs"], ["Dwelling", "1:12", "1:3"]])
SAME = grid([["Use", "Depth"], ["Dwelling", "1"], ["Apartment", "2"]])


@pytest.mark.parametrize(
    ("table", "row", "column", "values", "exact", "read_as"),
    [
        (RAMPS, "dwelling", "slope", ["1:12"], True, [("slope", "gradient")]),
        (RAMPS, "dwelling", "maximum slopes", ["1:12"], True, [("slopes", "gradient")]),
        (RAMPS, "house", "steepness", ["1:12"], True, [("house", "dwelling"), ("steepness", "gradient")]),
        (RAMPS, "office", "riser height", ["500"], True, [("riser height", "rise")]),
        (RAMPS, "office", "gradient", ["1:20"], True, []),  # asked as it is printed
        (BOTH, "dwelling", "slope", ["1:3"], True, []),  # the exact word before another for it
        (TWO, "dwelling", "slope", ["1:12", "1:3"], False, [("slope", "gradient"), ("slope", "steepness")]),
        (SAME, "flat", "depth", ["1", "2"], False, [("flat", "dwelling"), ("flat", "apartment")]),
        (RAMPS, "office", "colour", ["1:20", "5 m", "500"], False, []),
        (RAMPS, "office", "slopeway", ["1:20", "5 m", "500"], False, []),  # no word of a vocabulary
        (grid([]), "office", "slope", [], False, []),
    ],
)  # fmt: skip
def test_other_words_answer_where_the_asked_ones_do_not_and_are_told(
    table: Table, row: str, column: str, values: list[str], read_as: list[tuple[str, str]], *, exact: bool
) -> None:
    found = look_up(table, row, column, GROUPS)
    assert (found.exact, list(found.read_as)) == (exact, read_as)
    assert [one.cell.text for one in found.cells if one.cell.column] == values


def test_of_several_tables_the_one_in_the_asked_words_comes_first() -> None:
    found = best_lookup((RAMPS, BOTH), "dwelling", "slope", GROUPS)
    assert (found.table, found.read_as, found.rivals) == (BOTH, (), ())
