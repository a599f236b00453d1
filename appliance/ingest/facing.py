"""Pages whose text runs up or down the sheet, turned so that it reads from left to right.

Rules of this module: pure; a page is turned by the way in which most of its characters run (a landscape
table on a portrait sheet, a sheet that the file shows on its side); its boxes stay where it shows them.
Running heads that stand level on such a sheet are looked for before, on the page as shown (`sheets`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from appliance.ingest.page import (
    DOWN,
    QUARTERS,
    UP,
    PageContent,
    Placed,
    Word,
    quarter,
)

WORDS = 5  # of a page that is turned, at least: a few along a drawing turn no page


def way_of(words: Sequence[Word]) -> int:
    """Return the way that most characters run, 0 where that is level or nothing tells."""
    letters: Counter[int] = Counter()
    counts: Counter[int] = Counter()
    for word in words:
        way = word.way if word.way or word.upright else -1  # a slanting word has none
        letters[way] += len(word.text)
        counts[way] += 1
    if not letters:
        return 0
    way = max(letters, key=lambda one: letters[one])
    turned = way in QUARTERS and counts[way] >= WORDS and 2 * letters[way] > letters.total()
    return way if turned else 0


def faced(page: PageContent, way: int) -> PageContent:
    """Return the page turned so that the text that runs `way` (90 or 270) is level."""
    return replace(
        page,
        width=page.height,
        height=page.width,
        words=turned_words(page, page.words, way),
        strokes=tuple(_level(stroke, page, way) for stroke in page.strokes),
        pictures=tuple(_level(picture, page, way) for picture in page.pictures),
        turned=UP if way == UP else DOWN,
    )


def turned_words(page: PageContent, words: Sequence[Word], way: int) -> tuple[Word, ...]:
    """Return words of a page as they stand once the page is turned."""
    return tuple(
        replace(
            _level(word, page, way), upright=word.way == way, way=0 if word.way == way else _other(word, way)
        )
        for word in words
    )


def _other(word: Word, way: int) -> int:
    """Return how a word runs on the turned page; a slanting one keeps having no way."""
    return (word.way - way) % 360 if word.way or word.upright else 0


def _level(item: Placed, page: PageContent, way: int) -> Placed:
    x0, y0, x1, y1 = quarter(way, page.width, page.height, (item.x0, item.y0, item.x1, item.y1))
    return replace(item, x0=x0, y0=y0, x1=x1, y1=y1)
