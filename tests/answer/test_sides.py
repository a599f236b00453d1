"""The side of a limit that a question asks for."""

from __future__ import annotations

import pytest

from appliance.answer.sides import only_begins, right_side_first
from appliance.quantity import asked_kinds
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
    assert only_begins(text, asked_kinds("how steep can a ramp be")) is begins


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
