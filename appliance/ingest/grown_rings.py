"""Noughts that a text layer of a scan holds as huge degrees: "°" in letters of 24 points beside some of 8.

Rules of this module: pure. Character recognition takes a lone ring for a degree and sets it in a type whose
degree is as high as the ring. A degree is about a third of its type size: where that is the size of the words
of the page, the ring is as high as a figure, so it is a nought, whose box is the upper part of that
of the degree. It is mended so that lines and columns are told rightly, and is a doubt: it may be a letter.
"""

from __future__ import annotations

from dataclasses import replace
from statistics import median

from appliance.document import Problem
from appliance.ingest.page import PageContent, Word, box_on

RING = "°"
GROWN = 1.8  # of the usual type size of the page: a larger degree is another sign
SHARE = 0.36  # of its type size that the ring of a degree is high
NAMED = 12  # of one page that are told one by one


def with_noughts(page: PageContent) -> PageContent:
    """Return a scanned page with its grown degrees as the noughts that they are, and the doubts of these."""
    grown = [word for word in page.words if word.text == RING]
    others = [word.size for word in page.words if word.text != RING]
    if not grown or not others:
        return page
    grown = [word for word in grown if word.size >= GROWN * median(others)]
    if not grown:
        return page
    mended = {id(word): _nought(word) for word in grown}
    words = tuple(mended.get(id(word), word) for word in page.words)
    return replace(page, words=words, problems=(*page.problems, *_told(page, list(mended.values()))))


def _nought(word: Word) -> Word:
    low = word.y0 + SHARE * (word.y1 - word.y0)
    return replace(word, text="0", y1=low, size=SHARE * word.size, rise=0, glued=False)


def _told(page: PageContent, words: list[Word]) -> list[Problem]:
    found = []
    for word in words[:NAMED]:
        message = f"“0” on page {page.number} reads as a degree as high as a figure: "
        box = box_on(page, word.x0, word.y0, word.x1, word.y1)
        found.append(Problem(message + "compare it with the image.", page.number, box, doubt=True))
    if len(words) > NAMED:
        message = f"{len(words) - NAMED} more noughts of page {page.number} read as degrees."
        found.append(Problem(message, page.number, doubt=True))
    return found
