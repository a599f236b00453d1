"""Unit rows, and their form as stored: two bits a number.

Rules of this module: numpy only, no state. The rows come evenly spread over their numbers (see
project.py), each number about normal with variance 1/d, so that one fixed grid of four levels is
near the best there is for two bits (Max, "Quantizing for minimum distortion", 1960, table II:
uniform step 0.9957 of the deviation). The question's side stays float32. A row of 256 numbers takes
64 bytes; `int8` is only the type that the store carries them in.
"""

from __future__ import annotations

import numpy as np

from appliance.models.protocols import Floats, Int8s

STEP = 0.9957  # of the standard deviation
PER_BYTE = 4
_SHIFTS = np.arange(0, 8, 2, dtype=np.uint8)
_LEVELS = np.array([-1.5, -0.5, 0.5, 1.5], dtype=np.float32)
_BYTES = _LEVELS[(np.arange(256, dtype=np.uint8)[:, None] >> _SHIFTS) & 3]  # [256, 4]


def unit(rows: Floats) -> Floats:
    """Return the rows (or the one row) with length 1; rows of zeros stay zero."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: Floats = (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled


def pack(rows: Floats) -> Int8s:
    """Return unit rows [n, d] as stored [n, d / 4]; d must be a multiple of four."""
    count, width = rows.shape
    steps = np.floor(rows * (np.sqrt(width) / STEP))
    codes = (np.clip(steps, -2, 1) + 2).astype(np.uint8).reshape(count, width // PER_BYTE, PER_BYTE)
    packed: Int8s = np.bitwise_or.reduce(codes << _SHIFTS, axis=2).astype(np.uint8).view(np.int8)
    return packed


def unpack(packed: Int8s) -> Floats:
    """Return the unit rows [n, d] that were packed, as near as two bits tell."""
    rows = _levels(packed)
    unpacked: Floats = rows / _lengths(rows)
    return unpacked


def cosines(packed: Int8s, query: Floats) -> Floats:
    """Return the cosines [n, m] of packed rows [n, d / 4] to the unit rows [m, d] of a question.

    What is divided by the lengths is the m products of a row, not its d numbers.
    """
    rows = _levels(packed)
    found: Floats = rows @ query.T / _lengths(rows)
    return found


def _levels(packed: Int8s) -> Floats:
    """Return the levels [n, d] that were packed; `take` copies four at once, which indexing does not."""
    rows: Floats = np.take(_BYTES, packed.view(np.uint8), axis=0).reshape(len(packed), -1)
    return rows


def _lengths(rows: Floats) -> Floats:
    """Return the lengths [n, 1] of rows [n, d]."""
    lengths: Floats = np.sqrt(np.einsum("nd,nd->n", rows, rows))[:, None]
    return lengths
