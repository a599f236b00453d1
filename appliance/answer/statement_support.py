"""Does what a statement says stand in the quotations it cites? Decided without a model."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.tables.rows import flat, is_glued, unit_of
from appliance.text.numbers import unit_pattern
from appliance.text.quantities import asked_kinds, kinds_in, kinds_of, unit_behind
from appliance.text.terms import STEM, fold, words

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
            # "Factor for a speed (m/s) of": the speed has the unit, not the factor
            named = _without_condition(flat(text)) or ""
            bare = not _bare().isdisjoint(words(named)) and not unit_in(named)
            return unit if not bare and may_measure(passed, min(len(passed), len(heads)), unit) else ""
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
        if not _bare().isdisjoint(words(text)) or (not case and named and _is_other(named, unit)):
            return False
        case = at < heads and named is None
    return True


@cache
def _bare() -> frozenset[str]:
    """Return the words for a factor or the like."""
    return frozenset(word.casefold() for word in shipped("answer/columns")["bare"])


def unit_in(text: str) -> str:
    """Return the unit that words end in or hold in brackets, "" for none ("floor area m2", "(metres)").

    A letter is the sign of what the words name where that is not measured in it: "Height (h)".
    """
    plain = flat(text)
    unit = unit_of(plain)
    if not unit:
        opened = (found for found in _OPENED.finditer(plain) if not is_glued(plain, found.start(), found[1]))
        last = [found] if (found := _LAST.search(plain)) else []
        doubtful = shipped("units")["doubtful"]
        said = (found[1] for found in (*opened, *last) if found[1] not in doubtful)
        unit = next((one for one in said if unit_pattern().fullmatch(one)), "")
    unit = closed(unit)
    return "" if len(unit) == 1 and _is_unlike(plain.replace(f"({unit})", ""), unit) else unit


def closed(unit: str) -> str:
    """Return a unit without the blanks beside its strokes ("litres/ person/ day")."""
    return re.sub(r"\s*/\s*", "/", unit)


def _is_other(named: str, unit: str) -> bool:
    """Tell whether a head calls its numbers something that has another unit or none."""
    if _is_sign(named) or _is_unlike(named, unit):
        return True
    # a count, a class or a place: "Number of tests", not "Class A"
    listing, said = {word.casefold() for word in shipped("answer/columns")["listing"]}, words(named)
    if said and said[-1] in listing:
        return True
    if said and said[0] in listing and len(said[1]) > 1 and not said[1].isdigit():
        return True
    # another unit in its words ("Litres/person/day = (1) x (2)")
    rate = {"/", *shipped("answer/columns")["per"]}
    printed = (found.group() for text in {named, named.lower()} for found in _apart().finditer(text))
    rated = (one for one in printed if not rate.isdisjoint(one.replace("/", " / ").split()))
    return any(closed(one) != closed(unit) for one in rated)


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


def _is_sign(head: str) -> bool:
    """Tell whether a head is the symbol of a quantity: "qk", "γM"; "A" and "C1" are names of columns."""
    letters = _LETTERS.findall(head)
    if len(head.split()) != 1 or len(letters) != 1:
        return False
    short = len(letters[0]) <= SIGN and not letters[0].isupper()
    return short or (not letters[0][0].isascii() and len(letters[0]) <= SIGN + 1)


@cache
def _limits() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases('limits')))})\b", re.IGNORECASE)


@cache
def _apart() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{unit_pattern().pattern})(?![^\W_])")


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
    """One thing a statement says, with the quotations that must hold all of it."""

    text: str
    quotes: tuple[str, ...]


def verdict(claims: Sequence[Claim]) -> tuple[bool, str]:
    """Return whether every claim is confirmed, and if not the reason in words."""
    if not claims or not all(claim.quotes for claim in claims):
        return False, "no place of the documents is cited for this"
    missing = [item for claim in claims for item in unsupported(claim.text, claim.quotes)]
    if missing:
        return (
            False,
            f"the quotation does not hold {', '.join(dict.fromkeys(missing))}: compare it with the page",
        )
    return True, ""


def unsupported(statement: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return the particulars of the statement that no quotation holds, in order, each once."""
    held = {item for quote in quotes for item in particulars(quote)}
    missing = (item for item in particulars(statement) if item not in held)
    return tuple(dict.fromkeys((*missing, *_ungoverned(statement, quotes))))


def particulars(text: str) -> Iterator[str]:
    """Yield numbers, labels, limits, modals and negations of a text in a normal form."""
    plain = _DECIMAL_COMMA.sub(".", _fold(text))
    for match in _NUMBER.finditer(plain):
        yield re.sub(r"[,\s]", "", match.group())
    yield from (match.group().casefold() for match in _LETTERED.finditer(plain))
    lowered = plain.casefold()
    for pattern in _phrases():
        yield from (match.group() for match in pattern.finditer(lowered))
        lowered = pattern.sub(lambda found: " " * len(found.group()), lowered)


def _ungoverned(statement: str, quotes: Sequence[str]) -> Iterator[str]:
    """Yield the units of a statement that no quotation prints for their numbers."""
    text = _plain(statement)
    lines = tuple(dict.fromkeys(way(quote) for quote in quotes for way in (_plain, _folded)))
    printed = " ".join(_folded(quote) for quote in quotes).casefold()
    for number in _NUMBER.finditer(text):
        unit = unit_behind(text, number.end())
        if not unit:
            continue
        # with what it is per, also where that is no unit: "l/place setting"
        per = _PER.match(text, text.index(unit, number.end()) + len(unit))
        unit = f"{unit}{per.group()}" if per else unit
        same = [(line, found.end()) for line in lines for found in _same(line, number.group())]
        if any(_behind(unit).match(line, end) for line, end in same):
            continue  # printed behind it, at once or behind others that it is joined to
        governed = not same or _is_governed(text[: number.start()], number.group(), unit, lines)
        # a unit is printed however it is spaced; kN/m is not the unit of kN/m2
        if not governed or not re.search(rf"(?<![^\W\d_]){_spaced(unit)}(?![\w/])", printed):
            yield unit


def _same(line: str, number: str) -> Iterator[re.Match[str]]:
    """Yield where a line prints this very number."""
    return (found for found in _NUMBER.finditer(line) if _normal(found.group()) == _normal(number))


def _is_governed(before: str, number: str, unit: str, lines: Sequence[str]) -> bool:
    """Tell whether words over or beside a bare number print its unit; `before` stands in the statement.

    A head speaks for the number only where the statement says something of it ("Age (days)" in "Age 28").
    """
    if all(unit_behind(line, found.end()) for line in lines for found in _same(line, number)):
        return False
    # the name of a row and the head before a value: "Wall: Mass 5; Span" has "Wall" and "Span"
    before = f"{before.rstrip()} "
    name = before.partition(": ")[0] if ": " in before else ""
    head = re.split(r"(?<=[;:.])\s", before)[-1].strip()
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


ANY_NUMBER = 0.25  # worth of a number that is not of the kind asked for
OBLIGING = frozenset({"requirement", "procedure", "applicability"})  # intents that ask for a duty

_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W_]{2,}")


def holds_what_is_asked(query: Query, text: str) -> float:
    """Return how far (0..1) the text holds the kind of thing asked for: 1 for a quantity of that kind."""
    asked = asked_kinds(fold(query.spelt or query.text))
    return worth_of(query, asked, text, kinds_in(text) if asked else frozenset())


def worth_of(query: Query, asked: frozenset[str], text: str, kinds: frozenset[str]) -> float:
    """Return the same of a text that holds these kinds of quantity, where those are asked for."""
    number = float(bool(_DIGIT.search(text)))
    if asked:
        return 1.0 if kinds & asked else ANY_NUMBER * number
    if query.intent == "value":
        return number
    return float(query.intent in OBLIGING and bool(obligation().search(text)))


def named_besides(query: Query) -> bool:
    """Tell whether a question says more than labels and documents, by the first letters of its terms."""
    named = (*query.labels, *query.documents)
    names = {word[:STEM] for name in named for word in re.findall(r"[^\W_]+", fold(name))}
    terms = {word[:STEM] for term in query.terms for word in re.findall(r"[^\W_]+", fold(term))}
    return bool(terms - names)


@cache
def obligation() -> re.Pattern[str]:
    """Return what finds a duty or a permission."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases('obligations')))})\b", re.IGNORECASE)
