"""Numbers with their units in a text, read as what they are, and the names of what they measure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

from appliance.core.graph import Bound
from appliance.ingest.knowledge.vocabulary import nouns, wording
from appliance.tables.rows import without_marks
from appliance.text.numbers import NUMBER, unit_pattern, value
from appliance.text.quantities import size_of

_RATIO = re.compile(r"(?<![\w.:/-])1\s?(?::|in)\s?(?P<run>[1-9]\d{0,3}(?:\.\d+)?)(?![\w:]|\.\d)")
_ONE_CELL = re.compile(r"(?P<sign>[<>≤≥]=?)?\s*(?P<rest>.+)", re.DOTALL)
_TEN = re.compile(r"10(?P<power>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})")
_RAISED = re.compile(r"\d(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)$")
_COMMA, _POINT = re.compile(r"\b0,\d"), re.compile(r"\b0\.\d")


@dataclass(frozen=True, slots=True)
class Found:
    """A number, or a range of two, at [start, end); `unit` as printed, "" for none; `run` of "1 in 40"."""

    start: int
    end: int
    low: float
    high: float
    unit: str
    ranged: bool = False
    run: str = ""


@cache
def _quantity() -> re.Pattern[str]:
    """Return what matches a number with its unit, or a range of two."""
    unit = rf"(?:{unit_pattern().pattern})(?![^\W_])"
    label = r"(?<![\w.,/:–±-])(?<!±\s)(?<![^\W_]\s[-–])"  # a number inside a label or a difference is none
    sign = r"(?:[-−]\s?|(?<!\d)(?<!\d\s)[‐‑‒–])?"  # behind a number a dash is no sign
    low = rf"(?P<low>{sign}{NUMBER})(?P<low_unit>\s?{unit})?"
    high = rf"(?P<high>{NUMBER})(?P<high_unit>\s?{unit})?"
    goes_on = r"(?![\w/]|[.,]\d|\)?\s?[×^])"
    return re.compile(rf"{label}{low}(?:(?P<gap>\s?)(?P<joint>{wording().joints})(?P=gap){high})?{goes_on}")


def find(text: str, *, comma: bool) -> list[Found]:
    """Return the numbers of a text in order; `comma` tells that the decimal sign is a comma."""
    ratios = [_ratio(match) for match in _RATIO.finditer(text)]
    taken = {position for found in ratios for position in range(found.start, found.end)}
    numbers: list[Found] = []
    for match in _quantity().finditer(text):
        if match.start() in taken:
            continue
        found, words = _read(match, comma=comma), wording()
        listed = words.joined.fullmatch(match["joint"] or "") and not words.behind.search(
            text[: match.start()][-24:]
        )
        if not found.ranged or not (listed or found.high < found.low):
            numbers.append(found)
            continue
        # Two numbers that only stand beside one another.
        own, end = (match["low_unit"] or match["high_unit"] or "").strip(), match.end("low_unit")
        end = end if match["low_unit"] else match.end("low")
        numbers.append(Found(match.start(), end, found.low, found.low, own))
        numbers.append(Found(match.start("high"), match.end(), found.high, found.high, found.unit))
    return sorted([*ratios, *numbers], key=lambda found: found.start)


def whole(text: str, unit: str, *, comma: bool) -> tuple[str, Found] | None:
    """Return the sign and the number that a cell consists of, None where it says anything else.

    `unit` is what the header gives a number that has none of its own.
    """
    match = _ONE_CELL.fullmatch(text.strip())
    if not match:
        return None
    sign, rest = (match["sign"] or "").replace("≤", "<=").replace("≥", ">="), match["rest"].strip()
    if (ten := _TEN.fullmatch(rest)) and ten["power"] != "¹":  # nobody prints 10¹ for ten
        power = 10.0 ** int(unicodedata.normalize("NFKC", ten["power"]).replace("\u2212", "-"))
        return sign, Found(0, len(text), power, power, unit)
    ratio = _RATIO.fullmatch(rest)
    inner = _quantity().fullmatch(rest) or _quantity().fullmatch(without_marks(rest))
    if not ratio and not inner:
        return None
    one = _ratio(ratio) if ratio else _read(inner or match, comma=comma)
    if one.high < one.low:
        return None
    return sign, replace(one, start=0, end=len(text), unit=one.unit or unit)


def raised_behind(text: str) -> str:
    """Return the figures that stand raised behind the number at the end of a cell, "" for none: "10³"."""
    found = _RAISED.search(text.strip())
    return unicodedata.normalize("NFKC", found["raised"]) if found else ""


def is_power(text: str) -> bool:
    """Tell whether a cell is a power of ten: "10³"."""
    match = _ONE_CELL.fullmatch(text.strip())
    return bool(match and _TEN.fullmatch(match["rest"]))


def _read(match: re.Match[str], *, comma: bool) -> Found:
    low, high = value(match["low"], comma=comma), match["high"]
    units = [(match[name] or "").strip() for name in ("low_unit", "high_unit")]
    if high is None:
        return Found(match.start(), match.end(), low, low, units[0])
    return Found(match.start(), match.end(), low, value(high, comma=comma), units[1] or units[0], ranged=True)


def _ratio(match: re.Match[str]) -> Found:
    slope = 1 / float(match["run"])
    return Found(match.start(), match.end(), slope, slope, "", run=match["run"])


def decimal_comma(texts: Iterable[str]) -> bool:
    """Tell whether the numbers of a document are written with a decimal comma."""
    commas = points = 0
    for text in texts:
        commas += len(_COMMA.findall(text))
        points += len(_POINT.findall(text))
    return commas > points


def named(text: str, start: int) -> bool:
    """Tell whether the number at this place is the name of a thing ("Table 3", "Class 2")."""
    return bool(wording().names.search(text[max(0, start - 24) : start]))


NAMES_LONGEST = 5  # words of a name
_WORD = re.compile(r"[^\W\d_]+(?:[-’'.][^\W\d_]+)*")
_GAP = re.compile(r"[ \t\u00a0\n-]{1,3}")


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a quantity at [start, end); `bound` is what "maximum" or "minimum" in it says."""

    start: int
    end: int
    text: str
    noun: str
    bound: Bound | None = None

    def fits(self, unit: str) -> bool:
        """Tell whether a number with this unit may be a value of it; a bare number fits a ratio only."""
        wanted = {size_of(known).dimension for known in nouns().units[self.noun]}
        return size_of(unit).dimension in wanted


def names_in(text: str) -> list[Name]:
    """Return the names of quantities that stand in a text, in order."""
    words = list(_WORD.finditer(text))
    found = (_name(text, words, at) for at in range(len(words)) if _noun(words[at].group()))
    kept = list({name.start: name for name in found}.values())  # not "load" of "load factor"
    for at in range(1, len(kept)):
        between = text[kept[at - 1].end : kept[at].start]
        if kept[at].bound is None and wording().between_names.fullmatch(between):
            kept[at] = replace(kept[at], bound=kept[at - 1].bound)  # "minimum width and depth"
    return kept


def _noun(word: str) -> str:
    """Return the noun that a word is, in the singular, "" where it is none."""
    folded = word.casefold()
    singulars = (folded.removesuffix("s"), folded.removesuffix("es"), folded.removesuffix("ies") + "y")
    return next((form for form in (folded, *singulars) if form in nouns().units), "")


def _name(text: str, words: list[re.Match[str]], at: int) -> Name:
    """Return the name that ends with the word at this position."""
    known, first = nouns(), at
    bound: Bound | None = None
    while first and at - first < NAMES_LONGEST - 1:
        word, gap = words[first - 1], text[words[first - 1].end() : words[first].start()]
        if word.group().casefold() in known.edges or not _GAP.fullmatch(gap):
            break
        first -= 1
    while first < at and (sign := known.extremes.get(words[first].group().casefold())):
        bound, first = bound or sign, first + 1
    for word in words[first:at]:
        bound = bound or known.extremes.get(word.group().casefold())
    start, end = words[first].start(), words[at].end()
    return Name(start, end, " ".join(text[start:end].split()), _noun(words[at].group()), bound)
