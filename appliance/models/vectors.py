"""Unit rows, and their form as stored.

Rules of this module: numpy only, no state.
"""

from __future__ import annotations

import numpy as np

from appliance.models.protocols import Floats, Int8s

SCALE = 127  # an int8 row is a unit row times this


def unit(rows: Floats) -> Floats:
    """Return the rows (or the one row) with length 1; rows of zeros stay zero."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: Floats = (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled


def quantize(rows: Floats) -> Int8s:
    """Return unit rows as int8, times 127."""
    return np.rint(rows * SCALE).astype(np.int8)
