"""Does what a statement says stand in the quotations it cites? Decided without a model.

Rules of this module: pure functions of text. A *particular* is what a reader could build from: a
number, the unit of it, the number of a clause, table or figure, an obligation, a prohibition, a
limit. A statement is made of claims; every particular of a claim must occur in the quotations of that
very claim (a row of a table in that row and its headers), so that a right number beside the wrong
name is not confirmed. A unit is that of its number only where it is printed behind that number, or over or
beside it in words that govern it (governing.py). A claim without quotations is never confirmed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from appliance.answer.governing import closed, governing, may_measure, unit_in
from appliance.core.files import shipped
from appliance.text.quantities import unit_behind
from appliance.text.terms import words

_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:\.\d+)*(?:[:/]\d+)?")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))|(?<=(?<![\d.,])0),(?=\d)")
_RAISED = r"[\u2070-\u209c\u00b9\u00b2\u00b3\u1d2c-\u1d6a\u02b0-\u02b8,()]{1,6}"
_PER = re.compile(r"\s?/\s?\w+")
_POWERS = {"2": "²", "3": "³"}
BETWEEN = "|"  # stands between the cells of a quoted row
KEPT = 1_024  # units of which is remembered what prints them

_LETTERED = re.compile(r"\b[A-Z]{1,3}\.?\d+(?:\.\d+)*\b")


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing a statement says, with the quotations that must hold all of it.

    `keys`: of a row of a table, how many of its first cells tell it from others, beside its name.
    """

    text: str
    quotes: tuple[str, ...]
    keys: int = 0


def verdict(claims: Sequence[Claim]) -> tuple[bool, str]:
    """Return whether every claim is confirmed, and if not the reason in words."""
    if not claims or not all(claim.quotes for claim in claims):
        return False, "no place of the documents is cited for this"
    missing = [item for claim in claims for item in unsupported(claim.text, claim.quotes)]
    if missing:
        return False, "not in the quoted text: " + ", ".join(dict.fromkeys(missing))
    return True, ""


def unsupported(statement: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return the particulars of the statement that no quotation holds, in order, each once."""
    held = {item for quote in quotes for item in particulars(quote)}
    missing = [item for item in particulars(statement) if item not in held]
    missing += _ungoverned(statement, quotes)
    return tuple(dict.fromkeys(missing))


def particulars(text: str) -> Iterator[str]:
    """Yield numbers, labels, limits, modals and negations of a text in a normal form."""
    plain = _DECIMAL_COMMA.sub(".", _fold(text))
    for match in _NUMBER.finditer(plain):
        yield re.sub(r"[,\s]", "", match.group())
    yield from (match.group().casefold() for match in _LETTERED.finditer(plain))
    lowered = plain.casefold()
    for pattern in _phrases():
        yield from (match.group() for match in pattern.finditer(lowered))
        lowered = pattern.sub(_masked, lowered)


def units(text: str) -> Iterator[str]:
    """Yield the units that stand behind numbers, as printed."""
    for number in _NUMBER.finditer(text):
        if unit := unit_behind(text, number.end()):
            yield unit


def _ungoverned(statement: str, quotes: Sequence[str]) -> Iterator[str]:
    """Yield the units of a statement that no quotation prints for their numbers."""
    text = _plain(statement)
    lines = tuple(dict.fromkeys(way(quote) for quote in quotes for way in (_plain, _folded)))
    printed = " ".join(_folded(quote) for quote in quotes).casefold()
    for number in _NUMBER.finditer(text):
        unit = _whole(text, number.end())
        if not unit or any(_carries(line, number.group(), unit) for line in lines):
            continue
        is_held = any(True for line in lines for _ in _same(line, number.group()))
        governed = not is_held or _is_governed(text[: number.start()], number.group(), unit, lines)
        if not governed or not _is_printed(unit, printed):
            yield unit


def _whole(text: str, end: int) -> str:
    """Return the unit behind a number with what it is per, also where that is none: "l/place setting"."""
    unit = unit_behind(text, end)
    per = _PER.match(text, text.index(unit, end) + len(unit)) if unit else None
    return f"{unit}{per.group()}" if per else unit


def _carries(line: str, number: str, unit: str) -> bool:
    """Tell whether a line prints a unit behind a number, at once or behind others that it is joined to."""
    return any(_behind(unit).match(line, found.end()) for found in _same(line, number))


def _same(line: str, number: str) -> Iterator[re.Match[str]]:
    """Yield where a line prints this very number."""
    return (found for found in _NUMBER.finditer(line) if _normal(found.group()) == _normal(number))


def _is_governed(before: str, number: str, unit: str, lines: Sequence[str]) -> bool:
    """Tell whether words over or beside a bare number print its unit; `before` stands in the statement.

    A head speaks for the number only where the statement says something of it ("Age (days)" in "Age 28").
    """
    if all(unit_behind(line, found.end()) for line in lines for found in _same(line, number)):
        return False
    name, head = _around(before)
    tiers = head.split(", ")[::-1]
    if any(map(unit_in, tiers)):
        return _normal(governing(tiers)) == _normal(closed(unit))
    if not may_measure(tiers, len(tiers), unit):
        return False
    spoken = set(words(f"{name} {head}"))
    for cells in (line.split(BETWEEN) for line in lines):
        for cell in cells:
            told = set(words(_over(unit).sub(" ", cell)))
            if _over(unit).search(cell) and (not cells[1:] or not told or not spoken or told & spoken):
                return True
    return False


def _around(before: str) -> tuple[str, str]:
    """Return the name of a row and the head before a value: "Wall: Mass 5; Span" has "Wall" and "Span"."""
    text = f"{before.rstrip()} "
    name, colon, _ = text.partition(": ")
    return name if colon else "", re.split(r"(?<=[;:.])\s", text)[-1].strip()


@cache
def phrases(name: str) -> tuple[str, ...]:
    """Return the phrases of this name in data/answer/particulars.toml."""
    words = shipped("answer/particulars")
    return tuple(words[name])


@cache
def _phrases() -> tuple[re.Pattern[str], ...]:
    """Return what finds limits, modals, then what negates, the longest reading of each place only."""
    worded = (phrases(kind) for kind in ("limits", "modals", "negations"))
    patterns = ["|".join(rf"\b{re.escape(phrase)}\b" for phrase in words) for words in worded]
    return tuple(map(re.compile, [*patterns, "|".join(map(re.escape, phrases("signs")))]))


def _masked(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _is_printed(unit: str, printed: str) -> bool:
    """Tell whether a folded text prints a unit, however it is spaced; kN/m is not the unit of kN/m2."""
    return bool(re.search(rf"(?<![^\W\d_]){_spaced(unit)}(?![\w/])", printed))


@lru_cache(KEPT)
def _behind(unit: str) -> re.Pattern[str]:
    """Return what matches a unit behind a number, the marks of a note and other numbers between them."""
    joined = "|".join(map(re.escape, phrases("chaining")))
    between = rf"(?:{_RAISED}|-)?\s*(?:(?:{joined})\s*[\d.,]+\s*)*"
    return re.compile(rf"{between}{_spaced(unit)}(?![\w/])", re.IGNORECASE)


@lru_cache(KEPT)
def _over(unit: str) -> re.Pattern[str]:
    """Return what matches a unit that stands behind no number, nor as what a function is of ("f(s)")."""
    apart = r"(?<![^\W_])(?<!\d\s)" + (r"(?<!\S\()" if len(unit) == 1 else "")
    return re.compile(rf"{apart}{_spaced(unit)}(?![\w/])", re.IGNORECASE)


def _spaced(unit: str) -> str:
    """Return what matches a unit however it is spaced, with its powers raised or not."""
    signs = (sign for sign in _fold(unit).casefold() if not sign.isspace())
    return r"\s*".join(f"[{sign}{_POWERS[sign]}]" if sign in _POWERS else re.escape(sign) for sign in signs)


def _normal(text: str) -> str:
    """Return a number or a unit without what may be printed in it or not."""
    return re.sub(r"[,\s]", "", _fold(text)).casefold()


def _plain(text: str) -> str:
    """Return a text on one line with points for commas and its raised signs as printed."""
    return _DECIMAL_COMMA.sub(".", " ".join(text.split()).replace("−", "-").replace("⁄", "/"))


def _folded(text: str) -> str:
    return _plain(_fold(text))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("−", "-").replace("⁄", "/")
