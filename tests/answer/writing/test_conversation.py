"""What was asked before, in few words: never more than its tokens."""

from __future__ import annotations

from appliance.answer.write.earlier_turns import TURNS, Turn, before


def words(texts: object) -> list[int]:
    return [len(str(text).split()) for text in texts]  # type: ignore[attr-defined]  # a list of texts


TALK = (Turn("How wide is a ramp at a school?", "At least 1200 mm."), Turn("And outdoors?"))


def test_a_short_conversation_is_read_as_it_was() -> None:
    whole = "Q: How wide is a ramp at a school? A: At least 1200 mm.\nQ: And outdoors?"
    assert before(TALK, words, 100) == whole
    assert before((), words, 100) == ""


def test_of_a_long_one_the_last_turns_that_fit_are_read() -> None:
    assert before(TALK, words, 8) == "Q: And outdoors?"
    assert before(TALK, words, 1) == ""
    turns = tuple(Turn(f"question {number}") for number in range(50))
    assert before(turns, words, 1000).count("Q:") == TURNS


def test_a_turn_whose_answer_does_not_fit_is_kept_without_it() -> None:
    turns = (*TALK, Turn("How steep is it?", "one " * 50))
    assert before(turns, words, 9) == "Q: And outdoors?\nQ: How steep is it?"
    assert before(turns, words, 18).startswith("Q: How wide is a ramp at a school?\n")
