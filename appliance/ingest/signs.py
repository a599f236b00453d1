"""Signs told by their drawing: which operator a glyph shows, whatever the file says that it reads as.

Rules of this module: pure (pixels and shapes in, verdicts out). A glyph is compared with the glyphs of
reference fonts by outline, proportions, and height above the baseline. Only a sign that no other
character resembles is proven; letters and figures are never guessed. What is drawn unlike what it
reads as, and is no proven sign either, is doubtful, and must be said, never read in silence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float32]

SIDE = 20  # cells of the square into which the outline is stretched
INK = 100  # grey value from which a pixel is ink, of 255
NEAR = 0.20  # distance: the most that a sign may be from its reference
CLOSE = 0.10  # idem, for signs that have neighbours not far away
APART = 0.11  # how much farther every other character must be
APART_CLOSE = 0.03  # idem, for a sign as close as CLOSE
UNLIKE = 0.25  # how much farther what it reads as must be than what it looks like
UNLIKE_RAISED = 0.15  # idem for a small raised figure that reads as a whole one
RAISED = frozenset("²³")
OUTLINE = 0.12  # distance of its outline: the most that a raised figure may be from the whole one
SMALL = 0.75  # of the size of whole figures: raised ones are smaller
HIGH = 0.1  # ems from the middle of whole figures to that of raised ones

SIGNS = frozenset("+−±×÷=<>≤≥≠≈°²³½¼¾√∞αβγδεζηλμπρσφψωΔΣΩ")
REFERENCE = (
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "+−±×÷=<>≤≥≠≈·•°′″²³¹½¼¾√∑∞∆%£€§†‡()[]/*&@#~_|!?$:;,.“”‘’–—…"
    "αβγδεζηθλμξπρστφχψωΓΘΛΞΠΣΦΨΩ→←↑↓∂∫"
)
_FIGURES = dict(zip("123456789", "¹²³⁴⁵⁶⁷⁸⁹", strict=True))  # a small high 0 may be a degree
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
    """Shapes of known characters: one row for each character of each reference font."""

    characters: tuple[str, ...]
    grids: Grid  # (rows, SIDE * SIDE)
    measures: Grid  # (rows, 3)

    @classmethod
    def of(cls, known: Iterable[tuple[str, Shape]]) -> References:
        """Return the references made of characters and their shapes."""
        pairs = list(known)
        measures = [(shape.aspect, shape.middle, shape.size) for _, shape in pairs]
        return cls(
            tuple(character for character, _ in pairs),
            np.stack([shape.grid for _, shape in pairs]),
            np.array(measures, dtype=np.float32),
        )

    def nearest(self, values: Grid) -> dict[str, float]:
        """Return the least of the values, one for each row, by character."""
        known, order, starts = _groups(self.characters)
        return dict(zip(known, np.minimum.reduceat(values[order], starts).tolist(), strict=True))


@lru_cache(maxsize=4)
def _groups(characters: tuple[str, ...]) -> tuple[list[str], npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the characters once each, the rows sorted by character, and where each character begins."""
    known = np.unique(np.array(characters))
    order = np.argsort(np.array(characters), kind="stable")
    starts = np.searchsorted(np.array(characters)[order], known)
    return [str(one) for one in known], order, starts


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the drawing says of a character: as it reads, proven to be `sign`, or doubtful."""

    kind: Literal["agrees", "proven", "doubtful"]
    sign: str = ""


AGREES, DOUBTFUL, SPACE = Verdict("agrees"), Verdict("doubtful"), Verdict("proven", " ")


def shape_of(pixels: npt.NDArray[np.uint8], top: float, em: float, ink: int = INK) -> Shape | None:
    """Return the shape of a glyph drawn at `em` pixels, `top` pixels below the baseline; None if empty.

    `ink` is the grey value from which a pixel belongs to the glyph.
    """
    dark = pixels > ink
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


def verdict(reads: str, shape: Shape, references: References) -> Verdict:
    """Return what the drawing says of a character that reads so ("" for one without a known meaning)."""
    said = verdict_of(reads, distances_to(shape, references))
    other = said.kind == "proven" and said.sign not in RAISED  # "°" that reads as 8
    raised = "" if other else raised_figure(reads, shape, references)
    return Verdict("proven", raised) if raised else said


def raised_figure(reads: str, shape: Shape, references: References) -> str:
    """Return the raised figure that a glyph of full type size shows though it reads as a whole one, else "".

    Fonts draw powers so ("10⁵" that reads as 105); figures of old style are small, too, but not raised.
    """
    rows = [at for at, known in enumerate(references.characters) if known == reads]
    if reads not in _FIGURES or not rows or min(1 - references.grids[rows] @ shape.grid) > OUTLINE:
        return ""
    _, middle, size = references.measures[rows].T
    small = shape.size < min(size) + math.log(SMALL)
    return _FIGURES[reads] if small and shape.middle > max(middle) + HIGH else ""


def verdict_of(reads: str, distances: Mapping[str, float]) -> Verdict:
    """Return what a drawing says of a character, by its distances to the known ones."""
    best = min(distances, key=distances.__getitem__)
    near = distances[best]
    slack = UNLIKE_RAISED if best in RAISED and near <= CLOSE else UNLIKE
    if any(alike(reads, sign) and distance <= near + slack for sign, distance in distances.items()):
        return AGREES
    if reads and reads not in distances:  # an accent, a bullet of its own: nothing to compare it with
        return _proven(best, distances, strict=True) or AGREES
    proven = _proven(best, distances, strict=bool(reads))
    if proven or not reads:
        return proven or DOUBTFUL
    return DOUBTFUL if near <= NEAR else AGREES


def distances_to(shape: Shape, references: References) -> dict[str, float]:
    """Return the distance to the nearest reference of each character."""
    away = np.abs(references.measures - np.array((shape.aspect, shape.middle, shape.size), dtype=np.float32))
    values = 1 - references.grids @ shape.grid + away @ np.array((0.25, 0.5, 0.2), dtype=np.float32)
    return references.nearest(values)


def proven_sign(distances: Mapping[str, float]) -> str:
    """Return the sign that a drawing is proven to show, whatever it reads as; "" for none."""
    said = _proven(min(distances, key=distances.__getitem__), distances, strict=False)
    return said.sign if said else ""


def _proven(best: str, distances: Mapping[str, float], *, strict: bool) -> Verdict | None:
    """Return the sign where nothing else resembles the glyph."""
    if best not in SIGNS:
        return None
    near = distances[best]
    gap = min(distance for sign, distance in distances.items() if not alike(sign, best)) - near
    sure = near <= NEAR and gap >= APART
    close = near <= CLOSE and gap >= APART_CLOSE
    return Verdict("proven", best) if sure or (close and not strict) else None


def alike(one: str, other: str) -> bool:
    """Tell whether two characters may be drawn alike, or read for one another without harm."""
    return one == other or any(one in group and other in group for group in _ALIKE)
