"""Where a scanned page shows ink that no word of its text layer tells of, as places of the size of print.

Rules of this module: pixels in, points out; nothing is read and nothing guessed. Words and rules are
blotted out of the picture; what is left and stands together is a place where it is as high and as wide as
print. Drawings are larger, dirt is smaller; whether a place lies in a cell or in the text, and what it
means there, is decided in `lost_print`, once it is known where tables and figures are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

import numpy as np
import numpy.typing as npt

from appliance.ingest.page import Stroke, Word

Pixels = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.bool_]
Place = tuple[float, float, float, float]

DARK = 150  # grey value below which a pixel is ink
AROUND = 1.2  # points around a word that may be its own ink
RULE = 2.6  # points beside the middle of a rule that are its ink
CELL = 1.0  # points: the side of a cell of the grid in which ink is joined
APART = 0.45  # type sizes between letters of one place
LOW, HIGH = 0.42, 2.6  # type sizes: the height of print, from a sign to a fraction
NARROW = 0.28  # type sizes: the width of a figure or a sign
INKED = 0.07  # share of a place's cells that print covers, at least
MARGIN = 0.035  # of the page: the shadow of its edge


def lost_ink(
    pixels: Pixels, words: Sequence[Word], strokes: Iterable[Stroke], scale: float
) -> tuple[Place, ...]:
    """Return the places of ink without a word, in points; `scale` is points per pixel."""
    if not words:
        return ()
    em = median(word.size for word in words)
    side = max(1, round(CELL / scale))
    unit = side * scale
    cells = _cells(_blotted(pixels < DARK, words, strokes, scale), side)
    found = [
        (x0 * unit, y0 * unit, x1 * unit, y1 * unit)
        for x0, y0, x1, y1, inked in _pieces(cells, max(1, round(APART * em / unit)))
        if _is_print((x1 - x0) * unit, (y1 - y0) * unit, em) and inked >= INKED * (x1 - x0) * (y1 - y0)
    ]
    height, width = (length * scale for length in pixels.shape)
    return tuple(place for place in found if _is_inside(place, width, height))


def _blotted(dark: Cells, words: Iterable[Word], strokes: Iterable[Stroke], scale: float) -> Cells:
    """Return the ink without that of words and rules."""
    boxes = [(w.x0 - AROUND, w.y0 - AROUND, w.x1 + AROUND, w.y1 + AROUND) for w in words] + [
        (s.x0 - RULE, s.y0 - RULE, s.x1 + RULE, s.y1 + RULE) for s in strokes
    ]
    for box in boxes:
        x0, y0, x1, y1 = (max(round(edge / scale), 0) for edge in box)
        dark[y0:y1, x0:x1] = False
    return dark


def _cells(dark: Cells, side: int) -> Cells:
    """Return which cells of the page hold ink."""
    rows, columns = dark.shape[0] // side, dark.shape[1] // side
    blocks = dark[: rows * side, : columns * side].reshape(rows, side, columns, side)
    inked: Cells = blocks.sum(axis=(1, 3)) > 0
    return inked


def _pieces(cells: Cells, reach: int) -> list[tuple[int, int, int, int, int]]:
    """Return x0, y0, x1, y1 and the inked cells of what stands together: within `reach` cells across."""
    runs = _runs(cells, reach)
    home = list(range(len(runs)))

    def root(at: int) -> int:
        while home[at] != at:
            home[at] = home[home[at]]
            at = home[at]
        return at

    above: list[int] = []
    for rows in _by_row(runs):
        for one in rows:
            for other in above:
                if runs[other][0] + 2 < runs[one][0]:
                    continue
                if runs[one][1] < runs[other][2] + reach and runs[other][1] < runs[one][2] + reach:
                    home[root(one)] = root(other)
        above = [at for at in above if runs[at][0] + 1 >= runs[rows[0]][0]] + rows
    return _boxes(runs, [root(at) for at in range(len(runs))])


def _by_row(runs: Sequence[tuple[int, int, int, int]]) -> list[list[int]]:
    """Return the numbers of the runs row by row."""
    starts = [0, *(at for at, (a, b) in enumerate(pairwise(runs), 1) if a[0] != b[0]), len(runs)]
    return [list(range(a, b)) for a, b in pairwise(starts) if b > a]


def _runs(cells: Cells, reach: int) -> list[tuple[int, int, int, int]]:
    """Return row, first column, end and inked cells of the runs of each row, gaps within reach closed."""
    found: list[tuple[int, int, int, int]] = []
    for row in np.flatnonzero(cells.any(axis=1)).tolist():
        at = np.flatnonzero(cells[row])
        cuts = np.flatnonzero(np.diff(at) > reach) + 1
        found += [(row, int(p[0]), int(p[-1]) + 1, len(p)) for p in np.split(at, cuts)]
    return found


def _boxes(
    runs: Sequence[tuple[int, int, int, int]], homes: Sequence[int]
) -> list[tuple[int, int, int, int, int]]:
    found: dict[int, tuple[int, int, int, int, int]] = {}
    for (row, first, end, inked), home in zip(runs, homes, strict=True):
        x0, y0, x1, y1, before = found.get(home, (first, row, end, row + 1, 0))
        found[home] = (min(x0, first), min(y0, row), max(x1, end), max(y1, row + 1), before + inked)
    return list(found.values())


def _is_print(width: float, height: float, em: float) -> bool:
    return width >= NARROW * em and LOW * em <= height <= HIGH * em


def _is_inside(place: Place, width: float, height: float) -> bool:
    """Tell whether a place lies off the edges of the sheet."""
    x0, y0, x1, y1 = place
    across = MARGIN * width <= x0 and x1 <= (1 - MARGIN) * width
    return across and MARGIN * height <= y0 and y1 <= (1 - MARGIN) * height
