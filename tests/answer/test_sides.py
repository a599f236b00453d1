"""The side of a limit that a question asks for."""

from __future__ import annotations

import pytest
from appliance.answer.sides import Side, asked_side, only_other, right_side_first

from appliance.text.quantities import asked_kinds
from tests.answer.builders import finding, query

BEGINS = "A floor level with a gradient of 1:20 or steeper should be designed as a ramp."


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        (BEGINS, True),
        ("A slope steeper than 1:20, on which a wheelchair user can move.", True),
        ("The gradient should not be steeper than 1:12.", False),
        ("Maximum gradient 1:12 for a going of 2m.", False),
        ("A ramp is steeper than 1:20; its gradient is 1:15 at most.", False),
        ("No number is given.", False),
    ],
)
def test_a_number_where_something_begins_is_told(text: str, *, begins: bool) -> None:
    assert only_other(text, asked_kinds("how steep can a ramp be"), "most") is begins


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("how steep can a ramp be", 1),
        ("steepest ramp allowed in a public building", 1),
        ("from what gradient on is a floor a ramp", 0),
    ],
)
def test_where_something_begins_stands_behind_how_far_it_may_go(question: str, first: int) -> None:
    chosen = (finding(BEGINS, 1.0), finding("The gradient of a ramp is 1:12 at most.", 0.9))
    assert right_side_first(query(question), chosen)[0] is chosen[first]


def test_nothing_is_moved_where_nothing_says_more() -> None:
    chosen = (finding(BEGINS, 1.0), finding("See Diagram 2.1.", 0.9))
    assert right_side_first(query("how steep can a ramp be"), chosen) == chosen
    assert right_side_first(query("how steep can a ramp be"), ()) == ()


@pytest.mark.parametrize(
    ("question", "side"),
    [
        ("how far must a tank be from the house", "least"),
        ("how far away from a boundary", "least"),
        ("how close may a flue be to a window", "least"),
        ("narrowest stair allowed", "least"),
        ("how far can a bin store be from the road", "most"),
        ("how far do residents walk from the door", None),
        ("minimum and maximum rise", None),  # both
        ("how wide is a stair", None),
    ],
)
def test_the_side_that_is_asked_for(question: str, side: Side | None) -> None:
    assert asked_side(question) == side


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("Tanks should be sited within 30 m of a vehicle access.", True),
        ("The drain should be not more than 12 m long.", True),
        ("Pipes of 75 mm or less.", True),
        ("Tanks should be at least 7 m from any building.", False),
        ("Not less than 3 m from the boundary.", False),
        ("Sited at least 7 m from a house and within 30 m of a road.", False),
        ("No number.", False),
    ],
)
def test_a_number_where_something_ends_is_told(text: str, *, ends: bool) -> None:
    assert only_other(text, frozenset({"length"}), "least") is ends


def test_how_near_something_has_to_be_is_no_distance_that_it_has_to_keep() -> None:
    chosen = (
        finding("Pits should be sited within 30 m of a vehicle access.", 1.0),
        finding("Pits should be at least 7 m from parts of buildings where people live.", 0.9),
    )
    asked = query("how far must a pit be from the house")
    assert right_side_first(asked, chosen)[0] is chosen[1]
    assert right_side_first(query("how far may a pit be from the road"), chosen)[0] is chosen[0]
