"""Which printed unit governs a bare number of a table: that of its column, of its row, of the caption.

Rules of this module: pure functions of text. A unit further out holds only for what no nearer words call
something else: a "Partial factor" in the row "Strength (N/mm2)" has no unit, nor has a "Number of tests". A
number without its unit is told as printed; a unit is never given on a guess. A letter in brackets behind a
symbol is what a function is of ("f(s)"), behind a word its plural ("wall(s)"). Words:
data/answer/columns.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from appliance.core.files import shipped
from appliance.tables.rows import flat, is_glued, unit_of
from appliance.text.quantities import asked_kinds, kinds_of
from appliance.text.terms import fold, words
from appliance.text.units import unit_pattern

SIGN = 2  # letters of a head that is a symbol of its own ("qk"), where one of them is small

_LAST = re.compile(r"(?<!\d)(?<!\d )(?<!\S)(\S{2,16})$")  # not of a number ("up to 80 mm")
_OPENED = re.compile(r"(?<!/)(?<!/ )[(\[]([^()\[\]]{1,24})[)\]]")  # no divisor: "m³/(h·m²)"
_NUMBERED = re.compile(r"(?<![\w.,])\d")
_LETTERS = re.compile(r"[^\W\d_]+")


def governing(heads: Sequence[str], beyond: Iterable[str] = ()) -> str:
    """Return the unit of a bare number under these heads, the nearest first, "" for none that surely holds.

    `beyond` are the words of its row and the caption, the nearest first.
    """
    passed: list[str] = []
    for text in (*heads, *beyond):
        if unit := unit_in(text):
            return unit if may_measure(passed, min(len(passed), len(heads)), unit) else ""
        passed.append(text)
    return ""


def may_measure(passed: Sequence[str], heads: int, unit: str) -> bool:
    """Tell whether a number under these words, which print no unit, may be of a unit printed elsewhere.

    The first `heads` of them stand over it: a head over a condition ("Mass" over "up to 5 kg") tells what
    the condition is of.
    """
    case = False
    for at, text in enumerate(passed):
        named = _without_condition(flat(text))
        if _is_bare(words(text)) or (not case and named and _is_other(named, unit)):
            return False
        case = at < heads and named is None
    return True


def unit_in(text: str) -> str:
    """Return the unit that words end in or hold in brackets, "" for none ("floor area m2", "(metres)").

    A letter is the sign of what the words name where that is not measured in it: "Height (h)".
    """
    plain = flat(text)
    unit = closed(unit_of(plain) or next(_units(plain), ""))
    return "" if len(unit) == 1 and _is_unlike(plain.replace(f"({unit})", ""), unit) else unit


def closed(unit: str) -> str:
    """Return a unit without the blanks beside its strokes ("litres/ person/ day")."""
    return re.sub(r"\s*/\s*", "/", unit)


def _is_other(named: str, unit: str) -> bool:
    """Tell whether a head calls its numbers something that has another unit or none."""
    if _is_sign(named) or _is_listing(words(named)) or _prints_another(named, unit):
        return True
    return _is_unlike(named, unit)


def _is_unlike(named: str, unit: str) -> bool:
    kinds = asked_kinds(fold(named))
    return bool(kinds) and not kinds & kinds_of(closed(unit))


def _without_condition(head: str) -> str | None:
    """Return what a head calls its numbers, None where it is a condition ("6–8", "Pitch 30°", "C 2").

    What stands behind a small word is none of it: "Density at 20 °C" is a density.
    """
    behind = {*shipped("answer/columns")["behind"]}
    number = _NUMBERED.search(head)
    before = _limits().sub(" ", head[: number.start()]).split() if number else head.split()
    ends = [at for at, word in enumerate(before) if at and word.casefold() in behind]
    if number and not ends:
        return None
    return " ".join(before[: ends[0]] if ends else before)


def _is_bare(named: Sequence[str]) -> bool:
    """Tell whether words call their numbers a factor or the like."""
    return not {word.casefold() for word in shipped("answer/columns")["bare"]}.isdisjoint(named)


def _is_listing(named: Sequence[str]) -> bool:
    """Tell whether words call their numbers a count, a class or a place: "Number of tests", not "Class A"."""
    listing = {word.casefold() for word in shipped("answer/columns")["listing"]}
    if not named:
        return False
    return named[-1] in listing or (named[0] in listing and len(named[1]) > 1 and not named[1].isdigit())


def _is_sign(head: str) -> bool:
    """Tell whether a head is the symbol of a quantity: "qk", "γM"; "A" and "C1" are names of columns."""
    letters = _LETTERS.findall(head)
    if len(head.split()) != 1 or len(letters) != 1:
        return False
    short = len(letters[0]) <= SIGN and not letters[0].isupper()
    return short or (not letters[0][0].isascii() and len(letters[0]) <= SIGN + 1)


def _prints_another(head: str, unit: str) -> bool:
    """Tell whether a head prints another unit in its words ("Litres/person/day = (1) x (2)")."""
    rate = {"/", *shipped("answer/columns")["per"]}
    for text in {head, head.lower()}:
        for found in _apart().finditer(text):
            rated = not rate.isdisjoint(found.group().replace("/", " / ").split())
            if rated and closed(found.group()) != closed(unit):
                return True
    return False


@cache
def _limits() -> re.Pattern[str]:
    phrases = shipped("answer/particulars")["limits"]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b", re.IGNORECASE)


@cache
def _apart() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{unit_pattern().pattern})(?![^\W_])")


def _units(text: str) -> Iterator[str]:
    bracketed = [found[1] for found in _OPENED.finditer(text) if not is_glued(text, found.start(), found[1])]
    last = [found[1]] if (found := _LAST.search(text)) else []
    for unit in (*bracketed, *last):
        if unit not in _doubtful() and unit_pattern().fullmatch(unit):
            yield unit


@cache
def _doubtful() -> Sequence[str]:
    doubtful: Sequence[str] = shipped("units")["doubtful"]
    return doubtful
