"""Recognised lines as words with boxes measured in the ink of a straightened picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

import numpy as np
import numpy.typing as npt
from PIL import Image

from appliance.ingest.ocr.process import Corners, Ink, Pixels, ReadLine, ReadWord
from appliance.ingest.page import PageContent, Rect, Word
from appliance.ingest.pdf.words import ASCENT, DESCENT

LONG = 30.0  # points: a shorter run of ink may be the stroke of a letter
THICK = 4.5  # points: a thicker bar is a filled area


def _thin(dark: Ink, long: int, thick: int) -> Ink:
    """Return the pixels of runs along the rows that are long, and thin down the columns."""
    runs = _opened(dark, long)
    if not runs.any():
        return runs
    rules = runs & ~_opened(runs.T, thick).T
    grown = rules.copy()
    grown[1:] |= rules[:-1]  # the pixels right over and under a rule are grey: its own
    grown[:-1] |= rules[1:]
    return grown


def _opened(dark: Ink, length: int) -> Ink:
    """Return the pixels that stand in a run of at least this length along their row."""
    if dark.shape[1] < length:
        return np.zeros_like(dark)
    sums = np.cumsum(np.pad(dark, ((0, 0), (1, 0))), axis=1, dtype=np.int32)
    starts = sums[:, length:] - sums[:, :-length] == length
    counted = np.cumsum(np.pad(starts, ((0, 0), (length, length - 1))), axis=1, dtype=np.int32)
    return np.asarray(counted[:, length:] > counted[:, :-length])


FONT = "read"  # name of the font of a word that was read from pixels
INK = 150  # grey value below which a pixel is ink
CAPITAL, SMALL, DESCENDER = 0.72, 0.52, 0.21  # of the type size
LEAST_INK = 2  # pixels of a row that is no dirt
SAME = 0.12  # a size this near the page's commonest is that size
BOLD = 1.5  # strokes this much thicker, for their size, than the page's are bold
ALONE = 3  # letters: a shorter word is as bold as its line
LIGHT_ON_DARK = 0.5  # of a line's box is ink where the letters are what is not
SPACE = 0.3  # of the size: white that parts two words
ONE = 0.11  # of the size: the more white that the narrow figure 1 has on each side
UPRIGHT = 1.5  # a line so much higher than wide runs up the page
_LOW = frozenset("gjpqyQ,;()[]{}|/_µμβγρφψη")
_HIGH = frozenset("bdfhiklt!?%&()[]{}|/'\"’“”§")

Columns = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Measured:
    """A line across the page with what its ink says, in pixels; `stem` is the usual width of a stroke."""

    words: tuple[_Piece, ...]
    baseline: float
    size: float
    stem: float

    @property
    def letters(self) -> int:
        return sum(len(word.text) for word in self.words)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word in a line: text, score, the ends of its ink and its strokes' width, in pixels."""

    text: str
    score: float
    left: float
    right: float
    stem: float


def lines_in(lines: Sequence[ReadLine], pixels: Pixels, scale: float) -> list[list[tuple[Word, float]]]:
    """Return the lines, those that run up the page last, each as its words with their scores (0-1).

    `scale` is points per pixel.
    """
    dark: Ink = np.asarray(pixels < INK)
    long, thick = max(2, round(LONG / scale)), max(2, round(THICK / scale))
    rules = _thin(dark, long, thick) | _thin(dark.T, long, thick).T  # across and down
    inks = (np.asarray(dark & ~rules), dark)  # a line of dashes is a rule itself
    level = [(_measured(line, inks[0]) or _measured(line, inks[1])) for line in lines if not _runs_up(line)]
    across = [measured for measured in level if measured is not None]
    body = _weighted([(m.size, m.letters) for m in across])
    stem = _weighted([(m.stem / m.size, m.letters) for m in across])
    found: list[list[tuple[Word, float]]] = []
    for line in across:
        size = body if abs(line.size - body) <= SAME * body else line.size
        points, base = size * scale, line.baseline * scale
        top, bottom = base - ASCENT * points, base + DESCENT * points
        found.append([])
        for word in line.words:
            strokes = word.stem if len(word.text) >= ALONE else line.stem
            bold = strokes / line.size > BOLD * stem and line.letters >= ALONE
            left, right = word.left * scale, word.right * scale
            read = Word(word.text, left, top, right, bottom, FONT, round(points, 1), bold)
            found[-1].append((read, word.score))
    for upward in (line for line in lines if _runs_up(line)):
        found.append([])
        for one in upward.words:
            x0, y0, x1, y1 = (value * scale for value in _rectangle(one.corners))
            size = round((x1 - x0) * CAPITAL, 1)
            found[-1].append((Word(one.text, x0, y0, x1, y1, FONT, size, upright=False), one.score))
    return found


def _runs_up(line: ReadLine) -> bool:
    x0, y0, x1, y1 = _rectangle(line.corners)
    return y1 - y0 > UPRIGHT * (x1 - x0) and sum(len(word.text) for word in line.words) > 1


def _rectangle(corners: Corners) -> Rect:
    """Return the rectangle around a quadrilateral."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _measured(line: ReadLine, dark: Ink) -> Measured | None:
    """Return the line with its measures, None where no ink is in its box."""
    left, top, right, bottom = (max(0, round(value)) for value in _rectangle(line.corners))
    ink = dark[top:bottom, left:right]
    if ink.size and ink.mean() > LIGHT_ON_DARK:
        ink = ~ink
    rows = np.nonzero(ink.sum(axis=1) >= LEAST_INK)[0]
    if not line.words or not len(rows):
        return None
    text = "".join(word.text for word in line.words)
    baseline, size = _type(ink, int(rows[0]), int(rows[-1]) + 1, text)
    pieces = tuple(_pieces(line.words, ink, left, size))
    return Measured(pieces, top + baseline, size, _stem(ink))


def _type(ink: Ink, first: int, last: int, text: str) -> tuple[float, float]:
    """Return baseline (rows from the top of the ink's box) and type size, both in pixels.

    The baseline is where the ink thins out most; in a short line, where letters cannot outvote one
    another, it follows from which of them reach below it. The letters begin with the first row that no
    white one parts from the small letters: in close lines the descenders of the line above stand in the
    box and would make the type too large.
    """
    high = any(char in _HIGH or char.isupper() or char.isdigit() for char in text)
    reach = CAPITAL if high else SMALL
    profile = ink.sum(axis=1).astype(np.int64)
    middle = first + (last - first) // 2
    falls = profile[middle : last - 1] - profile[middle + 1 : last]
    if not any(char in _LOW for char in text):
        baseline = float(last)
    elif len(text) < 6:
        baseline = last - (last - first) * DESCENDER / (reach + DESCENDER)
    else:
        baseline = float(middle + int(np.argmax(falls)) + 1) if len(falls) else float(last)
    letters = profile[first : max(first + 1, round(baseline))]
    row = int(np.nonzero(letters >= letters.max() / 2)[0][0])
    while row > 0 and letters[row - 1] >= LEAST_INK:
        row -= 1
    return baseline, max(1.0, (baseline - (first + row)) / reach)


def _stem(ink: Ink) -> float:
    """Return the mean width of a stroke: the mean run of dark pixels along the rows."""
    padded = np.zeros((ink.shape[0], ink.shape[1] + 1), dtype=np.int8)
    padded[:, 1:] = ink
    starts = int(np.count_nonzero(np.diff(padded, axis=1) == 1))
    return float(ink.sum()) / max(1, starts)


def _pieces(words: Sequence[ReadWord], ink: Ink, left: int, size: float) -> Iterator[_Piece]:
    """Yield each word with the ends of its ink, words parted at the widest white gap between them.

    Where white space that was not read stands between the letters of a word, its parts are words.
    """
    filled: Columns = np.asarray(ink.any(axis=0))
    boxes = [_rectangle(word.corners) for word in words]
    cuts = [0]
    for before, after in pairwise(boxes):
        start = max(cuts[-1], round(before[2] - left - size / 2))
        end = min(len(filled), round(after[0] - left + size / 2))
        middle = round((before[2] + after[0]) / 2) - left
        gaps = runs_of(~filled[start : max(start, end)])
        first, last = max(gaps, key=lambda gap: gap[1] - gap[0], default=(0, 0))
        white = start + last - 1 - (last - first) // 2  # the middle of the widest gap
        cuts.append(white if gaps else max(start, min(middle, end)))
    cuts.append(len(filled))
    for word, box, (start, end) in zip(words, boxes, pairwise(cuts), strict=True):
        runs = runs_of(filled[start:end])
        if not runs:
            yield _Piece(word.text, word.score, box[0], box[2], 0.0)
            continue
        parts, begin, first = [], 0, runs[0][0]
        for run, following in pairwise(runs if len(word.middles) == len(word.text) else ()):
            gap = left + start + (run[1] + following[0]) / 2
            read = sum(place < gap for place in word.middles)
            narrow = word.text[max(0, read - 1) : read + 1].count("1")
            if begin < read < len(word.text) and following[0] - run[1] > (SPACE + ONE * narrow) * size:
                parts.append((word.text[begin:read], first, run[1]))
                begin, first = read, following[0]
        for text, opens, ends in (*parts, (word.text[begin:], first, runs[-1][1])):
            strokes = _stem(ink[:, start + opens : start + ends])
            yield _Piece(text, word.score, left + start + opens, left + start + ends, strokes)


def runs_of(filled: Columns) -> list[tuple[int, int]]:
    """Return the start and end of each run of columns that hold ink."""
    steps = np.diff(np.concatenate(([0], filled.astype(np.int8), [0])))
    return list(zip(np.nonzero(steps == 1)[0].tolist(), np.nonzero(steps == -1)[0].tolist(), strict=True))


def _weighted(values: Sequence[tuple[float, int]]) -> float:
    """Return the median of values that count so many times; 1 where there are none."""
    return median([value for value, count in values for _ in range(count)] or [1.0]) or 1.0


def of_one_size(pages: Sequence[PageContent]) -> list[PageContent]:
    """Return the pages of one document with each size made the commonest one near it.

    Each line is measured by itself; half a point between two would part the lines of one title, or make
    a title of a line.
    """
    letters: Counter[float] = Counter()
    for word in (word for page in pages for word in page.words if word.upright):
        letters[word.size] += len(word.text)
    common: list[float] = []
    usual: dict[float, float] = {}
    for size, _ in letters.most_common():
        usual[size] = next((one for one in common if abs(size - one) <= SAME * one), size)
        if usual[size] == size:
            common.append(size)
    return [
        replace(page, words=tuple(replace(w, size=usual.get(w.size, w.size)) for w in page.words))
        for page in pages
    ]


WIDEST = 700  # pixels of the picture in which the angle is looked for
MOST = 4.0  # degrees that a feeder or a hand turns a sheet
LEAST = 0.15  # degrees: two points over a line of text; less is left as it is
CLEAR = 1.05  # the best angle must part the rows so much better than none


def angle_of(pixels: Pixels) -> float:
    """Return the degrees by which the page is turned anticlockwise, 0.0 where nothing tells."""
    step = max(1, round(pixels.shape[1] / WIDEST))
    small = Image.fromarray(255 - pixels).reduce(step)
    if min(small.size) < 20:
        return 0.0

    def parted(angle: float) -> float:
        """Return how much neighbouring rows differ in ink once the picture is turned by the angle."""
        turned = small.rotate(-angle, Image.Resampling.BILINEAR) if angle else small
        rows = np.asarray(turned, dtype=np.float64).sum(axis=1)
        return float(np.square(np.diff(rows)).sum())

    best = float(max(np.arange(-MOST, MOST + 0.01, 0.5), key=parted))
    best = float(max(best + np.arange(-0.4, 0.41, 0.1), key=parted))
    if abs(best) < LEAST or parted(best) <= CLEAR * parted(0.0):
        return 0.0
    return round(best, 2)


def turned_back(pixels: Pixels, angle: float) -> Pixels:
    """Return the picture with its lines level, white where the sheet's corners were."""
    if not angle:
        return pixels
    image = Image.fromarray(pixels).rotate(-angle, Image.Resampling.BICUBIC, fillcolor=255)
    return np.asarray(image, dtype=np.uint8)
