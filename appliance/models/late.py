"""Late interaction: how well each word of the question is met somewhere in the passage.

Rules of this module: numpy only; passages come with the token vectors that the library stores, so
nothing is encoded while a question waits. The score is MaxSim (Khattab & Zaharia, ColBERT,
SIGIR 2020): for each token of the question the best cosine among the tokens of the passage, then
the mean over the question, less a little for long passages: the best of many rows is high by luck,
and the expected best of n grows with log n.

A head (head.py) is what was learned on top: it moves and weighs the question's tokens and bends the
cosines. The library's vectors stay as they are, so a head costs no new embedding.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from appliance.models.head import Head
from appliance.models.protocols import Candidate, Embedder, EncodedQuery, Floats, Int8s
from appliance.models.vectors import cosines

LENGTH_COST = 0.01  # for each unit of log(1 + rows)


class LateInteraction:
    """MaxSim over the embedder's own token vectors, with what was learned on top where a head is given."""

    def __init__(self, embedder: Embedder, head: Head | None = None, name: str = "late-interaction") -> None:
        self.name = name
        self._embedder = embedder
        self._head = head

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        """Return MaxSim [len(candidates)] about -1 to 1; 0 where either side has no tokens."""
        return max_sim(query.tokens, self._tokens(candidates), self._head)

    def _tokens(self, candidates: Sequence[Candidate]) -> list[Int8s]:
        """Return the stored token vectors, encoding only the passages that came without."""
        missing = [item.text for item in candidates if item.tokens is None]
        made = iter(self._embedder.encode_passages(missing) if missing else [])
        return [next(made).tokens if item.tokens is None else item.tokens for item in candidates]


def max_sim(query: Floats, passages: Sequence[Int8s], head: Head | None = None) -> Floats:
    """Return the mean over query rows [n, d] of the best cosine in each passage's packed rows [m, d / 4].

    With a head the rows are moved, the cosines bent and the mean weighed as it learned.
    """
    scores = np.zeros(len(passages), dtype=np.float32)
    filled = [place for place, rows in enumerate(passages) if len(rows)]
    if not len(query) or not filled:
        return scores
    asked = query if head is None else head.moved(query)
    best = best_cosines(asked, [passages[place] for place in filled])
    lengths = np.log1p([len(passages[place]) for place in filled])
    if head is None:
        scores[filled] = best.mean(axis=1) - LENGTH_COST * lengths
    else:
        scores[filled] = head.joined(query, best, lengths)
    return scores


def best_cosines(query: Floats, passages: Sequence[Int8s]) -> Floats:
    """Return the best cosine [passages, n] of each query row [n, d] in each passage; none may be empty."""
    starts = np.cumsum([0, *(len(passage) for passage in passages)])[:-1]
    best: Floats = np.maximum.reduceat(cosines(np.concatenate(passages), query), starts, axis=0)
    return best
