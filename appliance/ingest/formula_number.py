"""The number of a formula at the right edge of its line: "(5.1)", "(6.10a)", "(NA.1)", "(4.1O )".

Rules of this module: pure; a number in brackets is a formula's only behind a gap or alone in its
line; the same number at the end of running text is a reference to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from appliance.ingest.page import Line, Word

GAP = 1.4  # type sizes between a formula and its number
PIECES = 4  # words of which a number may be made in a poor text layer
LARGEST = 300  # a larger whole number in brackets is a year
_NUMBER = re.compile(
    r"[({\[](?P<number>(?:NA\.?)?(?:[A-Z]\.?)?[\dlIOoS]{1,3}(?:[.,-][\dlIOoS]{1,3})*(?P<part>[a-z]?))[)}\]]"
)
_DIGITS = str.maketrans("lIOoS,", "11005.")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A formula's number as printed, without brackets, and the words of the line before it."""

    number: str
    before: tuple[Word, ...]
    at: Word


def number_of(line: Line) -> Numbered | None:
    """Return the formula number that ends the line, None where there is none."""
    for size in range(1, min(PIECES, len(line.words)) + 1):
        tail = line.words[-size:]
        if tail[0].text[:1] not in "({[":
            continue
        match = _NUMBER.fullmatch("".join(word.text for word in tail))
        before = line.words[:-size]
        if match is None or (before and tail[0].x0 - before[-1].x1 < GAP * line.size):
            return None
        number = _clean(match["number"])
        if number is None:
            return None
        return Numbered(number, before, tail[0])
    return None


def _clean(printed: str) -> str | None:
    """Return the number with look-alike letters as digits, None where it is no number of a formula."""
    if not any(char.isdigit() for char in printed):
        return None
    head = re.match(r"(?:NA\.?)?(?:[A-HJ-NP-RT-Z]\.?)?", printed)
    start = head.end() if head else 0
    last = len(printed) - (printed[-1] in "abcdefghijkmn" and len(printed) > start + 1)
    number = printed[:start] + printed[start:last].translate(_DIGITS) + printed[last:]
    return None if number.isdecimal() and int(number) > LARGEST else number
