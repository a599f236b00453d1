"""Signs without a known meaning told by their drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float32]

SIDE = 20  # cells of the square into which the outline is stretched
INK = 100  # grey value from which a pixel is ink, of 255
NEAR, APART = 0.20, 0.11  # distance of a sign to its reference, at most; how much farther all others must be
CLOSE, CLOSE_APART = 0.10, 0.03  # idem, for a sign that is very near

SIGNS = frozenset("+−±×÷=<>≤≥≠≈°²³½¼¾√∞αβγδεζηλμπρσφψωΔΣΩ")
REFERENCE = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "+−±×÷=<>≤≥≠≈·•°′″²³¹½¼¾√∑∞∆%£€§†‡()[]/*&@#~_|!?$:;,.“”‘’–—…"
    "αβγδεζηθλμξπρστφχψωΓΘΛΞΠΣΦΨΩ→←↑↓∂∫"
)
_ALIKE = tuple(
    frozenset(group)
    for group in (
        "−–-‐‑\u00ad—_", "°˚º∘", "′'’‘", '″"”“', "∑Σ", "∆Δ", "φϕ", "μµ", "×xX✕χ", "·•∙⋅.",
        "lI|1", "oO0ο", "∼~", "=═", "Ωω", "/∕⁄", "εϵ", ",‚",
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """A glyph's outline on a square grid (unit length), its log proportions, middle and size in ems."""

    grid: Grid
    aspect: float
    middle: float
    size: float


@dataclass(frozen=True, slots=True)
class References:
    """Shapes of known characters: one row for each character of each reference font.

    `order` are the rows sorted by character, `starts` where in it each of the `characters` begins.
    """

    characters: tuple[str, ...]
    order: npt.NDArray[np.intp]
    starts: npt.NDArray[np.intp]
    grids: Grid  # (rows, SIDE * SIDE)
    measures: Grid  # (rows, 3)

    @classmethod
    def of(cls, known: Iterable[tuple[str, Shape]]) -> References:
        """Return the references made of characters and their shapes."""
        names, shapes = zip(*known, strict=True)
        order = np.argsort(np.array(names), kind="stable")
        characters, starts = np.unique(np.array(names)[order], return_index=True)
        measures = [(shape.aspect, shape.middle, shape.size) for shape in shapes]
        grids = np.stack([shape.grid for shape in shapes])
        return cls(tuple(map(str, characters)), order, starts, grids, np.array(measures, dtype=np.float32))

    def distances(self, shape: Shape) -> dict[str, float]:
        """Return the distance of a shape to the nearest reference of each character."""
        away = np.abs(self.measures - np.array((shape.aspect, shape.middle, shape.size), dtype=np.float32))
        values = 1 - self.grids @ shape.grid + away @ np.array((0.25, 0.5, 0.2), dtype=np.float32)
        nearest = np.minimum.reduceat(values[self.order], self.starts).tolist()
        return dict(zip(self.characters, nearest, strict=True))


def shape_of(pixels: npt.NDArray[np.uint8], top: float, em: float) -> Shape | None:
    """Return the shape of a glyph drawn at `em` pixels, `top` pixels below the baseline; None if empty."""
    dark = pixels > INK
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    if not len(rows):
        return None
    grey = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32) / 255
    height, width = grey.shape
    grid = np.pad(_shares(height) @ grey @ _shares(width).T, 1)
    grid = (grid[:-2] + 2 * grid[1:-1] + grid[2:]) / 4
    grid = (grid[:, :-2] + 2 * grid[:, 1:-1] + grid[:, 2:]) / 4
    flat = (grid / np.linalg.norm(grid)).astype(np.float32).ravel()
    middle = -(top + rows[0] + height / 2) / em
    return Shape(flat, math.log(width / height), middle, math.log(max(width, height) / em))


def _shares(length: int) -> Grid:
    """Return (SIDE, length): the share of each pixel in each cell, the mean over the cell's pixels."""
    edges = np.linspace(0, length, SIDE + 1)
    pixel = np.arange(length)
    low, high = np.maximum(edges[:-1, None], pixel), np.minimum(edges[1:, None], pixel + 1)
    return np.asarray(np.clip(high - low, 0, None) * SIDE / length, dtype=np.float32)


def sign_of(shape: Shape, references: References) -> str:
    """Return the sign that a drawing shows, "" where it resembles none, or others nearly as much."""
    distances = references.distances(shape)
    best = min(distances, key=distances.__getitem__)
    near = distances[best]
    # what may be drawn like it, or read for it without harm
    alike = {best}.union(*(group for group in _ALIKE if best in group))
    apart = min(distance for sign, distance in distances.items() if sign not in alike) - near
    sure = (near <= NEAR and apart >= APART) or (near <= CLOSE and apart >= CLOSE_APART)
    return best if best in SIGNS and sure else ""
