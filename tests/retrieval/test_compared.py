"""Comparisons taken apart, as cases."""

from __future__ import annotations

import pytest

from appliance.core.settings import SearchSettings
from appliance.library import Library
from appliance.retrieval.query.decomposition import sides
from appliance.retrieval.query.question import read_question, slots
from tests.retrieval.readings import reader


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "compare the going of a private stair and of a general access stair",
            ("the going of a private stair", "the going of a general access stair"),
        ),
        (
            "Compare handrail heights for stairs in M4(1) and in Part K.",
            ("handrail heights for stairs in M4(1)", "handrail heights for stairs in Part K"),
        ),
        (
            "compare the imposed load of offices with that of shops",
            ("the imposed load of offices", "the imposed load of shops"),
        ),
        (
            "what is the difference between the width of a private and of a communal route in M4(2)",
            ("the width of a private route in M4(2)", "the width of a communal route in M4(2)"),
        ),
        (
            "difference in width between private and communal stairs",
            ("width for private stairs", "width for communal stairs"),
        ),
        ("what's the difference between category 1 and 2?", ("category 1", "category 2")),
        (
            "difference between category 1 and 2 homes",
            ("category 1 homes", "category 2 homes"),
        ),
        ("difference between C1 and C5 imposed loads", ("C1 imposed loads", "C5 imposed loads")),
        (
            "load on a floor of category A and how does category B differ",
            ("load on a floor of category A", "load on a floor of category B"),
        ),
        ("how does a septic tank differ from a cesspool", ("a septic tank", "a cesspool")),
        ("how do domes and cylinders differ?", ("domes", "cylinders")),
        ("septic tank vs. cesspool", ("septic tank", "cesspool")),
        (
            "difference between access point, end point and distribution point",
            ("access point", "end point", "distribution point"),
        ),
        # a ramp is no kind of stair
        ("compare a ramp and a private stair", ("a ramp", "a private stair")),
        # no comparison, or one beside another question
        ("how wide is a stair compared with a ramp", ()),
        ("what is the difference between a vent and a duct, and which one is sized in mm", ()),
        ("compare", ()),
        ("compare the and of", ()),
        ("compare stairs and stairs", ()),
        ("width and height of a door", ()),
        ("what is the difference in height", ()),
        ("vs", ()),
        ("", ()),
    ],
)
def test_each_side_is_said_in_full(demo: Library, question: str, told: tuple[str, ...]) -> None:
    known = reader(demo.store)
    assert sides(question, known.content, lambda text: slots(text, known)) == told


def test_a_comparison_has_a_part_for_each_side(demo: Library) -> None:
    read = read_question(
        "compare the snow load of a dome with that of a flat roof", reader(demo.store), SearchSettings()
    ).query
    assert read.intent == "comparison"
    assert [(part.asked, part.intent) for part in read.parts] == [
        ("the snow load of a dome", "value"),
        ("the snow load of a flat roof", "value"),
    ]


def test_sides_of_which_nothing_is_measured_are_asked_what_they_are(demo: Library) -> None:
    read = read_question(
        "difference between a dome and a cylinder", reader(demo.store), SearchSettings()
    ).query
    assert [(part.asked, part.intent) for part in read.parts] == [
        ("a dome", "definition"),
        ("a cylinder", "definition"),
    ]
