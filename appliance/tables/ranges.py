"""Row and column heads in comparable form: "up to 9 m", "30° < α < 60°"."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache

from rapidfuzz import fuzz

from appliance.core.files import shipped
from appliance.text.numbers import closed_up, spelt_numbers, value, with_degrees, with_plain_digits
from appliance.text.quantities import size_of
from appliance.text.terms import singular

ALIKE = 86.0  # of 100: two words of this likeness are one misspelt
TAIL = (0.92, 0.12)  # likeness of a number to the range that holds it: at its bound, and how far it falls
PART = 0.8  # of a range to a wider one that holds it; of a word to one like it
SHAPE = 0.97  # of a word to one that a scan takes for it
AT_BOUND = 0.7  # of a number to an open range that ends there, of a range to the number that bounds it

KEPT = 16_384  # texts and words, users' among them, whose reading is remembered
PAIRS = 1 << 16  # pairs of words whose likeness is kept
SYMBOL = 3  # letters: a word of no more may be a symbol

_NUMBER = r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|[-+]?\d{1,3}(?: 000)+(?!\d)|[-+]?\d+(?:[.,]\d+)?"
_WORD = re.compile(r"[^\W\d_]+\d*(?:[./]\d+)*|\d+(?:[.,:/]\d+)+|\d+")
_PART = re.compile(r"[^\s/()·]+")
_UNMEASURED = frozenset({"", "1", "temperature"})  # of no kind, or counted from another nought
_SIGNS = str.maketrans(
    {**dict.fromkeys("−–—‐‑", "-"), **dict.fromkeys("≤⩽", "<="), **dict.fromkeys("≥⩾", ">="), "�": " "}
)
_RATIO = re.compile(r"\b(\d+)\s?(?:in|:)\s?(\d+)\b")


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`; an open bound does not belong to it. A bare number is both bounds."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False
    unit: str = ""

    @property
    def point(self) -> bool:
        """Tell whether it is one number."""
        return self.low == self.high

    def holds(self, value: float) -> bool:
        """Tell whether the number lies in the range."""
        above = self.low < value or (self.low == value and not self.low_open)
        return above and (value < self.high or (value == self.high and not self.high_open))


Token = str | Range


@lru_cache(KEPT)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the words and numbers of a text, in order, without those that tell nothing apart."""
    plain = _plain(text)
    found: list[Token] = []
    at = 0
    for match in _quantity().finditer(plain):
        found += _words(plain[at : match.start()])
        found += _ranges(match)
        at = match.end()
    return (*found, *_words(plain[at:]))


def likeness(asked: Token, held: Sequence[Token]) -> float:
    """Return how well the best of the held tokens answers to the asked one, 0 to 1."""
    if asked in held:
        return 1.0
    if isinstance(asked, Range):
        return max((_same_numbers(asked, other) for other in held if isinstance(other, Range)), default=0.0)
    words = [other for other in held if isinstance(other, str)]
    if any(_shape(asked) == _shape(other) for other in words):
        return SHAPE
    return PART if any(alike(asked, other) for other in words) else 0.0


def distance(asked: Range, held: Sequence[Token]) -> float:
    """Return how far the bounds of the nearest of the held numbers lie from the asked one, in its unit."""
    far = []
    for other in (token for token in held if isinstance(token, Range)):
        two_units = asked.unit and other.unit and asked.unit != other.unit
        own = (_in_unit(asked, other.unit) or asked) if two_units else asked
        pairs = ((a, b) for a in (own.low, own.high) for b in (other.low, other.high))
        far += [abs(a - b) for a, b in pairs if math.isfinite(a) and math.isfinite(b)]
    return min(far, default=math.inf)


@lru_cache(PAIRS)
def alike(word: str, other: str) -> bool:
    """Tell whether two words are one, shortened or misspelt; what tells most pairs apart is asked first."""
    if word == other:
        return True
    shorter, longer = (word, other) if len(word) <= len(other) else (other, word)
    if len(shorter) < 3:
        return False
    begun = longer.startswith(shorter[: max(4, len(shorter) - 2)])
    if not begun and (len(shorter) == 3 or fuzz.ratio(word, other, score_cutoff=ALIKE) < ALIKE):
        return False
    if any(map(str.isdigit, word)) or any(map(str.isdigit, other)):
        return False
    return not (longer.endswith(shorter) and longer.removesuffix(shorter) in shipped("tables")["opposites"])


@lru_cache(KEPT)
def _shape(word: str) -> str:
    """Return a word as scans see it ("cenlent" and "cement" are one); symbols keep their letters."""
    if len(word) > SYMBOL:
        for read, printed in shipped("tables")["shapes"].items():
            word = word.replace(read, printed)
    return word


def _same_numbers(asked: Range, held: Range) -> float:
    if asked.unit and held.unit and asked.unit != held.unit:
        other = _in_unit(asked, held.unit)
        return _same_numbers(other, held) if other else 0.0
    if (asked.low, asked.high) == (held.low, held.high):
        same = (asked.low_open, asked.high_open) == (held.low_open, held.high_open)
        return 1.0 if same else 0.95
    if asked.point:  # the tighter its bounds hold it, the better
        number = asked.low
        if not held.holds(number):
            return AT_BOUND - 0.2 if number in {held.low, held.high} else 0.0
        far = max(abs(number - bound) for bound in (held.low, held.high) if math.isfinite(bound))
        return TAIL[0] - TAIL[1] * far / (far + abs(number) + 1)
    if held.point:
        return AT_BOUND if held.low in {asked.low, asked.high} else 0.0
    inside = held.low <= asked.low and asked.high <= held.high
    return PART if inside else 0.0


def _in_unit(asked: Range, unit: str) -> Range | None:
    """Return a range in another unit of its kind, None where no unit of one kind is named."""
    # as they are printed: "kN/m²" of "kn/m2"
    printed = _printed_units()
    own, other = (
        size_of(_PART.sub(lambda part: printed.get(part.group(), part.group()), name))
        for name in (asked.unit, unit)
    )
    if own.dimension != other.dimension or own.dimension in _UNMEASURED or not own.factor * other.factor:
        return None
    times = Fraction(str(own.factor)) / Fraction(str(other.factor))
    low, high = (
        float(Fraction(str(bound)) * times) if math.isfinite(bound) else bound
        for bound in (asked.low, asked.high)
    )
    return replace(asked, low=low, high=high, unit=unit)


def _plain(text: str) -> str:
    """Return the text in small letters with one spelling of signs; marks of footnotes are dropped."""
    kept: list[str] = []
    for character in with_plain_digits(with_degrees(text)):
        kind, _, form = unicodedata.decomposition(character).partition(" ")
        before = "".join(kept[-3:])
        worded = len(before) == 3 and before.isalpha()
        if kind == "<super>" and (before[-1:].isdigit() or before[-1:] in {")", ","} or worded):
            continue
        if kind == "<fraction>":
            top, bottom = ("".join(chr(int(c, 16)) for c in form.split())).split("⁄")
            kept.append(
                f".{1000 * int(top) // int(bottom):03d}" if before[-1:].isdigit() else f"{top}/{bottom}"
            )
            continue
        kept.append(character)
    plain = unicodedata.normalize("NFKD", closed_up("".join(kept))).casefold().translate(_SIGNS)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    for read, printed in _misread():
        plain = read.sub(printed, plain)
    plain = _spelt().sub(lambda found: str(spelt_numbers()[found.group()]), plain)
    return _both().sub(r"\1 - \2", _RATIO.sub(r"\1:\2", plain))


@cache
def _spelt() -> re.Pattern[str]:
    """Return what matches a number in words; "one" is often a pronoun, and counts before a unit alone."""
    more = "|".join(word for word, number in spelt_numbers().items() if number > 1)
    units = _any(unit for unit in _units() if len(unit) > SYMBOL)
    return re.compile(rf"\b(?:(?:{more})\b|one(?=[ -](?:{units})))")


def _words(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        one = singular(word)
        one = _same().get(one, one)
        if one not in empty():
            yield one


def _ranges(match: re.Match[str]) -> Iterator[Range]:
    """Yield what a matched quantity means: one range, or two numbers where they do not rise."""
    printed = (match["unit2"] or match["unit"] or "").strip()
    unit = _unit_names().get(printed, printed)
    first = value(match["first"])
    before, after = match["before"], match["after"]
    bounds: dict[str, list[str]] = shipped("tables")["bounds"]
    if match["second"]:
        second = value(match["second"])
        if first < second:
            low_open = match["lower"] == "<" or before in bounds["above"]
            yield Range(first, second, low_open, match["upper"] == "<" or match["over"] == "<", unit)
            return
        yield Range(first, first, unit=unit)
        yield Range(second, second, unit=unit)
    elif before in bounds["at_most"] or after in bounds["or_less"]:
        yield Range(-math.inf, first, unit=unit)
    elif before in bounds["below"]:
        yield Range(-math.inf, first, high_open=True, unit=unit)
    elif before in bounds["at_least"] or after in bounds["or_more"]:
        yield Range(first, math.inf, unit=unit)
    elif before in bounds["above"]:
        yield Range(first, math.inf, low_open=True, unit=unit)
    elif match["opening"]:
        yield Range(first, math.inf, low_open="=" not in match["opening"], unit=unit)
    else:
        yield Range(first, first, unit=unit)


@cache
def _quantity() -> re.Pattern[str]:
    """Return what matches a number with its bounds, units and second number."""
    bounds: dict[str, list[str]] = shipped("tables")["bounds"]
    before = _any(w for k in ("at_most", "below", "at_least", "above") for w in bounds[k])
    after = _any((*bounds["or_less"], *bounds["or_more"]))
    one = _any(_units())
    unit = rf"(?:\s?(?:{one})(?:\s?/\s?\(?(?:{one})\)?)*(?![^\W_]))?"
    number = rf"(?:{_NUMBER})"
    sign = r"(?:<=|<|≤)"
    return re.compile(
        rf"(?<!\w)(?:(?P<before>{before})\s*(?:of\s+)?)?"
        rf"(?<![^\W_])(?<!\d[.,:/])(?P<first>{number})(?!\d*[:/]\d)"
        rf"(?P<unit>{unit})"
        rf"(?:(?:\s*(?:{_any(bounds['between'])})\s*|"
        rf"\s*(?P<lower>{sign})\s*(?P<symbol>[^\W\d_][\w./]{{0,8}})\s*(?P<upper>{sign})\s*)"
        rf"(?P<over>{sign})?\s*(?P<second>{number})(?!\d*[:/]\d)(?P<unit2>{unit}))?"
        rf"(?:\s*(?P<after>{after})(?![^\W_])|\s*(?P<opening>{sign})\s*(?=[^\W\d_]))?"
    )


@cache
def _both() -> re.Pattern[str]:
    """Return what matches "between 2 and 5", which is written "2 - 5"."""
    first, second = shipped("tables")["bounds"]["both"]
    return re.compile(rf"\b{first}\s+(\S[^,;]{{0,12}}?)\s+{second}\s+(?=[-+]?\d)()")


def _any(words: Iterable[str]) -> str:
    ordered = sorted(set(words), key=len, reverse=True)
    return "|".join(rf"{re.escape(w)}(?![a-z])" if w[-1:].isalpha() else re.escape(w) for w in ordered)


@cache
def _misread() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return what character recognition makes of headers, with what is printed; for comparing only."""
    return tuple((re.compile(one["read"]), one["printed"]) for one in shipped("tables")["misread"])


@cache
def empty() -> frozenset[str]:
    """Return the words that tell no row or column apart."""
    return frozenset(shipped("tables")["empty"])


@cache
def _same() -> dict[str, str]:
    return {word: group[0] for group in reversed(shipped("tables")["same"]) for word in group}


def _units() -> Iterator[str]:
    """Yield the symbols of units as the folded text has them."""
    doubtful = set(shipped("units")["doubtful"])
    for symbol in shipped("units")["symbols"]:
        if symbol not in doubtful:
            yield _folded(symbol)
    for group in shipped("units")["same"]:
        yield from map(_folded, group)


@cache
def _unit_names() -> dict[str, str]:
    return {_folded(w): _folded(group[0]) for group in shipped("units")["same"] for w in group}


@cache
def _printed_units() -> dict[str, str]:
    """Return the unit that a folded one is printed as; one that two units fold to ("mpa") is not known."""
    printed: dict[str, str] = {}
    for symbol in shipped("units")["symbols"]:
        folded = _unit_names().get(_folded(symbol), _folded(symbol))
        known = printed.setdefault(folded, symbol)
        printed[folded] = known if size_of(known) == size_of(symbol) else ""
    return printed


def _folded(symbol: str) -> str:
    return unicodedata.normalize("NFKD", symbol).casefold()
