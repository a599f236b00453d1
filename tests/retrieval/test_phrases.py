"""Words that stand side by side in question and place, as cases."""

from __future__ import annotations

import pytest

from appliance.retrieval.phrases import nearness, pairs_of
from appliance.retrieval.query import Group

PASSED = frozenset({"of", "the", "a"})


def said(question: str, text: str, **more: str) -> float:
    """Return what a text says of the pairs of a question, every word as rare as the others."""
    words = [word for word in question.split() if word not in PASSED]
    texts = {0: text.split(), **{number: other.split() for number, other in enumerate(more.values(), 1)}}
    pairs = pairs_of([Group(word) for word in words])
    return nearness(pairs, dict.fromkeys(words, 1.0), texts, PASSED)[0]


@pytest.mark.parametrize(
    ("text", "less"),
    [
        ("fire resistance of walls", "resistance fire of walls"),  # in the order of the question
        ("the means of escape", "the means to escape"),  # stop words alone are passed over
        ("fire resistance and means of escape", "fire resistance and stairs"),
        ("fire resistance fire resistance", "fire resistance"),
        ("fire resistance", "fire and resistance"),
        ("fire resistance", ""),
    ],
)
def test_more_of_the_pairs_is_more(text: str, less: str) -> None:
    asked = "the means of escape and fire resistance"
    assert said(asked, text, other="x") > said(asked, less, other="x") >= 0.0


def test_the_same_in_a_long_text_is_less() -> None:
    long = "fire resistance " + "walls " * 40
    assert said("fire resistance", long, other="a wall") < said(
        "fire resistance", "fire resistance", other=long
    )


@pytest.mark.parametrize("question", ["", "fire", "fire fire", "the of"])
def test_a_question_without_pairs_tells_nothing(question: str) -> None:
    assert said(question, "fire fire of the fire") == 0.0
    assert nearness(pairs_of([Group(word) for word in question.split()]), {}, {}, PASSED) == {}
