"""The numbers of a sentence: how each is bounded, and which of several the words beside it belong to.

Rules of this module: pure; no grammar, only what stands nearest. Where two numbers of one unit stand in a
sentence and the words do not tell them apart, nothing is said to belong to either.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from appliance.answer.verify import particulars
from appliance.answer.writing.words import behind, bounds, content, naming
from appliance.quantity import unit_behind
from appliance.store.words import fold

GAP = 2  # positions between the parts of a sentence
_APART = re.compile(r"[;,|]|\b(?:and|or|but|while)\b")
_REACH = 24  # characters before a number that may name it
_CAPITALS = re.compile(r"\b[A-Z]{2,}[\s-]*(?:\d+-)?$")  # of a designation: "EN 1990"
_PARAGRAPH = re.compile(r"\(\d{1,2}\)")  # "4.3(1)"
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:[.,]\d+)*(?:[:/]\d+)?")


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text in a normal form, its unit, its bound (">=", "<=" or ""), and where it stands.

    `named` tells that it is the number of a place ("Table 4.1", "4.3(1)", "EN 1990"), no value. `at` is its
    position among the words that tell what the text is about and its numbers.
    """

    value: str
    unit: str
    bound: str
    named: bool
    at: int


@dataclass(frozen=True, slots=True)
class Counted:
    """A text as its numbers and the words around them; `words` are pairs of a word and its position."""

    numbers: tuple[Number, ...]
    words: tuple[tuple[str, int], ...]
    bounds: frozenset[str]


def counted(text: str) -> Counted:
    """Return the numbers of a text with their bounds, and the words around them."""
    found = list(_NUMBER.finditer(text))
    numbers: list[Number] = []
    around: list[tuple[str, int]] = []
    end = at = 0
    for match, following in zip_longest(found, found[1:]):
        between = text[end : match.start()]
        at = _place(between, at, around)
        after = text[match.end() : following.start() if following else len(text)]
        unit = unit_behind(text, match.end())
        named = not unit and _is_named(text, match)
        numbers.append(Number(_normal(match.group()), unit, _bound(between, after), named, at))
        at, end = at + 1, match.end()
    _place(text[end:], at, around)
    pattern, kinds = bounds()
    bounding = frozenset(kinds[_one(match)] for match in pattern.finditer(fold(text)))
    return Counted(tuple(numbers), tuple(around), bounding)


def _place(text: str, at: int, around: list[tuple[str, int]]) -> int:
    """Add the words of a text with their positions; what separates parts of a sentence keeps them apart."""
    parts = _APART.split(text)
    for number, part in enumerate(parts):
        for word in content(part):
            around.append((word, at))
            at += 1
        at += GAP * (number + 1 < len(parts))
    return at


def misplaced(written: Counted, held: Counted) -> str:
    """Return how the held sentence gives a number of the written one otherwise, "" where it does not."""
    for number in written.numbers:
        same = [other for other in held.numbers if other.value == number.value]
        if not same:
            continue  # that it is not there at all is found elsewhere
        same = [other for other in same if other.named == number.named]
        if not same:
            return f"in the quoted sentence {number.value} is the number of a place"
        if number.named:
            continue
        same = [other for other in same if _plain(other.unit) == _plain(number.unit)]
        if not same:
            return f"the quoted sentence gives {number.value} another unit"
        if not any(_same_bound(number, other, held) for other in same):
            return f"the quoted sentence bounds {number.value} otherwise"
        if not any(_belongs(written, other, held) for other in same):
            return f"in the quoted sentence {number.value} may belong to something else"
    return ""


def _plain(unit: str) -> str:
    return "".join(unicodedata.normalize("NFKC", unit).split()).casefold()


def _same_bound(written: Number, held: Number, text: Counted) -> bool:
    """Tell whether both are bounded alike; one bound of a header or an introduction holds for all numbers."""
    if held.bound:
        return written.bound == held.bound
    return not written.bound or text.bounds == {written.bound}


def _belongs(written: Counted, number: Number, held: Counted) -> bool:
    """Tell whether the words of a written sentence belong to this number and not to another of its unit."""
    said = {other.value for other in written.numbers}
    rivals = [other for other in held.numbers if other.unit == number.unit and other.value not in said]
    if not rivals:
        return True
    used = {word for word, _ in written.words}
    head = {word for word, at in held.words if at < held.numbers[0].at}
    nearest = [
        _nearest(at, (number, *rivals)) for word, at in held.words if word in used and word not in head
    ]
    own = [at for word, at in held.words if word in used]
    return any(_nearest(at, (number, *rivals)) is number for at in own) and all(
        one is number or one is None for one in nearest
    )


def _nearest(at: int, numbers: Sequence[Number]) -> Number | None:
    """Return the number that stands nearest to a position, None where two do."""
    ordered = sorted(numbers, key=lambda number: abs(number.at - at))
    first, second = ordered[:2]
    return first if abs(first.at - at) < abs(second.at - at) else None


def _is_named(text: str, number: re.Match[str]) -> bool:
    """Tell whether a number names a place or a document by what stands just before and behind it."""
    before = text[max(0, number.start() - _REACH) : number.start()]
    return bool(
        re.search(rf"(?:{naming()})\s*\(?$", fold(before))
        or _CAPITALS.search(before)
        or _PARAGRAPH.match(text, number.end())
    )


def _bound(before: str, after: str) -> str:
    """Return how a number is bounded by what stands between it and its neighbours."""
    pattern, named = bounds()
    ahead = [_one(match) for match in pattern.finditer(fold(before))]
    ahead = [phrase for phrase in ahead if not phrase.startswith("or ")]
    if ahead:
        return named[ahead[-1]]
    found = next((_one(match) for match in pattern.finditer(fold(after)[:40])), "")
    return named[found] if found in behind() else ""


def _one(match: re.Match[str]) -> str:
    return " ".join(match.group().split())


def _normal(number: str) -> str:
    return next(iter(_numbers(particulars(number))), number)


def _numbers(found: Iterable[str]) -> Iterable[str]:
    return (item for item in found if item.lstrip("-")[:1].isdigit())
