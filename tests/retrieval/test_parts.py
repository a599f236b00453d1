"""What of a question is a part of its own."""

from __future__ import annotations

import pytest

from appliance.retrieval.query.decomposition import parts
from appliance.text.terms import words

SMALL = {"what", "does", "do", "the", "and", "not", "is", "it", "of", "how", "why", "that", "a"}


def content(text: str) -> list[str]:
    return [word for word in words(text) if word not in SMALL]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What does Part Q cover and what not?", ["What does Part Q cover and what not?"]),
        ("What does it cover? And what does it not?", ["What does it cover? And what does it not?"]),
        ("Does Part Q apply to sheds, and why not?", ["Does Part Q apply to sheds, and why not?"]),
        (
            "What does Part Q cover and what not? How wide is a door?",
            ["What does Part Q cover and what not?", "How wide is a door?"],
        ),
        ("what not?", ["what not?"]),
        ("What loads count and what loads do not?", ["What loads count", "what loads do not?"]),
        ("How wide is a stair and how high is a rise?", ["How wide is a stair", "how high is a rise?"]),
        ("How wide and how high is a rise?", ["How wide is a rise?", "how high is a rise?"]),
        ("How wide is a stair, and how high?", ["How wide is a stair", "how high is a stair?"]),
        ("How thick is it and by how much does it lap?", ["How thick is it", "by how much does it lap?"]),
    ],
)
def test_what_is_left_out_is_asked_with_what_is_covered(question: str, asked: list[str]) -> None:
    assert [part.asked for part in parts(question, content)] == asked
