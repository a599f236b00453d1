"""Words of a page to segments and lines, and lines joined into running text."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise
from statistics import median

from appliance.core.document import LineSpan, Passage
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.core.runs import runs
from appliance.ingest.page import Line, PageContent, PageLayout, Word, around, box_of
from appliance.ingest.pdf.words import words_as_read

_ONE = r"(?:[+\-−–]?\d{1,2}|[A-Za-z]\d?|[*†‡§¶#°º′″∗]{1,3})"
_MARK = re.compile(rf",?[(\[]?{_ONE}(?:[)\]]?,?[(\[]?{_ONE})*[)\]]?,?|[,()\[\]+\-−–]")
LONGEST = 12  # characters


def is_mark(text: str) -> bool:
    """Tell whether raised text may be a mark: no two letters side by side, nor more figures than one has."""
    joined = text.replace(" ", "")
    short = len(joined) <= LONGEST and _MARK.fullmatch(joined)
    return bool(short) and not re.search(r"[A-Za-z]{2}|\d{3}", joined)


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

    @classmethod
    def of(cls, words: list[Word], size: float) -> Segment:
        """Return words as a segment of that type size."""
        area = around(words)
        return cls(words, area.x0, area.y0, area.x1, area.y1, size)


def segments(words: Iterable[Word]) -> list[Segment]:
    """Return the segments of the upright words, top to bottom, then left to right.

    They follow the order in which the file writes the words, which mostly is the reading order.
    """
    found: list[Segment] = []
    for word in words:
        last = found[-1] if found else None
        if last is None:
            found.append(Segment.of([word], word.size))
            continue
        gap, shift = word.x0 - last.x1, _base(word) - _base(last)
        reach = SAME_BASELINE * word.size
        lone = len(last.words) == 1 and last.words[0].text.isdigit()
        if lone and shift > reach and -0.1 * word.size < gap < reach:
            last.words[0] = replace(last.words[0], rise=1)  # the mark before the first word of a footnote
        size = max(last.size, word.size)
        if word.rise or last.words[-1].rise or word.glued:
            level = _overlap(last, word) > OVERLAP
        else:
            level = abs(shift) < SAME_BASELINE * min(last.size, word.size)
        if not (-0.4 * size < gap < GAP * size and level):
            found.append(Segment.of([word], word.size))
            continue
        if word.size * len(word.text) > last.size * 4 or (last.words[-1].rise and not word.rise):
            last.size = size
        last.words.append(word)
        last.x1 = max(last.x1, word.x1)
        if not word.rise:
            last.y0, last.y1 = min(last.y0, word.y0), max(last.y1, word.y1)
    return sorted(_merged(found), key=lambda run: (run.y1, run.x0))


def _base(item: Segment | Word) -> float:
    if isinstance(item, Word):
        return item.y1 - 0.22 * item.size
    plain = next((word for word in reversed(item.words) if not word.rise), item.words[-1])
    return plain.y1 - 0.22 * plain.size


def _overlap(one: Segment | Word, other: Segment | Word) -> float:
    height = min(one.y1 - one.y0, other.y1 - other.y0) or 1.0
    return (min(one.y1, other.y1) - max(one.y0, other.y0)) / height


def _merged(pieces: list[Segment]) -> list[Segment]:
    """Join runs of one baseline that stand side by side, whatever their order in the file."""
    done: list[Segment] = []
    at_height: dict[int, list[Segment]] = defaultdict(list)
    for run in sorted(pieces, key=lambda item: (item.x0, item.y1)):
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


def placed_words(line: Line) -> Iterator[tuple[int, Word]]:
    """Yield the words of a line with their places in its text, up to the first that is not in it."""
    at = 0
    for word in line.words:
        place = line.text.find(word.text, at)
        if place < 0:
            return
        yield place, word
        at = place + len(word.text)


def make_line(page: int, column: int, pieces: Sequence[Segment], *, upright: bool = True) -> Line:
    """Return the segments of one baseline, left to right, as one line with its words as they are read."""
    words = words_as_read([word for piece in pieces for word in _with_rise(piece)])
    weight: Counter[float] = Counter()
    for word in words:
        weight[word.size] += len(word.text)
    total, area = sum(weight.values()) or 1, around(pieces)
    return Line(
        page=page,
        text=text_of(words),
        x0=area.x0,
        y0=area.y0,
        x1=area.x1,
        y1=area.y1,
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

    def rise_of(word: Word) -> int:
        shift = (base - _base(word)) / piece.size
        small = not word.rise and word.size < 0.86 * piece.size
        return 1 if small and shift > 0.12 else -1 if small and shift < -0.06 else word.rise

    words: list[Word] = []
    for rise, group in groupby(piece.words, key=rise_of):
        run = list(group)
        apart = bool(words) and run[0].x0 - words[-1].x1 > TOUCHING * piece.size
        # words in small type behind a large label are no mark
        told = rise and not (rise > 0 and apart and not is_mark("".join(word.text for word in run)))
        words += [replace(word, rise=rise) if told and not word.rise else word for word in run]
    return words


def side_runs(words: Sequence[Word]) -> list[Segment]:
    """Return words that run up or down the page as segments, in the order of the file."""
    found: list[Segment] = []
    for word in words:
        last = found[-1] if found else None
        near = last and min(abs(word.y0 - last.y1), abs(last.y0 - word.y1)) < GAP * word.size
        if last and near and abs(word.x0 - last.x0) < 0.5 * word.size:
            found[-1] = Segment.of([*last.words, word], last.size)
        else:
            found.append(Segment.of([word], word.size))
    return found


STARTS = 6  # runs of words that begin at one x and make it the edge of a column
WORDS = 3  # of a run of running text, and gaps that make a usual one
SAME = 1.0  # points between starts at one edge
GUTTERS_GAP = 0.45  # ems: the least white between two columns
WIDER = 1.8  # times the usual gap of the run


@mechanism("layout.column_edges", without=list)
def cut_at_edges(pieces: Sequence[Segment]) -> list[Segment]:
    """Return the segments of a page, those that run on into another column cut there.

    Edges are where many runs of running text begin, or go on behind a wide gap.
    """
    prose = [piece for piece in pieces if len(piece.words) >= WORDS]
    starts = sorted(piece.words[at].x0 for piece in prose for at in (0, *_wide_gaps(piece)))
    groups = runs(starts, lambda run, start: start - run[0] <= SAME)
    edges = [median(group) for group in groups if len(group) >= STARTS]
    if len(edges) < 2:
        return list(pieces)
    found: list[Segment] = []
    for piece in pieces:
        words = piece.words
        wide = [at for at in _wide_gaps(piece) if any(abs(words[at].x0 - edge) <= SAME for edge in edges)]
        parts = [words[start:end] for start, end in pairwise([0, *wide, len(words)])] if wide else []
        for part in parts:
            level = [word for word in part if not word.rise] or part
            whole, high = around(part), around(level)
            size = max(word.size for word in level)
            found.append(Segment(part, whole.x0, high.y0, whole.x1, high.y1, size))
        found += [] if parts else [piece]
    return found


def _wide_gaps(piece: Segment) -> list[int]:
    """Return the positions of the words behind gaps that are wider than the usual one of the run."""
    gaps = [after.x0 - before.x1 for before, after in pairwise(piece.words)]
    white = [gap for gap in gaps if gap > 0]
    least = max(GUTTERS_GAP * piece.size, WIDER * median(white)) if len(white) >= WORDS else 0.0
    return [at for at, gap in enumerate(gaps, 1) if least and gap >= least]


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
        piece = (line.text[skip:] if position == 0 else line.text).strip()
        if not piece:
            continue
        # a soft hyphen is a hyphen but where it ends the line behind a letter or figure
        parted = piece.endswith(SOFT) and (piece[-2:-1].isalpha() or piece[-2:-1].isdigit())
        piece = piece[:-1].replace(SOFT, "-") + SOFT if parted else piece.replace(SOFT, "-")
        if text and position in breaks:
            text += "\n"
        elif text:
            text = _continued(text, piece, words)
        start = len(text)
        text += piece
        spans.append(LineSpan(start, len(text), box_of(pages[line.page], line)))
    places = [0, *accumulate(int(char != SOFT) for char in text)]  # without the soft hyphens
    plain = text.replace(SOFT, "")
    limits = [*(places[span.start] for span in spans[1:]), len(plain)]
    return Passage(  # no line reaches over the next: a mended hyphen shortens it
        plain,
        tuple(
            LineSpan(places[span.start], min(places[span.end], limit), span.box)
            for span, limit in zip(spans, limits, strict=False)
        ),
    )


def _continued(text: str, piece: str, words: frozenset[str]) -> str:
    """Return the text so far as the next line continues it: a space added, or a hyphen mended."""
    tail, head = _TAIL.search(text[-PASSAGES_LONGEST:]), _HEAD.match(piece)
    one, two = (tail[1].lower(), head[1]) if tail and head else ("", "")
    hyphened = bool(one) and f"{one}-{two}" in words  # where no line ends
    if one and is_suspended(one, two, words):
        return f"{text[:-1]}{'-' if text.endswith(SOFT) else text[-1]} "
    if text.endswith(SOFT):
        parts = text[-2:-1].isalpha() and piece[:1].isalpha() and not hyphened
        return text[:-1] if parts else f"{text[:-1]}-"
    if not one:
        return f"{text} "
    parts = not hyphened and (one + two in words or not (one in words and two in words))
    return text[:-1] if parts else text


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


def is_suspended(tail: str, head: str, words: frozenset[str]) -> bool:
    """Tell whether a hyphen stands for what follows later ("pre- and post-tensioned"), and parts no word."""
    return head in shipped("hyphens")["suspended"] and (tail + head).lower() not in words
