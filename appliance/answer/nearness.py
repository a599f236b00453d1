"""How near the parts of a code come to each word of a question, by meaning.

Rules of this module: a word is the rows of its tokens among those of the question; how near a part comes to
it is the best cosine of each row in the part, from nothing in common (0) to the same word (1). Words that
carry no meaning, that spell a unit or tell an occasion are left out. No word, label or document is known
here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from appliance.answer.rarity import count_of, rarity_of
from appliance.answer.single import kinds_named, measuring, occasions, small_phrases, spelt_units
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.models.late_interaction import best_cosines
from appliance.models.protocols import EncodedQuery, Int8s
from appliance.store.channels import index_terms
from appliance.store.read import Store
from appliance.text.terms import fold, words

APART, SAME = 0.25, 0.80  # cosines of tokens that have nothing in common, and of the same word

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question: its stem and other names, its rows among the tokens, how rare it is.

    `measure` tells that it says what is to be measured, `kinds` which quantities are asked for by it.
    """

    text: str
    ways: tuple[frozenset[str], ...]
    rows: tuple[int, ...]
    rarity: float
    known: bool
    measure: bool
    kinds: frozenset[str] = frozenset()


def words_asked(store: Store, query: Query, encoded: EncodedQuery) -> Iterator[Word]:
    """Yield the words of a question that tell what is asked about, with their rows among its tokens."""
    folded, idle, measures = fold(encoded.text), _idle(), measuring(query)
    aside = spelt_units(folded) | occasions(folded) | small_phrases(folded)
    stem, terms = store.connections.stem, frozenset(query.terms)
    if len(folded) != len(encoded.text):
        return  # signs were spelt out: the rows cannot be told
    at = 0
    for text in words(encoded.text):
        start = folded.find(text, at)
        if start < 0:
            continue
        at = start + len(text)
        rows = tuple(n for n, (first, end) in enumerate(encoded.spans) if first < at and end > start)
        own = stem(text)
        if rows and own in terms and text not in idle and start not in aside:
            ways = tuple(dict.fromkeys((frozenset({own}), *_others(store, query, own))))
            known = count_of(store, text) > 0
            kinds = kinds_named(query, text)
            yield Word(text, ways, rows, rarity_of(store, text), known, text in measures, kinds)


def _others(store: Store, query: Query, stem: str) -> Iterator[frozenset[str]]:
    """Yield the stems of each other name of the ideas that begin with a word, or of one with another for it.

    "Letter plate" says all words of "letter box" but one, which it meets. A name of words that the question
    says itself is the same idea with less said: it meets no further word.
    """
    said = frozenset(query.terms)
    for idea in query.concepts:
        named = index_terms(store, idea.words)
        ways = (frozenset(index_terms(store, other)) for other in idea.others if words(other))
        beside = frozenset(named) - {stem}
        if stem in named:
            yield from (
                way for way in ways if not way <= said and (stem in named[:1] or (beside and beside <= way))
            )


def nearness(asked: Sequence[Word], encoded: EncodedQuery, passages: Sequence[Int8s]) -> Rows:
    """Return how near each part comes to each word, from 0 to 1 [parts, words]."""
    cosines = best_cosines(encoded.tokens, passages)
    means = np.stack([cosines[:, list(word.rows)].mean(axis=1) for word in asked], axis=1)
    return np.asarray(np.clip((means - APART) / (SAME - APART), 0.0, 1.0), dtype=np.float64)


@cache
def _idle() -> frozenset[str]:
    return frozenset(shipped("answer/given")["asks"]["idle"].split())


def named_met(
    store: Store, query: Query, encoded: EncodedQuery, passages: Sequence[Int8s | None]
) -> list[float]:
    """Return how near each passage comes to what a question names (0..1), rare words counting for more.

    Words of what is measured name no thing; 0 where a question names none or a passage has no rows.
    """
    asked = [word for word in words_asked(store, query, encoded) if not word.measure]
    filled = [at for at, rows in enumerate(passages) if rows is not None and len(rows)]
    met = [0.0] * len(passages)
    if asked and filled:
        weights = np.array([word.rarity for word in asked])
        near = nearness(asked, encoded, [rows for rows in passages if rows is not None and len(rows)])
        for at, value in zip(filled, near @ (weights / weights.sum()), strict=True):
            met[at] = float(value)
    return met
