"""Text in layers of a page that are switched off: drafts, other languages, superseded wording.

Rules of this module: what no reader of the page sees is no text of the code; that it was left out is said,
with its place. A file without such layers costs nothing, any other is opened once more with all of them on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from appliance.document import Problem
from appliance.ingest.page import PageContent, box_on, whole

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
