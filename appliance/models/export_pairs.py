"""What int8 costs a cross-encoder: its logits beside those of float32, over pairs made of sample texts.

Rules of this module: numpy over two opened models, nothing is written. The pairs run from a text with
itself over its neighbours to one from far away, so that the logits have a spread to agree about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from appliance.models.cross import CrossEncoder
from appliance.models.entries import Entry

ASKED = 150  # texts that stand as the question


@dataclass(frozen=True, slots=True)
class PairsMeasured:
    """What the export of a reader of pairs measured: correlation of logits, share of orders kept, pairs."""

    correlation: float
    orders_kept: float
    pairs: int

    @property
    def agreement(self) -> float:
        """Return what the gate looks at."""
        return self.correlation

    def __str__(self) -> str:
        """Return the figures as a sentence goes on with them."""
        return (
            f"correlation with the logits of float32 {self.correlation:.4f} over {self.pairs} pairs "
            f"({self.orders_kept:.4f} of the orders of two kept)"
        )


def measure_pairs(entry: Entry, exact: Path, small: Path, texts: Sequence[str]) -> PairsMeasured:
    """Compare the models of two folders over pairs of the texts."""
    models = [CrossEncoder(entry, folder, threads=1) for folder in (exact, small)]
    count, step = len(texts), max(1, len(texts) // ASKED)
    found = []
    for first in range(0, count, step):
        read = [texts[(first + far) % count] for far in (0, 1, 2, count // 2)]
        found.append(np.stack([model.logits(texts[first], read) for model in models]))
    logits = np.stack(found, axis=1)  # [2, questions, 4]
    left, right = (np.sign(model[:, :, None] - model[:, None, :]) for model in logits)
    apart = ~np.eye(logits.shape[2], dtype=bool)
    correlation = float(np.corrcoef(logits.reshape(2, -1)).flat[1])
    return PairsMeasured(correlation, float((left == right)[:, apart].mean()), logits[0].size)
