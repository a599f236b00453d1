"""Words of a page to segments (printed runs without a wide gap), and segments to lines."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from appliance.core.mechanisms import mechanism
from appliance.ingest.page import Line, Word
from appliance.ingest.pdf.right_to_left import words_as_read

_ONE = r"(?:[+\-−–]?\d{1,2}|[A-Za-z]\d?|[*†‡§¶#°º′″∗]{1,3})"
_MARK = re.compile(rf",?[(\[]?{_ONE}(?:[)\]]?,?[(\[]?{_ONE})*[)\]]?,?|[,()\[\]+\-−–]")
LONGEST = 12  # characters


def is_mark(text: str) -> bool:
    """Tell whether raised text may be a mark."""
    joined = text.replace(" ", "")
    return len(joined) <= LONGEST and bool(_MARK.fullmatch(joined)) and not _is_word(joined)


def _is_word(text: str) -> bool:
    """Tell whether two letters stand side by side, or more figures than a mark has."""
    return bool(re.search(r"[A-Za-z]{2}|\d{3}", text))


GAP = 1.3  # ems: a wider gap ends a segment
BAND = 12.0  # points: height of the strips in which neighbours are looked for
SAME_BASELINE = 0.35  # ems
TOUCHING = 0.6  # ems: a raised mark stands no further behind its word
OVERLAP = 0.35  # of the smaller height: what a raised word shares with its line


@dataclass(slots=True)
class Segment:
    """Words of one baseline, left to right, with their rectangle in points."""

    words: list[Word]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float

    @property
    def width(self) -> float:
        """Width in points."""
        return self.x1 - self.x0


def segments(words: Iterable[Word]) -> list[Segment]:
    """Return the segments of the upright words, top to bottom, then left to right."""
    runs = _runs(words)
    runs.sort(key=lambda run: (run.y1, run.x0))
    merged = _merged(runs)
    merged.sort(key=lambda run: (run.y1, run.x0))
    return merged


def _runs(words: Iterable[Word]) -> list[Segment]:
    """Follow the order in which the file writes the words, which mostly is the reading order."""
    runs: list[Segment] = []
    for word in words:
        last = runs[-1] if runs else None
        if last and _continues(last, word):
            _take(last, word)
        else:
            runs.append(Segment([word], word.x0, word.y0, word.x1, word.y1, word.size))
    return runs


def _continues(run: Segment, word: Word) -> bool:
    size = max(run.size, word.size)
    gap = word.x0 - run.x1
    if not -0.4 * size < gap < GAP * size:
        return False
    if word.rise or run.words[-1].rise or word.glued:
        return _overlap(run, word) > OVERLAP
    return abs(_base(run) - _base(word)) < SAME_BASELINE * min(run.size, word.size)


def _take(run: Segment, word: Word) -> None:
    if word.size * len(word.text) > run.size * 4 or (run.words[-1].rise and not word.rise):
        run.size = max(run.size, word.size)
    run.words.append(word)
    run.x1 = max(run.x1, word.x1)
    if not word.rise:
        run.y0, run.y1 = min(run.y0, word.y0), max(run.y1, word.y1)


def _base(item: Segment | Word) -> float:
    if isinstance(item, Word):
        return item.y1 - 0.22 * item.size
    plain = next((word for word in reversed(item.words) if not word.rise), item.words[-1])
    return plain.y1 - 0.22 * plain.size


def _overlap(one: Segment | Word, other: Segment | Word) -> float:
    height = min(one.y1 - one.y0, other.y1 - other.y0) or 1.0
    return (min(one.y1, other.y1) - max(one.y0, other.y0)) / height


def _merged(runs: list[Segment]) -> list[Segment]:
    """Join runs of one baseline that stand side by side, whatever their order in the file."""
    done: list[Segment] = []
    at_height: dict[int, list[Segment]] = defaultdict(list)
    for run in sorted(runs, key=lambda item: (item.x0, item.y1)):
        heights = range(int(run.y0 // BAND), int(run.y1 // BAND) + 1)
        near = [other for height in heights for other in at_height[height] if _beside(other, run)]
        home = min(near, key=lambda other: abs(run.x0 - other.x1), default=None)
        if home is None:
            done.append(run)
            for height in heights:
                at_height[height].append(run)
            continue
        home.words.extend(run.words)
        home.words.sort(key=lambda word: word.x0)
        home.x0, home.x1 = min(home.x0, run.x0), max(home.x1, run.x1)
        if run.size >= 0.86 * home.size:
            home.y0, home.y1 = min(home.y0, run.y0), max(home.y1, run.y1)
        home.size = max(home.size, run.size)
    return done


def _beside(left: Segment, right: Segment) -> bool:
    gap = right.x0 - left.x1
    small, large = sorted((left.size, right.size))
    if not -0.3 * large < gap < GAP * large:
        return False
    if abs(_base(left) - _base(right)) < SAME_BASELINE * small:
        return True
    return small < 0.86 * large and gap < 0.35 * large and _overlap(left, right) > OVERLAP


def text_of(words: Sequence[Word]) -> str:
    """Return the words as text, glued pieces without a space."""
    return "".join(word.text if word.glued or not i else f" {word.text}" for i, word in enumerate(words))


def make_line(page: int, column: int, pieces: Sequence[Segment], *, upright: bool = True) -> Line:
    """Return the segments of one baseline, left to right, as one line with its words as they are read."""
    words = words_as_read([word for piece in pieces for word in _with_rise(piece)])
    weight: Counter[float] = Counter()
    for word in words:
        weight[word.size] += len(word.text)
    total = sum(weight.values()) or 1
    return Line(
        page=page,
        text=text_of(words),
        x0=min(piece.x0 for piece in pieces),
        y0=min(piece.y0 for piece in pieces),
        x1=max(piece.x1 for piece in pieces),
        y1=max(piece.y1 for piece in pieces),
        size=max(weight.items(), key=lambda item: (item[1], item[0]))[0] if weight else 0.0,
        bold=sum(len(word.text) for word in words if word.bold) * 2 > total,
        italic=sum(len(word.text) for word in words if word.italic) * 2 > total,
        column=column,
        words=tuple(words),
        upright=upright,
    )


def _with_rise(piece: Segment) -> list[Word]:
    """Return the words of a segment; small ones off its baseline are marked raised or lowered."""
    plain = [word for word in piece.words if word.size >= 0.86 * piece.size and not word.rise]
    if len(plain) == len(piece.words) or not plain:
        return piece.words
    base = _base(max(plain, key=lambda word: len(word.text)))
    words: list[Word] = []
    for run in _runs_of_one_rise(piece, base):
        rise = run[0][1]
        apart = bool(words) and run[0][0].x0 - words[-1].x1 > TOUCHING * piece.size
        if rise > 0 and apart and not is_mark("".join(word.text for word, _ in run)):
            rise = 0  # words in small type behind a large label, not a mark
        words += [replace(word, rise=rise) if rise and not word.rise else word for word, _ in run]
    return words


def _runs_of_one_rise(piece: Segment, base: float) -> list[list[tuple[Word, int]]]:
    """Return the words with the rise that their place tells, those side by side of one rise together."""
    runs: list[list[tuple[Word, int]]] = []
    for word in piece.words:
        shift = (base - _base(word)) / piece.size
        small = not word.rise and word.size < 0.86 * piece.size
        rise = 1 if small and shift > 0.12 else -1 if small and shift < -0.06 else word.rise
        if runs and runs[-1][-1][1] == rise:
            runs[-1].append((word, rise))
        else:
            runs.append([(word, rise)])
    return runs


def side_runs(words: Sequence[Word]) -> list[Segment]:
    """Return words that run up or down the page as segments, in the order of the file."""
    runs: list[Segment] = []
    for word in words:
        last = runs[-1] if runs else None
        near = last and min(abs(word.y0 - last.y1), abs(last.y0 - word.y1)) < GAP * word.size
        if last and near and abs(word.x0 - last.x0) < 0.5 * word.size:
            last.words.append(word)
            last.x0, last.y0 = min(last.x0, word.x0), min(last.y0, word.y0)
            last.x1, last.y1 = max(last.x1, word.x1), max(last.y1, word.y1)
        else:
            runs.append(Segment([word], word.x0, word.y0, word.x1, word.y1, word.size))
    return runs


STARTS = 6  # runs of words that begin at one x and make it the edge of a column
WORDS = 3  # of a run of running text, and gaps that make a usual one
SAME = 1.0  # points between starts at one edge
GUTTERS_GAP = 0.45  # ems: the least white between two columns
WIDER = 1.8  # times the usual gap of the run


@mechanism(
    "layout.column_edges",
    "A line that runs over a column edge is cut there.",
    without=list,
)
def cut_at_edges(pieces: Sequence[Segment]) -> list[Segment]:
    """Return the segments of a page, those that run on into another column cut there."""
    edges = _edges(pieces)
    return [part for piece in pieces for part in _cut(piece, edges)] if len(edges) > 1 else list(pieces)


def _edges(pieces: Sequence[Segment]) -> list[float]:
    """Return the x positions at which many runs of running text begin, or go on behind a wide gap."""
    prose = [piece for piece in pieces if len(piece.words) >= WORDS]
    starts = sorted(piece.words[at].x0 for piece in prose for at in (0, *_wide_gaps(piece)))
    groups: list[list[float]] = []
    for start in starts:
        if groups and start - groups[-1][0] <= SAME:
            groups[-1].append(start)
        else:
            groups.append([start])
    return [median(group) for group in groups if len(group) >= STARTS]


def _wide_gaps(piece: Segment) -> list[int]:
    """Return the positions of the words behind gaps that are wider than the usual one of the run."""
    gaps = [after.x0 - before.x1 for before, after in pairwise(piece.words)]
    white = [gap for gap in gaps if gap > 0]
    least = max(GUTTERS_GAP * piece.size, WIDER * median(white)) if len(white) >= WORDS else 0.0
    return [at for at, gap in enumerate(gaps, 1) if least and gap >= least]


def _cut(piece: Segment, edges: Sequence[float]) -> list[Segment]:
    """Return the segment as the parts that begin at its own start and at edges."""
    words = piece.words
    wide = [at for at in _wide_gaps(piece) if any(abs(words[at].x0 - edge) <= SAME for edge in edges)]
    if not wide:
        return [piece]
    return [_part(piece, words[start:end]) for start, end in pairwise([0, *wide, len(words)])]


def _part(piece: Segment, words: Sequence[Word]) -> Segment:
    """Return some words of a segment as one of their own."""
    level = [word for word in words if not word.rise] or words
    return replace(
        piece,
        words=list(words),
        x0=min(word.x0 for word in words),
        x1=max(word.x1 for word in words),
        y0=min(word.y0 for word in level),
        y1=max(word.y1 for word in level),
        size=max(word.size for word in level),
    )
