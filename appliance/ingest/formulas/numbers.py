"""The number of a formula at the right edge of its line: "(5.1)", "(6.10a)", "3.2(1)"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from appliance.core.mechanisms import mechanism
from appliance.ingest.page import Line, Word
from appliance.text.folding import annex_letters, formula_figures, formula_numbers, language_words
from appliance.text.numbers import COUNTED

GAP = 1.4  # type sizes between a formula and its number
SIDE = 8  # words of the left side of an equation, at most
PIECES = 4  # words of which a number may be made in a poor text layer
LARGEST = 300  # a larger whole number in brackets is a year
_FIGURE = rf"[\d{''.join(map(chr, formula_numbers())).replace(',', '')}]"
_LOOSE = rf"[\d{''.join(map(chr, formula_figures()))}]"
LETTERED = r"(?:\.?[a-z])?N?"  # how a number ends; N is decided by each nation: "9.1N", "6.2.a", "6.10.aN"
_NUMBER = re.compile(
    rf"[({{\[](?P<number>(?:NA\.?)?(?:[A-Z]\.?)?{_FIGURE}{{1,3}}(?:[.,-]{_FIGURE}{{1,3}})*{LETTERED})[)}}\]]"
)
_NOISY = re.compile(
    rf"[({{\[](?P<number>(?:[A-Z]A|[A-Z]\.?{_LOOSE}{{1,2}}|\d{{1,2}}\.{_LOOSE}{{1,2}}){LETTERED})[)}}\]]"
)
_ENDING = re.compile(r"(?:(?<=\w)[a-kmn]|\.[a-kmn]|(?:\.?[a-z])?N)$")
_CLAUSED = re.compile(rf"(?:[A-Z]\.?)?\d{{1,2}}(?:\.\d{{1,2}})*\({COUNTED}\)")  # formula 1 of clause 3.2
_LEADER = re.compile(r"…+|\.{2,}")
_RELATION = re.compile(r"[=<>≤≥≈]")
_PARTED = re.compile(r"\((?:[A-Z]{1,2}\.?\d{1,3}|\d{1,3}(?=[.-]))(?:[.-]\d{1,3})*" + LETTERED + r"\)")
_SYMBOL = re.compile(r"[^\W\d_]")
_SPOKEN = re.compile(r"[^\W\d_]{4,}")
_TAG = re.compile(r"[@<>\[\]|~{}]\S{0,3}|\S{1,3}[@\]\[<>~|{}]")  # of an amendment, as scans have it


@dataclass(frozen=True, slots=True)
class Numbered:
    """A formula's number as printed, without brackets, and the words of the line before it."""

    number: str
    before: tuple[Word, ...]
    at: Word


def number_of(line: Line, *, noisy: bool = False, words: Sequence[str] = ()) -> Numbered | None:
    """Return the formula number that ends the line; `noisy`: as a poor text layer may have it.

    `words` are those that may stand with it in its brackets: "(Equation 16-1)".
    """
    named = tuple(f"({word}" for word in words)
    pieces = line.words
    if led := _led(line):
        return led
    while (
        noisy
        and len(pieces) > 1
        and _TAG.fullmatch(pieces[-1].text)
        and not _NUMBER.fullmatch(pieces[-1].text)
    ):
        pieces = pieces[:-1]
    for size in range(1, min(PIECES, len(pieces)) + 1):
        tail = pieces[-size:]
        if tail[0].text[:1] not in "({[":
            continue
        before = pieces[:-size]
        printed = "".join(word.text for word in tail)
        opened = next((name for name in named if printed.startswith(name)), "(")
        number = _read("(" + printed.removeprefix(opened) if opened != "(" else printed, noisy=noisy)
        if number is None or (before and tail[0].x0 - before[-1].x1 < GAP * line.size):
            return None
        return Numbered(number, before, tail[0])
    return None


def number_behind(
    line: Line, leading: Sequence[re.Pattern[str]] = (), limit: re.Pattern[str] | None = None
) -> Numbered | None:
    """Return the number that stands right behind an equation, in a line without words: "a = b + c (3.15)".

    Some prints set it so, far from the right edge. Behind one of the words that lead to a place ("see") it is
    a reference; the words of a `limit` belong to the equation: "a = b but not less than c (9.1)".
    """
    if not line.words or not _PARTED.fullmatch(line.words[-1].text):
        return None
    before = line.text.removesuffix(line.words[-1].text)
    silent = limit.sub(" ", before) if limit else before
    spoken = [word for word in _SPOKEN.findall(silent) if word in language_words()]
    if spoken or len(_RELATION.split(before, maxsplit=1)[0].split()) not in range(1, SIDE):
        return None
    if not _RELATION.search(before) or any(words.search(before) for words in leading):
        return None
    if not _SYMBOL.search(_RELATION.split(before)[-1]):  # "Gk = 1.4 (0.9)": another value
        return None
    number = _read(line.words[-1].text, noisy=False)
    return Numbered(number, line.words[:-1], line.words[-1]) if number else None


def _led(line: Line) -> Numbered | None:
    """Return a number such as "3.2(1)", which leaders or a gap part from the formula."""
    last = line.words[-1] if line.words else None
    if last is None or not _CLAUSED.fullmatch(last.text):
        return None
    before = line.words[:-1]
    led = bool(before) and _LEADER.fullmatch(before[-1].text) is not None
    if not led and before and last.x0 - before[-1].x1 < GAP * line.size:
        return None
    return Numbered(last.text, before[:-1] if led else before, last)


@mechanism(
    "formulas.sequence",
    "Misread numbers of formulas are put right by their order.",
    without=lambda numbers, _printed: list(numbers),
)
def in_sequence(numbers: Sequence[str], printed: Sequence[str]) -> list[str]:
    """Return the numbers of a poor text layer as their order asks.

    Behind the annexes no chapter is a figure ("8.20" after "B.19" is B.20); a number read from
    letters takes the place that its neighbours leave ("(C.l)" between C.6 and C.8 is C.7).
    """
    done = list(numbers)
    for at, number in enumerate(done):
        head, dot, tail = number.partition(".")
        letter = annex_letters().get(head, "")
        before = done[at - 1][:1] if at else ""
        if dot and letter and (head == "0" or (before.isalpha() and before <= letter)):
            done[at] = letter + dot + tail
    for at in range(1, len(done) - 1):
        left, here, right = (_place(done[place]) for place in (at - 1, at, at + 1))
        fits = left and right and left[0] == right[0] and left[1] + 2 == right[1]
        if (
            fits
            and left
            and here
            and here != (left[0], left[1] + 1)
            and not printed[at].strip("()[]{} ")[1:].strip(".").isdigit()
        ):
            done[at] = f"{left[0]}.{left[1] + 1}"
    return done


def _place(number: str) -> tuple[str, int] | None:
    head, _, tail = number.partition(".")
    return (head, int(tail)) if tail.isdecimal() else None


def _read(printed: str, *, noisy: bool) -> str | None:
    """Return the number in brackets, None where it is none of a formula."""
    match = _NUMBER.fullmatch(printed)
    number = _clean(match["number"]) if match else None
    loose = _NOISY.fullmatch(printed) if noisy and number is None else None
    if not loose:
        return number
    text = loose["number"]
    if text[1:] == "A":
        return f"{text[0]}.4"
    head, _, tail = text.partition(".")
    return f"{head}.{tail.translate(formula_figures())}" if tail else None


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
