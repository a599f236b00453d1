"""Short claims: the piece of a candidate that answers, short enough to be read at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from appliance.answer.candidates.rows import said
from appliance.answer.candidates.values import BETWEEN, PIECES, Candidate, RowValue
from appliance.answer.reading.question import Asked, met, stems
from appliance.answer.verify import Claim, phrases
from appliance.core.mechanisms import mechanism
from appliance.tables.ranges import Range, likeness, tokens
from appliance.text.quantities import kinds_in, kinds_of, quantities
from appliance.text.terms import fold, words

WORDS = 25  # of a claim
LEAD_WORDS = 10  # of the lead-in of an item, more where the item leaves room
ROW_WORDS = 30  # of a row with its heads
WANTED, NUMBER, TURNS = (
    3.0,
    0.6,
    0.8,
)  # worth of a quantity wanted, another number, a word that turns a meaning
OPENS, ENDS, WORD_COST = 0.5, 0.25, 0.02  # worth of beginning and ending where a phrase does; cost of a word
ELLIPSIS = "…"

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


def _with(one: Candidate, text: str) -> Candidate:
    quotes = one.claims[0].quotes if one.claims else tuple(quote.text for quote in one.quotes)
    keys = one.claims[0].keys if one.claims else 0
    return replace(one, text=text, claims=(Claim(text, quotes, keys),))


@mechanism(
    "answer.cut",
    "A claim is cut to the piece that answers, not to its first words.",
    without=lambda _asked, text, limit, opening=False: " ".join(text.split()[:limit]),  # noqa: ARG005
)
def cut(asked: Asked, text: str, limit: int, *, opening: bool = False) -> str:
    """Return the contiguous piece of `limit` words at most that is worth most; `opening`: the first."""
    said_words = text.split()
    if len(said_words) <= limit:
        return text
    worth = _worth(asked, text, said_words)
    starts = {0} if opening else {0, *_openings(said_words)}
    best = max(
        ((start, end) for start in starts for end in _ends(said_words, start, limit)),
        key=lambda span: _value(span, worth, said_words),
    )
    start, end = best
    piece = " ".join(said_words[start:end])
    before = f"{ELLIPSIS} " if start else ""
    behind = f" {ELLIPSIS}" if end < len(said_words) else ""
    return f"{before}{piece}{behind}"


def _value(span: tuple[int, int], worth: Sequence[float], said_words: Sequence[str]) -> float:
    start, end = span
    opens = OPENS if start == 0 else 0.0
    ends = ENDS if end == len(said_words) or _BREAK.search(said_words[end - 1]) else 0.0
    return sum(worth[start:end]) + opens + ends - WORD_COST * (end - start)


def _openings(said_words: Sequence[str]) -> list[int]:
    """Return the words that a phrase begins with."""
    return [
        at
        for at in range(1, len(said_words))
        if _BREAK.search(said_words[at - 1]) or said_words[at].casefold() in _JOINS or at % 6 == 0
    ]


def _ends(said_words: Sequence[str], start: int, limit: int) -> list[int]:
    last = min(start + limit, len(said_words))
    return sorted({last, *(at for at in range(start + 4, last) if _BREAK.search(said_words[at - 1]))})


def _worth(asked: Asked, text: str, said_words: Sequence[str]) -> list[float]:
    """Return what each word of a text is worth to a question."""
    worth = [0.0] * len(said_words)
    total = asked.weight
    starts, at = [], 0
    for word in said_words:
        at = text.index(word, at)
        starts.append(at)
        at += len(word)
    seen: set[str] = set()
    for place, word in enumerate(said_words):
        own = stems(word)
        for each in asked.words:
            if each.stem in own or any(len(way) == 1 and way <= own for way in each.ways):
                worth[place] += each.rarity / total * (2.0 if each.stem not in seen else 0.5)
                seen.add(each.stem)
        if any(map(str.isdigit, word)):
            worth[place] += NUMBER
        if fold(word).strip(".,;:()") in _turning():
            worth[place] += TURNS
    for found in quantities(text):
        if asked.kinds & found.kinds or not asked.kinds:
            inside = [
                p for p, start in enumerate(starts) if start <= found.start < start + len(said_words[p])
            ]
            for place in inside[:1]:
                worth[place] += WANTED if asked.kinds else NUMBER
    return worth


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
def _turning() -> frozenset[str]:
    """Return the words that turn the meaning of a sentence: negations, limits, duties."""
    said_phrases = (*phrases("negations"), *phrases("limits"), *phrases("modals"))
    return frozenset(word for phrase in said_phrases for word in words(fold(phrase)) if len(word) > 1)
