"""Signs told by their drawing where the file's Unicode is wrong, and raised or underlined signs."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from appliance.ingest.layout.footnotes import Footnote, run_in
from appliance.ingest.layout.lines import is_mark
from appliance.ingest.page import Line, PageLayout, Word
from appliance.ingest.pdf.words import UNKNOWN, font_codes, is_space, repaired
from appliance.ingest.tables.cells import raised

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


ORDINARY = frozenset(".,;:!?'\"()[]/&*-–—‒−‐‑­’‘“”•·…©®™@_|¦§†‡`")
CACHED = 65_536  # characters of fonts of which is remembered whether they are looked at
FACTOR = 10  # places are compared in tenths of a point

Place = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Drawing:
    """One character as drawn: the font's name on the page, the code point read, glyph, origin, box."""

    font: str
    reads: str
    glyph: int
    origin: tuple[float, float]
    box: tuple[float, float, float, float]


class Drawn(Protocol):
    """What can be asked about the drawings of a document; fonts are known by their object numbers."""

    def fonts(self, page: int) -> Mapping[str, Sequence[int]]:
        """Return the embedded fonts of a page by their names as drawn."""

    def trace(self, page: int) -> Iterator[Drawing]:
        """Yield the visible characters of a page."""

    def shape(self, font: int, glyph: int) -> Shape | None:
        """Return the shape of a glyph, None for one without ink.

        Raises:
            LookupError: the font has no such glyph, or cannot be drawn.
        """

    def references(self) -> References:
        """Return the shapes of known characters."""

    def doubled(self, font: int) -> frozenset[str]:
        """Return the characters that several codes of a font read as."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A character that is drawn unlike what it reads as."""

    reads: str
    box: tuple[float, float, float, float]


@dataclass(slots=True)
class Proofs:
    """The verdicts of one document, gathered page by page."""

    drawn: Drawn
    seen: set[tuple[str, tuple[int, ...], str]] = field(default_factory=set)
    wrong: set[tuple[str, str]] = field(default_factory=set)
    verdicts: dict[tuple[int, int, str], Verdict] = field(default_factory=dict)

    def prove(self, page: int, blocks: Sequence[dict[str, Any]]) -> list[Doubt]:
        """Put right the characters of the blocks, in place; return those that are doubtful."""
        fonts = self.drawn.fonts(page)
        if not fonts or not self._new(fonts, blocks):
            return []
        mended: dict[Place, str] = {}
        doubts: list[Doubt] = []
        for item in self.drawn.trace(page):
            reads = _suspicious(item.font, item.reads)
            if not reads:
                continue
            found = self._judged(fonts.get(item.font, ()), item.glyph, "" if reads == UNKNOWN else reads)
            if found.kind == "proven":
                mended[_place(item.origin, item.reads)] = found.sign
            elif found.kind == "doubtful" and reads != UNKNOWN:
                doubts.append(Doubt(reads, item.box))
            if found.kind != "agrees":
                self.wrong.add((_plain(item.font), item.reads))
        _mend(blocks, mended)
        return doubts

    def _new(self, fonts: Mapping[str, Sequence[int]], blocks: Sequence[dict[str, Any]]) -> bool:
        """Tell whether something on the page must be looked at, and remember what it shows."""
        named: dict[str, tuple[int, ...]] = {}
        for name, numbers in fonts.items():
            named[_plain(name)] = (*named.get(_plain(name), ()), *numbers)
        found = False
        for name, char in _shown(blocks):
            numbers = named.get(name, ())
            key = (name, () if char.isdigit() else numbers, char)  # fonts of text come anew on each page
            twice = any(char in self.drawn.doubled(number) for number in numbers)
            found |= bool(numbers) and (
                char == UNKNOWN or twice or key not in self.seen or (name, char) in self.wrong
            )
            self.seen.add(key)
        return found

    def _judged(self, numbers: Sequence[int], glyph: int, reads: str) -> Verdict:
        verdicts = {self._verdict(number, glyph, reads) for number in numbers}
        if len(verdicts) == 1:
            return verdicts.pop()
        return AGREES if reads else DOUBTFUL

    def _verdict(self, font: int, glyph: int, reads: str) -> Verdict:
        key = (font, glyph, reads)
        if key not in self.verdicts:
            try:
                shape = self.drawn.shape(font, glyph)
            except LookupError:
                self.verdicts[key] = AGREES if reads else DOUBTFUL
            else:
                empty = AGREES if reads else SPACE
                self.verdicts[key] = verdict(reads, shape, self.drawn.references()) if shape else empty
        return self.verdicts[key]


def _shown(blocks: Sequence[dict[str, Any]]) -> set[tuple[str, str]]:
    """Return font name and character of what is visible, as far as it is checked."""
    found: set[tuple[str, str]] = set()
    for span in _visible(blocks):
        name = _plain(span["font"])
        for raw in {char["c"] for char in span["chars"]}:
            reads = _suspicious(span["font"], raw)
            if reads:
                found.add((name, UNKNOWN if reads == UNKNOWN else raw))
    return found


@lru_cache(CACHED)
def _suspicious(font: str, raw: str) -> str:
    """Return what a character of a font reads as where it is looked at, "" where it is not."""
    reads = repaired(raw, font_codes(font))
    return reads if reads == UNKNOWN or _checked(reads) else ""


def _visible(blocks: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for block in blocks:
        for line in block.get("lines", ()):
            yield from (span for span in line["spans"] if span.get("alpha", 255))


def _checked(char: str) -> bool:
    """Tell whether a character is one that fonts of signs are read wrongly as: no letter, no full stop."""
    return len(char) == 1 and not (char.isalpha() or is_space(char) or char in ORDINARY)


def _mend(blocks: Sequence[dict[str, Any]], mended: Mapping[Place, str]) -> None:
    for span in _visible(blocks) if mended else ():
        for char in span["chars"]:
            sign = mended.get(_place(char["origin"], char["c"]))
            if sign is not None:
                char["c"], char["proven"] = sign, True


def _place(origin: tuple[float, float], char: str) -> Place:
    return round(origin[0] * FACTOR), round(origin[1] * FACTOR), char


def _plain(font: str) -> str:
    """Return the name of a font without the tag of its subset."""
    return font.rpartition("+")[2]


LATIN = 0x370  # the letters of other alphabets come behind
RAISED_SIGNS_NEAR = 0.3  # type sizes between a raised sign and what it hangs on
_CLOSING = frozenset(")]}")
_RINGS = frozenset("0oO")


def as_written(layouts: Sequence[PageLayout], footnotes: Sequence[Footnote]) -> tuple[PageLayout, ...]:
    """Return the pages with powers written raised, and without the marks of footnotes in words and values."""
    marks: dict[int, set[str]] = {}
    for note in footnotes:
        marks.setdefault(note.lines[0].page, set()).add(note.mark)
    below = {id(line) for note in footnotes for line in note.lines}
    return tuple(
        replace(
            page,
            lines=tuple(
                _written(line, () if id(line) in below else own, digital=page.content.trust == "digital")
                for line in page.lines
            ),
        )
        for page in layouts
        for own in [marks.get(page.content.number, set())]
    )


def _written(line: Line, marks: Collection[str], *, digital: bool) -> Line:
    """Return the line with these marks left out of its text and its powers raised."""
    if not marks and not (digital and any(word.rise > 0 for word in line.words)):
        return line
    text = line.text
    changes = [(place, mark, "") for mark, place in run_in(line, marks)] if marks else []
    left_out = {place for place, _, _ in changes}
    powers = _powers(line) if digital else ()
    changes += [(place, plain, _as_raised(plain)) for place, plain in powers if place not in left_out]
    for place, plain, written in sorted(changes, reverse=True):
        text = f"{text[:place]}{written}{text[place + len(plain) :]}"
    return line if text == line.text else replace(line, text=" ".join(text.split()))


def _as_raised(plain: str) -> str:
    """Return raised text with raised signs; a lone raised ring or nought behind a figure is a degree."""
    return "°" if plain in _RINGS else raised(plain)


def _powers(line: Line) -> Iterator[tuple[int, str]]:
    """Yield the raised signs of a line that change a value, each with its place in the text."""
    at, before, inside = 0, None, False
    for word in line.words:
        place = line.text.find(word.text, at)
        if place < 0:
            return
        if word.rise <= 0:
            before, inside = word, False
        elif before is not None and (inside or _changes(before, word)):
            inside = True
            yield place, word.text
        at = place + len(word.text)


def _changes(before: Word, word: Word) -> bool:
    """Tell whether a raised word changes the value of what it hangs on."""
    if not is_mark(word.text) or word.x0 - before.x1 > RAISED_SIGNS_NEAR * before.size:
        return False
    if before.text[-1:].isdigit():
        return True
    figures = any(sign.isdigit() for sign in word.text)
    return figures and (before.text[-1:] in _CLOSING or _is_quantity(before))


def _is_quantity(word: Word) -> bool:
    """Tell whether a word ends with the sign of a quantity: a letter of mathematics, or one in italic."""
    sign = word.text[-1:]
    plain = unicodedata.normalize("NFKC", sign)
    if not plain.isalpha():
        return False
    alone = len(word.text.lstrip("([{")) == 1
    return plain != sign or (alone and (word.italic or ord(plain) > LATIN))
