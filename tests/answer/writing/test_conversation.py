"""What was asked before, in few words: never more than its tokens, and nothing that was not said."""

from __future__ import annotations

import pytest

from appliance.answer.write.asking import Alone, Asker
from appliance.answer.write.earlier_turns import TURNS, Turn, before
from appliance.models.protocols import Limits
from tests.models.scripted import Script, ScriptedGenerator, always, empty, looping


def asking(script: Script) -> Asker:
    return Asker(ScriptedGenerator(script), Alone(), Limits())


def words(texts: object) -> list[int]:
    return [len(str(text).split()) for text in texts]  # type: ignore[attr-defined]  # a list of texts


TALK = (Turn("How wide is a ramp at a school?", "At least 1200 mm."), Turn("And outdoors?"))


def test_a_short_conversation_is_read_as_it_was() -> None:
    made = asking(always("never asked"))
    assert (
        before(made, TALK, words, 100)
        == "Q: How wide is a ramp at a school? A: At least 1200 mm.\nQ: And outdoors?"
    )
    assert before(made, (), words, 100) == ""
    assert made.steps == []


def test_a_long_one_is_summarised() -> None:
    assert before(asking(always('{"s":"A ramp at a school, outdoors."}')), TALK, words, 8) == (
        "A ramp at a school, outdoors."
    )


@pytest.mark.parametrize(
    "script", [always('{"s":"A ramp of 99 mm."}'), always('{"s":""}'), always("{}"), empty, looping]
)
def test_a_summary_that_invents_or_is_none_gives_the_last_turns_that_fit(script: Script) -> None:
    assert before(asking(script), TALK, words, 8) == "Q: And outdoors?"
    assert before(asking(script), TALK, words, 1) == ""


def test_only_the_last_turns_count() -> None:
    turns = tuple(Turn(f"question {number}") for number in range(50))
    assert before(asking(empty), turns, words, 1000).count("Q:") == TURNS


def test_a_turn_whose_answer_does_not_fit_is_kept_without_it() -> None:
    turns = (*TALK, Turn("How steep is it?", "one " * 50))
    assert before(asking(empty), turns, words, 9) == "Q: And outdoors?\nQ: How steep is it?"
    assert before(asking(empty), turns, words, 18).startswith("Q: How wide is a ramp at a school?\n")
