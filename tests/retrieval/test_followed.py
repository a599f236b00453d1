"""What a following question means: the name in it takes the place of the one of its kind, whole."""

from __future__ import annotations

import re

import pytest

from appliance.retrieval.lexicon import load_lexicon
from appliance.retrieval.parts import Slot, followed
from appliance.store.words import words

KINDS = {"stair": "structure", "roof": "structure", "timber": "material", "concrete": "material"}


def content(text: str) -> list[str]:
    return [word for word in words(text) if word not in load_lexicon().stop]


def slots(text: str) -> list[Slot]:
    found = re.finditer(r"\w+", text)
    return [
        Slot(KINDS[match.group()], *match.span(), match.group()) for match in found if match.group() in KINDS
    ]


@pytest.mark.parametrize(
    ("question", "before", "meant"),
    [
        (
            "and for a utility stair?",
            "maximum rise of a private stair",
            "maximum rise of a utility stair?",
        ),
        (
            "and for a general access stair?",
            "what is the rise of a private stair in a house?",
            "what is the rise of a general access stair in a house?",
        ),
        ("and for a private stair?", "rise of a stair", "rise of a private stair?"),
        ("and for timber?", "density of lightweight concrete", "density of lightweight timber?"),
        ("and a pitched roof?", "rise of a private stair", "rise of a pitched roof?"),
        # no vocabulary knows the noun: the same noun is of one kind
        ("and for a surface water drain?", "gradient of a foul drain", "gradient of a surface water drain?"),
        ("and for drains?", "gradient of a foul drain", "gradient of a foul drain, drains?"),
        # nothing shows where the name before begins: nothing of it is lost
        ("and for a utility stair?", "rise private stair", "rise private stair, a utility stair?"),
        ("and for timber?", "gradient of a foul drain", "gradient of a foul drain, timber?"),
        ("and?", "gradient of a foul drain", "gradient of a foul drain"),
        # what has the role of what was asked: a quantity, a thing behind the same word, a code
        ("and the going?", "maximum rise of a private stair", "going of a private stair?"),
        ("and for a bath?", "size of trap for a basin", "size of trap for a bath?"),
        ("and for a ramp?", "minimum headroom over a stair", "minimum headroom over a ramp?"),
        ("and in zone 4?", "snow load zone 3 at 250 m", "snow load zone 4 at 250 m?"),
        ("and for a utility stair?", "", "and for a utility stair?"),
    ],
)
def test_a_name_takes_the_place_of_one_of_its_kind(question: str, before: str, meant: str) -> None:
    assert followed(question, before, content, slots) == meant
