"""What of a numbered sentence a statement may say: stretches of consecutive sentences of the code, in order.

Rules of this module: pure functions of text. An item of a list stands with all that introduces it; what leans
on the sentence before it, or takes some of it back, is not parted from it (`clause.py`), whether it is quoted
or stands beside what is. The number of a clause and the mark of an item may be left out where they are surely
that: the number is the printed label of this very place, the mark opens a line. So may a heading.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from appliance.answer.writing.clause import Clause, clause_of
from appliance.answer.writing.compression import PLACE
from appliance.answer.writing.sentences import Sentence
from appliance.answer.writing.words import naming
from appliance.numbers import MARKED, PARAGRAPH
from appliance.tabular import flat

NEAR = 2.0  # times as long as a statement, or as short: a stretch that is compared with it
CUT = "it leaves out what the quoted text says just before it or behind it"

_DASH = re.compile(r"\s*(?:[–—-]\s+(?=[^\W\d_]{3})|[•·]\s+)")
_LETTERED = re.compile(rf"\s*(?:\(?(?:[a-z]|[ivx]{{1,4}}|\d{{1,2}})\){MARKED}|{PARAGRAPH})\s+")
_MARKED = (_DASH, _LETTERED, re.compile(r"\s*\d{1,2}\.\s+(?=[^\W\d_a-z])"))
_NUMBER = re.compile(r"\s*((?:[A-Z]{1,3}\.?)?\d+(?:\.\d+)*)\.?\s+(?=[^\W\d_a-z]|\()")
_COLON = re.compile(r"\s*:\s*$")
_PLAIN_END = re.compile(r"[^.!?:;,…]\s*$")
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
    clause = _clause(sentence)
    units, over = clause.units, clause.over
    bare = [_unmarked(unit, sentence) for unit in units]
    for first in (n for n, own in enumerate(clause.own) if own):
        for last in range(first, len(units)):
            at = (*over[first], *range(first, last + 1))
            size = sum(len(units[n]) for n in at)
            if not clause.own[last] or (first < last and size > NEAR * length):
                break
            if first < last and size * NEAR < length:
                continue
            doubt = CUT if _parted(clause, at) else sentence.doubt
            whole, plain = ([kept[n] for n in at] for kept in (units, bare))
            yield Stretch(tuple(_told(whole, plain, len(over[first]))), doubt)


def _clause(sentence: Sentence) -> Clause:
    return clause_of(sentence.place.text, sentence.held, tuple(map(flat, sentence.above)))


def _told(whole: Sequence[str], plain: Sequence[str], introductions: int) -> dict[str, None]:
    """Return the ways in which sentences may be told; introductions, which come first, without their colons.

    Where a mark or a number is left out, what ends without a mark is parted from what follows.
    """
    joined = " ".join(f"{text};" if _PLAIN_END.search(text) else text for text in plain[:-1])
    open_ended = [_COLON.sub("", text) for text in plain[:introductions]]
    texts = (
        " ".join(whole),
        f"{joined} {plain[-1]}",
        " ".join((plain[0], *whole[1:])),
        " ".join((*plain[:introductions], *whole[introductions:])),
        " ".join((*open_ended, *plain[introductions:])) if len(plain) == introductions + 1 else "",
    )
    return dict.fromkeys(filter(None, texts))


def stands_whole(sentence: Sentence) -> bool:
    """Tell whether a numbered sentence is told without nothing that stands beside it."""
    if sentence.place.kind in {"table", "figure"}:
        return True
    clause = _clause(sentence)
    return not _parted(clause, [at for at, own in enumerate(clause.own) if own])


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


def _parted(clause: Clause, at: Collection[int]) -> bool:
    """Tell whether a stretch cuts apart what says one thing only together, or tells what is not quoted."""
    return not (clause.whole(at) <= set(at) and all(clause.own[n] for n in at)) or (
        clause.dangling(max(at)) != max(at)
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
