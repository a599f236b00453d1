"""A question as candidates are compared with it: its words with other names, numbers and kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

import numpy as np
from numpy.typing import NDArray

from appliance.core.evidence import Query
from appliance.models.late_interaction import best_cosines
from appliance.models.protocols import EncodedQuery, Int8s, Reranker
from appliance.retrieval.ask import index_of
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.store.read import Store
from appliance.tables.ranges import Range, tokens
from appliance.text.quantities import asked_kinds
from appliance.text.terms import fold, singular, words

STEM = 5  # letters by which the words of question and text are compared
KEPT = 1 << 15  # texts whose stems are kept
APART, SAME = 0.25, 0.80  # cosines of tokens that have nothing in common, and of the same word

_CLASS = re.compile(r"\b([A-Z][A-Za-z]?)[ -](\d{1,4})\b")

Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question: its stem, the stems of each other name, how rare it is, its token rows."""

    stem: str
    ways: tuple[Stems, ...]
    rarity: float
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """All that candidates are compared with.

    `kinds` are the kinds of quantity wanted, `numbers` those that the question states, `measure` the stems of
    the words that say what is to be measured.
    """

    query: Query
    encoded: EncodedQuery | None
    words: tuple[Word, ...]
    kinds: frozenset[str]
    numbers: tuple[Range, ...]
    text: str

    @property
    def weight(self) -> float:
        """Return the rarity of all words."""
        return sum(word.rarity for word in self.words) or 1.0


def asked(store: Store, query: Query, encoded: EncodedQuery | None) -> Asked:
    """Return a question as it is compared."""
    text = query.spelt or query.text
    folded = fold(text)
    stop = load_lexicon().stop
    said = [
        word
        for word in dict.fromkeys((*words(folded), *_classes(text)))
        if word not in stop and not word.isdigit()
    ]
    named = {part for name in (*query.labels, *query.documents) for part in words(fold(name))}
    ways = _ways(query)
    found: dict[str, Word] = {}
    for word in said:
        if len(word) > 1 and word not in named:
            stem = stem_of(word)
            own = Word(stem, tuple(ways.get(stem, ())), rarity(store, word), _rows(encoded, word))
            found.setdefault(stem, own)
    numbers = tuple(one for one in tokens(text) if isinstance(one, Range))
    kinds = frozenset(query.kinds) or asked_kinds(folded)
    return Asked(query, encoded, tuple(found.values()), kinds, numbers, text)


def _rows(encoded: EncodedQuery | None, word: str) -> tuple[int, ...]:
    """Return the rows of a word among the tokens of a question."""
    if encoded is None:
        return ()
    at = fold(encoded.text).find(word) if len(fold(encoded.text)) == len(encoded.text) else -1
    if at < 0:
        return ()
    return tuple(n for n, (start, end) in enumerate(encoded.spans) if start < at + len(word) and end > at)


def _ways(query: Query) -> Mapping[str, list[Stems]]:
    """Return for each stem the other names of the ideas that it is of."""
    found: dict[str, list[Stems]] = {}
    for idea in query.concepts:
        own = [stem_of(word) for word in words(fold(idea.words))]
        for other in idea.others:
            way = frozenset(stem_of(word) for word in words(fold(other)))
            for stem in own:
                if way and not way <= set(own):
                    found.setdefault(stem, []).append(way)
    return found


def count_of(store: Store, word: str) -> int:
    """Return how many places of a library hold a word."""
    return index_of(store).vocabulary.chunks.get(store.connections.stem(word), 0)


def rarity(store: Store, word: str) -> float:
    """Return how rare a word is in a library: the logarithm of one over its share."""
    return log(1 + index_of(store).vocabulary.total / (1 + count_of(store, word)))


def nearness(
    encoded: EncodedQuery, words_rows: Sequence[tuple[int, ...]], passages: Sequence[Int8s]
) -> NDArray[np.float64]:
    """Return how near each passage comes to each word, given by its rows, from 0 to 1 [passages, words]."""
    if not words_rows:
        return np.zeros((len(passages), 0))
    cosines = best_cosines(encoded.tokens, passages)
    return likened(np.stack([cosines[:, list(rows)].mean(axis=1) for rows in words_rows], axis=1))


def likened(cosines: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return cosines of tokens as how far they mean the same, from 0 to 1."""
    return np.asarray(np.clip((cosines - APART) / (SAME - APART), 0.0, 1.0), dtype=np.float64)


@lru_cache(KEPT)
def stem_of(word: str) -> str:
    """Return the letters by which a word is compared."""
    plain = singular(word.casefold())
    return plain[:STEM] if len(plain) > STEM else plain


@lru_cache(KEPT)
def stems(text: str) -> Stems:
    """Return the stems of the words of a text; a longer word is found by its beginning."""
    return frozenset(stem_of(word) for word in (*words(fold(text)), *_classes(text)))


def _classes(text: str) -> Iterator[str]:
    """Yield the names of classes that a text prints in two, folded to one word: "t22" of "T 22"."""
    for letters, number in _CLASS.findall(text):
        if letters.casefold() not in load_lexicon().stop:
            yield fold(letters + number)


def met(word: Word, held: Stems) -> bool:
    """Tell whether a text speaks of a word of the question, by itself or by another name."""
    return word.stem in held or any(way <= held for way in word.ways)


@dataclass(frozen=True, slots=True)
class Judges:
    """The question as encoded and the reranker, None where there is none.

    `read` reads and encodes another question, one inside the question, `encode` encodes a text; None where
    none can be.
    """

    encoded: EncodedQuery | None
    reranker: Reranker | None
    read: Callable[[str], tuple[Query, EncodedQuery | None]] | None = None
    encode: Callable[[str], EncodedQuery | None] = lambda _text: None
