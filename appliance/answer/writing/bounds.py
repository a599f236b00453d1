"""The numbers of a sentence: how each is bounded, and which of several the words beside it belong to.

Rules of this module: pure; no grammar, only what stands nearest. Where two numbers of one unit stand in a
sentence and the words do not tell them apart, nothing is said to belong to either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.answer.verify import particulars
from appliance.answer.writing.words import behind, bounds, content
from appliance.quantity import unit_behind
from appliance.store.words import fold

_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:[.,]\d+)*(?:[:/]\d+)?")


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text in a normal form, its unit, its bound (">=", "<=" or ""), and where it stands.

    `at` is its position among the words that tell what the text is about and its numbers.
    """

    value: str
    unit: str
    bound: str
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
    words: list[tuple[str, int]] = []
    end = at = 0
    for number, match in enumerate(found):
        for word in content(text[end : match.start()]):
            words.append((word, at))
            at += 1
        after = found[number + 1].start() if number + 1 < len(found) else len(text)
        bound = _bound(text[end : match.start()], text[match.end() : after])
        numbers.append(Number(_normal(match.group()), unit_behind(text, match.end()), bound, at))
        at, end = at + 1, match.end()
    words += [(word, at + more) for more, word in enumerate(content(text[end:]))]
    pattern, named = bounds()
    return Counted(
        tuple(numbers), tuple(words), frozenset(named[_one(m)] for m in pattern.finditer(fold(text)))
    )


def misplaced(written: Counted, held: Counted) -> str:
    """Return how the held sentence gives a number of the written one otherwise, "" where it does not."""
    for number in written.numbers:
        same = [other for other in held.numbers if other.value == number.value]
        if not same:
            continue  # that it is not there at all is found elsewhere
        if not any(_same_bound(number, other, held) for other in same):
            return f"the quoted sentence bounds {number.value} otherwise"
        if not any(_belongs(written, other, held) for other in same):
            return f"in the quoted sentence {number.value} may belong to something else"
    return ""


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
