"""Text that a file holds and its page does not show: in hidden layers, white, painted over, off the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from appliance.core.document import Problem
from appliance.ingest.page import PageContent, Word, box_on, whole

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
    with opened(document.tobytes()) as lit:
        told = [
            _told(page, lit[at], seen[at]) if seen[at] is not None else () for at, page in enumerate(pages)
        ]
    return tuple(
        replace(page, problems=(*page.problems, *said)) for page, said in zip(pages, told, strict=True)
    )


def _words(page: Any) -> Counter[tuple[float, ...]]:
    """Return the words of a page as it is shown, by their places (points)."""
    return Counter(tuple(word[:5]) for word in page.get_text("words"))


def _told(content: PageContent, page: Any, seen: Counter[tuple[float, ...]] | None) -> tuple[Problem, ...]:
    hidden = list((_words(page) - (seen or Counter())).elements())
    if not hidden:
        return ()
    x0, y0 = min(word[0] for word in hidden), min(word[1] for word in hidden)
    x1, y1 = max(word[2] for word in hidden), max(word[3] for word in hidden)
    box = whole(content) if page.rotation else box_on(content, x0, y0, x1, y1)
    count = f"{len(hidden)} words" if len(hidden) > 1 else "a word"
    message = f"Text of page {content.number} in a layer that is switched off was left out ({count})."
    return (Problem(message, content.number, box),)


Box = tuple[float, float, float, float]

SMALLEST = 1.5  # points: smaller type cannot be read on paper
WHITE = 0xFFFFFF
BLANK = 250  # of 255: paper
FLAT = 8  # of 255: grey values that differ by no more are one colour
EDGE = 2.0  # points by which a word may overlap the edge of its page
LEAST = 4.0  # points: what is lower or narrower covers no text
GROUNDS = 1000  # of one page, the largest, that may cover text


def apart_from_unseen(
    words: Sequence[Word],
    painted: Callable[[], Any],
    grounds: Sequence[Box] = (),
    order: Callable[[], Sequence[tuple[bool, Box]]] = tuple,
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
        lost = lost or (word.colour == WHITE and _darkest(word, pixels()) >= BLANK)
        lost = lost or (at in covered and _is_flat(word, pixels()))
        (unseen if lost else seen).append(word)
    return tuple(seen), tuple(unseen)


def said_unseen(page: PageContent, words: Sequence[Word]) -> tuple[Problem, ...]:
    """Return the problem of the words that were left out, () where there are none."""
    why = f"Hidden text of page {page.number} was left out: nobody sees it on the page"
    return _said(page, words, why)


def said_invisible(page: PageContent, words: Sequence[Word]) -> tuple[Problem, ...]:
    """Return the problem of words that are written and not painted, () where the page shows them all."""
    shown = " ".join(word.text for word in page.words)
    whole = set(shown.split())
    if all(word.text in (shown if word.text.isalpha() else whole) for word in words):
        return ()  # the running foot of a page, written twice
    why = f"Invisible text of page {page.number} was left out: it is not painted, and no picture shows it"
    return _said(page, words, why)


def said_beyond(page: PageContent, words: Sequence[Word]) -> tuple[Problem, ...]:
    """Return the problem of words that end lines beyond the edge of the page, () where there are none."""
    why = f"Lines of page {page.number} run over its edge; what stands beyond was left out"
    return _said(page, words, why, doubt=True)


def on_page(word: Word, width: float, height: float) -> bool:
    """Tell whether a word, or a letter of it, stands on a page of that size."""
    return word.x0 < width - EDGE and word.x1 > EDGE and word.y0 < height - EDGE and word.y1 > EDGE


def runs_over(word: Word, width: float, height: float) -> bool:
    """Tell whether a word stands beyond an edge of a page of that size, or on it."""
    return word.x0 < -EDGE or word.y0 < -EDGE or word.x1 > width + EDGE or word.y1 > height + EDGE


def _said(page: PageContent, words: Sequence[Word], why: str, *, doubt: bool = False) -> tuple[Problem, ...]:
    """Return one problem for words that were left out, with the place of those on the page."""
    if not words:
        return ()
    count = f"{len(words)} words" if len(words) > 1 else "a word"
    edges = (min(w.x0 for w in words), min(w.y0 for w in words))
    box = box_on(page, *edges, max(w.x1 for w in words), max(w.y1 for w in words))
    return (Problem(f"{why} ({count}).", page.number, box, doubt=doubt),)


def _under_paint(
    words: Sequence[Word], grounds: Sequence[Box], order: Callable[[], Sequence[tuple[bool, Box]]]
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


def _inside(points: Any, boxes: Sequence[Box]) -> frozenset[int]:
    """Return the positions of the points that lie in one of the boxes."""
    found = np.zeros(len(points), dtype=bool)
    broad = sorted({box for box in boxes if _is_broad(box)}, key=_area, reverse=True)[:GROUNDS]
    for x0, y0, x1, y1 in broad if len(points) else ():
        x, y = points[:, 0], points[:, 1]
        found |= (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
    return frozenset(np.flatnonzero(found).tolist())


def _is_broad(box: Box) -> bool:
    return box[2] - box[0] >= LEAST and box[3] - box[1] >= LEAST


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _under(word: Word, pixels: Any) -> Any:
    left, top = max(int(word.x0), 0), max(int(word.y0), 0)
    return pixels[top : int(word.y1) + 1, left : int(word.x1) + 1]


def _darkest(word: Word, pixels: Any) -> int:
    """Return the darkest grey under a word; a word beyond the page is not judged (0)."""
    under = _under(word, pixels)
    return int(under.min()) if under.size else 0


def _is_flat(word: Word, pixels: Any) -> bool:
    """Tell whether the page shows one colour where the word stands, the rim of its place left out."""
    under = _under(word, pixels)[1:-1, 1:-1]
    return bool(under.size) and int(under.max()) - int(under.min()) <= FLAT
