"""Which pages have no text that can be used: none at all, one that says nothing, one that lies elsewhere.

Rules of this module: pure; a page is named with the reason in words. Suspicion is cheap and may be
wrong: `agrees` compares what was read from the picture with the layer, and a layer that says the same
is kept. A page of a drawing, a photograph or a table of numbers is not suspicious.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import Enum

import numpy as np
import numpy.typing as npt

from appliance.ingest.glyphs import UNKNOWN
from appliance.ingest.page import PageContent, Word

Pixels = npt.NDArray[np.uint8]

LOOK = 620  # pixels of the page image in which ink is looked for
INK = 150  # grey value below which a pixel is ink
BLANK = 0.0005  # of the page: less ink is dirt
PAPER = 0.6  # of the page is white where it holds print and no photograph
UNKNOWN_SHARE = 0.2  # of the signs: with more the page does not say what it prints
SAMPLE = 60  # words of letters from which a language can be told
COMMON_SHARE = 0.03  # of them are the language's commonest words: with fewer it is no language
ON_INK = 0.5  # of the words of an invisible layer: with fewer it does not lie on the print
OUTSIDE = 3.0  # times the ink inside the words' boxes that may lie outside them
COVERED = 0.6  # of the page's area that one picture covers
FEW = 60  # words: a page with more has its own text
SAME = 0.5  # of the words that layer and picture must have in common


class Why(Enum):
    """Why the text layer of a page cannot be used."""

    NONE = "there is no text layer"
    UNKNOWN = "the signs of the text layer have no known meaning"
    GARBLED = "the text layer holds no words of a language"
    ELSEWHERE = "the invisible text layer does not lie on what is printed"
    PICTURE = "the text layer holds only a few words over the picture of a printed page"


def from_words(page: PageContent, common: frozenset[str]) -> Why | None:
    """Return what the words alone say against the text layer; `common` are a language's usual words."""
    if page.trust == "none":
        return Why.NONE if page.pictures or page.strokes else None
    signs = sum(len(word.text) for word in page.words)
    if signs >= SAMPLE and sum(word.text.count(UNKNOWN) for word in page.words) > UNKNOWN_SHARE * signs:
        return Why.UNKNOWN
    plain = [word for word in _plain(page.words) if len(word) > 1]
    if len(plain) >= SAMPLE and sum(word in common for word in plain) < COMMON_SHARE * len(plain):
        return Why.GARBLED
    if len(page.words) < FEW and page.trust == "digital" and _covered(page):
        return Why.PICTURE
    return None


def from_ink(page: PageContent, pixels: Pixels, why: Why | None) -> Why | None:
    """Return the reason that stands once the ink has been seen; `pixels` are the page at any size."""
    dark = pixels < INK
    if why in {Why.NONE, Why.PICTURE}:
        printed = dark.mean() > BLANK and (pixels > 200).mean() > PAPER
        return why if printed and (why is Why.NONE or _outside(page, dark) > OUTSIDE) else None
    if why is None and page.trust == "ocr" and len(page.words) >= SAMPLE // 2:
        return Why.ELSEWHERE if _on_ink(page, dark) < ON_INK else None
    return why


def agrees(layer: Sequence[Word], read: Sequence[Word]) -> bool:
    """Tell whether the layer says what the picture shows."""
    ours, theirs = Counter(_plain(layer)), Counter(_plain(read))
    return (ours & theirs).total() >= SAME * max(1, min(ours.total(), theirs.total()))


def _plain(words: Sequence[Word]) -> list[str]:
    return [found for word in words for found in re.findall(r"[^\W\d_]+", word.text.casefold())]


def _covered(page: PageContent) -> bool:
    area = page.width * page.height
    return any((p.x1 - p.x0) * (p.y1 - p.y0) > COVERED * area for p in page.pictures)


def _boxes(page: PageContent, dark: npt.NDArray[np.bool_]) -> list[tuple[slice, slice]]:
    """Return the rows and columns of each upright word in the picture."""
    scale = dark.shape[1] / max(page.width, 1.0)
    return [
        (
            slice(max(0, int(w.y0 * scale)), max(0, int(w.y1 * scale) + 1)),
            slice(max(0, int(w.x0 * scale)), max(0, int(w.x1 * scale) + 1)),
        )
        for w in page.words
    ]


def _on_ink(page: PageContent, dark: npt.NDArray[np.bool_]) -> float:
    """Return the share of the words that have ink in their boxes."""
    boxes = _boxes(page, dark)
    return sum(bool(dark[rows, columns].any()) for rows, columns in boxes) / max(1, len(boxes))


def _outside(page: PageContent, dark: npt.NDArray[np.bool_]) -> float:
    """Return how much ink lies outside the words' boxes for each pixel of it inside."""
    rest = dark.copy()
    for rows, columns in _boxes(page, dark):
        rest[rows, columns] = False
    return float(rest.sum()) / max(1.0, float(dark.sum() - rest.sum()))
