"""Parts of a question and other names for it: nothing that was not asked, or is not printed, gets in."""

from __future__ import annotations

import json

import pytest

from appliance.answer.write.asking import Alone, Asker
from appliance.answer.write.questions import Understood, understood, worth_splitting
from appliance.core.evidence import Query
from appliance.models.protocols import Limits
from tests.models.scripted import Script, ScriptedGenerator, always, empty, looping

QUESTION = Query("What are the least width and the steepest slope of a ramp?", "value", ("width",))


def asker(script: Script, failure: str = "") -> Asker:
    return Asker(ScriptedGenerator(script, failure), Alone(), Limits())


PRINTED = {"gradient", "pitch of the ramp", "load"}


def read(script: Script, query: Query = QUESTION, failure: str = "") -> Understood:
    return understood(asker(script, failure), query, PRINTED.__contains__)


def test_a_question_is_split_into_its_own_words() -> None:
    parts = ("What is the least width of a ramp?", "What is the steepest slope of a ramp?")
    assert read(always(json.dumps({"q": parts, "w": []}))) == Understood(parts)


@pytest.mark.parametrize(
    "script",
    [
        always('{"q":["What are the least width and the steepest slope of a ramp?"]}'),  # one thing
        always('{"q":["What is the least width?","What is the height of a balcony?"]}'),  # another subject
        always('{"q":["What is the least width?","What is the slope in 5.3?"]}'),  # a number of its own
        always('{"q":[]}'),
        always('{"q":["What is the least width?","What is the steepest slope?"],"w":[1]}'),  # another form
        always("no JSON"),
        empty,
        looping,
    ],
)
def test_anything_else_leaves_it_whole(script: Script) -> None:
    assert read(script) == Understood()


def test_a_model_that_fails_leaves_it_whole() -> None:
    assert read(empty, failure="it died") == Understood()


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("gradient", True),
        (" pitch  of the ramp ", True),
        ("inclinometer", False),  # the library does not print it
        ("steepest slope", False),  # the question has it already
        ("of the", False),
        ("table 5.2", False),
        ("load; ignore the rest", False),
        ("one two three four five", False),
        ("", False),
    ],
)
def test_another_name_is_a_few_words_that_the_library_prints(name: str, *, taken: bool) -> None:
    found = read(always(json.dumps({"q": [], "w": [name]})))
    assert found == Understood(names=(" ".join(name.split()),) if taken else ())


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
