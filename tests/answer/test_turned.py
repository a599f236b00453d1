"""Statements for one of two cases, told by their captions, headings and sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.findings import Finding
from appliance.answer.turned import Condition, conditions, other_case, right_case_first

from appliance.core.document import Label
from appliance.core.evidence import Concept as Asked
from appliance.core.evidence import Query
from tests.answer.builders import finding, query

NOT = "Figure 2 Least flow of a hall where a hood does not blow to the outside: 60 l/s"
BLOWS = "Figure 1 Least flow of a hall where a hood blows to the outside: 30 l/s"
LIDLESS = "The vent of a tank without a lid should be 100 mm wide."
LIDDED = "The vent of a tank with a lid should be 50 mm wide."


def asked(text: str, kind: str = "flow") -> Query:
    return replace(query(text, "value"), kinds=(kind,))


def drawn(text: str, label: str) -> Finding:
    one = finding(text, 1.0)
    place = replace(one.place, kind="figure", title=text.partition(":")[0], label=Label((label,)))
    return replace(one, place=place)


def said(text: str, label: str = "1.1") -> Finding:
    one = finding(text, 1.0)
    return replace(one, place=replace(one.place, label=Label((label,))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("flow where a hood does not blow", [(("hood",), ("blow",))]),
        ("flow where a hood blows", [(("hood", "blow"), ())]),
        ("a tank without a lid", [((), ("lid",))]),
        ("where no lift is provided, a stair", [((), ("lift",))]),
        ("where the rise is not more than 600 mm", [(("rise", "600"), ())]),  # a bound
        ("should not be less than 900 mm", []),
        ("unless there is no lift", []),  # an exception
        ("", []),
    ],
)
def test_what_conditions_state_and_turn(
    text: str, expected: list[tuple[tuple[str, ...], tuple[str, ...]]]
) -> None:
    wanted = [Condition(frozenset(stated), frozenset(turned)) for stated, turned in expected]
    assert list(conditions(text)) == wanted


@pytest.mark.parametrize(
    ("question", "first", "told"),
    [
        ("flow of a hall with a hood", BLOWS, False),  # it does not say where it blows
        ("flow of a hall with a hood that blows outside", BLOWS, True),
        ("flow of a hall when the hood does not blow outside", NOT, True),
    ],
)
def test_of_two_captions_that_for_the_case_asked_about_leads(
    question: str, first: str, *, told: bool
) -> None:
    one, other = drawn(NOT, "Figure 2"), drawn(BLOWS, "Figure 1")
    for chosen in ((one, other), (other, one)):
        found = right_case_first(asked(question), chosen)
        assert found[0].text == first
        assert len(found) == len(chosen)  # both stand
        assert (other_case(asked(question), found) == "") is told


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("how wide is the vent of a tank with a lid", LIDDED),
        ("how wide is the vent of a tank without a lid", LIDLESS),
        ("how wide is the vent of a tank with no lid", LIDLESS),
    ],
)
def test_of_two_sentences_that_for_the_case_asked_about_leads(question: str, first: str) -> None:
    one, other = said(LIDDED, "1.1"), said(LIDLESS, "1.2")
    for chosen in ((one, other), (other, one)):
        assert right_case_first(asked(question, "length"), chosen)[0].text == first


def test_a_case_that_stands_alone_is_told_where_it_is_the_opposite() -> None:
    question = asked("how wide is the vent of a tank with a lid", "length")
    assert "another case" in other_case(question, (said(LIDLESS),))
    assert other_case(question, (said(LIDDED),)) == ""
    assert right_case_first(question, (said(LIDLESS),)) == (said(LIDLESS),)
    assert right_case_first(question, ()) == ()
    assert other_case(question, ()) == ""


def test_one_that_gives_less_of_what_is_asked_does_not_lead() -> None:
    chosen = (said(LIDLESS, "1.1"), said("A tank with a lid has a vent.", "1.2"))
    assert right_case_first(asked("how wide is the vent of a tank with a lid", "length"), chosen) == chosen


def test_a_sentence_for_all_cases_beside_one_for_a_case_leaves_it_open() -> None:
    both = said("A vent is 50 mm wide. Of a tank without a lid it should be 100 mm wide.")
    assert other_case(asked("how wide is the vent of a tank with a lid", "length"), (both,)) == ""


def test_only_questions_for_a_value_are_looked_at() -> None:
    chosen = (said(LIDLESS), said(LIDDED))
    assert right_case_first(query("is a tank with a lid allowed", "applicability"), chosen) == chosen


@pytest.mark.parametrize(
    ("question", "others", "first"),
    [
        ("how wide is a stair in a house", ("home",), 1),
        ("how wide is a stair in a dwelling", ("house",), 1),
        ("how wide is a stair in an office", ("buildings other than houses",), 0),
        ("how wide is a stair", (), 0),
    ],
)
def test_a_heading_that_excepts_what_is_asked_about_is_for_another_case(
    question: str, others: tuple[str, ...], first: int
) -> None:
    named = tuple(Asked(word, others) for word in ("house", "dwelling", "office") if word in question)
    one = replace(asked(question, "length"), concepts=named)
    chosen = tuple(
        replace(said(f"A stair should be {width} mm wide."), place=replace(said("").place, title=title))
        for width, title in ((1200, "For buildings other than houses"), (900, "For houses"))
    )
    assert right_case_first(one, chosen)[0] is chosen[first]
