"""Statements that leave out what is asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.excepted import including_first, left_out, unanswered

from appliance.core.evidence import Intent, Query
from tests.answer.builders import finding, query


def asking(text: str, intent: Intent = "value") -> Query:
    return replace(query(text, intent), kinds=("length",))


PARTS = "Communal parts (except communal stairs) have a width of 1200 mm."
LIFTS = "Stairs have a width of 1000 mm."


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("width of communal stairs", PARTS, ("stairs",)),
        ("width of communal parts", PARTS, ()),
        (
            "headroom of an office doorway",
            "Offices have a headroom of 2 m, except in doorways.",
            ("doorway",),
        ),
        (
            "headroom in lofts",
            "Headroom is 2 m, other than in lofts where 1.9 m is enough.",
            (),
        ),  # has its own
        ("width of stairs", "Stairs other than spiral stairs are 800 mm wide.", ()),  # stands outside too
        ("width of all but stairs", "All parts, but not stairs, are 800 mm wide.", ("stairs",)),
        ("width except for stairs", PARTS, ()),  # the question leaves it out itself
        ("width of stairs", "", ()),
        ("", PARTS, ()),
    ],
)
def test_what_stands_in_an_exception_alone_is_left_out(
    question: str, text: str, missing: tuple[str, ...]
) -> None:
    assert left_out(asking(question), finding(text, 1.0)) == missing


def test_only_a_question_for_a_value_is_answered_wrongly_by_an_exception() -> None:
    assert left_out(asking("are stairs covered", "applicability"), finding(PARTS, 1.0)) == ()


def test_a_statement_that_speaks_of_the_thing_stands_first() -> None:
    asked, said = asking("width of communal stairs"), [finding(PARTS, 1.0), finding(LIFTS, 0.5)]
    assert [item.text for item in including_first(asked, said)] == [LIFTS, PARTS]
    assert unanswered(asked, including_first(asked, said)) == ""
    assert unanswered(asked, said[:1]) == "The first statement leaves out “stairs”."
    assert including_first(asked, []) == ()


def test_one_that_gives_no_value_does_not_come_before_it() -> None:
    said = [finding(PARTS, 1.0), finding("Stairs are lit.", 0.9)]
    assert including_first(asking("width of communal stairs"), said) == tuple(said)


def test_one_with_an_exception_of_its_own_does_not_come_before_it() -> None:
    said = [finding(PARTS, 1.0), finding("Stairs (except in flats) have a width of 1 m.", 0.9)]
    assert including_first(asking("width of communal stairs"), said) == tuple(said)


def test_one_that_gives_another_dimension_does_not_come_before_it() -> None:
    said = [finding("Offices have a headroom of 2 m, except in doorways.", 1.0)]
    said.append(finding("Doorways are 0.8 m wide.", 0.9))
    assert including_first(asking("headroom of an office doorway"), said) == tuple(said)
