"""Marks of a change in the margin before a number ("N 5.1", "Δ Table 4.1"): no part of the text.

A mark is one letter or sign in one font that opens lines, hangs out of them, and stands before a number of
a place; a bullet stands before words. They are left out before lines are made, for they fill the white
between columns and hide the numbers of places.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from unicodedata import category

from appliance.core.mechanisms import mechanism
from appliance.ingest.page import Source, Word

FEWEST = 5  # marks of one kind in a document
MOST = 0.8  # of the lines that the sign opens hang out; so many stand before a number
NEAR = 2.0  # ems between a mark and what it marks
BLANK = 1.5  # ems: a wider gap parts two lines
MARKS = {"Lu", "So"}  # Unicode categories of capital letters, and of signs like triangles
SHARED = 3  # lines of a page that begin at one place: an edge of its text
BAND = 4.0  # points: height of the strips in which neighbours are looked for
Kind = tuple[str, str]  # a sign and its font


@dataclass(frozen=True, slots=True)
class _Opening:
    """A lone sign that opens a line, whether it hangs out of the text, and stands before a number."""

    word: Word
    hangs: bool
    numbered: bool


@mechanism("layout.change_marks", without=lambda source: source)
def without_change_marks(source: Source) -> Source:
    """Return the pages without the marks of changes before the numbers of places."""
    found = [list(_openings(page.words)) for page in source.pages]
    kinds: dict[Kind, list[_Opening]] = defaultdict(list)
    for one in (one for openings in found for one in openings):
        kinds[one.word.text, one.word.font].append(one)
    marks = {
        kind
        for kind, of in kinds.items()
        if len(of) >= FEWEST
        and sum(one.hangs for one in of) >= MOST * len(of)
        and sum(one.numbered for one in of) >= MOST * len(of)
    }
    if not marks:
        return source
    pages = []
    for page, openings in zip(source.pages, found, strict=True):
        known = (one for one in openings if (one.word.text, one.word.font) in marks)
        out = frozenset(id(one.word) for one in known if one.hangs or one.numbered)
        pages.append(replace(page, words=tuple(word for word in page.words if id(word) not in out)))
    return replace(source, pages=tuple(pages))


def _openings(words: Sequence[Word]) -> Iterator[_Opening]:
    """Yield the lone signs that open lines of a page; figures, dashes and bullets are none."""
    upright = [word for word in words if word.upright]
    signs = [word for word in upright if len(word.text) == 1 and category(word.text) in MARKS]
    if not signs:
        return
    strips: dict[int, list[Word]] = defaultdict(list)
    for word in upright:
        strips[round(word.y1 / BAND)].append(word)

    def level(word: Word) -> Iterator[Word]:
        """Yield the words that stand on the height of another."""
        at = round(word.y1 / BAND)
        near = (other for strip in (at - 1, at, at + 1) for other in strips.get(strip, ()))
        return (other for other in near if other is not word and abs(other.y1 - word.y1) < 0.35 * word.size)

    def opens(word: Word) -> bool:
        return not any(0 <= word.x0 - other.x1 + 1 < BLANK * word.size for other in level(word))

    starts = Counter(round(word.x0) for word in upright if len(word.text) > 1 and opens(word))
    for sign in filter(opens, signs):
        behind = sorted((word for word in level(sign) if word.x0 >= sign.x1 - 1), key=lambda word: word.x0)
        if behind and behind[0].x0 - sign.x1 < NEAR * sign.size:
            shared, own = (sum(starts[round(x) + by] for by in (-1, 0, 1)) for x in (behind[0].x0, sign.x0))
            numbered = any(char.isdigit() for word in behind[:2] for char in word.text)
            yield _Opening(sign, own < SHARED <= shared, numbered)
