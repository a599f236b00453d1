"""Which wrong passages are taken."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from appliance.models.protocols import EncodedPassage, EncodedQuery
from appliance.training.sources import CEILING, Pool, hardest


class OneWay:
    """An embedder whose questions all point along the first axis."""

    fingerprint, dimension, token_dimension = "one", 2, 4

    def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(text, np.array([1, 0], dtype=np.float32), np.zeros((0, 4), dtype=np.float32))

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]:
        raise NotImplementedError


def pool(*cosines: float, places: Sequence[int] | None = None) -> Pool:
    rows = np.array([(c, (1 - c * c) ** 0.5) for c in cosines], dtype=np.float32)
    return Pool(rows, places or range(len(cosines)))


@pytest.mark.parametrize(
    ("given", "right", "count", "taken"),
    [
        (pool(0.9, 0.5, 0.7), {0}, 9, [2, 1]),  # nearest first, never the right one
        (pool(0.9, 0.5, 0.7), {0}, 1, [2]),
        (pool(0.6, 0.59, 0.5), {0}, 9, [2]),  # 0.59 may well answer too
        (pool(0.6, 0.9, 0.5), {0}, 9, [2]),
        (pool(0.9, 0.5, 0.4, places=[0, 3, 3]), {0}, 9, [3]),  # a place once
        (pool(0.9), {0}, 9, []),
        (pool(0.5, 0.4), set(), 9, [0, 1]),  # nothing right is known to be near
    ],
)
def test_the_hardest(given: Pool, right: set[int], count: int, taken: list[int]) -> None:
    assert hardest(OneWay(), given, "what", right, count) == taken


def test_the_ceiling_is_a_share_of_the_right_one() -> None:
    edge = 0.8 * CEILING
    assert hardest(OneWay(), pool(0.8, edge - 0.001, edge + 0.01), "what", {0}, 9) == [1]
