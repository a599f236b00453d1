"""Which wrong passages are taken."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.training.sources import CEILING, hardest

EDGE = 0.8 * CEILING  # a share of the right one's


@pytest.mark.parametrize(
    ("cosines", "right", "count", "taken"),
    [
        ((0.9, 0.5, 0.7), {0}, 9, [2, 1]),  # nearest first, never the right one
        ((0.9, 0.5, 0.7), {0}, 1, [2]),
        ((0.6, 0.59, 0.5), {0}, 9, [2]),  # 0.59 may well answer too
        ((0.6, 0.9, 0.5), {0}, 9, [2]),
        ((0.9,), {0}, 9, []),
        ((0.5, 0.4), set(), 9, [0, 1]),  # nothing right is known to be near
        ((0.8, EDGE - 0.001, EDGE + 0.01), {0}, 9, [1]),
    ],
)
def test_the_hardest(cosines: tuple[float, ...], right: set[int], count: int, taken: list[int]) -> None:
    assert hardest(np.array(cosines, dtype=np.float32), right, count) == taken
