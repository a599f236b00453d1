"""The calibrated chance that the documents bear on a question at all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from appliance.retrieval.ask import Ask, share, weights
from appliance.retrieval.rank.model import Weights
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
    question, stems = ask.question, ask.index.stems
    rarity = weights(question, ask.index.vocabulary)
    near = list(cosines)
    return {
        **({"cosine": max(near)} if near else {}),
        "rerank": max(judged, default=0.0),
        "covered": max(
            (share(question, rarity, stems.head(item) | stems.body(item)) for item in first[:READ]),
            default=0.0,
        ),
        "known": _known(ask, rarity),
    }


def _known(ask: Ask, rarity: Mapping[str, float]) -> float:
    """Return the share, by rarity, of the question's ideas whose own word the library holds."""
    total = sum(rarity[group.stem] for group in ask.question.groups)
    held = (group for group in ask.question.groups if group.stem in ask.index.vocabulary.chunks)
    return sum(rarity[group.stem] for group in held) / total if total else 0.0
