"""In which order statements stand, as cases."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.findings import Finding
from appliance.answer.order import FURTHEST, in_order, signals_of

from appliance.core.evidence import Query
from tests.answer.builders import finding, place, query

NEAR, FAR = place(label="1.1", chunk=1), place(label="2.1", chunk=2)


def asked(text: str, *kinds: str) -> Query:
    return replace(query(text, "value"), kinds=kinds)


def said(text: str, score: float, where: object = NEAR, met: float = 0.5) -> Finding:
    return replace(finding(text, score), place=where, met=met)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # one sentence speaks of the thing and gives what is asked for
        (
            said("The tank is at least 7 m from houses.", 0.7),
            said("The tank is new. A road is 30 m from houses.", 0.75),
        ),
        # a height is no width
        (said("The door is 900 mm wide.", 0.7), said("The door is 900 mm high.", 0.75)),
        # nearer by meaning to what is named
        (
            said("The hallway is 900 mm wide.", 0.7, met=0.9),
            said("The kitchen is 900 mm wide.", 0.75, met=0.4),
        ),
        # the place that the search puts first
        (said("A door is 900 mm wide.", 0.7), said("A door is 800 mm wide.", 0.72, FAR)),
        # clearly better all the same
        (said("A door is 800 mm wide.", 1.2, FAR), said("A door is 900 mm wide.", 0.7)),
    ],
)
def test_what_fits_better_stands_first(better: Finding, worse: Finding) -> None:
    question = asked("how wide is the door of a tank house", "length")
    for given in ([better, worse], [worse, better]):
        ordered = in_order(question, given, given[::-1], [NEAR, FAR])
        assert ordered[0] == better
        assert sorted(item.text for item in ordered) == sorted(item.text for item in given)


def test_of_one_place_the_first_that_gives_what_is_asked_leads() -> None:
    rule = said("Tanks are at least 7 m from houses.", 0.8)
    case = said("Where they are emptied by lorry, tanks are within 30 m of a road.", 0.85)
    other = said("Tanks are 3 m from a fence.", 0.84, FAR)
    none = said("Tanks are made of brick.", 0.8)
    question = asked("how far are tanks from the road", "length")
    assert in_order(question, [case, rule, other], [rule, case, other], [NEAR, FAR])[0] == rule
    assert in_order(question, [rule, case, other], [case, rule, other], [NEAR, FAR])[0] == case
    assert in_order(question, [case, none], [none, case], [NEAR, FAR])[0] == case
    far = replace(rule, score=0.5)
    assert in_order(question, [case, far], [far, case], [NEAR, FAR])[0] == case


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Panes exceeding 900 mm are of class 2.", True),
        ("Panes of 1 m are of class 2.", True),
        ("Panes up to 900 mm are of class 2.", False),
        ("Panes of 1 kg are of class 2.", False),
        ("Panes are of class 2.", False),
        ("", False),
    ],
)
def test_a_number_of_the_question_lies_in_a_range_of_the_text(text: str, held: bool) -> None:
    signals = signals_of(asked("class of a pane 1 m wide"), said(text, 0.5), 0)
    assert signals["stated"] == held


def test_a_place_that_was_not_read_counts_as_the_furthest() -> None:
    assert signals_of(asked("door"), said("Door.", 0.5), 10**6)["rank"] == FURTHEST


def test_nothing_stays_nothing() -> None:
    assert in_order(asked("door"), [], [], []) == ()
