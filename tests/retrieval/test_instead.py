"""Words of the trades that lead to the words of the codes, and not back."""

from __future__ import annotations

from appliance.retrieval.query.lexicon import Lexicon, Words, load_lexicon
from appliance.retrieval.query.question import grouped


def others(asked: str, **instead: str) -> tuple[tuple[str, ...], ...]:
    empty = frozenset[str]()
    words: dict[Words, tuple[Words, ...]] = {
        (name,): (tuple(other.split()),) for name, other in instead.items()
    }
    lexicon = Lexicon(empty, (), (), {}, empty, empty, frozenset(), empty, empty, empty, (), instead=words)
    return next(iter(grouped((asked,), lexicon, str))).others


def test_another_word_is_searched_with_the_one_asked_and_does_not_lead_back() -> None:
    assert others("handrail", handrail="barrier") == (("barrier",),)
    assert others("pub", pub="dining hall") == (("dining", "hall"),)
    assert others("barrier", handrail="barrier") == ()


def test_what_ships_leads_from_a_word_to_another_one() -> None:
    shipped = load_lexicon().instead

    assert shipped
    assert all(name not in others for name, others in shipped.items())
