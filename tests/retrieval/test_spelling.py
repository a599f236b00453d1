"""Which words of a question are put right by the words of a library."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from appliance.retrieval.query.question import Speller
from appliance.store.channels import Vocabulary
from appliance.text.lookalikes import language_words

HELD = (
    "lighting",
    "handle",
    "metre",
    "colour",
    "aluminium",
    "guard",
    "handrail",
    "storey",
    "cover",
    "wider",
    "front",
    "wall",
    "sand",
    "bell",
)
REAL = frozenset({"lightning", "handel", "meter", "color", "aluminum", "story", "cower"})


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("lightning", "lightning"),  # spelt well: another word
        ("cower", "cower"),
        ("gaurd", "guard"),
        ("handrial", "handrail"),
        ("handel", "handle"),  # a name, but its letters are swapped
        ("lightinng", "lighting"),
        ("meter", "metre"),  # the same word, spelt in another way
        ("color", "colour"),
        ("aluminum", "aluminium"),
        ("story", "storey"),
        ("wide", "wide"),  # a form of the word
        ("frnt", "front"),  # no word has no vowel
        ("wal", "wall"),
        ("sad", "sad"),  # of three letters one is only doubled
        ("bel", "bel"),  # not to a rare word
        ("font", "font"),  # a usual word would be needed
        ("hdpe", "hdpe"),
        ("900mm", "900mm"),
        ("", ""),
    ],
)
def test_a_word_is_put_right_unless_it_is_spelt_well(word: str, expected: str) -> None:
    chunks = {**dict.fromkeys(HELD, 5), "front": 0.5, "bell": 0.5}
    vocabulary = cast(Vocabulary, SimpleNamespace(spellings=chunks, chunks=chunks, total=100))
    assert Speller(vocabulary, lambda text: text, REAL).correct(word) == expected


def test_the_encoder_that_ships_knows_english_words() -> None:
    known = language_words()
    if not known:
        pytest.skip("the encoder does not lie in data/models")
    assert {"lightning", "lighting", "asbestos", "height"} <= known
    assert known.isdisjoint({"gaurd", "handrial", "lenght", "##ing", "[CLS]", ""})
