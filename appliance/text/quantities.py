"""Quantities and units in text: what a unit measures, and which kind of quantity a question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from tokenize import TokenError
from typing import Any

import msgspec

from appliance.core.decoding import convert
from appliance.core.files import shipped
from appliance.text.numbers import closed_up, spelt_numbers, unit_pattern, with_degrees

_RAISED_SIGN = r"[\u2070-\u209c\u00b9\u00b2\u00b3\u1d2c-\u1d6a\u02b0-\u02b8]"
_MARKS = re.compile(rf"{_RAISED_SIGN}(?:,?{_RAISED_SIGN})*")
_NUMBER = re.compile(r"(?<![\w.,])[-\u2212]?(?:\d{1,3}(?:[, ]\d{3})+(?!\d)|\d+)(?:[.,]\d+)?(?![.,]?\d)")
_LEADING = re.compile(r"[-−]?\d[\d.,  ]*\d|[-−]?\d|[^\W\d_]+")  # the number that a quantity begins with
_CONVERTED = re.compile(r"([-−]?\d[\d.,/]*)[- ]?([^\s\d()]{1,8})\s?\($")  # "2-in (" before "50 mm)"
_RATIO = re.compile(r"\d[\d.,]*\s?(?::|in)\s?\d[\d.,]*")
_POWER = re.compile(r"(?<=[a-zA-Z])([23])")
_MOMENT = re.compile(r"(?<=N)m(?![a-zA-Z])")  # of a force, which Pint takes for a measure of yarn
_RAISED = str.maketrans({"²": "2", "³": "3", "·": "*", " ": " ", "μ": "µ"})
_SENTENCE = re.compile(r"[.?!;]+(?=\s|$)")
SPELT_UNIT = 3  # letters of a unit behind a number in words: "one in five" is no length
KEPT = 4_096  # units as printed, and texts, of which is remembered what they measure


@dataclass(frozen=True, slots=True)
class Size:
    """What a unit measures, and how many of the base units it is; 0 where that is unknown."""

    dimension: str
    factor: float


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity as printed at [start, end) of a text; `kinds` are what it may measure."""

    kinds: frozenset[str]
    start: int
    end: int


class Kind(msgspec.Struct, frozen=True):
    """A kind of quantity: the units that measure it, how else it is printed, and how it is asked for.

    `named` are words that ask for it where the sentence asks for a value at all, `shared` words of everyday
    speech that do so only in a question that holds what is told in `beside` too. `alone` finds a question for
    it whatever else is named there, which it is only taken of. `told` finds it in units of another kind.
    """

    name: str
    like: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    asked: tuple[re.Pattern[str], ...] = ()
    named: tuple[re.Pattern[str], ...] = ()
    shared: tuple[re.Pattern[str], ...] = ()
    beside: re.Pattern[str] | None = None
    alone: re.Pattern[str] | None = None
    told: tuple[re.Pattern[str], ...] = ()

    def words(self, question: str) -> tuple[re.Pattern[str], ...]:
        """Return what finds the words of a folded question that may name it."""
        known = self.beside is not None and self.beside.search(question)
        return (*self.asked, *self.named, *(self.shared if known else ()))


@lru_cache(KEPT)
def size_of(unit: str) -> Size:
    """Return what a printed unit measures; a unit that nobody knows has no dimension."""
    if not unit:
        return Size("1", 1.0)
    unit = _as_meant(unit)
    own = _own_units()
    if unit in own:
        return own[unit]
    plain = _POWER.sub(r"**\1", _MOMENT.sub("*m", unit.translate(_RAISED))).replace(" per ", "/")
    import pint  # noqa: PLC0415 - half a second, which a process that meets no unit need not spend

    try:
        base = _registry().Quantity(1.0, plain).to_base_units()
    except (pint.PintError, AssertionError, AttributeError, TokenError, TypeError, ValueError):
        return Size("", 0.0)
    powers = sorted(
        (name.strip("[]"), round(float(str(power)))) for name, power in base.dimensionality.items()
    )
    dimension = " ".join(name if power == 1 else f"{name}^{power}" for name, power in powers)
    return Size(dimension or "1", round(float(base.magnitude), 12))


def quantities(text: str) -> Iterator[Quantity]:
    """Yield the numbers of a text that carry a unit, then ratios such as "1:12" and counts."""
    measured = list(_measured(text))
    yield from measured
    taken = {position for found in measured for position in range(found.start, found.end)}
    for kind in all_kinds():
        for match in kind.pattern.finditer(text) if kind.pattern else ():
            if match.start() not in taken:
                yield Quantity(frozenset({kind.name}), *match.span())


def printed_as(text: str, found: Quantity) -> tuple[str, str]:
    """Return the number and the unit of a quantity of a text; with a conversion: "2", "in (50 mm)".

    A range, a ratio, a product are whole: "0.5 to 2.3", "kg"; "1:8", ""; "40 mm × 40 mm × 160", "mm"; so are
    two of which either will do, and two behind "between": "70 and 80", "degrees".
    """
    printed = text[found.start : found.end]
    if text[found.end : found.end + 1] == ")" and (first := _CONVERTED.search(text, 0, found.start)):
        return first[1], f"{first[2]} ({printed})"
    if _RATIO.fullmatch(printed):
        return printed, ""
    opens, _ = shipped("tables")["bounds"]["both"]
    before, behind, both = _joined()
    opened = text[: found.start].casefold().endswith(f"{opens} ")
    first, last = before.search(text, 0, found.start), (both if opened else behind).match(text, found.end)
    start = first.start() if first else found.start
    at = last.start("last") if last else found.start
    printed = text[at : last.end() if last else found.end]
    number = _LEADING.match(printed)
    end = at + (number.end() if number else len(printed))
    return text[start:end].strip(), text[end : at + len(printed)].strip()


@cache
def _joined() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what finds numbers joined to one behind them, to one before them, to the first of two."""
    bounds = shipped("tables")["bounds"]
    joins = "|".join(map(re.escape, (*bounds["between"], *bounds["either"], "–", "x", "×")))
    opens, closes = map(re.escape, bounds["both"])
    number, unit = r"[-−]?\d[\d.,]*", rf"(?:\s?(?:{unit_pattern().pattern}))?"
    before = rf"(?:{number}{unit}\s?(?:{joins})\s?)+|(?i:(?<={opens} )){number}{unit} {closes} "
    behind = rf"(?P<last>{number}{unit}(?![^\W_]))"
    return (
        re.compile(rf"(?<![\w.,])(?:{before})$"),
        re.compile(rf"(?:\s?(?:{joins})\s?{behind})+"),
        re.compile(rf"\s?(?:{closes})\s?{behind}"),
    )


@lru_cache(KEPT)
def kinds_in(text: str) -> frozenset[str]:
    """Return the kinds of the quantities of a text, an area told by its sides among them."""
    return frozenset(kind for one in quantities(text) for kind in one.kinds) | kinds_told(text)


def kinds_told(text: str) -> frozenset[str]:
    """Return the kinds that a text tells in units of another one: an area by two lengths."""
    return frozenset(kind.name for kind in all_kinds() if any(told.search(text) for told in kind.told))


def _measured(text: str) -> Iterator[Quantity]:
    """Yield the numbers that stand before a unit."""
    for pattern, shortest in ((_NUMBER, 1), (_spelt_number(), SPELT_UNIT)):
        for number in pattern.finditer(text):
            if len(unit := unit_behind(text, number.end())) >= shortest:
                yield Quantity(kinds_of(unit), number.start(), text.index(unit, number.end()) + len(unit))


@cache
def _spelt_number() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(spelt_numbers())})\b", re.IGNORECASE)


def unit_behind(text: str, end: int) -> str:
    """Return the unit printed behind a number that ends there, "" for none ("900 mm high" has mm)."""
    marks = _MARKS.match(text, end)  # of footnotes, raised behind the number: "24.0ᵃ,ᵇ kN/m³"
    at = marks.end() if marks else end
    at += text[at : at + 1] in {" ", "\u00a0"}
    found = _whole_unit().match(text, at)
    unit = found.group() if found else ""
    return unit[:-1] if unit.count(")") > unit.count("(") else unit  # "(97 km/h)": the bracket is round it


@cache
def _whole_unit() -> re.Pattern[str]:
    return re.compile(rf"(?:{unit_pattern().pattern})(?![^\W_])")


def asked_kinds(question: str) -> frozenset[str]:
    """Return the kinds of quantity that a question, folded, may ask for; none where it asks for no number.

    "How many litres" asks for what litres measure, "how many" of anything else for a count. What a
    kind only names ("load") counts where a value of it may be asked for: not in "does the load apply". A
    factor or a coefficient has no unit, whatever it is applied to. A unit of several parts without a number
    asks for what it measures ("litres per second for a bath"), one with its number is stated.
    """
    if counted := _how_many().search(question):
        return _counted(counted["first"], counted["second"] or "", counted["per"]) or frozenset({"count"})
    if only := {kind.name for kind in all_kinds() if kind.alone and kind.alone.search(question)}:
        return frozenset(only)
    signs = list(question)  # without the units of what it states: "a roof of 40 degrees" asks for no angle
    for each in _measured(question):
        number = _LEADING.match(question, each.start)
        at = number.end() if number else each.start
        signs[at : each.end] = " " * (each.end - at)
    question = _words_of("apart").sub(" ", without_places("".join(signs)))
    # a sentence may ask for something else than a value: "does the snow load apply"
    said = shipped("quantities")["asking"]
    valued = " ".join(
        text
        for text in _SENTENCE.split(question)
        if any(re.search(pattern, text) for pattern in said["value"])
        or not any(re.match(pattern, text.strip()) for pattern in said["otherwise"])
    )
    found = frozenset(
        kind.name
        for kind in all_kinds()
        if any(
            pattern.search(valued if pattern in kind.named else question) for pattern in kind.words(question)
        )
    )
    pure = shipped("quantities")["pure"]  # asked for by words for a number without a unit
    bare = re.search(pure["words"], question) and not re.search(pure["measured"], question)
    return found & frozenset(pure["kinds"]) if bare else found | _of_unit(question)


def without_places(question: str) -> str:
    """Return a folded question without the names of measures that name a place in it."""
    return _words_of("places").sub(" ", question)


def counted_unit(question: str) -> str:
    """Return the unit that a folded question counts, "years" of "after how many years", "" for none."""
    counted = _how_many().search(question)
    if counted is None:
        return ""
    both = f"{counted['first']} {counted['second'] or ''}".strip()
    return next((word for word in (both, counted["first"]) if word in _counted_units()), "")


def _counted(first: str, second: str, per: str | None) -> frozenset[str]:
    """Return what the words behind "how many" measure, none where they are no unit; `per` what they rate.

    Litres a second are a flow and no volume; litres a person may be either.
    """
    for word in (f"{first} {second}", first, second):
        if unit := _counted_units().get(word):
            rated = _counted_units().get(f"{per}s", per)
            timed = kinds_of(f"{unit}/{rated}") if rated and size_of(rated).dimension == "time" else None
            return timed or kinds_of(f"{unit} per {rated}" if rated else unit)
    return frozenset()


def _of_unit(question: str) -> frozenset[str]:
    """Return what the first unit of several parts measures that a question names without a number."""
    # The symbols by how a folded text has them, the first of those that fold to one.
    printed = {symbol.casefold(): symbol for symbol in reversed(shipped("units")["symbols"])}
    for found in _rate().finditer(question):
        if found["per"] and (kinds := _counted(found["first"], "", found["per"])):
            return kinds
        parts = [printed.get(part, "") for part in found.group().split("/")]
        if len(parts) > 1 and all(parts) and (kinds := kinds_of("/".join(parts))):
            return kinds
    return frozenset()


@cache
def _rate() -> re.Pattern[str]:
    """Return what finds a unit such as "litres per second" or "l/s" where no number stands before it."""
    per = "|".join(map(re.escape, (one for one in shipped("quantities")["counting"]["per"] if len(one) > 2)))
    return re.compile(
        rf"(?<![\w.,/])(?<!\d )(?P<first>[^\W\d_]+)(?: (?:{per}) (?P<per>[^\W\d_]+)\b|/[^\s,;?]+)"
    )


@cache
def _counted_units() -> dict[str, str]:
    """Return the units that may be counted, by their folded words; of "second" and "seconds" only the latter.

    Only what the data files list is a unit: Pint knows "are", "bars" and "points" too.
    """
    listed = shipped("units")
    known = {*listed["symbols"], *_own_units(), *shipped("quantities")["counting"]["units"]} - {
        *listed["doubtful"]
    }
    known |= {word for group in listed["same"] for word in group}
    folded = {unit.casefold(): unit for unit in sorted(known)}
    return {word: unit for word, unit in folded.items() if f"{word}s" not in folded}


@cache
def _how_many() -> re.Pattern[str]:
    words, per = (
        "|".join(map(re.escape, shipped("quantities")["counting"][name])) for name in ("words", "per")
    )
    return re.compile(
        rf"\b(?:{words}) (?P<first>[^\s,;?]+)"
        rf"(?: (?:{per}) (?P<per>[^\s,;?]+)| (?P<second>[^\s,;?]+))?"
    )


@lru_cache(KEPT)
def kinds_of(unit: str) -> frozenset[str]:
    """Return what a unit as printed may measure, empty for what is none; "l/s per m²" is a flow too."""
    unit = _as_meant(unit)
    whole, per, _ = unit.partition(" per ")
    measured = size_of(unit).dimension
    own = {
        kind
        for kind in all_kinds()
        if unit in kind.like
        or (measured not in {"", "1"} and any(size_of(known).dimension == measured for known in kind.like))
    }
    # J/m² is N/m by its dimension: what is divided tells them apart
    alike = {kind for kind in own if any(_divided(known) == _divided(unit) for known in kind.like)}
    names = frozenset(kind.name for kind in alike or own)
    return names | kinds_of(whole) if per else names


def _divided(unit: str) -> str:
    """Return the dimension of what stands before the stroke of a unit."""
    return size_of(unit.partition("/")[0]).dimension


def _as_meant(unit: str) -> str:
    """Return a printed unit with its own signs: "°C" of "\u02daC", "kg/m3" of "kg/m 3"."""
    return closed_up(with_degrees(unit))


@cache
def _words_of(table: str) -> re.Pattern[str]:
    return re.compile("|".join(shipped("quantities")[table]["words"]))


@cache
def all_kinds() -> tuple[Kind, ...]:
    """Return the kinds of quantity that the data file knows."""
    kinds = ({"name": name, **entry} for name, entry in shipped("quantities")["kinds"].items())
    return tuple(convert(kind, Kind, hook=lambda _, text: re.compile(text)) for kind in kinds)


@cache
def _own_units() -> dict[str, Size]:
    entries = shipped("quantities")["unit"]
    return {unit: Size(entry["dimension"], entry["factor"]) for entry in entries for unit in entry["printed"]}


@cache
def _registry() -> Any:
    import pint  # noqa: PLC0415 - idem

    return pint.UnitRegistry(cache_folder=None)
