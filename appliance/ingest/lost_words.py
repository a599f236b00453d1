"""Words of a scanned line that the text layer passed over: ink between two words, and nothing read of it.

Rules of this module: pure (words and pixels in, places out). Only lines of running text are looked at, by
the words of the language in them, and only gaps wider than a space. What is drawn there counts where it
stands apart from both neighbours, as a word does, and is as large as a letter; it may not reach out of the
line, as strokes of drawings and rules of tables do, nor be a frame, as the tags of amendments are. Nothing
is guessed: what stands there is told, not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from appliance.ingest.page import Word
from appliance.ingest.signs import INK
from appliance.lookalikes import language_words

Place = tuple[float, float, float, float]
Pixels = npt.NDArray[np.uint8]

ROOM = 0.7  # type sizes: a gap with a word in it is wider
WIDEST = 6.0  # type sizes: what is farther apart are columns
AIR = 0.12  # type sizes: blank columns beside a word
BEYOND = 0.6  # type sizes: how far into the words beside a gap their ink is followed
WIDE, HIGH = 0.3, 0.2  # type sizes: what is less wide or high is a mark, a dash or a rule
TALLEST = 1.15  # type sizes: the most height of a word
FRAME = 0.6  # share of the width that the upper and lower edges of a frame cover
FRAMED = 0.6  # type sizes: a frame is higher
SPOKEN = 4  # words of the language in a line of running text


def lost_words(
    row: Sequence[Word], page: Sequence[Word], ink: Pixels, scale: float
) -> Iterator[tuple[Word, Word, Place]]:
    """Yield two words of a row and the place between them where something is drawn and no word tells of it.

    `page` are all words of the page, `scale` is pixels per point; places are in points.
    """
    if not _is_sentence(row):
        return
    for before, after in pairwise(row):
        size = min(before.size, after.size)
        if not ROOM * size <= after.x0 - before.x1 <= WIDEST * size:
            continue
        top, bottom = min(before.y0, after.y0), max(before.y1, after.y1)
        if any(_covers(word, before.x1, top, after.x0, bottom) for word in page):
            continue
        drawn = _drawn(before, after, ink, scale)
        if drawn:
            yield before, after, drawn


def _is_sentence(row: Sequence[Word]) -> bool:
    return sum(_is_spoken(word.text.strip(".,;:()")) for word in row) >= SPOKEN


def _is_spoken(text: str) -> bool:
    """Tell whether a text is a word of the language; two letters with a capital are a symbol as well."""
    long = len(text) > 2 or (len(text) > 1 and text.islower())
    return long and text.isalpha() and text.lower() in language_words()


def _covers(word: Word, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Tell whether the middle of a word, of any direction, lies in a gap."""
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return x0 < x < x1 and y0 < y < y1


def _drawn(before: Word, after: Word, ink: Pixels, scale: float) -> Place | None:
    """Return the place of what is drawn between two words, as one box in points; None for nothing."""
    size = min(before.size, after.size)
    x0 = max(round((before.x1 - BEYOND * size) * scale), 0)
    y0 = max(round(min(before.y0, after.y0) * scale), 0)
    x1, y1 = round((after.x0 + BEYOND * size) * scale), round(max(before.y1, after.y1) * scale)
    dark = ink[y0:y1, x0:x1] > INK
    em = size * scale
    low, high = before.x1 * scale - x0 - AIR * em, after.x0 * scale - x0 + AIR * em
    found = [
        (first, end)
        for first, end in _groups(dark, AIR * em)
        if low <= first and end <= high and _is_written(dark[:, first:end], em)
    ]
    if not found:
        return None
    return (x0 + found[0][0]) / scale, y0 / scale, (x0 + found[-1][1]) / scale, y1 / scale


def _is_written(dark: npt.NDArray[np.bool_], em: float) -> bool:
    """Tell whether ink is as large as letters and signs are, and no frame."""
    rows = np.flatnonzero(dark.any(axis=1))
    height, width = int(rows[-1] - rows[0]) + 1, dark.shape[1]
    if width < WIDE * em or not HIGH * em <= height <= TALLEST * em:
        return False
    return not (FRAMED * em < height < width and _is_framed(dark[rows[0] : rows[-1] + 1]))


def _is_framed(dark: npt.NDArray[np.bool_]) -> bool:
    """Tell whether the upper and the lower edge of what is drawn are lines."""
    edge = max(dark.shape[0] // 5, 1)
    return all(float(part.mean(axis=1).max()) >= FRAME for part in (dark[:edge], dark[-edge:]))


def _groups(dark: npt.NDArray[np.bool_], air: float) -> list[tuple[int, int]]:
    """Return the columns [first, end) of what stands together: runs of ink with little air between them."""
    columns = np.flatnonzero(dark.any(axis=0))
    if not len(columns):
        return []
    breaks = np.flatnonzero(np.diff(columns) > max(air, 1.0))
    firsts = [columns[0], *columns[breaks + 1]]
    ends = [*columns[breaks], columns[-1]]
    return [(int(first), int(end) + 1) for first, end in zip(firsts, ends, strict=True)]
