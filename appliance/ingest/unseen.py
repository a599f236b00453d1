"""Text that a file holds and its page does not show: white on white, or of a type too small to read.

Rules of this module: pure. White text is unseen only where the page, drawn, is white all around it:
on a coloured band or a picture it is print. What is left out is always said, with its box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from appliance.document import Problem
from appliance.ingest.page import PageContent, Word, box_on

SMALLEST = 1.5  # points: smaller type cannot be read on paper
WHITE = 0xFFFFFF
BLANK = 250  # of 255: paper


def apart_from_unseen(
    words: Sequence[Word], painted: Callable[[], Any]
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words of a page that can be seen, and those that cannot.

    `painted` draws the page, a grey pixel (0 to 255) for each point; it is asked for white words alone.
    """
    white = any(word.colour == WHITE for word in words)
    pixels = painted() if white else None
    seen: list[Word] = []
    unseen: list[Word] = []
    for word in words:
        lost = word.size < SMALLEST or (word.colour == WHITE and _is_blank(word, pixels))
        (unseen if lost else seen).append(word)
    return tuple(seen), tuple(unseen)


def said_unseen(page: PageContent, words: Sequence[Word]) -> tuple[Problem, ...]:
    """Return the problem of the words that were left out, () where there are none."""
    if not words:
        return ()
    count = f"{len(words)} words" if len(words) > 1 else "A word"
    message = f"Hidden text of page {page.number} was left out: nobody sees it on the page ({count.lower()})."
    edges = (min(w.x0 for w in words), min(w.y0 for w in words))
    box = box_on(page, *edges, max(w.x1 for w in words), max(w.y1 for w in words))
    return (Problem(message, page.number, box),)


def _is_blank(word: Word, pixels: Any) -> bool:
    """Tell whether all of the page under a word is white; a word beyond the page is not judged."""
    left, top = max(int(word.x0), 0), max(int(word.y0), 0)
    under = pixels[top : int(word.y1) + 1, left : int(word.x1) + 1]
    return bool(under.size) and int(under.min()) >= BLANK
