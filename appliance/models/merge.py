"""Rows of a passage that say nearly the same, merged into one.

Rules of this module: numpy only; deterministic. Ward's minimum-variance clustering (Ward 1963, by
the Lance-Williams centroid form), which Clavie, Chaffin & Adams ("Reducing the footprint of
multi-vector retrieval with minimal performance impact via token pooling", 2024) found to halve
multi-vector storage at almost no loss. scipy has it too; forty rows do not justify scipy on the box.
"""

from __future__ import annotations

import math

import numpy as np

from appliance.models.protocols import Floats
from appliance.models.vectors import unit


def merge_alike(rows: Floats, share: float) -> Floats:
    """Return the unit means [ceil(n * share), d] of the n unit rows merged by Ward's criterion."""
    keep = math.ceil(len(rows) * share)
    if keep >= len(rows):
        return rows
    means = rows.astype(np.float32)
    sizes = np.ones(len(rows), dtype=np.float32)
    costs = np.maximum(1 - rows @ rows.T, 0)  # half the squared distance: Ward's cost for two single rows
    np.fill_diagonal(costs, np.inf)
    for _ in range(len(rows) - keep):
        one, other = divmod(int(costs.argmin()), len(rows))
        _join(means, sizes, one, other)
        costs[one] = costs[:, one] = _costs_of(means, sizes, one)
        costs[other] = costs[:, other] = np.inf
    return unit(means[sizes > 0])


def _join(means: Floats, sizes: Floats, one: int, other: int) -> None:
    """Put the rows of cluster `other` into cluster `one`."""
    both = sizes[one] + sizes[other]
    means[one] = (sizes[one] * means[one] + sizes[other] * means[other]) / both
    sizes[one], sizes[other] = both, 0


def _costs_of(means: Floats, sizes: Floats, one: int) -> Floats:
    """Return how much variance joining `one` with each other cluster would add [n]; inf for itself."""
    apart = ((means - means[one]) ** 2).sum(axis=1)
    costs: Floats = apart * sizes * sizes[one] / (sizes + sizes[one])
    costs[sizes == 0] = np.inf
    costs[one] = np.inf
    return costs
