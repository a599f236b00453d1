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
_SQUARES = (_BYTES**2).sum(axis=1)  # [256]


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
    codes = packed.view(np.uint8)
    lengths = np.sqrt(_SQUARES[codes].sum(axis=1, keepdims=True))
    rows: Floats = _BYTES[codes].reshape(len(codes), -1) / lengths
    return rows
