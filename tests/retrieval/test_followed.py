"""What a following question means: the name in it takes the place of the one of its kind, whole."""

from __future__ import annotations

import re

import pytest

from appliance.retrieval.query.decomposition import Slot, followed
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.text.terms import words

KINDS = {"stair": "structure", "roof": "structure", "timber": "material", "concrete": "material"}
KINDS |= {"office": "use", "existing": "age", "2011": "edition"}


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
        # without an article: what stands behind the same small word
        ("in Mumbai?", "basic wind speed in Delhi", "basic wind speed in Mumbai?"),
        ("and in Mumbai?", "wind speed of a town in Delhi", "wind speed of a town in Mumbai?"),
        ("and for Mumbai?", "basic wind speed in Delhi", "basic wind speed in Delhi, Mumbai?"),
        ("and in existing buildings?", "door width in offices", "door width in offices, existing buildings?"),
        ("how many for 12 flats?", "charging of a house", "how many for 12 flats (charging house)?"),
        # what names nothing of a kind, and in which edition it is looked for, is added: the thing stays
        (
            "for existing buildings?",
            "door width in an office",
            "door width in an office, existing buildings?",
        ),
        ("and in the 2011 edition?", "pitch of a roof", "pitch of a roof, the 2011 edition?"),
        ("and in zone 4?", "snow load zone 3 at 250 m", "snow load zone 4 at 250 m?"),
        # a thing ends where a sign of punctuation stands: what is asked behind it is kept
        *(
            (
                "and on a motorway?",
                f"a lorry hits the bridge deck over a town road{pause} what force do I take?",
                f"a lorry hits the bridge deck over a motorway{pause} what force do I take?",
            )
            for pause in (" -", ".", ",", ":", " \u2013")
        ),
        ("and for a ramp?", "width of a stair, if any", "width of a ramp, if any?"),
        # a noun that stands elsewhere in the question before is not said twice
        ("and a timber wall?", "The wall is concrete, how thick?", "The wall is timber, how thick?"),
        ("and a timber wall?", "rise of a concrete stair", "rise of a timber wall?"),
        # a bare number is the number before it, of several the one that is nearest in size
        ("and 5?", "ventilation rate for 4 bedrooms", "ventilation rate for 5 bedrooms?"),
        ("and for 2?", "ventilation rate for four bedrooms", "ventilation rate for 2 bedrooms?"),
        ("and 50?", "gutter for 100 m2", "gutter for 50 m2?"),
        ("and 4?", "snow load zone 3 at 250 m", "snow load zone 4 at 250 m?"),
        ("and 300?", "snow load zone 3 at 250 m", "snow load zone 3 at 300 m?"),
        ("and 32?", "density of timber GT24", "density of timber GT24, 32?"),  # a code is no number
        ("and 1.5?", "fall of 1:40 in a drain", "fall of 1:40 in a drain, 1.5?"),
        # a whole question that names no more than a quantity, or a symbol
        (
            "what is the maximum going?",
            "maximum rise of a private stair",
            "maximum going of a private stair?",
        ),
        ("and the minimum?", "maximum rise of a private stair", "minimum rise of a private stair?"),
        ("how wide must it be?", "maximum rise of a private stair", "width of a private stair?"),
        ("what is ψ2 for it", "imposed load office floor", "ψ2 for office floor?"),
        ("and ψ0?", "imposed load school corridor", "ψ0 for school corridor?"),
        # the thing of a question that asks how wide it is stays
        (
            "and how long?",
            "how wide is a landing at the top of a ramp?",
            "how long is a landing at the top of a ramp?",
        ),
        (
            "and the length?",
            "how wide is a landing at the top of a ramp?",
            "length of a landing at the top of a ramp?",
        ),
        ("and the height", "How wide must a door be in a flat?", "height of a door in a flat?"),
        ("and how high?", "How wide must a door be in a flat?", "how high must a door be in a flat?"),
        ("and how high?", "how wide are doors in flats", "how high are doors in flats?"),
        # thanks before it
        ("thanks, and the going?", "maximum rise of a private stair", "going of a private stair?"),
        ("Ok great. And for timber?", "density of concrete", "density of timber?"),
        (
            "right, how wide is a ramp in a school?",
            "rise of a stair",
            "right, how wide is a ramp in a school?",
        ),
        ("how wide is a ramp in a school?", "rise of a stair", "how wide is a ramp in a school?"),
        ("and for a utility stair?", "", "and for a utility stair?"),
    ],
)
def test_a_name_takes_the_place_of_one_of_its_kind(question: str, before: str, meant: str) -> None:
    assert followed(question, before, content, slots) == meant


def test_a_question_of_generic_words_alone_goes_on_from_the_one_before() -> None:
    asked, before = "which part of the code?", "must snow be considered?"
    assert followed(asked, before, content, slots) == asked
    meant = "which part of the code (snow considered)?"
    assert followed(asked, before, content, slots, {"part", "code"}) == meant
