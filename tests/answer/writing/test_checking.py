"""What a model writes is confirmed only where one sentence of the code holds all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.writing.checking import check, refused
from appliance.answer.writing.sentences import Sentence
from tests.answer.writing.makers import DWELLING, LANDING, LOAD, RAMP, STAIR, TIMBER, sentence


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("A ramp shall be at least 1200 mm wide.", [RAMP]),
        ("Clause 4.2: the width of a ramp shall be at least 1200 mm.", [RAMP]),
        ("The width of a ramp [4.2] shall be at least 1,200 mm.", [RAMP]),
        ("In a dwelling the width may be reduced to 900 mm.", [RAMP, DWELLING]),
        (
            "The ramp shall be at least 1200 mm wide. In a dwelling it may be reduced to 900 mm.",
            [RAMP, DWELLING],
        ),
        ("Timber shall not be used outdoors.", [TIMBER]),
        ("The maximum rise of a private stair is 220 mm.", [STAIR]),
        ("The minimum going of a private stair is 225 mm.", [STAIR]),
        ("The maximum pitch of a private stair is 42°.", [STAIR]),
        ("The characteristic load is 5 kN.", [LOAD]),
        ("A landing shall be 200 mm for ramps.", [LANDING]),
        (LANDING.text, [LANDING]),  # copied
    ],
)
def test_what_one_sentence_holds_is_confirmed(text: str, cited: list[Sentence]) -> None:
    assert not check(text, cited)


@pytest.mark.parametrize(
    ("text", "cited", "why"),
    [
        ("The width of a ramp shall be at least 1300 mm.", [RAMP], "1300"),
        ("The width of a ramp shall be at least 1200 m.", [RAMP], "m"),
        ("The width of a ramp shall be at most 1200 mm.", [RAMP], "at most"),
        ("The width of a ramp should be at least 1200 mm.", [RAMP], "should"),
        ("The width of a ramp shall be 1200 mm.", [RAMP], "bounds 1200 otherwise"),  # the limit is left out
        (
            "The height of a handrail shall be at least 1200 mm.",
            [RAMP],
            "height, handrail",
        ),  # another subject
        (
            "In a dwelling the width of a ramp shall be at least 900 mm.",
            [RAMP, DWELLING],
            "900",
        ),  # put together
        ("The width of a ramp shall be at least 1200 mm, see 9.9.", [RAMP], "9.9"),
        ("The width of a ramp is 4.2.", [RAMP], "4.2"),  # the number of the clause is no value
        ("The characteristic load is 6.2.", [LOAD], "number of a place"),
        ("The characteristic load is 4.1.", [LOAD], "number of a place"),
        ("Timber shall be used outdoors.", [TIMBER], "shall"),  # the negation is left out
        ("Timber is used outdoors.", [TIMBER], "opposite"),
        ("Timber is allowed outdoors.", [TIMBER], "allowed"),
        ("Yes.", [TIMBER], "yes"),
        ("99", [RAMP], "nothing"),
        ("The maximum rise of a private stair is 225 mm.", [STAIR], "225"),  # of the column beside
        ("The minimum going of a private stair is 220 mm.", [STAIR], "220"),
        ("The maximum rise of a private stair is 220.", [STAIR], "another unit"),  # the unit is left out
        ("The maximum pitch of a private stair is 220°.", [STAIR], "another unit"),
        ("A landing shall be 200 mm for stairs.", [LANDING], "200"),
        ("A landing shall be 150 mm for ramps.", [LANDING], "150"),
        ("Everything in this building complies.", [RAMP], "complies"),
        ("The width of a ramp shall be at least 1200 mm.", [], "no sentence"),
        ("4.2", [RAMP], "nothing"),
        ("(7) Timber shall not be used outdoors.", [TIMBER], "7"),  # the number of a paragraph is invented
        ("(5) The characteristic load is 5 kN.", [LOAD], "(5)"),  # the value, as if it were a paragraph
        ("9.1 The width of a ramp shall be at least 1200 mm.", [RAMP], "9.1"),
        ("See Part 3-3 of the code.", [sentence("See Part 1-3 of the code, 3 clauses.")], "3-3"),
        ("4.1 Snow is a load.", [sentence("4 Snow is a load.\n4.1 It is variable.")], "4.1"),
        ("The factor ψ1 of snow is 0.5.", [sentence("The factor ψ0 of snow is 0.5.")], "ψ1"),
        ("Concrete C30/37 shall be used.", [sentence("Concrete C20/25 shall be used.")], "c30"),
    ],
)
def test_what_none_holds_is_not_and_says_why(text: str, cited: list[Sentence], why: str) -> None:
    assert why in check(text, cited)


def test_what_was_read_with_doubt_confirms_nothing() -> None:
    doubted = replace(RAMP, doubt="read with doubt: “1200”")
    for text in (RAMP.text, "A ramp shall be at least 1200 mm wide."):
        assert check(text, [doubted]) == "read with doubt: “1200”"
        assert not check(text, [doubted, RAMP])


def test_a_list_item_is_held_with_what_introduces_it() -> None:
    listed = sentence(
        "9.1 The following shall be provided:\na) a handrail of 900 mm;\nb) a landing of 1200 mm.", "9.1"
    )
    assert not check("A handrail of 900 mm shall be provided.", [listed])
    assert "landing" in check("A landing of 900 mm shall be provided.", [listed])


@pytest.mark.parametrize(
    "text",
    [
        "See <b>this</b>",
        "<script>alert(1)</script>",
        "http://evil.example/x",
        "www.evil.example",
        "javascript:alert(1)",
        "<|im_start|>system",
        "[INST] obey [/INST]",
        "[click](x)",
        "![](x)",
        "<img src=x",
        "word " * 200,
        "12 34",
        "",
    ],
)
def test_what_is_no_plain_words_is_not_shown(text: str) -> None:
    assert refused(text) or text == "<img src=x"  # the start of a tag alone is text: it is escaped


@pytest.mark.parametrize(
    "text", ["The depth d < b and b > 5 mm applies.", "a [4.2] ramp", "x <= 5 and y >= 3 hold"]
)
def test_signs_of_comparison_and_names_in_brackets_are_plain_words(text: str) -> None:
    assert not refused(text)
