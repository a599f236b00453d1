"""Pairs of the question's words that a place says side by side too.

Rules of this module: pure over stems. BM25 counts words wherever they stand; that "fire" comes right before
"resistance" in question and place says more (sequential dependence: Metzler & Croft, "A Markov random field
model for term dependencies", SIGIR 2005). Stop words are passed over on both sides, so that "means of escape"
is a pair. A pair weighs as its two ideas do (idf), less each time it comes again and less in a long text, as
in BM25.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from appliance.retrieval.ask import Ask
from appliance.retrieval.coverage import weights
from appliance.retrieval.fusion import of_greatest
from appliance.retrieval.query import Group
from appliance.store.values import StoredChunk

K1, B = 1.2, 0.75  # as in BM25
Pair = tuple[str, str]


def phrases(ask: Ask, chunks: Mapping[int, StoredChunk]) -> dict[int, float]:
    """Return how much of the question's pairs each chunk says, as a share of the most that one does."""
    pairs = pairs_of(ask.question.groups)
    rarity = weights(ask.question, ask.index.vocabulary)
    texts = {chunk: ask.index.stems.in_order(item) for chunk, item in chunks.items()}
    stem = ask.store.connections.stem
    return of_greatest(nearness(pairs, rarity, texts, frozenset(map(stem, ask.lexicon.stop))))


def pairs_of(groups: Sequence[Group]) -> frozenset[Pair]:
    """Return the ideas of the question that follow one another."""
    stems = [group.stem for group in groups]
    return frozenset(pair for pair in pairwise(stems) if pair[0] != pair[1])


def nearness(
    pairs: Collection[Pair],
    rarity: Mapping[str, float],
    texts: Mapping[int, Sequence[str]],
    passed: Collection[str],
) -> dict[int, float]:
    """Return how much of the pairs each text says (0 for none); texts are stems in order, by chunk."""
    mean = max(sum(map(len, texts.values())) / max(len(texts), 1), 1.0)
    return {
        chunk: _said(pairs, rarity, [stem for stem in stems if stem not in passed], len(stems) / mean)
        for chunk, stems in texts.items()
    }


def _said(pairs: Collection[Pair], rarity: Mapping[str, float], stems: Sequence[str], length: float) -> float:
    met = Counter(pair for pair in pairwise(stems) if pair in pairs)
    norm = K1 * (1 - B + B * length)
    return sum(
        (rarity[first] + rarity[second]) / 2 * count * (1 + K1) / (count + norm)
        for (first, second), count in met.items()
    )
