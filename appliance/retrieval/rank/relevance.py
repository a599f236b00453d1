"""The calibrated chance that the documents bear on a question at all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from appliance.retrieval.ask import Ask
from appliance.retrieval.query.question import Question
from appliance.retrieval.rank.model import Weights
from appliance.store.channels import Vocabulary, index_terms
from appliance.store.values import StoredChunk

READ = 5  # first places whose words may cover those of the question


def relevance(signals: Mapping[str, float], weights: Weights) -> float:
    """Return the chance from 0 to 1; a signal without a coefficient does not count."""
    coefficients = weights.relevance if "cosine" in signals else weights.relevance_by_words
    total = coefficients.get("intercept", 0.0)
    total += sum(coefficients.get(name, 0.0) * value for name, value in signals.items())
    return 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))


def relevance_signals(
    ask: Ask, first: Sequence[StoredChunk], cosines: Iterable[float], judged: Iterable[float]
) -> dict[str, float]:
    """Return the signals: nearness of the best places and the share of the question's weight they cover.

    Where no place has a cosine there is no such signal.
    """
    question, vocabulary = ask.question, ask.index.vocabulary
    covered = [_covered(ask, item) for item in first[:READ]]
    everything = _weight(question, vocabulary, frozenset(group.stem for group in question.groups))
    near = list(cosines)
    return {
        **({"cosine": max(near)} if near else {}),
        "rerank": max(judged, default=0.0),
        "covered": max(covered, default=0.0),
        "known": _known(question, vocabulary) / everything if everything else 0.0,
    }


def _covered(ask: Ask, item: StoredChunk) -> float:
    """Return the share, by rarity, of the question's ideas that a place speaks of."""
    question, vocabulary = ask.question, ask.index.vocabulary
    text = " ".join((item.chunk.title, *item.chunk.context, item.chunk.passage.text, item.chunk.extra))
    held = set(index_terms(ask.store, text))
    met = frozenset(
        group.stem
        for group in question.groups
        if group.stem in held or any(held.issuperset(phrase) for phrase in group.others)
    )
    total = _weight(question, vocabulary, frozenset(group.stem for group in question.groups))
    return _weight(question, vocabulary, met) / total if total else 0.0


def _known(question: Question, vocabulary: Vocabulary) -> float:
    known = frozenset(group.stem for group in question.groups if group.stem in vocabulary.chunks)
    return _weight(question, vocabulary, known)


def _weight(question: Question, vocabulary: Vocabulary, stems: frozenset[str]) -> float:
    """Return the summed rarity (idf) of those ideas of the question."""
    return sum(
        math.log(1.0 + vocabulary.total / (1.0 + vocabulary.chunks.get(group.stem, 0)))
        for group in question.groups
        if group.stem in stems
    )
