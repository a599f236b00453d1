"""Which rows are for a number of the question: of its unit only, the next one that a bound covers."""

from __future__ import annotations

import pytest
from appliance.answer.measured import bound_of, covering, held_unit, without_counts

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


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("consequence class of a 3 storey school", "consequence class of a  storey school"),
        ("class of a three-storey school", "class of a -storey school"),
        ("class 3 schools", "class 3 schools"),  # behind a word of the table it is a name
        ("consequence class 3 or 2", "consequence class 3 or 2"),
        ("class for 4 persons", "class for 4 persons"),  # the table speaks of persons
        ("class of a wall 3 m high", "class of a wall 3 m high"),  # with a unit it is a size
        ("class within 60 minutes", "class within 60 minutes"),
        ("class 2 and 3 for a school", "class 2 and 3 for a school"),
        ("class under 4.3 schools", "class under 4.3 schools"),
        ("one school", " school"),
        ("", ""),
    ],
)
def test_a_number_that_counts_another_thing_names_no_row(asked: str, left: str) -> None:
    assert without_counts(asked, {"class", "persons"}) == left
