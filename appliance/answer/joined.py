"""What a quotation may not be said without: the rest of a list, the words that introduce it.

Rules of this module: pure. The lines of a place are its paragraphs and items. A line that ends in ";" or
"and" is joined to the next, one that ends in ":" introduces what follows, and an item keeps the words that
introduce its list. A line with the number of a clause begins another matter, unless it is joined. What would
then be longer than MOST words is kept as far as whole lines go. Joining words: data/answer/columns.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from appliance.core.files import shipped
from appliance.text.numbers import MARKED
from appliance.text.sentences import mark_of

MOST = 260  # words of a list that is quoted whole
SHORT = 12  # words of a line that may be one of several introduced without marks ("γ = 1.35")

Span = tuple[int, int]  # characters [start, end) of a text

_LINE = re.compile(r"[^\n]*\S[^\n]*")
_NUMBERED = re.compile(rf"(?:[A-Z]{{0,2}}\d+(?:\.\d+)+[a-z]?|\(\d+\){MARKED})\s")
_LEADS = re.compile(r"[:—–]\s*$")
_ENDS = re.compile(r"[.!?][\"”’)\]]*\s*$")


def whole(text: str, span: Span) -> Span:
    """Return a span of a text with what it may not be said without, as far as there is room."""
    lines = [found.span() for found in _LINE.finditer(text)]
    held = [at for at, (start, end) in enumerate(lines) if start < span[1] and end > span[0]]
    if not held:
        return span
    said = [text[slice(*line)].strip() for line in lines]
    first, last = held[0], held[-1]
    cut_before = bool(text[lines[first][0] : span[0]].strip())
    cut_behind = bool(text[span[1] : lines[last][1]].strip())
    top = first if cut_before else _first(said, first)
    bottom = last if cut_behind else _last(said, top, last)
    for opening, closing in (
        (top, bottom),
        (first, bottom),
        *((first, at) for at in range(bottom, last, -1)),
    ):
        found = span if opening == first else (lines[opening][0], span[1])
        found = found if closing == last else (found[0], lines[closing][1])
        if len(text[slice(*found)].split()) <= MOST:
            return found
    return span


def is_open(text: str) -> bool:
    """Tell whether a text ends where it is not at its end: in a lead-in, or joined to what follows."""
    line = text.rstrip().rpartition("\n")[2]
    return bool(line) and (_joins(line) or _leads(line))


def begins_inside(text: str) -> bool:
    """Tell whether a text begins with an item of a list."""
    return bool(_kind(text.lstrip()))


def _first(said: Sequence[str], at: int) -> int:
    """Return the line that introduces a list, for one of its items; that line itself where none does."""
    top = at
    while top and _hangs(said[top - 1], said[top]):
        top -= 1
    while top < at and not (_leads(said[top]) or _joins(said[top])):
        top += 1
    return top


def _hangs(before: str, line: str) -> bool:
    """Tell whether a line is an item of the list that the line before it belongs to."""
    if _joins(before):
        return True
    kind = _kind(line)
    return not _NUMBERED.match(line) and (_leads(before) or (bool(kind) and _kind(before) == kind))


def _last(said: Sequence[str], top: int, at: int) -> int:
    """Return the last line that those from the first to the last quoted are joined to."""
    kinds = {_kind(line) for line in said[top + 1 : at + 1]} if _leads(said[top]) else set[str]()
    kinds -= {"", _kind(said[top])}
    listed = False  # lines without marks that are introduced
    while at + 1 < len(said):
        line, following = said[at], said[at + 1]
        listed = _leads(line) or (listed and _is_bare(line))
        kind = _kind(following)
        fresh = _NUMBERED.match(following) and not _joins(line)
        if fresh or not (_joins(line) or _leads(line) or kind in kinds or (listed and not kind)):
            return at
        kinds |= {kind} - {""} if _leads(line) else set()
        at += 1
    return at


def _is_bare(line: str) -> bool:
    """Tell whether a line is neither an item nor a sentence: a formula, a value."""
    return not _kind(line) and len(line.split()) <= SHORT and not _ENDS.search(line)


def _kind(line: str) -> str:
    """Return how an item of a list begins, "" for a line that is none; "(2)" begins a paragraph."""
    mark = mark_of(line)
    return "" if mark is None or mark.kind == "bracketed" else mark.kind


def _leads(line: str) -> bool:
    return _LEADS.search(line) is not None


def _joins(line: str) -> bool:
    return _joining().search(line) is not None


@cache
def _joining() -> re.Pattern[str]:
    words = "|".join(word for word in shipped("answer/columns")["joining"] if word.isalpha())
    return re.compile(rf"(?:[;,]|(?<!\w)(?:{words}))\s*$")
