"""What of a numbered sentence a statement may say: stretches of consecutive sentences of the code, in order.

Rules of this module: pure functions of text. An item of a list stands with all that introduces it; what leans
on the sentence before it, or takes some of it back, is not parted from it. The number of a clause
and the mark of an item may be left out where they are surely that: the number is the printed label
of this very place, the mark opens a line. A dash before a number is a minus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from appliance.answer.writing.compression import PLACE
from appliance.answer.writing.listed import announced, leans, paths, taken_back, whole_lists
from appliance.answer.writing.sentences import Sentence
from appliance.answer.writing.words import naming, words
from appliance.ingest.sentences import sentence_spans
from appliance.tabular import unit_pattern

NEAR = 2.0  # times as long as a statement, or as short: a stretch that is compared with it
CUT = "it leaves out what the quoted text says just before it or behind it"

_DASH = re.compile(r"\s*(?:[–—-]\s+(?=[^\W\d_]{3})|[•·]\s+)")
_LETTERED = re.compile(r"\s*\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})\)P?\s+")
_MARKED = (_DASH, _LETTERED, re.compile(r"\s*\d{1,2}\.\s+(?=[^\W\d_a-z])"))
_NUMBER = re.compile(r"\s*((?:[A-Z]{1,3}\.?)?\d+(?:\.\d+)*)\.?\s+(?=[^\W\d_a-z]|\()")
_LAST_WORD = re.compile(r"([^\W\d_][\w.]*)\.[\"”’)\]]*$")
_VOWEL = re.compile(r"[aeiouyäöüéèêàáíóú]", re.IGNORECASE)
_PLACE = re.compile(rf"\(?{PLACE}\)?")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Consecutive sentences of the code: as printed, and without numbers of clauses and marks of items.

    Of a row of a table the heads above it, and how many of its first cells tell it from others.
    """

    texts: tuple[str, ...]
    doubt: str
    heads: tuple[str, ...] = ()
    keys: int = 0


def stretches_of(sentence: Sentence, length: int) -> Iterator[Stretch]:
    """Yield what a statement of so many letters may say of a numbered sentence."""
    if len(sentence.held) > 1 and sentence.place.kind in {"table", "figure"}:
        yield Stretch((sentence.text,), sentence.doubt, sentence.held[:-1], sentence.keys)
        return
    units = _units("\n".join(sentence.held))
    over = paths(units)
    lists = whole_lists(units, over)
    bare = [_unmarked(unit, sentence) for unit in units]
    for first in range(len(units)):
        for last in range(first, len(units)):
            at = (*over[first], *range(first, last + 1))
            size = sum(len(units[n]) for n in at)
            if first < last and size > NEAR * length:
                break
            if first < last and size * NEAR < length:
                continue
            doubt = CUT if _parted(first, last, units, over, lists) else sentence.doubt
            whole, plain = ([kept[n] for n in at] for kept in (units, bare))
            texts = (" ".join(whole), " ".join(plain), " ".join((plain[0], *whole[1:])))
            yield Stretch(tuple(dict.fromkeys(texts)), doubt)


def without_names(text: str, sentence: Sentence) -> str:
    """Return a statement without the number of the place that it cites: it is no value.

    Only what is surely that: in square brackets, or behind a word such as "clause" at the beginning, at the
    end or in brackets. Terms and symbols are no names of places.
    """
    if sentence.place.kind == "definition":
        return text
    labels = {str(quote.label) for quote in sentence.quotes}
    labels |= {f"{quote.document} {quote.label}" for quote in sentence.quotes}
    for label in sorted(labels, key=len, reverse=True):
        kind, _, number = label.rpartition(" ")
        if not _PLACE.fullmatch(number):
            continue
        name = rf"(?i:{re.escape(kind)})\s+{re.escape(number)}" if kind else re.escape(number)
        named = rf"(?:(?i:{naming()})\s+){'?' if kind else ''}{name}"
        text = re.sub(
            rf"\[(?:{named}|{name})\]|\((?:{named})\)|^\s*(?:{named})\s*[:,]|\s*[,;]\s*(?:{named})(?=\s*\.?\s*$)",
            " ",
            text,
        )
    return text


def _units(text: str) -> list[str]:
    """Return the sentences of a text; what only seems to end at an abbreviation goes on."""
    found: list[str] = []
    for start, end in sentence_spans(text):
        if found and _goes_on(found[-1]):
            found[-1] += f" {text[start:end]}"
        else:
            found.append(text[start:end])
    return found


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


def _parted(
    first: int, last: int, units: Sequence[str], over: Sequence[tuple[int, ...]], lists: Sequence[range]
) -> bool:
    """Tell whether a stretch cuts apart what says one thing only together."""
    at = {*over[first], *range(first, last + 1)}
    return (
        bool(first and not over[first] and (leans(units[first]) or announced(units, first)))
        or taken_back(units, last)
        or any(path[-1:] == (last,) for path in over)
        or any(not at.isdisjoint(whole) and not at.issuperset(whole) for whole in lists)
    )


def _unmarked(text: str, sentence: Sentence) -> str:
    """Return a sentence without the number of its clause, its paragraph and its item."""
    number = _NUMBER.match(text)
    if number and any(_of_place(number[1], str(quote.label)) for quote in sentence.quotes):
        text = text[number.end() :]
    for pattern in _MARKED:
        if found := pattern.match(text):
            return text[found.end() :]
    return text


def _of_place(number: str, label: str) -> bool:
    """Tell whether a number before a sentence is that of its clause, one below it or one beside it."""
    own = label.rsplit(" ", maxsplit=1)[-1].split("(", maxsplit=1)[0]
    if number == own or number.startswith(f"{own}."):
        return True
    return "." in number and "." in own and number.rpartition(".")[0] == own.rpartition(".")[0]
