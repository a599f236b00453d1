"""A narrower basis for token vectors, fitted on sample texts, then turned.

Rules of this module: numpy only; the same texts give the same matrix. Principal directions of the
unit token vectors, without their mean (a shared offset makes all words alike and so wastes the
few directions there are room for). The signs, which the decomposition leaves open, are fixed. A last
turn by a fixed orthogonal matrix spreads what the first directions hold over all numbers, so that a
few bits for each lose little (Gong and others, "Iterative Quantization", CVPR 2011, section 2).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from appliance.models.protocols import Floats


def fit_projection(tokens: Iterable[Floats], width: int) -> Floats:
    """Return the matrix [dimension + 1, width] fitted to unit token rows.

    A row x becomes [x, 1] @ matrix, which is (x - mean) @ directions.
    """
    rows = np.concatenate(list(tokens)).astype(np.float64)
    mean = rows.mean(axis=0)
    centred = rows - mean
    values, vectors = np.linalg.eigh(centred.T @ centred)
    directions = vectors[:, np.argsort(values)[::-1][:width]]
    signs = np.sign(directions[np.abs(directions).argmax(axis=0), np.arange(width)])
    directions = (directions * signs) @ _turn(width)
    matrix: Floats = np.vstack([directions, -mean @ directions]).astype(np.float32)
    return matrix


def turned(width: int) -> Floats:
    """Return the matrix [width + 1, width] that only turns rows, for a model without a fitted one."""
    return np.vstack([_turn(width), np.zeros(width)]).astype(np.float32)


def project(rows: Floats, matrix: Floats) -> Floats:
    """Return rows [n, dimension] in the basis of the matrix [n, width], not yet of unit length."""
    projected: Floats = (rows @ matrix[:-1] + matrix[-1]).astype(np.float32)
    return projected


def _turn(width: int) -> NDArray[np.float64]:
    """Return a fixed orthogonal matrix [width, width], drawn once for all."""
    drawn = np.random.default_rng(1).normal(size=(width, width))
    turn, triangle = np.linalg.qr(drawn)
    return turn * np.sign(np.diag(triangle))
