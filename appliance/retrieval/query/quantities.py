"""The quantities that a question states: "7 kW", "10 to 15 mm", "1:12"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from appliance.core.evidence import Stated
from appliance.core.files import shipped
from appliance.retrieval.query.decomposition import number_words
from appliance.text.numbers import value
from appliance.text.quantities import Quantity, quantities, unit_behind

_NUMBER = re.compile(r"[-\u2212]?\d+(?:[., ]\d+)*")
_REST = re.compile(r"[·/*^²³\w.()-]*[²³\w)]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_COUNTED = re.compile(r"[ -]([^\W\d_]{3,})")


def stated(text: str, names: Iterable[str] = ()) -> tuple[Stated, ...]:
    """Return the quantities of a question in its order; `names` are labels and documents as typed in it."""
    taken = [match.span() for name in names for match in re.finditer(re.escape(name), text, re.IGNORECASE)]
    kept: list[tuple[int, Stated]] = []
    for found in sorted(quantities(text), key=lambda item: (item.kinds == {"count"}, item.start)):
        for start, each in _read(text, found):
            span = (start, start + len(each.words))
            if not any(a < span[1] and span[0] < b for a, b in taken):
                taken.append(span)
                kept.append((start, each))
    return tuple(each for _, each in sorted(kept, key=lambda item: item[0]))


def _read(text: str, found: Quantity) -> Iterator[tuple[int, Stated]]:
    """Yield (start, quantity), for a range both of its ends."""
    words, kinds = text[found.start : found.end], tuple(sorted(found.kinds))
    if found.kinds == {"count"}:
        if (counted := _COUNTED.match(text, found.end)) and not _YEAR.fullmatch(words):
            whole = text[found.start : counted.end()]
            yield found.start, Stated(whole, _number(words), counted[1], kinds)
        return
    number = _NUMBER.match(words)
    unit = unit_behind(words, number.end()) if number else ""
    if number and unit:
        rest = _REST.match(text, found.end)
        if rest and text[found.end] in "/·*^²³m":
            words, unit, kinds = words + rest.group(), unit + rest.group(), ()
        if first := _first().search(text[: found.start]):
            yield first.start(1), Stated(first[1], _number(first[1]), unit, kinds)
    yield found.start, Stated(words, _number(number.group()) if number and unit else None, unit, kinds)


def _number(text: str) -> float | None:
    """Return a number as typed: "2,500" is two thousand five hundred, "2,5" is two and a half."""
    try:
        return value(text)
    except ValueError:
        return number_words().get(text.strip().lower())


@cache
def _first() -> re.Pattern[str]:
    """Return what finds the first number of a range or size at the end of a text ("10 to", "2 x")."""
    words = "|".join(map(re.escape, shipped("retrieval/parts")["between"]))
    return re.compile(
        rf"(?<![\w.,:/-])([-\u2212]?\d+(?:[.,]\d+)*)\s?(?:{words}|[-\u2013\u00d7])\s?$", re.IGNORECASE
    )
