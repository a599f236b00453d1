"""Which pages have no text that can be used: none at all, one that says nothing, one that lies elsewhere.

Rules of this module: pure; a page is named with the reason in words. Suspicion is cheap and may be
wrong: `betters` compares what was read from the picture with the layer, which is kept where it says the
same, or where the reading is of no known language in a script that the recogniser may not know. A page
of a drawing, a photograph or a table of numbers is not suspicious.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from enum import Enum

import numpy as np
import numpy.typing as npt

from appliance.ingest.glyphs import UNKNOWN
from appliance.ingest.language import likeness
from appliance.ingest.page import PageContent, Word
from appliance.ingest.scripts import one_script

Pixels = npt.NDArray[np.uint8]

LOOK = 620  # pixels of the page image in which ink is looked for
INK = 150  # grey value below which a pixel is ink
BLANK = 0.0005  # of the page: less ink is dirt
PAPER = 0.6  # of the page is white where it holds print and no photograph
UNKNOWN_SHARE = 0.2  # of the signs: with more the page does not say what it prints
SAMPLE = 60  # words of letters from which a language can be told
COMMON_SHARE = 0.03  # of them are the language's commonest words: with fewer it is no language
SPOKEN = 0.15  # idem, with which words are surely of the language, though letters of another were misread
ON_INK = 0.5  # of the words of an invisible layer: with fewer it does not lie on the print
OUTSIDE = 3.0  # times the ink inside the words' boxes that may lie outside them
COVERED = 0.6  # of the page's area that one picture covers
FEW = 60  # words: a page with more has its own text
SAME = 0.5  # of the threes of signs that layer and picture must have in common
READS = frozenset({"LATIN", "CJK"})  # scripts that the recogniser reads
CLEAN = 0.8  # of the words of a layer in another script are of that script alone
SURE = 0.8  # mean score from which a reading is one
_LIKE = str.maketrans("ıłøđßæœ", "ilodsao")  # letters that are no sign with a mark on it


class Why(Enum):
    """Why the text layer of a page cannot be used."""

    NONE = "there is no text layer"
    UNKNOWN = "the signs of the text layer have no known meaning"
    GARBLED = "the text layer holds no words of a language"
    ELSEWHERE = "the invisible text layer does not lie on what is printed"
    PICTURE = "the text layer holds only a few words over the picture of a printed page"


def from_words(page: PageContent) -> Why | None:
    """Return what the words alone say against the text layer."""
    if page.trust == "none":
        return Why.NONE if page.pictures or page.strokes else None
    signs = sum(len(word.text) for word in page.words)
    if signs >= SAMPLE and sum(map(_unknown, page.words)) > UNKNOWN_SHARE * signs:
        return Why.UNKNOWN
    if is_strange(page.words) and not _other_script(_plain(page.words)):
        return Why.GARBLED
    if len(page.words) < FEW and page.trust == "digital" and _covered(page):
        return Why.PICTURE
    return None


def is_strange(words: Sequence[Word]) -> bool:
    """Tell whether words are enough to tell a language and are of none that is known."""
    plain = [word for word in _plain(words) if len(word) > 1]
    return len(plain) >= SAMPLE and likeness(plain) < COMMON_SHARE


def of_no_language(words: Sequence[Word]) -> bool:
    """Tell whether words in a script that the recogniser does not read are of no known language."""
    return is_strange(words) and _other_script(_plain(words))


def keeps(why: Why, layer: Sequence[Word], read: Sequence[Word], score: float) -> bool:
    """Tell whether the layer stays, after all, once its picture was read."""
    if why is Why.ELSEWHERE:
        return _other_script(_plain(layer)) and not _speaks(read, SPOKEN)
    return why is Why.GARBLED and not betters(layer, read, score)


def _unknown(word: Word) -> int:
    """Return how many signs of a word have no meaning, in no script."""
    if word.text.isascii():
        return 0
    return sum(sign == UNKNOWN or unicodedata.category(sign) in {"Cn", "Cc", "Co"} for sign in word.text)


def _other_script(words: Sequence[str]) -> bool:
    """Tell whether the words are written in a script that the recogniser does not read."""
    found = Counter(one_script(word) for word in words)
    other = sum(count for script, count in found.items() if script and script not in READS)
    mixed = found[""]
    return other > found.total() / 2 and other >= CLEAN * (other + mixed)


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
    """Tell whether the layer says what the picture shows, marks on letters apart."""
    ours, theirs = _threes(layer), _threes(read)
    return (ours & theirs).total() >= SAME * max(1, min(ours.total(), theirs.total()))


def betters(layer: Sequence[Word], read: Sequence[Word], score: float) -> bool:
    """Tell whether what was read from the picture is worth more than the layer; `score` is its mean.

    A reading in a known language is; any other only where the recogniser is sure of it and the layer
    claims to be in a script that it reads.
    """
    if agrees(layer, read):
        return False
    if _other_script(_plain(layer)):
        return _speaks(read, SPOKEN)
    return _speaks(read, COMMON_SHARE) or score >= SURE


def _speaks(words: Sequence[Word], share: float) -> bool:
    """Tell whether so large a share of the words are common ones of one known language."""
    return likeness([word for word in _plain(words) if len(word) > 1]) >= share


def _threes(words: Sequence[Word]) -> Counter[str]:
    """Return each three signs in a row of the words' letters without their marks."""
    text = unicodedata.normalize("NFD", "".join(_plain(words)).translate(_LIKE))
    letters = "".join(sign for sign in text if not unicodedata.combining(sign))
    return Counter(letters[at : at + 3] for at in range(len(letters) - 2))


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
