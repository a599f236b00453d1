"""Whether the words around a bare number speak of a place: "as in 1.2", "where 3.2 permits".

Rules of this module: pure; asked only of numbers that the document has as labels, such as a quantity
without a unit could have as well. A quantity counts what follows it ("in 1.2 steps") or follows a
word that measures ("a factor of 1.2"); a place stands before the end of its phrase, or does something.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from appliance.ingest.grammar.mention import Reading
from appliance.ingest.grammar.numbers import Element
from appliance.ingest.grammar.words import fold_word

BACK = 3  # words before a preposition that may tell of a quantity
SENTENCE = 160  # characters before a number in which a place beside it is looked for
_SENTENCE = re.compile(r"(?:^|[.;:!?]\s|[(\[])\s*$")
_PHRASE_END = re.compile(r"\s*(?:$|[.,;:!?)\]](?!\d)|[A-Z(\[])")
_ENDS_AS_PLACE = re.compile(r"(?:[\d)\]][A-Za-z]?|\b[A-Z])\s*,?\s*$")
_SENTENCES = re.compile(r"[.!?]\s+(?=[A-Z])")
_IN_LIST = re.compile(r"\d(?:,\s|,?\s[^\W\d]+\s)$")  # the list before was no list of places
_PHRASE = re.compile(r"[.,;:]\s")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def stands_as_place(reading: Reading, before: str, elements: Sequence[Element]) -> bool:
    """Tell whether numbers that are labels of the document stand as the names of these places."""
    at, end = elements[0].start, elements[-1].end
    if _does(reading, before, end) or (len(elements) > 1 and _in_brackets(reading, before, end)):
        return True
    if not stands_alone(reading, end) or _is_measured(reading, elements[0].end):
        return False
    return _follows_placing(reading, before) or _follows_weak(reading, before, at)


def stands_alone(reading: Reading, end: int) -> bool:
    """Tell whether nothing that is counted follows a number: its phrase ends there."""
    return bool(_PHRASE_END.match(reading.text, end) or reading.words.following.match(reading.text, end))


def _in_brackets(reading: Reading, before: str, end: int) -> bool:
    """Tell whether brackets hold the list and nothing else: "(1.2, 1.4)"."""
    return before[-1:] in ("(", "[") and reading.text[end : end + 1] in (")", "]")


def _does(reading: Reading, before: str, end: int) -> bool:
    """Tell whether the number is said to do what provisions do: "4.1 applies", "except where 3.2 permits"."""
    opens = _SENTENCE.search(before) or reading.words.opening.search(before) or before.endswith(", ")
    if not opens or _IN_LIST.search(before):
        return False
    return bool(reading.words.doing.match(reading.text, end))


def _is_measured(reading: Reading, end: int) -> bool:
    """Tell whether the list that a number begins ends in a quantity: "of 1.2, 1.5 and 1.8 m"."""
    words, text = reading.words, reading.text
    while joined := words.joins.match(text, end) or words.ranges.match(text, end):
        number = _NUMBER.match(text, joined.end())
        if not number:
            return False
        end = number.end()
        if words.units.match(text, end):
            return True
    return False


def _goes_on(reading: Reading, at: int) -> bool:
    """Tell whether a place named in the sentence is beside this one: "paragraph 3.28 for X or 3.29 for Y"."""
    sentence = _SENTENCES.split(reading.text[max(0, at - SENTENCE) : at])[-1]
    own = reading.text[at:].partition(".")[0]
    for match in re.finditer(rf"(?P<word>[^\W\d]+)\s+{re.escape(own)}\.\d", sentence):
        named = reading.words.names.get(fold_word(match["word"]))
        if named and named.kind == "clause":
            return True
    return False


def _follows_placing(reading: Reading, before: str) -> bool:
    """Tell whether a word such as "in" stands before it, and no number or change: "1 in 2.5"."""
    placing = reading.words.placing.search(before)
    last = re.findall(r"[\w’'-]+", before[: placing.start()].casefold())[-1:] if placing else []
    return bool(placing) and not any(word.isdigit() or word in reading.words.changes for word in last)


def _follows_weak(reading: Reading, before: str, at: int) -> bool:
    """Tell whether a preposition stands before it and no word that measures before that."""
    weak = reading.words.weak.search(before)
    if not weak:
        return False
    ahead = before[: weak.start()]
    joins = reading.words.joins.fullmatch(before[weak.start() :])
    if joins and not (_ENDS_AS_PLACE.search(ahead) or _goes_on(reading, at)):
        return False  # "1.5 above the floor and 2.2 below it"
    words = re.findall(r"[\w’'-]+", _PHRASE.split(ahead.casefold())[-1])[-BACK:]
    return not any(word in reading.words.quantities or word.isdigit() for word in words)
