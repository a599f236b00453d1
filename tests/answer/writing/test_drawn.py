"""What may be shown of a model's words about a drawing: never a number that the drawing does not print."""

from __future__ import annotations

import json

import pytest

from appliance.answer.write.suspicious_text import Sentences, sentences

PRINTED = "Figure 5.1: Snow load shape coefficient\nα 30° 60° 0,8 μ1 B.2"


@pytest.mark.parametrize(
    ("said", "shown", "left_out"),
    [
        (["A pitched roof is drawn.", "Its angle is labelled α."], 2, 0),
        (["The line falls from 30° to 60°."], 1, 0),
        (["The line falls from 35° to 60°.", "A roof."], 1, 1),
        (["The value is 0,8.", "The value is 0,9."], 1, 1),
        (["It is 0,8 kN/m²."], 0, 1),
        (["As in B.2.", "As in B.3."], 1, 1),
        (["<b>A roof</b>", "See http://x.example"], 0, 2),
        (["A roof.", "A roof. ", " A  roof."], 1, 0),
        (["...", ""], 0, 1),
        (["word " * 400], 0, 1),
        ([f"Part {letter}." for letter in "abcdefgh"], 5, 0),
    ],
)
def test_sentences_with_what_is_not_printed_are_left_out(said: list[str], shown: int, left_out: int) -> None:
    found = sentences(json.dumps({"d": said}), PRINTED)
    assert found is not None
    assert (len(found.shown), found.left_out) == (shown, left_out)


@pytest.mark.parametrize("text", ["", "A roof.", "{}", '{"d":"roof"}', '{"d":["roof"', '{"d":[1]}', "\ud800"])
def test_what_is_no_description_is_none(text: str) -> None:
    assert sentences(text, PRINTED) is None


def test_nothing_said_is_nothing_shown() -> None:
    assert sentences('{"d":[]}', PRINTED) == Sentences((), 0)
