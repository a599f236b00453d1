"""Short claims: the piece of a candidate that answers, short enough to be read at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import accumulate

from appliance.answer.candidates.rows import said
from appliance.answer.candidates.values import BETWEEN, PIECES, Candidate, RowValue
from appliance.answer.reading.question import Asked, met, stems
from appliance.answer.verify import Claim, phrases
from appliance.core.mechanisms import mechanism
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.ranges import Range, likeness, tokens
from appliance.text.quantities import kinds_in, kinds_of, quantities
from appliance.text.terms import fold, words

WORDS = 25  # of a claim
LEAD_WORDS = 10  # of the lead-in of an item, more where the item leaves room
ROW_WORDS = 30  # of a row with its heads
# what a word is worth: a quantity wanted, another number, one the question states; a word of the question
# at first and again, another word; a word that turns a meaning (limits, duties), one that turns it round
WANTED, NUMBER, STATED = 3.0, 1.0, 0.3
MET, AGAIN, NEW = 2.0, 0.5, 0.1
TURNS, NEGATES = 0.4, 1.0
OPENS, ENDS, WORD_COST = 1.5, 0.5, 0.02  # worth of beginning and ending where a phrase does; cost of a word
APART, SHORTEST = 0.5, 3  # cost of leaving words out between two pieces, words of a piece
EVERY = 6  # words after which a piece may begin inside a phrase
ELLIPSIS = "…"
KEPT = 1 << 14  # folded words that are kept

_BREAK = re.compile(r"[,;:.)\]–—]$|\|$")
_JOINS = frozenset(
    {"and", "or", "where", "if", "unless", "which", "that", "when", "provided", "but", "except"}
)


def claim(asked: Asked, one: Candidate, limit: int = WORDS) -> Candidate:
    """Return a candidate with its text cut to the piece that answers."""
    if one.form == "row":
        return _of_row(asked, one, max(limit, ROW_WORDS))
    if one.form == "figure":
        return _of_figure(asked, one, limit)
    if one.form == "item":
        body = " ".join(one.quotes[-1].text.split())
        room = max(limit - len(body.split()), LEAD_WORDS)
        lead = cut(asked, one.lead, room, opening=True)
        text = f"{lead}{PIECES}{cut(asked, body, max(limit - len(lead.split()), limit // 2))}"
        return _with(one, text.replace(f"{ELLIPSIS}{PIECES}", PIECES).replace(f"{PIECES}{ELLIPSIS} ", PIECES))
    return _with(one, cut(asked, one.text, limit))


def named(one: Candidate, document: str) -> Candidate:
    """Return a claim with its label before its words, with that of its document where it is not this one.

    A row and a figure begin with theirs.
    """
    if one.form in {"row", "figure"} and one.place.document == document:
        return one
    label = "" if one.form in {"row", "figure"} else one.label.named
    label = label if one.place.document == document else f"{one.place.document} {label}".strip()
    told = one.claims[0]
    return replace(one, text=f"{label}: {one.text}", claims=(replace(told, quotes=(*told.quotes, label)),))


def _with(one: Candidate, text: str) -> Candidate:
    quotes = one.claims[0].quotes if one.claims else tuple(quote.text for quote in one.quotes)
    return replace(one, text=text, claims=(Claim(text, quotes),))


@mechanism(
    "answer.cut",
    "A claim is cut to the pieces that answer, not to its first words.",
    without=lambda _asked, text, limit, opening=False: " ".join(text.split()[:limit]),  # noqa: ARG005
)
def cut(asked: Asked, text: str, limit: int, *, opening: bool = False) -> str:
    """Return the one or two contiguous pieces, of `limit` words together at most, that are worth most.

    With `opening` it is one piece, the first words. What is left out is marked; no negation is left out
    between two pieces, and no number is parted from its unit or from the limit before it.
    """
    said_words = text.split()
    if len(said_words) <= limit:
        return text
    worth = list(accumulate(_worth(asked, text, said_words), initial=0.0))
    last = len(said_words)
    ends = {last, *(at for at in range(1, last) if not _held(said_words[at - 1], said_words[at]))}
    phrases_end = {last, *ends.intersection(_openings(said_words))}
    starts = {0} if opening else {0, *ends.intersection((*_openings(said_words), *range(0, last, EVERY)))}

    def value(start: int, end: int) -> float:
        opens = OPENS if start == 0 else 0.0
        closes = ENDS if end in phrases_end else 0.0
        return worth[end] - worth[start] + opens + closes - WORD_COST * (end - start)

    nothing: _Pieces = (0.0, ())
    behind = [[nothing] * (limit + 1)]  # by first word and room: the best piece from there on
    best = nothing
    for start in reversed(range(last)):
        skipped = _plain(said_words[start]) in _negations()
        row = [nothing] * (limit + 1) if skipped else list(behind[-1])
        if start in starts:
            longest = nothing
            for size in range(SHORTEST, limit + 1):
                end = start + size
                if end in ends:
                    piece: _Pieces = (value(start, end), ((start, end),))
                    longest = max(longest, piece)
                    best = max(best, piece)
                    if end in phrases_end:  # what is left out behind a piece begins where a phrase does
                        more, span = behind[max(last - end - 1, 0)][limit - size]
                        best = max(best, (piece[0] + more - APART, (*piece[1], *span)))
                row[size] = max(row[size], longest)
        behind.append(row)
    spans = best[1] or ((0, limit),)
    told = PIECES.join(" ".join(said_words[start:end]) for start, end in spans)
    before = f"{ELLIPSIS} " if spans[0][0] else ""
    return f"{before}{told}{f' {ELLIPSIS}' if spans[-1][1] < last else ''}"


_Pieces = tuple[float, tuple[tuple[int, int], ...]]
"""What pieces are worth, and their words [start, end)."""


def _held(before: str, after: str) -> bool:
    """Tell whether two words that follow each other may not be parted."""
    number = any(map(str.isdigit, before)) and not _BREAK.search(before)
    return number or _plain(before) in _turning() or _plain(after) in _negations()


def _openings(said_words: Sequence[str]) -> Iterator[int]:
    """Yield the words that a phrase begins with."""
    for at in range(1, len(said_words)):
        if _BREAK.search(said_words[at - 1]) or said_words[at].casefold() in _JOINS:
            yield at


def _worth(asked: Asked, text: str, said_words: Sequence[str]) -> list[float]:
    """Return what each word of a text is worth to a question."""
    worth = [0.0] * len(said_words)
    total = asked.weight
    starts, at = [], 0
    for word in said_words:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
    stated = set(map(_plain, asked.text.split()))
    seen: set[str] = set()
    for place, word in enumerate(said_words):
        own = stems(word)
        named = [each for each in asked.words if each.stem in own or any(way <= own for way in each.ways)]
        worth[place] += sum(each.rarity / total * (AGAIN if each.stem in seen else MET) for each in named)
        seen |= {each.stem for each in named}
        if any(map(str.isdigit, word)):
            worth[place] += STATED if _plain(word) in stated else NUMBER
        elif own and not named and _plain(word) not in load_lexicon().stop:
            worth[place] += NEW
        if _plain(word) in _turning():
            worth[place] += NEGATES if _plain(word) in _negations() else TURNS
    for found in quantities(text):
        if asked.kinds & found.kinds or not asked.kinds:
            inside = [p for p, at in enumerate(starts) if at <= found.start < at + len(said_words[p])]
            for place in inside[:1]:
                if _plain(said_words[place]) not in stated:
                    worth[place] += WANTED if asked.kinds else NUMBER
    return worth


@lru_cache(KEPT)
def _plain(word: str) -> str:
    return fold(word).strip(".,;:()?")


def _of_row(asked: Asked, one: Candidate, limit: int) -> Candidate:
    """Return a row with the values under the heads that the question names, all where they fit."""
    label = one.labels[0].named if one.labels else ""
    if len(one.text.split()) <= limit or len(one.values) == 1:
        return (
            _with(one, one.text)
            if len(one.text.split()) <= 2 * limit
            else _with(one, cut(asked, one.text, limit))
        )
    ranked = sorted(range(len(one.values)), key=lambda at: -value_fit(asked, one.values[at]))
    kept: list[int] = []
    used = len(said(label, one.name, ()).split())
    for at in ranked:
        size = len(one.values[at].text.split())
        if kept and used + size > limit:
            break
        kept.append(at)
        used += size
    values = tuple(value for at, value in enumerate(one.values) if at in kept)
    text = said(label, one.name, values)
    marked = tuple(pair for at, pair in enumerate(one.marked) if at in kept)
    if len(text.split()) > 2 * limit:
        text = cut(asked, text, limit)
    return replace(_with(one, text), values=values, marked=marked)


def value_fit(asked: Asked, value: RowValue) -> float:
    """Return how well a cell of a row answers: heads named, kind of its unit, stated numbers in its heads."""
    heads = " ".join(value.heads)
    held = stems(heads)
    named = sum(word.rarity for word in asked.words if met(word, held)) / asked.weight
    kinds = kinds_of(value.unit) if value.unit else kinds_in(value.text)
    wanted = 0.5 * bool(kinds & asked.kinds)
    ranges = [token for token in tokens(heads) if isinstance(token, Range)]
    case = max((likeness(number, ranges) for number in asked.numbers), default=0.0) if ranges else 0.0
    number = 0.1 * any(map(str.isdigit, value.cell.text))
    return named + wanted + 0.6 * case + number


def _of_figure(asked: Asked, one: Candidate, limit: int) -> Candidate:
    """Return the caption of a figure with the lines of its lettering that bear on the question."""
    caption, _, lettering = one.text.partition(": ") if len(one.quotes) > 1 else (one.text, "", "")
    caption, lettering = one.quotes[0].text, one.quotes[-1].text if len(one.quotes) > 1 else ""
    lines = lettering.split(BETWEEN) if lettering else []
    room = max(limit - len(caption.split()), limit // 2)
    worths = [sum(_worth(asked, line, line.split())) if line.split() else 0.0 for line in lines]
    kept: set[int] = set()
    used = 0
    for at in sorted(range(len(lines)), key=lambda at: -worths[at]):
        size = len(lines[at].split())
        if worths[at] > 0 and used + size <= room:
            kept.add(at)
            used += size
    told = BETWEEN.join(line for at, line in enumerate(lines) if at in kept)
    return _with(one, f"{caption}: {told}" if told else caption)


@cache
def _negations() -> frozenset[str]:
    return frozenset(word for phrase in phrases("negations") for word in words(fold(phrase)) if len(word) > 1)


@cache
def _turning() -> frozenset[str]:
    """Return the words that turn the meaning of a sentence: negations, limits, duties."""
    said_phrases = (*phrases("negations"), *phrases("limits"), *phrases("modals"))
    return frozenset(word for phrase in said_phrases for word in words(fold(phrase)) if len(word) > 1)
