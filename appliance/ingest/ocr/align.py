"""Two readings of scanned pages, the text layer and the picture, aligned word by word and made one."""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from statistics import fmean, median

from appliance.core.runs import runs
from appliance.ingest.layout.lines import text_of
from appliance.ingest.page import Area, Word, around
from appliance.text.lookalikes import language_words, value_digits

Scored = tuple[Word, float]  # a word of the picture and how sure the recogniser was of it (0-1)

LEVEL = 0.45  # of the lower of two words: what they share of their height on one line
BESIDE = 0.3  # of the narrower of two words: what they share of their width in one piece
LEADS = 9.0  # points between a word and the leader behind or before it
FEW, ELSEWHERE = 8, 0.4  # pieces of a page, and share of them alike, below which its layer lies elsewhere
SLOPE = 3.0  # points that the baselines of two words side by side are apart
REACH = 4.0  # points beyond a line of the picture in which words of the layer are its
BINS = (0.5, 0.7, 0.85, 0.95)  # scores between which the picture is right equally often
LEAST_ERROR, MOST_ERROR = 0.002, 0.98  # of a reading: a few thousand words tell no less and no more
SHARED = 4.0  # words behind another that the words of the document stand for, whatever is before
KNOWN, LANGUAGE = 0.6, 0.1  # share of words that are of the document's own, of the language
WEIGHT = 0.4  # of what the model of words says, beside what agreement says of either reading
CLEAR = 2.5  # odds (natural logarithm) from which one reading alone is told
UNLIKELY = 4.2  # mean cost of a character (natural logarithm) from which a word is no print
ALONE = 0.6  # mean score of a line from which its words stand that the layer lacks
SPACED = 3.0  # odds (idem) for a space that only the picture has: white that was measured
OMITS = 0.3  # error of a picture that has what the layer has but for signs that it lacks
FAR = 3.0  # odds (natural logarithm) from which what a reading may be stands for it
SURE = 0.8  # a number that only one reading has is doubtful below
ONE_SIZE = 0.3  # a measured size this near that of its neighbours is theirs

_LEADER = re.compile(r"[.·•…_~-]{2,}")
_DOTS = ".·…"
_DECIMAL = re.compile(r"(?<![\w.,(])(\d+)[.,](\d{1,2})(?![\w.,)])")
_JOINT = re.compile(r"(?<=[^\W\d_]{2})(?=\d+[.,])|(?<=\d)(?=[^\W\d_]{1,3}(?:/|$))")
_SAME = str.maketrans("–—−‐‑’‘‛`´“”„µ", "-----'''''\"\"\"μ")
_START, _END = "\x02", "\x03"


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of both readings that stand at one place of a line, left to right; one reading may lack it."""

    layer: tuple[Word, ...]
    picture: tuple[Scored, ...]
    line: int = -1  # of the picture, -1 for none
    mean: float = 0.0  # score of that line

    @property
    def score(self) -> float:
        """The recogniser's trust in its least sure word."""
        return min((score for _, score in self.picture), default=0.0)

    @property
    def read(self) -> tuple[Word, ...]:
        """The words of the picture."""
        return tuple(word for word, _ in self.picture)


@dataclass(frozen=True, slots=True)
class Doubt:
    """What stands at a place, what the other reading has there ("" for nothing), and the place."""

    said: str
    other: str
    area: Area


@dataclass(frozen=True, slots=True)
class Aligned:
    """The words of a page that stand, line by line, and its doubts."""

    words: tuple[Word, ...]
    doubts: tuple[Doubt, ...]


def aligned(
    layers: Mapping[int, Sequence[Word]], pictures: Mapping[int, Sequence[Sequence[Scored]]]
) -> dict[int, Aligned]:
    """Return the pages of one document, by number, made of both readings.

    `layers` are the words of each text layer, `pictures` the lines read from the same page's picture. What
    both readings have alike in the whole document teaches what its words and numbers look like, and how
    often either reading errs.
    """
    pieces = {number: list(pieces_of(layers[number], lines)) for number, lines in pictures.items()}
    judge = Judge([piece for page in pieces.values() for piece in page])
    return {number: _page(page, judge) for number, page in pieces.items()}


def pieces_of(layer: Sequence[Word], lines: Sequence[Sequence[Scored]]) -> Iterator[Piece]:
    """Yield the words of both readings of a page piece by piece; words of the layer alone come last."""
    leaders = [word for word in layer if _LEADER.fullmatch(word.text)]
    cleaned = [[pair for one in line if (pair := _without_leader(one, leaders))[0].text] for line in lines]
    cleaned = [line for line in cleaned if line]
    spans = [around(word for word, _ in line) for line in cleaned]
    homes: dict[int, list[Word]] = defaultdict(list)
    lost = []
    for word in layer:
        middle, shares = (word.x0 + word.x1) / 2, []  # of the lower one's height that it shares with lines
        for at, span in enumerate(spans):
            if span.x0 - REACH < middle < span.x1 + REACH:
                low = max(0.1, min(word.y1 - word.y0, span.height))
                shares.append(((min(word.y1, span.y1) - max(word.y0, span.y0)) / low, -at))
        share, at = max(shares, default=(0.0, 0))
        if share > LEVEL and word.upright:
            homes[-at].append(word)
        else:
            lost.append(word)
    for at, line in enumerate(cleaned):
        mean = fmean(score for _, score in line)
        if all(word.upright for word, _ in line):
            both: list[tuple[Word, float | None]] = [*((word, None) for word in homes[at]), *line]
            both.sort(key=lambda pair: pair[0].x0)
            for own in runs(both, lambda own, one: any(_beside(one[0], other) for other, _ in own)):
                words = tuple(word for word, score in own if score is None)
                yield Piece(words, tuple((word, score) for word, score in own if score is not None), at, mean)
        elif not any(spans[at].meets(word) for word in layer):
            yield Piece((), tuple(line), at, mean)

    def goes_on(run: Sequence[Word], word: Word) -> bool:
        before = run[-1]
        level = word.upright and before.upright and abs(word.y1 - before.y1) < SLOPE
        near = 0 <= word.x0 - before.x1 + SLOPE < LEADS + SLOPE
        return level and near and not any(_LEADER.fullmatch(one.text) for one in (before, word))

    # words that the picture lacks, side by side in a line, are one that was not found
    yield from (Piece(tuple(run), ()) for run in runs(lost, goes_on))


def _without_leader(pair: Scored, leaders: Sequence[Word]) -> Scored:
    """Return a word without the dots of a leader, which the recogniser counts badly."""
    word, score = pair
    touched = any(
        max(word.x0, leader.x0) - min(word.x1, leader.x1) < LEADS
        and min(word.y1, leader.y1) > max(word.y0, leader.y0)
        for leader in leaders
    )
    least, size = 1 if touched else 2, len(word.text)
    begin, end = size - len(word.text.lstrip(_DOTS)), len(word.text.rstrip(_DOTS))
    begin, end = (begin if begin >= least else 0), (end if size - end >= least else size)
    if (begin, end) == (0, size) and word.text not in _DOTS:
        return pair
    step = (word.x1 - word.x0) / size
    text = word.text[begin:end].strip() if word.text not in _DOTS else ""
    return replace(word, text=text, x0=word.x0 + begin * step, x1=word.x0 + max(begin, end) * step), score


def _beside(one: Word, other: Word) -> bool:
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    return shared > BESIDE * max(0.1, min(one.x1 - one.x0, other.x1 - other.x0))


def folded(text: str) -> str:
    """Return a text by which two readings are compared: forms of one sign alike, without spaces."""
    return "".join(unicodedata.normalize("NFKC", text.translate(_SAME)).split())


class Model:
    """What the words of a document look like: how often each is one, behind which, and its characters.

    It learns from lines of words that are surely read. Figures are alike to it, so that a number is as
    likely as its shape.
    """

    def __init__(self, lines: Iterable[Sequence[str]]) -> None:
        shapes = [[_START, *map(_shape, line)] for line in lines]
        self.words = Counter(word for line in shapes for word in line[1:])
        self.pairs = Counter(pair for line in shapes for pair in pairwise(line))
        self.first = Counter(word for line in shapes for word in line[:-1])
        self.total = max(1, self.words.total())
        self.three: Counter[str] = Counter()
        self.two: Counter[str] = Counter()
        self.one: Counter[str] = Counter()
        for word, count in self.words.items():
            text = f"{_START}{_START}{word}{_END}"
            for at in range(2, len(text)):
                self.three[text[at - 2 : at + 1]] += count
                self.two[text[at - 2 : at]] += count
                self.one[text[at]] += count
        self.signs = max(1, self.one.total())

    def cost(self, text: str, before: str = "", after: str = "") -> float:
        """Return how unlikely words are between others: their negative logarithm of probability."""
        words = [_shape(word) for word in text.split()]
        run = [*map(_shape, before.split()[-1:]), *words, *map(_shape, after.split()[:1])]
        beside = sum(self._beside(*pair) for pair in pairwise(run))
        return sum(map(self._cost, words)) + beside

    def _beside(self, before: str, word: str) -> float:
        """Return how much less likely than alone a word is behind another, negative where more."""
        alone = (self.words[word] + 0.5) / (self.total + 1)
        return -math.log((self.pairs[before, word] + SHARED * alone) / (self.first[before] + SHARED) / alone)

    def _cost(self, word: str) -> float:
        """Return how unlikely a word by itself is: as one that is known, and as it is spelt."""
        plain = word.strip(".,;:()'\"").lower()
        known = KNOWN * self.words[word] / self.total
        if len(plain) > 2 and plain in language_words():
            known += LANGUAGE / len(language_words())
        text = f"{_START}{_START}{word}{_END}"
        spelt = 0.0
        for at in range(2, len(text)):
            before = text[at - 2 : at]
            alone = (self.one[text[at]] + 0.1) / (self.signs + 20)
            spelt -= math.log((self.three[before + text[at]] + 2 * alone) / (self.two[before] + 2))
        return -math.log(known + (1 - KNOWN - LANGUAGE) * math.exp(-spelt) + 1e-300)


def _shape(word: str) -> str:
    return "".join("0" if sign.isdigit() else sign for sign in word.translate(_SAME))


class Judge:
    """What a document tells of its two readings: the errors of each, and the model of its words.

    Where its readings differ, one of both errs. `picture` are the errors by the recogniser's score (see
    BINS), `layer` those by what the picture has: a layer that knows no Greek is no witness against a Greek
    letter.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        by_score: dict[int, list[bool]] = {at: [True, False] for at in range(len(BINS) + 1)}
        by_kind: dict[str, list[bool]] = {kind: [True, False] for kind in KINDS}
        for piece in pieces:
            if piece.layer and piece.picture:
                by_score[bisect(BINS, piece.score)].append(not _same(piece))
                if piece.score >= BINS[-1]:
                    by_kind[_kind(piece)].append(not _same(piece))
        least = fmean(by_score[len(BINS)])  # where the picture is surest, the layer alone errs

        def bounded(error: float) -> float:
            return min(MOST_ERROR, max(LEAST_ERROR, error))

        self.model = Model([text_of(run).split() for run in _sure_runs(pieces)])
        self.picture = tuple(bounded(fmean(found) - least) for found in by_score.values())
        self.layer = {kind: bounded(fmean(found)) for kind, found in by_kind.items()}

    def odds(self, piece: Piece, words: tuple[str, str]) -> float:
        """Return for how much the picture stands against the layer (natural logarithm of the odds).

        `words` are those before and behind the piece in its line.
        """
        before, now = text_of(piece.layer), text_of(piece.read)
        if folded(before) == folded(now):
            told = self.model.cost(before, *words) - self.model.cost(now, *words)
            return told + SPACED * (len(now.split()) > len(before.split()))
        said = WEIGHT * (self.model.cost(before, *words) - self.model.cost(now, *words))
        picture, layer = self.picture[bisect(BINS, piece.score)], self.layer[_kind(piece)]
        signs = iter(folded(before))
        if all(sign in signs for sign in folded(now)):
            picture = max(picture, OMITS)  # what was left out has no score
        return math.log((1 - picture) / picture) - math.log((1 - layer) / layer) + said

    def likelier(self, piece: Piece, words: tuple[str, str]) -> Piece:
        """Return a piece with the likeliest of what its picture may have, where one is far likelier."""
        if not piece.picture or _same(piece):
            return piece
        now = text_of(piece.read)
        # what is easily read as a text: a number with another decimal sign, words without a space
        parted = _JOINT.sub(" ", now)
        variants = [_DECIMAL.sub(rf"\1{sign}\2", text) for text in (now, parted) for sign in ".,"]
        costs = {text: self.model.cost(text, *words) for text in (now, *variants, parted)}
        best = min(costs, key=costs.__getitem__)
        if costs[now] - costs[best] <= FAR:
            return piece
        # its words share the place of the first reading
        span, first = around(piece.read), piece.read[0]
        step = span.width / max(1, len(best))
        found: list[Scored] = []
        for match in re.finditer(r"\S+", best):
            x0, x1 = span.x0 + match.start() * step, span.x0 + match.end() * step
            word = replace(first, text=match.group(), x0=x0, x1=x1, glued=False)
            found.append((word, piece.score))
        return replace(piece, picture=tuple(found))

    def is_print(self, text: str) -> bool:
        """Tell whether a text looks like the document's words and numbers: by the cost of a character.

        The end of each word is counted as one.
        """
        return self.model.cost(text) / (len(text) + 1) < UNLIKELY


def _sure_runs(pieces: Sequence[Piece]) -> Iterator[Sequence[Word]]:
    """Yield the words side by side in a line that both readings have."""
    for _, line in groupby(pieces, key=lambda piece: piece.line):
        run: list[Word] = []
        for piece in line:
            alike = _same(piece) and len(text_of(piece.layer).split()) == len(piece.picture)
            if alike or (piece.score >= BINS[-1] and _kind(piece) == "sign"):  # which a layer may not know
                run += piece.layer if alike else piece.read
            elif run:
                yield run
                run = []
        if run:
            yield run


KINDS = ("sign", "number", "word")


def _kind(piece: Piece) -> str:
    """Return of what kind the picture's words are: with signs beyond ASCII, with figures, or neither."""
    text = folded(text_of(piece.read))
    if not text.isascii():
        return "sign"
    return "number" if _is_number(text) else "word"


def _same(piece: Piece) -> bool:
    return folded(text_of(piece.layer)) == folded(text_of(piece.read))


def _page(pieces: Sequence[Piece], judge: Judge) -> Aligned:
    """Return the words of a page that stand: the picture's alone where the layer lies elsewhere."""
    both = [piece for piece in pieces if piece.layer and piece.picture]
    if len(both) >= FEW and sum(map(_same, both)) < ELSEWHERE * len(both):
        pieces = [replace(piece, layer=()) for piece in pieces if piece.picture]
    words: list[Word] = []
    doubts: list[Doubt] = []
    lines: dict[int, list[Word]] = defaultdict(list)
    for piece in pieces:
        if piece.line >= 0 and _same(piece):
            lines[piece.line] += piece.layer
    sizes = [word.size for piece in pieces for word in piece.layer if word.upright]
    usual = median(sizes) if sizes else 0.0
    for before, piece, after in zip((None, *pieces), pieces, (*pieces[1:], None), strict=False):
        beside = _beside_in_line(before, piece), _beside_in_line(after, piece)
        found, doubt = _chosen(piece, judge, beside)
        if found is piece.layer:
            words += found
            found = ()
        level = [word for word in lines[piece.line] or piece.layer if not word.rise]
        for word in found:  # in the type and on the line of the layer's words beside it
            if word.upright and level:
                home = min(level, key=lambda other: max(other.x0 - word.x1, word.x0 - other.x1))
                here = replace(
                    home, text=word.text, x0=word.x0, x1=word.x1, rise=0, glued=False, upright=True
                )
            else:
                near = abs(word.size - usual) <= ONE_SIZE * usual
                here = replace(word, size=usual if near else word.size)
            words.append(here)
        doubts += [doubt] if doubt else []
    return Aligned(tuple(words), tuple(doubts))


def _beside_in_line(other: Piece | None, piece: Piece) -> str:
    """Return the words of the piece beside another in its line, "" for none."""
    return text_of(other.read or other.layer) if other and other.line == piece.line else ""


def _chosen(piece: Piece, judge: Judge, beside: tuple[str, str]) -> tuple[tuple[Word, ...], Doubt | None]:
    """Return the words of a piece that stand and, where the other reading may be right, the doubt."""
    piece = judge.likelier(piece, beside)
    before, now = text_of(piece.layer), text_of(piece.read)
    if not piece.picture:
        stands = _LEADER.fullmatch(before) or not piece.layer[0].upright or judge.is_print(before)
        return (piece.layer if stands else ()), None
    if not piece.layer:
        stands = piece.mean >= ALONE or judge.is_print(now)
        sure = piece.score >= SURE or not _is_number(now)
        return (piece.read, None if sure else _doubt(piece.read, "")) if stands else ((), None)
    if before == now:
        return piece.layer, None
    odds = judge.odds(piece, beside)
    stand, other = (piece.read, before) if odds > 0 else (piece.layer, now)
    sure = stand is piece.layer or piece.score >= SURE or not _is_number(now)
    sure = sure or _as_figures(before) == _as_figures(now)
    if _value(before) == _value(now) or (abs(odds) >= CLEAR and sure):
        return stand, None
    return stand, _doubt(stand, other)


def _as_figures(text: str) -> str:
    """Return a text with the figures for which its letters are taken."""
    return "".join(value_digits().get(sign, sign) for sign in folded(text))


def _value(text: str) -> str:
    """Return a text without what makes no other word or number of it."""
    return folded(text).replace(",", ".").rstrip(".;:")


def _doubt(words: Sequence[Word], other: str) -> Doubt:
    return Doubt(text_of(words), other, around(words))


def _is_number(text: str) -> bool:
    """Tell whether a text has as many figures as letters, and one at least."""
    figures = sum(sign.isdigit() for sign in text)
    return figures > 0 and figures >= sum(sign.isalpha() for sign in text)
