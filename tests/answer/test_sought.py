"""Whether anything found holds a quantity of the kind that a question surely wants."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.reading.question import Sought, holds, nowhere, sought, unstated
from appliance.core.evidence import Grounded, NotFound
from appliance.library import Library
from tests.answer.builders import place, query


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("After how many years must an alarm be replaced?", Sought("time", "years")),
        ("how many metres apart", Sought("length", "metres")),
        ("grease trap emptying frequency", Sought("time")),
        ("How often is the filter cleaned?", Sought("time")),
        ("What lux level is needed on the path?", Sought("light")),
        ("what percentage must I add for climate change", Sought("share")),
        ("how many ventilators does a flat need", None),
        ("what is the rent of a ramp", Sought("price")),
        ("what does a washbasin trap cost", Sought("price")),
        ("how much does a charge point cost?", Sought("price")),
        ("price of a charger", Sought("price")),
        ("When working out the price of a charger, does the cable count?", None),
        ("How is the price of chargers compared with the total price", None),
        ("what does the connection cost include", None),
        ("what does the cost cap cover", None),
        ("how much ventilation does it take", None),
        ("what ventilation does a kitchen need", None),
        ("what power does the authority have", None),
        ("may the two share one cut-out", None),
        ("how heavy or big a ball is lowered", None),
        ("", None),
    ],
)
def test_only_what_is_surely_wanted_is_looked_for(question: str, expected: Sought | None) -> None:
    assert sought(query(question)) == expected


@pytest.mark.parametrize(
    ("text", "wanted", "held"),
    [
        ("replaced every 12 months", Sought("time", "years"), True),
        ("within five days of completion", Sought("time", "days"), True),
        ("serviced annually", Sought("time"), True),
        ("runs on for 15 minutes", Sought("time", "years"), False),
        ("runs on for 15 minutes", Sought("time", "hours"), True),
        ("a gap of 12 mm", Sought("time", "years"), False),
        ("a month after", Sought("time", "months"), True),
        ("clause 5.3.2 of EN 1991-1-3:2003", Sought("length", "metres"), False),
        ("900 mm", Sought("length", "metres"), True),
        ("an average cost of \u00a33600", Sought("price"), True),
        ("not more than 2,000 pounds", Sought("price"), True),
        ("the cost of a trap, 32 mm", Sought("price"), False),
        ("", Sought("light"), False),
    ],
)
def test_a_text_holds_a_quantity_of_a_kind(text: str, wanted: Sought, held: bool) -> None:
    assert holds(text, wanted) is held


def test_what_no_place_holds_is_not_found_and_said(demo: Library) -> None:
    answer = demo.ask("What lux level does a roof need under the snow code?")
    assert isinstance(answer, NotFound)
    assert answer.reasons == ("No place found gives a light.",)
    assert answer.evidence.hits


def test_a_place_that_is_named_is_shown_whatever_it_holds(demo: Library) -> None:
    answer = demo.ask("What lux level does clause 5.2 of DC 1-3 give?")
    assert isinstance(answer, Grounded)
    assert "gives a light" in answer.gap
    assert answer.confidence.level == "low"
    assert answer.confidence.reasons[0] == answer.gap


def test_nothing_found_is_no_proof(demo: Library) -> None:
    assert nowhere(demo.store, query("how many years"), ()) == ""
    assert nowhere(demo.store, query("what is it"), (place(),)) == ""


def test_statements_without_the_kind_asked_for_are_said_to_have_none() -> None:
    asked = replace(query("how wide", "value"), kinds=("length",))
    assert unstated(asked, ["It is wide.", "It takes 3 hours."]).startswith("No statement found gives")
    assert unstated(asked, ["It is 900 mm wide."]) == ""
    assert unstated(replace(asked, intent="general"), ["It is wide."]) == ""
    assert unstated(replace(asked, kinds=()), []) == ""


@pytest.mark.parametrize(
    ("question", "headings", "said"),
    [
        ("what load does it take", [], True),
        ("snow load", [], False),  # asks for whatever there is
        ("what load does it take", ["Ground snow load in kN/m²"], False),
        ("what load does it take", ["Load (kN)"], False),
        ("what load does it take", ["Spacing in m"], True),
        ("what setting does it take", ["Fan | Setting (days)"], False),  # a head of that name
        ("what setting does it take", ["Fan | Delay (days)"], True),
        ("what load does it take", ["kN"], True),  # a word of a caption is no unit by itself
    ],
)
def test_only_a_value_asked_in_words_is_said_to_be_lacking(
    question: str, headings: list[str], said: bool
) -> None:
    asked = replace(query(question, "value"), kinds=("force", "pressure"))
    assert bool(unstated(asked, ["up to 200 m: Zone, 1 0.45"], headings)) is said


def test_a_price_that_no_document_gives_is_not_found(demo: Library) -> None:
    answer = demo.ask("What does a snow guard cost?")
    assert isinstance(answer, NotFound)
    assert answer.reasons == ("No place found gives a price.",)
