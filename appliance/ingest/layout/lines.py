"""Words of a page to segments and lines, and lines joined into running text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from appliance.core.document import LineSpan, Passage
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.ingest.page import Line, PageContent, PageLayout, Word, box_on
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
        if last and _marks(last, word):
            last.words[0] = replace(last.words[0], rise=1)
        if last and _continues(last, word):
            _take(last, word)
        else:
            runs.append(Segment([word], word.x0, word.y0, word.x1, word.y1, word.size))
    return runs


def _marks(run: Segment, word: Word) -> bool:
    """Tell whether a figure by itself is the raised mark before the first word of a footnote."""
    raised = SAME_BASELINE * word.size < _base(word) - _base(run)
    near = -0.1 * word.size < word.x0 - run.x1 < SAME_BASELINE * word.size
    return len(run.words) == 1 and run.words[0].text.isdigit() and raised and near


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


PASSAGES_LONGEST = 80  # signs of a word that a hyphen may part
SOFT = "\u00ad"
_HYPHENS = "-\u2010" + SOFT
_PARTED = re.compile(r"([A-Za-zÀ-ÿ]+)[-\u2010] ([a-zà-ÿ]+)")
_SOFT_PARTED = re.compile(rf"([A-Za-zÀ-ÿ]+){SOFT}\s+([a-zà-ÿ]+)")
_TAIL = re.compile(rf"([A-Za-zÀ-ÿ]+)[{_HYPHENS}]$")
_HEAD = re.compile(r"([a-zà-ÿ]+)")
_WORD = re.compile(r"[A-Za-zÀ-ÿ]+(?:-[A-Za-zÀ-ÿ]+)*")


def vocabulary(layouts: Iterable[PageLayout]) -> frozenset[str]:
    """Return the words that the document prints inside its lines, lower case, hyphens kept."""
    words: set[str] = set()
    for page in layouts:
        for line in page.lines:
            inner = line.text.rsplit(" ", 1)[0] if line.text[-1:] in _HYPHENS else line.text
            words.update(match.group().lower() for match in _WORD.finditer(inner))
    return frozenset(words)


def join_lines(
    lines: Sequence[Line],
    pages: Mapping[int, PageContent],
    words: frozenset[str] = frozenset(),
    *,
    skip: int = 0,
    breaks: Collection[int] = (),
) -> Passage:
    """Return the lines as one passage.

    `pages` gives the page sizes by number; `words` the document's vocabulary; `skip` characters of
    the first line are left out (its marker); `breaks` are the positions of lines that start a
    paragraph, which get a line break before them.
    """
    text = ""
    spans: list[LineSpan] = []
    for position, line in enumerate(lines):
        piece = _inner_hyphens((line.text[skip:] if position == 0 else line.text).strip())
        if not piece:
            continue
        if text and position in breaks:
            text += "\n"
        elif text:
            text = _joint(text, piece, words)
        start = len(text)
        text += piece
        page = pages[line.page]
        spans.append(LineSpan(start, len(text), box_on(page, line.x0, line.y0, line.x1, line.y1)))
    return _without_soft_hyphens(text, spans)


def whole_words(title: str, words: frozenset[str]) -> str:
    """Return a title of several lines with its parted words whole, as far as the document prints them so."""

    def whole(match: re.Match[str]) -> str:
        tail, head = match[1].lower(), match[2]
        if tail + head in words:
            return match[1] + head
        return f"{match[1]}-{head}" if f"{tail}-{head}" in words else match[0]

    def soft(match: re.Match[str]) -> str:
        suspended = is_suspended(match[1], match[2], words)
        return f"{match[1]}- {match[2]}" if suspended else match[1] + match[2]

    title = re.sub(rf"(?<!\w){SOFT}|(?<=\d){SOFT}\s*|{SOFT}\s*(?=\d)|{SOFT}(?=[,;/)])", "-", title)
    return _PARTED.sub(whole, re.sub(rf"{SOFT}\s*", "", _SOFT_PARTED.sub(soft, title)))


def _joint(text: str, piece: str, words: frozenset[str]) -> str:
    """Return the text so far as the next line continues it: a space added, or a hyphen mended."""
    tail, head = _TAIL.search(text[-PASSAGES_LONGEST:]), _HEAD.match(piece)
    if tail and head and is_suspended(tail[1], head[1], words):
        return f"{text[:-1]}{'-' if text.endswith(SOFT) else text[-1]} "
    if text.endswith(SOFT):
        hyphened = bool(tail and head and f"{tail[1]}-{head[1]}".lower() in words)
        return _soft_joint(text[:-1], piece, hyphened=hyphened)
    if not tail or not head:
        return f"{text} "
    return text[:-1] if _parts_a_word(tail.group(1).lower(), head.group(1), words) else text


def is_suspended(tail: str, head: str, words: frozenset[str]) -> bool:
    """Tell whether a hyphen stands for what follows later ("pre- and post-tensioned"), and parts no word."""
    return head in shipped("hyphens")["suspended"] and (tail + head).lower() not in words


def _soft_joint(text: str, piece: str, *, hyphened: bool) -> str:
    """Return the text before a soft hyphen at the end of its line as the next line continues it.

    `hyphened` tells that the document writes the word with a hyphen where no line ends.
    """
    parts = text[-1:].isalpha() and piece[:1].isalpha() and not hyphened
    return text if parts else f"{text}-"


def _inner_hyphens(piece: str) -> str:
    """Return a line with hyphens for the soft ones but one that ends it behind a letter."""
    ends = piece.endswith(SOFT) and (piece[-2:-1].isalpha() or piece[-2:-1].isdigit())
    return piece[:-1].replace(SOFT, "-") + (piece[-1:] if ends else piece[-1:].replace(SOFT, "-"))


def _parts_a_word(tail: str, head: str, words: frozenset[str]) -> bool:
    """Tell whether the hyphen between the two stands only because the line ended."""
    if tail + head in words:
        return f"{tail}-{head}" not in words
    if f"{tail}-{head}" in words:
        return False
    return not (tail in words and head in words)


def _without_soft_hyphens(text: str, spans: list[LineSpan]) -> Passage:
    if SOFT not in text:
        return Passage(text, tuple(_clipped(text, spans)))
    kept = [0]
    for char in text:
        kept.append(kept[-1] + (char != SOFT))
    text = text.replace(SOFT, "")
    moved = [LineSpan(kept[span.start], kept[span.end], span.box) for span in spans]
    return Passage(text, tuple(_clipped(text, moved)))


def _clipped(text: str, spans: list[LineSpan]) -> Iterable[LineSpan]:
    """Yield the spans in order, none reaching over the next (a mended hyphen shortens its line)."""
    for position, span in enumerate(spans):
        limit = spans[position + 1].start if position + 1 < len(spans) else len(text)
        yield LineSpan(span.start, min(span.end, limit), span.box)
