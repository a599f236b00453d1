"""Parts of a question and a conversation in short: nothing that was not asked gets in."""

from __future__ import annotations

import pytest

from appliance.answer.writing.asking import Asker
from appliance.answer.writing.questions import TURNS, Turn, before, parts_of, worth_splitting
from appliance.answer.writing.watch import Alone
from appliance.evidence import Query
from appliance.models.protocols import Limits
from tests.models.scripted import Script, ScriptedGenerator, always, empty, looping

QUESTION = Query("What are the least width and the steepest slope of a ramp?", "value", ("width",))


def asker(script: Script, failure: str = "") -> Asker:
    return Asker(ScriptedGenerator(script, failure), Alone(), Limits())


def test_a_question_is_split_into_its_own_words() -> None:
    script = always('{"q":["What is the least width of a ramp?","What is the steepest slope of a ramp?"]}')
    assert parts_of(asker(script), QUESTION) == (
        "What is the least width of a ramp?",
        "What is the steepest slope of a ramp?",
    )


@pytest.mark.parametrize(
    "script",
    [
        always('{"q":["What are the least width and the steepest slope of a ramp?"]}'),  # one thing
        always('{"q":["What is the least width?","What is the height of a balcony?"]}'),  # another subject
        always('{"q":["What is the least width?","What is the slope in 5.3?"]}'),  # a number of its own
        always('{"q":[]}'),
        always("no JSON"),
        empty,
        looping,
    ],
)
def test_anything_else_leaves_it_whole(script: Script) -> None:
    assert parts_of(asker(script), QUESTION) == ()


def test_a_model_that_fails_leaves_it_whole() -> None:
    assert parts_of(asker(empty, failure="it died"), QUESTION) == ()


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("minimum width", False),
        ("how high is a handrail", False),
        ("What are the least width and the steepest slope of a ramp?", True),
        ("How wide is a ramp? How steep is it?", True),
    ],
)
def test_only_what_may_hold_several_questions_is_worth_splitting(text: str, *, worth: bool) -> None:
    assert worth_splitting(Query(text, "general", ())) == worth


def words(texts: object) -> list[int]:
    return [len(str(text).split()) for text in texts]  # type: ignore[attr-defined]


TALK = (Turn("How wide is a ramp at a school?", "At least 1200 mm."), Turn("And outdoors?"))


def test_a_short_conversation_is_read_as_it_was() -> None:
    made = asker(always("never asked"))
    assert (
        before(made, TALK, words, 100)
        == "Q: How wide is a ramp at a school? A: At least 1200 mm.\nQ: And outdoors?"
    )
    assert before(made, (), words, 100) == ""
    assert made.steps == []


def test_a_long_one_is_summarised() -> None:
    assert before(asker(always('{"s":"A ramp at a school, outdoors."}')), TALK, words, 8) == (
        "A ramp at a school, outdoors."
    )


@pytest.mark.parametrize(
    "script", [always('{"s":"A ramp of 99 mm."}'), always('{"s":""}'), always("{}"), empty, looping]
)
def test_a_summary_that_invents_or_is_none_gives_the_last_turns_that_fit(script: Script) -> None:
    assert before(asker(script), TALK, words, 8) == "Q: And outdoors?"
    assert before(asker(script), TALK, words, 1) == ""


def test_only_the_last_turns_count() -> None:
    turns = tuple(Turn(f"question {number}") for number in range(50))
    assert before(asker(empty), turns, words, 1000).count("Q:") == TURNS
