"""Numbers of a question beside the numbers of a table: only those of one unit, or of two that convert.

Rules of this module: pure. The unit of a column is read from its head: alone in brackets, at its end, or
before other words in brackets ("(mm diam.)"); a nominal size counts in its unit ("DN"). A column whose unit
cannot be read takes no number that has one, and a number that counts a thing ("3 storeys") is for no row of a
table that does not speak of the thing. Nothing is rounded. The bare numbers under a head that bounds
them ("Max. area", "up to") each stand for all below, under "Min." for all above: the row next to the asked
number on that side is the one that covers it. Words: data/tables.toml, data/answer/columns.toml.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from appliance.core.files import shipped
from appliance.retrieval.query.decomposition import in_digits
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.lookup import words
from appliance.tables.ranges import Range, alike, tokens
from appliance.tables.rows import flat, unit_of
from appliance.text.quantities import size_of, unit_behind
from appliance.text.terms import fold
from appliance.text.units import unit_pattern

FEWEST = 2  # numbers of a column from which it is an axis
BEYOND = 10  # times beyond the ends of an axis that a number of another unit may lie

_COUNTED = re.compile(r"(?<![\w.,/])(?P<number>\d{1,4}|[^\W\d_]{2,})(?=[ -](?P<thing>[^\W\d_]{3,}))")
_BRACKETS = re.compile(r"(?<!/)(?<!/ )[(\[]([^()\[\]]+)[)\]]")  # "W/(m²·K)" holds no unit of its own


def numbers_of(asked: str) -> list[Range]:
    """Return the numbers of a question that have a unit, with bounds or without."""
    return [one for one in tokens(asked) if isinstance(one, Range) and one.unit]


def without_counts(asked: str, named: Collection[str]) -> str:
    """Return a question without the numbers that count a thing which is not among the words of a table.

    "3 storeys" is no class 3; behind a word of the table ("class 3 buildings") a number is a name.
    """
    kept, at = [], 0
    for found in _COUNTED.finditer(asked):
        if _is_count(asked, found, named):
            kept.append(asked[at : found.start()])
            at = found.end()
    return "".join((*kept, asked[at:]))


def _is_count(asked: str, found: re.Match[str], named: Collection[str]) -> bool:
    unit = unit_behind(asked, found.end())  # "storey" is one that counts and measures nothing
    if not in_digits(found["number"]).isdigit() or (unit and size_of(unit).dimension):
        return False
    if found["thing"].casefold() in load_lexicon().stop:
        return False
    near = words(" ".join((*asked[: found.start()].split()[-1:], found["thing"])))
    return not any(alike(word, other) for word in near for other in named)


def held_unit(headers: Sequence[str]) -> str:
    """Return the unit of the numbers under some heads, as numbers carry it, "" where none can be read."""
    return as_carried(unit_printed(headers))


def unit_printed(headers: Sequence[str]) -> str:
    """Return the unit of the numbers under some heads as printed, "" where none can be read."""
    return next(filter(None, (_unit_in(flat(text)) for text in reversed(headers))), "")


def as_carried(unit: str) -> str:
    """Return a unit of a head as numbers carry it."""
    return next((one.unit for one in tokens(f"1 {unit}") if isinstance(one, Range)), "") if unit else ""


def in_unit(number: Range, unit: str) -> Range | None:
    """Return a number of a question in another unit, None where the two are not of one kind.

    A number without a unit is of any.
    """
    if not number.unit or number.unit == unit:
        return number
    mine, other = size_of(number.unit), size_of(unit)
    if not unit or not mine.factor or not other.factor or mine.dimension != other.dimension:
        return None
    times = mine.factor / other.factor
    low, high = (
        round(bound * times, 9) if math.isfinite(bound) else bound for bound in (number.low, number.high)
    )
    return Range(low, high, number.low_open, number.high_open, unit)


def covering(asked: str, head: str, unit: str, labels: Mapping[int, str]) -> frozenset[int] | None:
    """Return the rows (keys of `labels`, in order) that are for a number of the question.

    Under a head with a bound the next row that covers it, of each run of rising numbers; under another one
    those of that very number. Empty where the column is for such a number and no row is; None where not.
    """
    unit = unit or _own_unit(labels.values())
    points = [(row, value) for row, text in labels.items() if (value := _point(text, unit)) is not None]
    if len(points) < FEWEST or not unit:
        return None
    found: frozenset[int] | None = None
    for number in numbers_of(asked):
        same = in_unit(number, unit)
        if same is None or not is_of_size(number, unit, [Range(one, one) for _, one in points]):
            continue
        value = same.low if math.isfinite(same.low) else same.high
        found = (found or frozenset()) | _covering(value, points, bound_of(head))
    return found


def is_of_size(number: Range, unit: str, axis: Sequence[Range]) -> bool:
    """Tell whether a number that is converted may be meant: 250 mm is no altitude from 200 m up."""
    units = {one.unit or unit for one in axis}
    bounds = [abs(bound) for one in axis for bound in (one.low, one.high) if math.isfinite(bound)]
    same = in_unit(number, next(iter(units), unit))
    if units <= {number.unit} or same is None or not bounds:
        return True
    own = [abs(bound) for bound in (same.low, same.high) if math.isfinite(bound)]
    return min(bounds) <= BEYOND * max(own) and min(own) <= BEYOND * max(bounds)


def bound_of(head: str) -> str:
    """Return which bound a head says: "most", "least", or "" for none or both."""
    folded, bounds = fold(head), shipped("tables")["bounds"]
    ways = {"most": ("at_most", "below"), "least": ("at_least", "above")}
    found = [
        side for side, names in ways.items() if any(_says(folded, word) for n in names for word in bounds[n])
    ]
    return found[0] if len(found) == 1 else ""


def _covering(value: float, points: Sequence[tuple[int, float]], bound: str) -> frozenset[int]:
    found: set[int] = set()
    for run in _runs(points):
        held = [number for _, number in run]
        best = {
            "most": min((number for number in held if number >= value), default=None),
            "least": max((number for number in held if number <= value), default=None),
        }.get(bound, value)
        found |= {row for row, number in run if number == best}
    return frozenset(found)


def _runs(points: Sequence[tuple[int, float]]) -> Iterator[list[tuple[int, float]]]:
    """Yield the rows between two where the numbers turn back: each material has its own."""
    run: list[tuple[int, float]] = []
    falling = len(points) > 1 and points[1][1] < points[0][1]
    for row, number in points:
        back = run and (number > run[-1][1] if falling else number < run[-1][1])
        if back:
            yield run
            run = []
        run.append((row, number))
    yield run


def _point(text: str, unit: str) -> float | None:
    """Return the one number that a cell holds, None where it holds words, a range or another unit."""
    held = tokens(text)
    one = held[0] if len(held) == 1 else None
    return one.low if isinstance(one, Range) and one.point and one.unit in {"", unit} else None


def _own_unit(texts: Iterable[str]) -> str:
    """Return the unit that the numbers of a column carry themselves ("100mm"), "" for none or several."""
    units = {one.unit for text in texts for one in tokens(text) if isinstance(one, Range)}
    return next(iter(units)) if len(units) == 1 else ""


def _unit_in(head: str) -> str:
    if unit := unit_of(head):
        return unit
    nominal: Mapping[str, str] = shipped("answer/columns")["nominal"]
    for text in reversed(_BRACKETS.findall(head)):
        first = next(iter(text.split()), "")
        if first.casefold() in nominal:
            return nominal[first.casefold()]
        if first not in _doubtful() and unit_pattern().fullmatch(first):
            return str(first)
    last = next(iter(head.split()[-1:]), "")
    return last if len(last) > 1 and last not in _doubtful() and unit_pattern().fullmatch(last) else ""


def _says(folded: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", folded) is not None


@cache
def _doubtful() -> Collection[str]:
    return frozenset(shipped("units")["doubtful"])
