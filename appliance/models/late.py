"""Late interaction: how well each word of the question is met somewhere in the passage.

Rules of this module: numpy only; passages come with the token vectors that the library stores, so
nothing is encoded while a question waits. The score is MaxSim (Khattab & Zaharia, ColBERT,
SIGIR 2020): for each token of the question the best cosine among the tokens of the passage, then
the mean over the question, less a little for long passages: the best of many rows is high by luck,
and the expected best of n grows with log n.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from appliance.models.protocols import Candidate, Embedder, EncodedQuery, Floats, Int8s
from appliance.models.vectors import unpack

LENGTH_COST = 0.01  # for each unit of log(1 + rows)


class LateInteraction:
    """MaxSim over the embedder's own token vectors."""

    name = "late-interaction"

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        """Return MaxSim [len(candidates)] about -1 to 1; 0 where either side has no tokens."""
        return max_sim(query.tokens, self._tokens(candidates))

    def _tokens(self, candidates: Sequence[Candidate]) -> list[Int8s]:
        """Return the stored token vectors, encoding only the passages that came without."""
        missing = [item.text for item in candidates if item.tokens is None]
        made = iter(self._embedder.encode_passages(missing) if missing else [])
        return [next(made).tokens if item.tokens is None else item.tokens for item in candidates]


def max_sim(query: Floats, passages: Sequence[Int8s]) -> Floats:
    """Return the mean over query rows [n, d] of the best cosine in each passage's packed rows [m, d / 4]."""
    scores = np.zeros(len(passages), dtype=np.float32)
    filled = [place for place, rows in enumerate(passages) if len(rows)]
    if not len(query) or not filled:
        return scores
    rows = unpack(np.concatenate([passages[place] for place in filled]))
    starts = np.cumsum([0, *(len(passages[place]) for place in filled)])[:-1]
    best = np.maximum.reduceat(rows @ query.T, starts, axis=0)
    lengths = np.array([len(passages[place]) for place in filled])
    scores[filled] = best.mean(axis=1) - LENGTH_COST * np.log1p(lengths)
    return scores
