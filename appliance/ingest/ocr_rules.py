"""The ink of a page without its rules, so that letters are measured and not the frame around them.

Rules of this module: pure; pixels in, pixels out. A rule is dark for longer than any letter is high or wide
and thin across; a band or a photograph is thick and stays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ink = npt.NDArray[np.bool_]

LONG = 30.0  # points: a shorter run of ink may be the stroke of a letter
THICK = 4.5  # points: a thicker bar is a filled area
EDGE = 1  # pixels on both sides of a rule that are grey: its own


def without_rules(dark: Ink, scale: float) -> Ink:
    """Return the ink without thin rules across and down; `scale` is points per pixel."""
    long, thick = max(2, round(LONG / scale)), max(2, round(THICK / scale))
    across = _thin(dark, long, thick)
    down = _thin(dark.T, long, thick).T
    return np.asarray(dark & ~(across | down))


def _thin(dark: Ink, long: int, thick: int) -> Ink:
    """Return the pixels of runs along the rows that are long, and thin down the columns."""
    runs = _opened(dark, long)
    if not runs.any():
        return runs
    return _grown(runs & ~_opened(runs.T, thick).T)


def _opened(dark: Ink, length: int) -> Ink:
    """Return the pixels that stand in a run of at least this length along their row."""
    if dark.shape[1] < length:
        return np.zeros_like(dark)
    sums = np.cumsum(np.pad(dark, ((0, 0), (1, 0))), axis=1, dtype=np.int32)
    starts = sums[:, length:] - sums[:, :-length] == length
    counted = np.cumsum(np.pad(starts, ((0, 0), (length, length - 1))), axis=1, dtype=np.int32)
    return np.asarray(counted[:, length:] > counted[:, :-length])


def _grown(rules: Ink) -> Ink:
    """Return the rules with the pixels right over and under them."""
    grown = rules.copy()
    for step in range(1, EDGE + 1):
        grown[step:] |= rules[:-step]
        grown[:-step] |= rules[step:]
    return grown
