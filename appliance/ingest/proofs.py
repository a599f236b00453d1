"""The signs of a document proven by what is drawn: which pages are looked at, what is put right.

Rules of this module: no PDF library; pages come as MuPDF's "rawdict" blocks, glyphs from a `Drawn`.
Every glyph of every font is judged once. A page is traced where it has a character without a known
meaning, a sign or figure that this font has not shown yet, or one that was found wrong before. Where
fonts of one name stand on a page and disagree, nothing is proven. Invisible text is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from appliance.ingest.glyphs import UNKNOWN, font_codes, is_space, repaired
from appliance.ingest.signs import AGREES, DOUBTFUL, SPACE, References, Shape, Verdict, verdict

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
