"""The number of a formula at the right edge of its line: "(5.1)", "(6.10a)", "3.2(1)"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from appliance.ingest.page import Line, Word
from appliance.text.folding import formula_numbers
from appliance.text.numbers import COUNTED

GAP = 1.4  # type sizes between a formula and its number
PIECES = 4  # words of which a number may be made
LARGEST = 300  # a larger whole number in brackets is a year
_FIGURE = rf"[\d{''.join(map(chr, formula_numbers())).replace(',', '')}]"
LETTERED = r"(?:\.?[a-z])?N?"  # how a number ends; N is decided by each nation: "9.1N", "6.2.a", "6.10.aN"
_NUMBER = re.compile(
    rf"[({{\[](?P<number>(?:NA\.?)?(?:[A-Z]\.?)?{_FIGURE}{{1,3}}(?:[.,-]{_FIGURE}{{1,3}})*{LETTERED})[)}}\]]"
)
_ENDING = re.compile(r"(?:(?<=\w)[a-kmn]|\.[a-kmn]|(?:\.?[a-z])?N)$")
_CLAUSED = re.compile(rf"(?:[A-Z]\.?)?\d{{1,2}}(?:\.\d{{1,2}})*\({COUNTED}\)")  # formula 1 of clause 3.2
_LEADER = re.compile(r"…+|\.{2,}")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A formula's number as printed, without brackets, and the words of the line before it."""

    number: str
    before: tuple[Word, ...]


def number_of(line: Line, words: Sequence[str] = ()) -> Numbered | None:
    """Return the formula number that ends the line.

    `words` are those that may stand with it in its brackets: "(Equation 16-1)".
    """
    named = tuple(f"({word}" for word in words)
    pieces = line.words
    if pieces and _CLAUSED.fullmatch(pieces[-1].text):  # leaders or a gap part it from the formula
        before, last = pieces[:-1], pieces[-1]
        led = bool(before) and _LEADER.fullmatch(before[-1].text) is not None
        if led or not before or last.x0 - before[-1].x1 >= GAP * line.size:
            return Numbered(last.text, before[:-1] if led else before)
    for size in range(1, min(PIECES, len(pieces)) + 1):
        before, tail = pieces[:-size], pieces[-size:]
        if tail[0].text[:1] not in "({[":
            continue
        printed = "".join(word.text for word in tail)
        opened = next((name for name in named if printed.startswith(name)), "(")
        match = _NUMBER.fullmatch("(" + printed.removeprefix(opened) if opened != "(" else printed)
        number = _clean(match["number"]) if match else None
        if number is None or (before and tail[0].x0 - before[-1].x1 < GAP * line.size):
            return None
        return Numbered(number, before)
    return None


def _clean(printed: str) -> str | None:
    """Return the number with look-alike letters as digits, None where it is no number of a formula."""
    if not any(char.isdigit() for char in printed) or (printed[-1] == "N" and "." not in printed):
        return None  # "(10N)" is a force
    head = re.match(r"(?:NA\.?)?(?:[A-HJ-NP-RT-Z]\.?)?", printed)
    start = head.end() if head else 0
    ending = _ENDING.search(printed)
    last = ending.start() if ending and ending.start() > start else len(printed)
    number = printed[:start] + printed[start:last].translate(formula_numbers()) + printed[last:]
    return None if number.isdecimal() and int(number) > LARGEST else number
