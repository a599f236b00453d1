"""Confidence is lowered by everything that speaks against an answer, and says what that is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.confidence import agreeing, confidence
from appliance.answer.findings import Finding

from appliance.core.document import Label
from appliance.core.evidence import Channel, Confidence, Evidence, Intent, Statement, Unresolved
from tests.answer.builders import finding, place, query

SAID = Statement("The riser height is 150 mm.", (1,), confirmed=True)
BEST = finding(SAID.text, 1.0)
GOOD = Evidence(query("riser height"), (place(),), (), (), (), 0.97, {})


def level(
    evidence: Evidence = GOOD, said: Statement = SAID, status: str = "in force", first: Finding = BEST
) -> Confidence:
    return confidence(evidence, [first], [said], [status])


def test_nothing_against_is_high() -> None:
    assert level().level == "high"
    assert confidence(GOOD, [], [], []).level == "low"


@pytest.mark.parametrize(
    ("score", "intent", "kind", "expected"),
    [
        (1.0, "general", "clause", "high"),
        (0.6, "general", "clause", "medium"),
        (0.7, "definition", "clause", "medium"),
        (0.85, "definition", "clause", "high"),
        (0.2, "general", "clause", "low"),
        (0.75, "value", "clause", "medium"),
        (0.5, "value", "table", "low"),
    ],
)
def test_the_signals_add_up(score: float, intent: Intent, kind: str, expected: str) -> None:
    evidence = replace(GOOD, query=query("riser height", intent))
    found = level(evidence, first=replace(BEST, score=score, place=place(kind)))
    assert found.level == expected
    assert found.reasons[0].startswith(f"estimated chance {round(10 * found.chance)} in 10")


@pytest.mark.parametrize(
    ("relevance", "said", "status", "words", "expected"),
    [
        (0.60, SAID, "in force", "partly met", "medium"),
        (0.97, replace(SAID, text="Doors open."), "in force", "0% of the words", "high"),
        (0.97, replace(SAID, confirmed=False), "in force", "not confirmed", "medium"),
        (0.97, replace(SAID, confirmed=False, why="read with doubt: “I.5”"), "in force", "I.5", "medium"),
        (0.97, SAID, "withdrawn", "withdrawn", "medium"),
        (0.90, replace(SAID, confirmed=False), "superseded", "superseded", "medium"),
    ],
)
def test_what_speaks_against_an_answer_takes_high_away(
    relevance: float, said: Statement, status: str, words: str, expected: str
) -> None:
    found = level(replace(GOOD, relevance=relevance), said, status)
    assert found.level == expected
    assert words in "; ".join(found.reasons)


@pytest.mark.parametrize(
    ("question", "title", "headings", "told"),
    [
        (
            "height of a room",
            "Stores for bins",
            ("Waste",),
            True,
        ),  # it has a room, and is not about rooms
        ("height of a room", "Rooms", (), False),
        ("height of a room", "", ("Design of rooms",), False),
        ("height of a boiler room", "Stores", (), False),  # more is said than one thing
    ],
)
def test_a_value_of_one_thing_stands_under_a_heading_that_names_it(
    question: str, title: str, headings: tuple[str, ...], told: bool
) -> None:
    asked = replace(query(question, "value"), kinds=("length",))
    said = finding("Such a room is at least 2 m high.", 1.0)
    first = replace(said, place=replace(said.place, title=title, heading_path=headings))
    found = level(replace(GOOD, query=asked), first=first)
    assert any("no heading over the first statement" in reason for reason in found.reasons) is told
    assert found.level != "high" if told else True
    marked = level(replace(GOOD, query=asked), first=replace(first, marked=((1, 1),)))
    assert not any("no heading" in reason for reason in marked.reasons)


def test_what_the_question_names_and_the_documents_lack_is_said() -> None:
    found = level(
        replace(GOOD, query=replace(GOOD.query, unreadable="The documents loaded have no clause 99.9(4)."))
    )
    assert found.level == "medium"
    assert any("99.9(4)" in reason for reason in found.reasons)


def test_a_label_of_several_documents_asks_which_one_is_meant() -> None:
    held = replace(
        place(label="6.1"), document="B", labels=(Label(("6.1",)), Label(("6.2",))), found_by=("exact",)
    )
    hits = (replace(place(label="6.2"), document="A", found_by=("exact",)), held)
    found = level(replace(GOOD, query=replace(GOOD.query, labels=("6.2",)), hits=hits))
    assert "6.2 stands in A, B: which document is meant?" in found.reasons
    assert found.level == "medium"


def test_statements_that_fit_in_part_and_speak_of_nothing_asked_are_not_to_be_relied_on() -> None:
    part = replace(BEST, score=0.6)
    evidence = replace(GOOD, relevance=0.6)
    silent = "No statement speaks of “joist”."
    assert confidence(evidence, [part], [SAID], ["in force"]).level == "medium"
    assert confidence(evidence, [part], [SAID], ["in force"], silent=silent).level == "low"


def test_reasons_are_plain_words_and_none_is_said_twice() -> None:
    found_by: tuple[Channel, ...] = ("lexical", "graph", "graph", "reference", "closure")
    hit = replace(place(), found_by=found_by)
    lost = Unresolved("X 1", "C", place().label, "X 1 is not loaded")
    found = level(replace(GOOD, hits=(hit,), unresolved=(lost,)))
    assert "1 reference could not be followed" in found.reasons
    (ways,) = [reason for reason in found.reasons if "found by" in reason]
    assert not any(word in ways for word in ("lexical", "dense", "graph", "closure"))
    assert ways.count("references") == 1
    assert len(set(found.reasons)) == len(found.reasons)
    two = level(replace(GOOD, unresolved=(lost, replace(lost, text="X 2"))))
    assert "2 references could not be followed" in two.reasons


@pytest.mark.parametrize(("grade", "sure"), [("high", 0.97), ("medium", 0.97), ("low", 0.97), ("low", 0.1)])
def test_the_chance_agrees_with_the_grade(grade: str, sure: float) -> None:
    bounds = {"high": (0.85, 1.0), "medium": (0.5, 0.85), "low": (0.0, 0.5)}
    low, high = bounds[grade]
    assert low <= agreeing(grade, sure) <= high
    assert agreeing(grade, sure) <= sure
