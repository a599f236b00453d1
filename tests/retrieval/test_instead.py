"""What a library is searched for that does not hold the word asked with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest

from appliance.retrieval.query.lexicon import Lexicon, Words, load_lexicon
from appliance.retrieval.query.question import grouped
from appliance.retrieval.query.wording import TIMES, of_library
from appliance.store.channels import Vocabulary


class Held:
    """A vocabulary of so many chunks of each word."""

    def __init__(self, chunks: Mapping[str, int]) -> None:
        self.chunks = chunks


def lexicon_of(**instead: str) -> Lexicon:
    empty = frozenset[str]()
    asked: dict[Words, tuple[Words, ...]] = {
        (name,): (tuple(other.split()),) for name, other in instead.items()
    }
    return Lexicon(empty, (), (), {}, empty, empty, frozenset(), empty, empty, empty, (), instead=asked)


def others(asked: str, held: dict[str, int], lexicon: Lexicon) -> tuple[tuple[str, ...], ...]:
    known = of_library(lexicon, cast("Vocabulary", Held(held)), str)
    return next(iter(grouped((asked,), known, str))).others


@pytest.mark.parametrize(
    ("held", "found"),
    [
        ({"barrier": 3}, (("barrier",),)),
        ({"barrier": 3, "handrail": 1}, ()),
        ({"barrier": TIMES + 1, "handrail": 1}, (("barrier",),)),
        ({"barrier": 3, "handrail": 3}, ()),
        ({"handrail": 3}, ()),
        ({}, ()),
    ],
)
def test_another_word_is_searched_where_the_library_hardly_holds_the_one_asked(
    held: dict[str, int], found: tuple[tuple[str, ...], ...]
) -> None:
    assert others("handrail", held, lexicon_of(handrail="barrier")) == found


def test_the_other_word_does_not_lead_back() -> None:
    words = lexicon_of(handrail="barrier", banister="barrier")

    assert ("banister",) not in others("handrail", {"barrier": 30}, words)


def test_all_words_of_a_phrase_must_be_held() -> None:
    words = lexicon_of(pub="dining hall")

    assert others("pub", {"hall": 30}, words) == ()
    assert others("pub", {"hall": 30, "dining": 1}, words) == (("dining", "hall"),)


def test_two_libraries_have_their_own_words() -> None:
    words = lexicon_of(handrail="barrier")

    assert others("handrail", {"barrier": 3}, words) != others(
        "handrail", {"barrier": 3, "handrail": 3}, words
    )


def test_what_ships_leads_from_a_word_to_another_one() -> None:
    shipped = load_lexicon().instead

    assert shipped
    assert all(name not in others for name, others in shipped.items())
