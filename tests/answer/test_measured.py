"""Which rows are for a number of the question: of its unit only, the next one that a bound covers."""

from __future__ import annotations

import pytest

from appliance.answer.measured import bound_of, covering, held_unit

AREAS = {1: "6.0", 2: "18.0", 3: "37.0", 4: "103.0"}


@pytest.mark.parametrize(
    ("asked", "head", "expected"),
    [
        ("channel for 30 m2", "Max. area (m2)", {3}),
        ("channel for 18 m2", "Max. area (m2)", {2}),
        ("channel for 104 m2", "Max. area (m2)", set()),  # beyond all
        ("channel for 30 m2", "Min. area (m2)", {2}),
        ("channel for 30 m2", "Area (m2)", set()),  # no bound: nothing is interpolated
        ("channel of 18 mm", "Max. area (m2)", None),  # another unit
        ("channel for 18", "Max. area (m2)", None),
    ],
)
def test_the_next_row_that_covers_a_number(asked: str, head: str, expected: set[int] | None) -> None:
    assert covering(asked, head, held_unit([head]), AREAS) == expected


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("Size (mm diam.)", "mm"),
        ("Pipe (DN)", "mm"),
        ("Flow (a)", ""),
        ("Height", ""),
        ("Per W/(m2·K) (mean)", ""),
    ],
)
def test_the_unit_of_a_head(head: str, unit: str) -> None:
    assert held_unit([head]) == unit


def test_numbers_that_carry_their_unit_need_none_in_the_head() -> None:
    assert covering("cover to a 225 mm pipe", "Nominal", "", {1: "100mm", 2: "225mm"}) == frozenset({2})


def test_a_head_with_both_bounds_has_none() -> None:
    assert (bound_of("Max. area"), bound_of("Minimum and maximum")) == ("most", "")
