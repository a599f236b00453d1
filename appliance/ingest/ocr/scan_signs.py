"""Signs of scanned pages read again from what is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from appliance.core.document import Problem
from appliance.ingest.ocr.lost_print import Place
from appliance.ingest.ocr.noise import compared, gaps, lone_letters, lone_sign
from appliance.ingest.page import PageContent, Source, Word, box_on
from appliance.ingest.pdf.reader import known_shapes
from appliance.ingest.pdf.rendering import grey_pages
from appliance.ingest.pdf.signs import (
    AGREES,
    INK,
    UNLIKE,
    References,
    Verdict,
    alike,
    distances_to,
    proven_sign,
    shape_of,
    verdict_of,
)
from appliance.ingest.tables.cells import rows_of
from appliance.text.folding import faded_signs, language_words, signs
from appliance.text.numbers import PARAGRAPH

Pixels = npt.NDArray[np.uint8]
Distances = Mapping[str, float]

WIDTH = 2000  # pixels of the page image in which glyphs are looked at
LONGEST = 12  # characters of a word that is looked at
SPAN = 4  # characters that one sign may have been read as
AIR = 1.0  # points that a glyph may reach over the box of its word
FAINT = 40  # grey value from which a pixel may be ink of a stroke that faded, of 255
SMALLEST = 3  # pixels: what is less wide and high is dirt
LIKELY = 0.30  # distance: the most that a sign may be from its reference where it is usually misread so
BESIDE = 0.04  # how much nearer another character may be
LOOSE = 0.1  # type sizes at the edges of a gap that still belong to the words beside it
THIN = 0.3  # type sizes: a sign between two words is wider
NAMED = 6  # signs of one page that are named
_NUMBER = re.compile(
    r"[(\[]*\d+(?:[.,]\d+)+[a-z]?[)\],.;:]*|[(\[]*\d{3,}[)\],.;:%]*|\d{1,2}[°%)]|" + PARAGRAPH
)
_MARK = re.compile(r"[.,;:()\[\]]{1,2}|[.·•…_–—-]+")  # of a sentence, a list or a leader
_LETTERS = re.compile(r"[(\[“‘\"']*(?P<letters>[^\W\d_]+(?:[-/'’][^\W\d_]+)*)[)\],.;:”’\"'?!]*")


@dataclass(frozen=True, slots=True)
class Mend:
    """A word as it was read and as it is drawn; with `doubt` it stays as it was read.

    Where nothing was read, `word` is the one behind which a sign is drawn, and `at` its place.
    """

    word: Word
    read: str
    drawn: str
    doubt: bool = False
    at: Place | None = None


def with_drawn_signs(source: Source, path: Path) -> Source:
    """Return the source with the signs of its scanned pages as they are drawn, and what was put right."""
    looked = {
        page.number: page for page in source.pages if page.trust == "ocr" and not page.turned and page.words
    }
    pages = {page.number: page for page in source.pages}
    for number, pixels in grey_pages(path, sorted(looked), WIDTH):
        pages[number] = _mended(looked[number], pixels, known_shapes())
    return replace(source, pages=tuple(pages[page.number] for page in source.pages))


def _mended(page: PageContent, pixels: Pixels, references: References) -> PageContent:
    found = list(mends_of(page.words, pixels, pixels.shape[1] / page.width, references))
    doubts = _told(page, [mend for mend in found if mend.doubt])
    mends = {_place(mend.word): mend for mend in found if not mend.doubt and mend.read}
    lost = {_place(mend.word): mend for mend in found if not mend.doubt and not mend.read}
    if not mends and not lost:
        return replace(page, problems=(*page.problems, *doubts)) if doubts else page
    words: list[Word] = []
    for word in page.words:
        place = _place(word)
        words.append(replace(word, text=mends[place].drawn) if place in mends else word)
        if place in lost:
            words.append(_lost(lost[place]))
    said = _said(page, [*mends.values(), *lost.values()])
    return replace(page, words=tuple(words), problems=(*page.problems, said, *doubts))


def _told(page: PageContent, doubts: Sequence[Mend]) -> tuple[Problem, ...]:
    """Return a problem for each of the first doubts of a page, and one for the others."""
    named = tuple(_doubted(page, mend) for mend in doubts[:NAMED])
    if len(doubts) <= NAMED:
        return named
    message = f"{len(doubts) - NAMED} more signs of page {page.number} are drawn like others."
    return (*named, Problem(message, page.number, doubt=True))


def _lost(mend: Mend) -> Word:
    """Return the sign that no word told of as a word of its own."""
    x0, y0, x1, y1 = mend.at or _place(mend.word)
    return replace(mend.word, text=mend.drawn, x0=x0, y0=y0, x1=x1, y1=y1, rise=0, glued=False)


def _doubted(page: PageContent, mend: Mend) -> Problem:
    box = box_on(page, *(mend.at or _place(mend.word)))
    if not mend.read:
        message = f"A sign beside “{mend.word.text}” on page {page.number} was not read: "
    elif mend.drawn:
        message = f"“{mend.read}” on page {page.number} may be {mend.drawn}: "
    else:
        message = f"“{mend.read}” on page {page.number} is drawn like another sign: "
    return Problem(message + "compare it with the image.", page.number, box, doubt=True)


def _place(word: Word) -> Place:
    return word.x0, word.y0, word.x1, word.y1


def _said(page: PageContent, mends: Sequence[Mend]) -> Problem:
    """Return what was put right on a page, with what stood there."""
    pairs = list(dict.fromkeys((mend.read, mend.drawn) for mend in mends))
    named = ", ".join(
        f"“{read}” as “{drawn}”" if read else f"a lost “{drawn}”" for read, drawn in pairs[:NAMED]
    )
    more = f" and {len(pairs) - NAMED} more" if len(pairs) > NAMED else ""
    first = mends[0].word
    message = f"Signs of page {page.number} are shown as they are drawn: {named}{more}."
    return Problem(message, page.number, box_on(page, first.x0, first.y0, first.x1, first.y1))


def mends_of(words: Sequence[Word], pixels: Pixels, scale: float, references: References) -> Iterator[Mend]:
    """Yield the words whose signs are drawn otherwise than they read; `scale` is pixels per point."""
    ink = 255 - pixels
    for row in rows_of([word for word in words if word.upright]):
        signs_read = list(compared(row.words))
        odd = [word for word in row.words if _odd(word) or word in signs_read]
        alone, apart = list(lone_letters(row.words)), list(gaps(row.words))
        base = _baseline(row.words, ink, scale) if odd or alone or apart else None
        if base is None:
            continue
        for word in alone:
            yield from _alone(word, list(_glyphs(word, ink, scale, base, references)))
        for pair in apart:
            yield from _between(pair, ink, scale, base, references)
        for word in odd:
            if word not in alone:
                mends = list(_misread(word, list(_glyphs(word, ink, scale, base, references))))
                yield from mends
                if word in signs_read and not mends:
                    yield Mend(word, word.text, "", doubt=True)


def _misread(word: Word, glyphs: Sequence[Distances]) -> Iterator[Mend]:
    """Yield an odd word as its glyphs show it; in doubt where its drawing may be what is left of it."""
    drawn = laid(word.text, glyphs)
    if drawn is not None and drawn != word.text:
        yield Mend(word, word.text, drawn)
    elif drawn is None and len(glyphs) == 1 and _is_faded(word.text, proven_sign(glyphs[0])):
        yield Mend(word, word.text, "", doubt=True)


def _alone(word: Word, glyphs: Sequence[Distances]) -> Iterator[Mend]:
    """Yield what a lone letter is drawn as, where each of its characters is one glyph."""
    letters = word.text.replace(",", "")
    if not glyphs or len(glyphs) not in (len(letters), len(word.text)):
        return
    said = lone_sign(word.text[0], glyphs[0])
    if said:
        drawn = said.sign + word.text[1:] if said.sign else ""
        yield Mend(word, word.text, drawn, doubt=not said.sure)


def _between(
    pair: tuple[Word, Word], ink: Pixels, scale: float, base: float, references: References
) -> Iterator[Mend]:
    """Yield the sign that is drawn between two words; in doubt where the drawing does not prove it."""
    before, after = pair
    air = LOOSE * before.size
    gap = replace(before, x0=before.x1 + air, x1=after.x0 - air, text="")
    x0, y0, x1, y1 = _area(gap, scale, ink)
    area = ink[y0:y1, x0:x1] > INK
    em = before.size * scale
    inner = [(a, b) for a, b in _runs(area) if a > 0 and b < x1 - x0 and THIN * em <= b - a <= em]
    if len(inner) != 1 or len(_runs(area)) != 1:
        return
    first, end = inner[0]
    shape = shape_of(ink[y0:y1, x0 + first : x0 + end], y0 - base, em)
    if shape is None:
        return
    sign = proven_sign(distances_to(shape, references))
    place = ((x0 + first) / scale, before.y0, (x0 + end) / scale, before.y1)
    yield Mend(before, "", sign.strip(), doubt=not sign.strip(), at=place)


def _odd(word: Word) -> bool:
    """Tell whether a word is looked at: short, and neither a number, a label nor a word of the language."""
    return word.upright and len(word.text) <= LONGEST and _is_odd(word.text)


@cache
def _is_odd(text: str) -> bool:
    if _NUMBER.fullmatch(text) or _MARK.fullmatch(text):
        return False
    match = _LETTERS.fullmatch(text)
    if match is None:
        return True
    letters = match["letters"]
    return len(letters) < SPAN and letters.lower() not in language_words() and not letters.isupper()


def _area(word: Word, scale: float, ink: Pixels) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of a word in pixels, with a little air."""
    edges = (word.x0 - AIR / 2, word.y0 - AIR, word.x1 + AIR / 2, word.y1 + AIR)
    x0, y0, x1, y1 = (round(edge * scale) for edge in edges)
    return max(x0, 0), max(y0, 0), min(x1, ink.shape[1]), min(y1, ink.shape[0])


def _baseline(words: Sequence[Word], ink: Pixels, scale: float) -> float | None:
    """Return the height on which the glyphs of a row stand, in pixels; None without ink."""
    lows = []
    for word in words:
        x0, y0, x1, y1 = _area(word, scale, ink)
        dark = ink[y0:y1, x0:x1] > INK
        if word.rise == 0:
            lows += [y0 + int(np.flatnonzero(dark[:, a:b].any(axis=1))[-1]) + 1 for a, b in _runs(dark)]
    return float(np.median(lows)) if lows else None


def _runs(dark: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the columns [first, end) of each glyph: runs of columns with ink."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], dark.any(axis=0).astype(np.int8), [0]))))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _glyphs(
    word: Word, ink: Pixels, scale: float, base: float, references: References
) -> Iterator[Distances]:
    """Yield the distances to the known characters of each glyph of a word, from left to right."""
    x0, y0, x1, y1 = _area(word, scale, ink)
    area = ink[y0:y1, x0:x1]
    for first, end in _runs(area > INK):
        glyph = area[:, first:end]
        rows = np.flatnonzero((glyph > INK).any(axis=1))
        if end - first < SMALLEST and len(rows) < SMALLEST:
            continue
        shape = shape_of(glyph, y0 - base, word.size * scale)
        if shape is not None:
            found = distances_to(shape, references)
            faint = shape_of(glyph, y0 - base, word.size * scale, FAINT) if _fades(glyph, len(rows)) else None
            yield _as_read(word.text, found, distances_to(faint, references)) if faint else found


def _fades(glyph: Pixels, height: int) -> bool:
    """Tell whether faint ink makes a glyph of so many rows higher by more than its blurred edges."""
    rows = np.flatnonzero((glyph > FAINT).any(axis=1))
    return int(rows[-1] - rows[0]) + 1 > height + 2


def _as_read(text: str, found: Distances, faint: Distances) -> Distances:
    """Return the distances of a glyph, those of the characters read with the faint ink where it is nearer."""
    return {
        char: min(distance, faint[char]) if any(alike(char, read) for read in text) else distance
        for char, distance in found.items()
    }


def _is_faded(read: str, drawn: str) -> bool:
    """Tell whether what is drawn is left of the sign read when strokes of it are gone."""
    return bool(read) and any(read in wholes for part, wholes in faded_signs().items() if alike(drawn, part))


def laid(text: str, glyphs: Sequence[Distances]) -> str | None:
    """Return the text with proven signs in place of what they were read as; None where it does not fit.

    Every character is matched by a glyph that looks like it, but those for which a sign stands; of all
    ways to lay them the one is taken that leaves most characters as they were read.
    """
    best: dict[tuple[int, int], tuple[float, str]] = {(0, 0): (0.0, "")}
    for at, glyph in enumerate(glyphs):
        for start in range(len(text)):
            if (start, at) not in best:
                continue
            cost, before = best[start, at]
            for size, price, sign in _readings(text, start, glyph):
                place, new = (start + size, at + 1), (cost + price, before + sign)
                if place not in best or new < best[place]:
                    best[place] = new
    found = best.get((len(text), len(glyphs)))
    return found[1] if found else None


def _readings(text: str, start: int, glyph: Distances) -> Iterable[tuple[int, float, str]]:
    """Yield how many characters a glyph stands for, at what price, and what it shows."""
    char = text[start]
    said = verdict_of(char, glyph)
    near = min(glyph.values())
    if said == AGREES and glyph.get(char, near) <= near + UNLIKE:
        yield 1, max(0.0, glyph.get(char, near) - near), char
    rest = text[start : start + SPAN]
    for size in range(1, len(rest) + 1):
        sign = _sign(rest[:size], glyph, said)
        if sign:
            yield size, 0.3 + 0.1 * size, sign


def _sign(read: str, glyph: Distances, said: Verdict) -> str:
    """Return the sign that a glyph shows where these characters were read, "" for none.

    The drawing proves it or, where these are what the sign is usually taken for, comes closest to it.
    """
    proven = proven_sign(glyph) if len(read) > 1 else said.sign
    if proven.strip():
        kept = any(alike(one, proven) or _is_faded(one, proven) for one in read)
        return "" if kept else proven
    near = min(glyph.values())
    most = min(LIKELY, near if read.isdigit() else near + BESIDE)  # figures may be what is printed
    usual = [sign for sign in signs().get(read, ()) if glyph.get(sign, np.inf) <= most]
    return min(usual, key=glyph.__getitem__) if usual else ""
