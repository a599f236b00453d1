"""Text that a file holds and its page does not show: in hidden layers, white, painted over, off the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from appliance.core.document import Box, Problem
from appliance.ingest.geometry import Area, around
from appliance.ingest.page import PageContent, Rect, Rectangle, Word, box_of, whole

Opened = Callable[[bytes], AbstractContextManager[Any]]


def with_switched_off(document: Any, pages: Sequence[PageContent], opened: Opened) -> tuple[PageContent, ...]:
    """Return the pages with a problem on each whose layers hide words; `opened` reads a PDF from bytes."""
    layers = document.get_ocgs()
    if all(layer["on"] for layer in layers.values()):
        return tuple(pages)
    seen = [_words(page) if page.get_oc_items() else None for page in document]
    if not any(words is not None for words in seen):
        return tuple(pages)
    document.set_layer(-1, basestate="ON", on=list(layers), off=[])
    found = []
    with opened(document.tobytes()) as lit:
        for at, (page, shown) in enumerate(zip(pages, seen, strict=True)):
            hidden = list((_words(lit[at]) - shown).elements()) if shown is not None else []
            why = f"Text of page {page.number} in a layer that is switched off was left out"
            box = whole(page) if hidden and lit[at].rotation else None
            said = left_out(page, [Area(x0, y0, x1, y1) for x0, y0, x1, y1, _ in hidden], why, box)
            found.append(replace(page, problems=(*page.problems, *said)))
    return tuple(found)


def _words(page: Any) -> Counter[tuple[float, ...]]:
    """Return the words of a page as it is shown, by their places (points)."""
    return Counter(tuple(word[:5]) for word in page.get_text("words"))


SMALLEST = 1.5  # points: smaller type cannot be read on paper
WHITE = 0xFFFFFF
BLANK = 250  # of 255: paper
FLAT = 8  # of 255: grey values that differ by no more are one colour
LEAST = 4.0  # points: what is lower or narrower covers no text
GROUNDS = 1000  # of one page, the largest, that may cover text


def apart_from_unseen(
    words: Sequence[Word],
    painted: Callable[[], Any],
    grounds: Sequence[Rect] = (),
    order: Callable[[], Sequence[tuple[bool, Rect]]] = tuple,
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words of a page that can be seen, and those that cannot.

    `painted` draws the page, a grey pixel (0 to 255) for each point; `grounds` are its filled shapes and
    pictures; `order` lists what is painted as it comes, with whether that is text. The two that cost time
    are asked only where a word is white or stands on a ground.
    """
    pixels = cache(painted)
    covered = _under_paint(words, grounds, order)
    seen: list[Word] = []
    unseen: list[Word] = []
    for at, word in enumerate(words):
        lost = word.size < SMALLEST
        if not lost and (word.colour == WHITE or at in covered):
            left, top = max(int(word.x0), 0), max(int(word.y0), 0)
            under = pixels()[top : int(word.y1) + 1, left : int(word.x1) + 1]
            inner = under[1:-1, 1:-1]  # without the rim of its place; a word beyond the page is not judged
            lost = word.colour == WHITE and under.size > 0 and int(under.min()) >= BLANK
            flat = at in covered and inner.size > 0 and int(inner.max()) - int(inner.min()) <= FLAT
            lost = lost or flat
        (unseen if lost else seen).append(word)
    return tuple(seen), tuple(unseen)


def said_invisible(page: PageContent, words: Sequence[Word]) -> tuple[Problem, ...]:
    """Return the problem of words that are written and not painted, () where the page shows them all."""
    shown = " ".join(word.text for word in page.words)
    every = set(shown.split())
    if all(word.text in (shown if word.text.isalpha() else every) for word in words):
        return ()  # the running foot of a page, written twice
    why = f"Invisible text of page {page.number} was left out: it is not painted, and no picture shows it"
    return left_out(page, words, why)


def left_out(
    page: PageContent, words: Sequence[Rectangle], why: str, box: Box | None = None, *, doubt: bool = False
) -> tuple[Problem, ...]:
    """Return one problem for words that were left out, with their place on the page; () for none."""
    if not words:
        return ()
    place = box or box_of(page, around(words))
    return (Problem(f"{why} ({counted(len(words))}).", page.number, place, doubt=doubt),)


def counted(words: int) -> str:
    """Return a number of words in words."""
    return f"{words} words" if words > 1 else "a word"


def _under_paint(
    words: Sequence[Word], grounds: Sequence[Rect], order: Callable[[], Sequence[tuple[bool, Rect]]]
) -> frozenset[int]:
    """Return the positions of the words on which something was painted after some text in its place."""
    middles = np.array([((w.x0 + w.x1) / 2, (w.y0 + w.y1) / 2) for w in words]).reshape(-1, 2)
    if not _inside(middles, grounds):
        return frozenset()
    drawn = order()
    texts = [(at, box) for at, (is_text, box) in enumerate(drawn) if is_text]
    places = np.array([((x0 + x1) / 2, (y0 + y1) / 2) for _, (x0, y0, x1, y1) in texts]).reshape(-1, 2)
    times = np.array([at for at, _ in texts])
    paints = [(at, box) for at, (is_text, box) in enumerate(drawn) if not is_text and _is_broad(box)]
    paints = sorted(paints, key=lambda paint: _area(paint[1]), reverse=True)[:GROUNDS]
    over = [box for at, box in paints if _inside(places[times < at], [box])]
    return _inside(middles, over)


def _inside(points: Any, boxes: Sequence[Rect]) -> frozenset[int]:
    """Return the positions of the points that lie in one of the boxes."""
    found = np.zeros(len(points), dtype=bool)
    broad = sorted({box for box in boxes if _is_broad(box)}, key=_area, reverse=True)[:GROUNDS]
    for x0, y0, x1, y1 in broad if len(points) else ():
        x, y = points[:, 0], points[:, 1]
        found |= (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
    return frozenset(np.flatnonzero(found).tolist())


def _is_broad(box: Rect) -> bool:
    return box[2] - box[0] >= LEAST and box[3] - box[1] >= LEAST


def _area(box: Rect) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
