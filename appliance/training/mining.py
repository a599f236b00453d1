"""Wrong passages for questions that no search has run for: the nearest by meaning that do not answer.

Rules of this module: numpy over vectors that the embedder made; no torch. What stands too near the
right passage is left out, since it may well answer too (Moreira et al., "NV-Retriever", 2024: a wrong
passage may reach at most a share of the right one's score).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from appliance.models.protocols import Embedder, Floats

CEILING = 0.95  # of the right passage's cosine
LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Pool:
    """The passages that wrong ones are taken from: unit vectors [n, dimension], the place of each."""

    vectors: Floats
    places: Sequence[int]


def hardest(embedder: Embedder, pool: Pool, question: str, right: Collection[int], count: int) -> list[int]:
    """Return up to `count` places, nearest to the question first, none of `right`."""
    cosines: NDArray[np.float32] = pool.vectors @ embedder.encode_query(question).pooled
    best = max((float(cosines[row]) for row, place in enumerate(pool.places) if place in right), default=1.0)
    nearest = np.argsort(-cosines, kind="stable")[:LOOKED_AT]
    chosen = dict.fromkeys(
        pool.places[row]
        for row in nearest
        if cosines[row] <= CEILING * best and pool.places[row] not in right
    )
    return list(chosen)[:count]
