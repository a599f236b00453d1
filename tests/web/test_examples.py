"""Questions to start with are made from whatever is loaded, and offered where they are answered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.evidence import Grounded
from appliance.library import Library
from appliance.web.answers import examples as making
from appliance.web.answers.examples import MOST_DOCUMENTS, Example, answered, chosen, examples
from tests.factories import clause, document, table, term

RATES = [["Room", "Extract rate (l/s)", "Note"], ["Bathroom", "15", "see 3"], ["= Sum of (b)", "40", ""]]
FULL = document(
    tables=[table("Table 1", RATES, title="Minimum extract ventilation rates")],
    terms=[term("snow drift", "snow moved by wind"), term("ξ =", "a factor"), term("drift", "moved snow")],
)


def test_examples_are_questions_in_plain_words() -> None:
    assert [one.question for one in examples([FULL, document()])] == [
        "What is the extract rate for Bathroom?",
        "What is meant by snow drift?",
    ]


def test_questions_for_a_value_stand_before_those_for_a_meaning() -> None:
    wind = document(terms=[term("wind action", "what wind does")])
    asked = [one.question for one in examples([wind, FULL])]
    first = asked.index("What is the extract rate for Bathroom?")
    assert first < asked.index("What is meant by wind action?")


def test_the_name_of_a_row_is_told_as_the_text_writes_it() -> None:
    heads = ["Room", "Extract rate (l/s)"]
    for text, row, said in (
        ("Each bathroom has a fan.", "Bathroom", "What is the extract rate for bathroom?"),
        ("Fans of Bath.", "Bath", "What is the extract rate for Bath?"),
        ("Each room has a fan.", "Room, without window", "Room, without window: what is the extract rate?"),
    ):
        made = document([clause("1", text)], tables=[table("Table 1", [heads, [row, "15"]])])
        assert [one.question for one in examples([made])] == [said]


def test_a_heading_that_names_no_single_quantity_makes_no_question() -> None:
    for head in ("Rates (l/s)", "Circular (mm)", "Examples", "= Sum of (b)", "qk, in kN/m²"):
        made = document(tables=[table("Table 1", [["Room", head], ["Bathroom", "15"]], title="Rooms")])
        assert not list(examples([made])), head


def test_a_document_in_german_is_asked_in_german_and_one_in_another_language_not() -> None:
    assert [one.question for one in examples([replace(FULL, language="de")])] == ["Was bedeutet snow drift?"]
    assert not list(examples([replace(FULL, language="fi")]))


def test_nothing_is_offered_twice() -> None:
    found = [one.question for one in examples([FULL, FULL])]
    assert len(found) == len(set(found))


def test_a_question_offered_is_found_in_its_own_place(demo: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "MOST_OFFERED", 2)  # no more are tried when so many were found
    offered = chosen(demo)
    documents = [info.id for info in demo.overview().documents][:MOST_DOCUMENTS]
    made = {one.question: one for one in examples(map(demo.document, documents))}
    assert len(offered) == 2
    assert all(answered(demo.ask(question), made[question]) for question in offered)


def test_an_answer_from_elsewhere_offers_nothing(demo: Library) -> None:
    answer = demo.ask("What is the density of wet snow?")
    assert isinstance(answer, Grounded)
    assert answer.headline
    first = answer.citations[0]
    own = Example("", first.document, first.boxes, answer.headline.value)
    assert answered(answer, own)
    assert not answered(answer, replace(own, document="another"))
    assert not answered(answer, replace(own, boxes=(replace(first.boxes[0], page=99),)))
    assert not answered(answer, replace(own, value="0"))
    assert not answered(replace(answer, state="read"), own)
    assert not answered(replace(answer, gap="Not loaded."), own)
