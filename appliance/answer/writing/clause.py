"""The sentences of a place of a code, and which of them are not told without which others.

Rules of this module: pure functions of text. What stands around a quotation counts as much as what is quoted:
the introduction of a list may be in the part before, an exception in the part behind. A heading is a sentence
of its own that nothing needs. In doubt a sentence is tied to its neighbour.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from appliance.answer.verify import phrases
from appliance.answer.writing.listed import (
    ENDED,
    MARK,
    announcers,
    leans,
    opens,
    paths,
    starts_paragraph,
    taking_back,
    whole_lists,
)
from appliance.answer.writing.words import light, words
from appliance.ingest.sentences import sentence_spans
from appliance.numbers import COUNTED, MARKED
from appliance.tabular import flat, unit_pattern

Span = tuple[int, int]

KEPT = 512  # clauses remembered: each is looked at for every statement about it
HEADING = 14  # words of a heading at most

_LAST_WORD = re.compile(r"([^\W\d_][\w.]*)\.[\"”’)\]]*$")
_VOWEL = re.compile(r"[aeiouyäöüéèêàáíóú]", re.IGNORECASE)
_CUTS = re.compile(
    rf"\n(?=\s*\({COUNTED}[a-z]?\){MARKED}\s)"
    r"|\n(?=\s*\d{1,2}[.)]\s+\S)|(?<=[;:])\s+(?=\(?\d{1,2}[.)]\s+[A-Z])"
)
_HEADED = re.compile(r"[ \t]*(?:[A-Z]{1,3}\.)?\d+(?:\.\d+)+\.?[ \t]+[^\W\d_a-z][^\n]*(?=\n)")
_NUMBERED = re.compile(r"\s*(?:[A-Z]{1,3}\.?)?\d+(?:\.\d+)*\.?\s+[^\W\d_a-z]")


@dataclass(frozen=True, slots=True)
class Clause:
    """Sentences in order, which are quoted; what introduces each, and what each is not told without."""

    units: tuple[str, ...]
    spans: tuple[Span, ...]
    own: tuple[bool, ...]
    over: tuple[tuple[int, ...], ...]
    ties: tuple[frozenset[int], ...]
    heads: frozenset[int]

    def whole(self, at: Collection[int]) -> frozenset[int]:
        """Return these sentences with all that they are not told without."""
        found, left = set(at), list(at)
        while left:
            new = self.ties[left.pop()] - found
            found |= new
            left += new
        return frozenset(found)

    def dangling(self, last: int) -> int:
        """Return the last sentence of the list that a sentence introduces, itself where none."""
        return max((n for n, path in enumerate(self.over) if last in path), default=last)


@lru_cache(KEPT)
def clause_of(text: str, quoted: tuple[str, ...], above: tuple[str, ...] = ()) -> Clause:
    """Return the sentences of a text around what is quoted of it, one after the other; `above` are headings.

    What is not found in the text stands alone.
    """
    spans = _found(text, quoted)
    if spans is None:
        text = "\n".join(quoted)
        spans = [(0, len(text))]
    edges = sorted({0, len(text), *(edge for span in spans for edge in span)})
    cut = [span for first, last in pairwise(edges) for span in unit_spans(text, first, last)]
    units = tuple(text[slice(*span)] for span in cut)
    heads = {at for at, unit in enumerate(units) if is_heading(unit, above)}
    over = paths(units, heads)
    own = tuple(any(start <= first and last <= end for start, end in spans) for first, last in cut)
    ties = tuple(_ties(units, over, heads))
    return Clause(units, tuple(cut), own, tuple(over), ties, frozenset(heads))


def is_heading(text: str, above: Collection[str] = ()) -> bool:
    """Tell whether a text is a heading: a known one, or a number with a few words that are no sentence."""
    said = flat(text)
    if said in above:
        return True
    if not _NUMBERED.match(text) or ENDED.search(text) or opens(text) or text.rstrip().endswith((",", ";")):
        return False
    own = said.split()
    return len(own) <= HEADING and not {word.casefold() for word in own} & _said()


def unit_spans(text: str, first: int, last: int) -> list[Span]:
    """Return the spans of the sentences between two characters: headings and numbered items are their own.

    What only seems to end at an abbreviation goes on.
    """
    cuts = [match.end() for match in _CUTS.finditer(text, first, last)]
    return [span for edges in pairwise([first, *cuts, last]) for span in _sentences(text, *edges)]


def _sentences(text: str, first: int, last: int) -> Iterator[Span]:
    """Yield the spans of the sentences of a stretch, the headings before one each by itself."""
    spans: list[Span] = []
    for start, end in sentence_spans(text[first:last]):
        own = (first + start, first + end)
        if spans and _goes_on(text[slice(*spans[-1])]):
            own = (spans.pop()[0], own[1])
        while (head := _HEADED.match(text, *own)) and is_heading(head.group()):
            spans.append((own[0], head.end()))
            own = (head.end() + 1, own[1])
        spans.append(own)
    for start, end in spans:
        inner = text[start:end]
        yield start + len(inner) - len(inner.lstrip()), end


def _found(text: str, quoted: Sequence[str]) -> list[Span] | None:
    """Return where quotations stand in a text, one behind the other."""
    spans: list[Span] = []
    for part in quoted:
        at = text.find(part, spans[-1][1] if spans else 0)
        if at < 0 or not part:
            return None
        spans.append((at, at + len(part)))
    return spans


def _ties(
    units: Sequence[str], over: Sequence[tuple[int, ...]], heads: Collection[int]
) -> list[frozenset[int]]:
    """Return for each sentence what it is not told without."""
    ties = [set(path) for path in over]
    for whole in whole_lists(units, over):
        for at in whole:
            ties[at] |= set(whole)
    last_item = {n: at for at, path in enumerate(over) for n in path}
    for at in range(len(units)):
        if at in heads:
            continue
        before = at - 1 if at and at - 1 not in heads else None
        if before is not None and (_runs_on(units[before], units[at]) or (leans(units[at]) and not over[at])):
            ties[at].add(before)
            ties[before] |= {at} if _runs_on(units[before], units[at]) else set()
        if not over[at]:
            ties[at] |= announcers(units, at)
        for end in taking_back(units, at):
            ties[at] |= set(range(at, last_item.get(end, end) + 1))
    return [frozenset(found) for found in ties]


def _runs_on(text: str, behind: str) -> bool:
    """Tell whether a sentence without an end goes on in what follows: an item of a list is no such thing."""
    if ENDED.search(text) or opens(text) or text.rstrip().endswith(";") or MARK.match(text):
        return False
    return MARK.match(behind) is None or starts_paragraph(behind)


def _goes_on(text: str) -> bool:
    """Tell whether a full stop is that of an abbreviation: a listed one, or no unit and without a vowel."""
    last = _LAST_WORD.search(text)
    if last is None:
        return False
    word = last[1].casefold()
    voiced = _VOWEL.search(word) or len(word) == 1 or last[1].isupper() or unit_pattern().fullmatch(last[1])
    return word in _abbreviated() or not voiced


@cache
def _abbreviated() -> frozenset[str]:
    return frozenset(words()["abbreviated"])


@cache
def _said() -> frozenset[str]:
    """Return words that a heading has none of: with them it says something, or introduces what follows."""
    modals = {word for phrase in phrases("modals") for word in phrase.split()}
    return frozenset((modals | light() | set(words()["unheaded"])) - {"a", "an", "the"})
