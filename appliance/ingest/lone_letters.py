"""Letters of scans that stand for a Greek one ("a" for α, "p" for ρ), and signs that were not read at all.

Rules of this module: pure (words and distances in, verdicts out). Only a letter where a symbol stands is
looked at: beside a relation, behind a symbol that is, or alone at the start of a row with its meaning set
apart. What it is taken for is data; it is put right where the drawing is nearer to the Greek letter than to
any other, by a margin, and is in doubt where it is nearer without one. Between a number and what stands
before it a gap wider than a space may hold a sign that no word tells of. A lone "s" before a number may
be a "≤".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from appliance.ingest.page import Word
from appliance.ingest.signs import alike
from appliance.lookalikes import greek_letters, language_words

NEAR = 0.25  # distance: the most that a Greek letter may be from its reference
MARGIN = 0.04  # how much farther every other letter must be
FAR = 0.27  # how much farther than the nearest what was read must be to be doubted
CLEAR = 0.36  # distance: from here on the drawing is like nothing known
SET_APART = 1.2  # type sizes before a meaning
TIGHT = 0.6  # type sizes: words nearer than this have no room for a sign between them
WIDEST = 3.0  # type sizes: what is farther apart are columns
_SYMBOL = re.compile(r"(?P<letter>[^\W_])(?P<index>[\w,]{0,3})")
_RELATION = re.compile(r"[=<>≤≥≈]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_COMPARED = re.compile(r":?[sS][;:]*")  # "≤" and "≥" as they are read
_NUMBERED = re.compile(r"[(\[+−-]?\d")
_NAMES = re.compile(r"[^\W\d_]{1,2}\d?|\d+(?:[.,]\d+)?")


class Lone(NamedTuple):
    """What the drawing of a lone letter says: the sign that it may be, and whether that is proven."""

    sign: str
    sure: bool


def lone_letters(row: Sequence[Word]) -> Iterator[Word]:
    """Yield the words of a row that are a letter, or a letter with its index, where a symbol stands."""
    for at, word in enumerate(row):
        match = _SYMBOL.fullmatch(word.text)
        if not match or match["letter"] not in greek_letters() or word.rise:
            continue
        if len(word.text) > 1 and word.text.lower() in language_words():
            continue
        placed = _ends_one(row, at) or _listed(row, at) or _goes_on(row, at)
        if _begins_relation(row, at) or (word.text[0].isalpha() and placed):
            yield word


def _after(row: Sequence[Word], at: int) -> int:
    """Return where the word behind a symbol and its indices stands."""
    at += 1
    while at < len(row) and row[at].rise:
        at += 1
    return at


def _begins_relation(row: Sequence[Word], at: int) -> bool:
    after = _after(row, at)
    return after < len(row) and bool(_RELATION.match(row[after].text))


def _ends_one(row: Sequence[Word], at: int) -> bool:
    return at > 0 and bool(_RELATION.fullmatch(row[at - 1].text))


def _goes_on(row: Sequence[Word], at: int) -> bool:
    """Tell whether a symbol is the second of a product behind a relation: "k ≤ d y" for d γ."""
    return at > 1 and bool(_SYMBOL.fullmatch(row[at - 1].text) and _RELATION.fullmatch(row[at - 2].text))


def _listed(row: Sequence[Word], at: int) -> bool:
    after = _after(row, at)
    return at == 0 and after < len(row) and row[after].x0 - row[after - 1].x1 > SET_APART * row[0].size


def compared(row: Sequence[Word]) -> Iterator[Word]:
    """Yield the words that may be a sign of comparison: an "s" before a number, "s;" before a symbol."""
    for before, word, after in zip(row, row[1:], row[2:], strict=False):
        if _COMPARED.fullmatch(word.text) and not (before.rise or word.rise or word.glued):
            named = len(word.text) > 1 and _NAMES.fullmatch(after.text)
            if named or _NUMBERED.match(after.text):
                yield word


def lone_sign(read: str, glyph: Mapping[str, float]) -> Lone | None:
    """Return what a letter that reads so is drawn as, None where the drawing agrees with it.

    A sign of "" is one that is drawn unlike the letter, and like nothing that it is taken for.
    """
    usual = greek_letters().get(read, "")
    best = min(glyph, key=glyph.__getitem__)
    near = glyph[best]
    if best in usual:
        other = min(
            distance for char, distance in glyph.items() if char not in usual and not alike(char, best)
        )
        return Lone(best, near <= NEAR and other - near >= MARGIN)
    own = min((d for char, d in glyph.items() if alike(char, read)), default=near)
    return Lone("", sure=False) if own - near >= FAR and near <= CLEAR and best.isalnum() else None


def gaps(row: Sequence[Word]) -> Iterator[tuple[Word, Word]]:
    """Yield the words between which a sign may have been lost: a name or number, and a number."""
    for before, after in pairwise(row):
        room = after.x0 - before.x1
        size = min(before.size, after.size)
        if before.rise or after.rise or not TIGHT * size <= room <= WIDEST * size:
            continue
        if _NUMBER.match(after.text) and _NAMES.fullmatch(before.text):
            yield before, after
