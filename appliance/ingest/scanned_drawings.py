"""Where drawings stand on a scanned page: its ink that is no writing, as pictures.

Rules of this module: pixels in, points out. The page is seen as a grid of small cells; the words of the
text layer are blotted out, what is left and hangs together is a drawing if it is too large to be letters.
A drawing is told by its place alone: what it shows, and where it ends, is decided in `figures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from appliance.ingest.page import Picture, Word

Pixels = npt.NDArray[np.uint8]
Cells = npt.NDArray[np.bool_]

DARK = 150  # grey value below which a pixel is ink
CELL = 4.0  # points: the side of a cell
INKED = 0.05  # share of a cell's pixels that makes it dark: a hair line through it does
BLOT = 2.0  # points around a word that may be its own ink
REACH = 2  # cells between parts of one drawing, at most: dashes, arrow heads
LARGE, SLIM = 44.0, 14.0  # points: longer and shorter side of a drawing, at least
MARGIN = 0.03  # of the page: the shadow of its edge, no drawing


def drawings_in(pixels: Pixels, words: Sequence[Word], scale: float) -> tuple[Picture, ...]:
    """Return the drawings of a grey page image; `scale` is points per pixel."""
    dark = _blotted(pixels < DARK, words, scale)
    side = max(1, round(CELL / scale))
    pieces = _joined(_cells(dark, side))
    unit = side * scale
    width, height = pixels.shape[1] * scale, pixels.shape[0] * scale
    found = [Picture(x0 * unit, y0 * unit, x1 * unit, y1 * unit) for x0, y0, x1, y1 in pieces]
    return tuple(p for p in found if _is_large(p) and not _is_edge(p, width, height))


def _blotted(dark: Cells, words: Iterable[Word], scale: float) -> Cells:
    """Return the ink without that of the words."""
    left = dark.copy()
    for word in words:
        x0, y0, x1, y1 = (
            round(value / scale) for value in (word.x0 - BLOT, word.y0 - BLOT, word.x1 + BLOT, word.y1 + BLOT)
        )
        left[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)] = False
    return left


def _cells(dark: Cells, side: int) -> Cells:
    """Return which cells of the page hold ink."""
    rows, columns = dark.shape[0] // side, dark.shape[1] // side
    blocks = dark[: rows * side, : columns * side].reshape(rows, side, columns, side)
    inked: Cells = blocks.sum(axis=(1, 3)) >= max(1.0, INKED * side * side)
    return inked


def _joined(cells: Cells) -> list[tuple[int, int, int, int]]:
    """Return (x0, y0, x1, y1) in cells of the ink that hangs together."""
    left = set(zip(*map(np.ndarray.tolist, np.nonzero(cells)), strict=True))
    steps = [(y, x) for y in range(-REACH, REACH + 1) for x in range(-REACH, REACH + 1) if y or x]
    pieces = []
    while left:
        waiting = [left.pop()]
        piece = []
        while waiting:
            y, x = waiting.pop()
            piece.append((y, x))
            near = {(y + down, x + across) for down, across in steps} & left
            left -= near
            waiting += near
        down, across = [y for y, _ in piece], [x for _, x in piece]
        pieces.append((min(across), min(down), max(across) + 1, max(down) + 1))
    return pieces


def _is_large(picture: Picture) -> bool:
    sides = sorted((picture.x1 - picture.x0, picture.y1 - picture.y0))
    return sides[0] >= SLIM and sides[1] >= LARGE


def _is_edge(picture: Picture, width: float, height: float) -> bool:
    """Tell whether it stands at the edge of the sheet alone."""
    across = picture.x1 < MARGIN * width or picture.x0 > (1 - MARGIN) * width
    return across or picture.y1 < MARGIN * height or picture.y0 > (1 - MARGIN) * height
