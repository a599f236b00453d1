"""How much of what a question speaks of a text speaks of too.

Rules of this module: the ideas of the question weigh by their rarity (idf); an idea is met by its own
word or by any other way to say it. The words of a text are stemmed once and kept while they are used;
what is kept never holds the library itself, so that a closed one can go.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from weakref import proxy

from appliance.retrieval.query import Question
from appliance.store.channels import Vocabulary, index_terms
from appliance.store.read import Store
from appliance.store.values import StoredChunk

KEPT = 4_000  # texts whose stems are remembered


class Stems:
    """The stems of chunks, by what of a chunk is asked for."""

    def __init__(self, store: Store) -> None:
        held = proxy(store)  # kept in a table that is weak in its keys alone
        self._of = lru_cache(maxsize=KEPT)(lambda text: frozenset(index_terms(held, text)))

    def head(self, item: StoredChunk) -> frozenset[str]:
        """Return the stems of the title and heading path of a chunk."""
        return self._of(" ".join((item.chunk.title, *item.chunk.context)))

    def body(self, item: StoredChunk) -> frozenset[str]:
        """Return the stems of the text of a chunk, with what is searched beside it."""
        return self._of(f"{item.chunk.passage.text} {item.chunk.extra}")

    def of(self, text: str) -> frozenset[str]:
        """Return the stems of a text."""
        return self._of(text)


@dataclass(frozen=True, slots=True)
class Coverage:
    """The share (0..1) of a question's ideas that a place speaks of: in all, in its headings, in one part."""

    whole: float
    head: float
    part: float


def weights(question: Question, vocabulary: Vocabulary) -> dict[str, float]:
    """Return the rarity (idf) of each idea of a question."""
    return {
        group.stem: math.log(1.0 + vocabulary.total / (1.0 + vocabulary.chunks.get(group.stem, 0)))
        for group in question.groups
    }


def share(question: Question, rarity: Mapping[str, float], held: frozenset[str]) -> float:
    """Return the share, by rarity, of the question's ideas that these stems meet."""
    total = sum(rarity[group.stem] for group in question.groups)
    met = sum(
        rarity[group.stem]
        for group in question.groups
        if group.stem in held or any(held.issuperset(phrase) for phrase in group.others)
    )
    return met / total if total else 0.0


def coverage(
    question: Question, rarity: Mapping[str, float], stems: Stems, item: StoredChunk, parts: Iterable[str]
) -> Coverage:
    """Return how much of a question a place covers; `parts` are the texts of what was judged in it."""
    head = stems.head(item)
    return Coverage(
        share(question, rarity, head | stems.body(item)),
        share(question, rarity, head),
        max((share(question, rarity, head | stems.of(part)) for part in parts), default=0.0),
    )
