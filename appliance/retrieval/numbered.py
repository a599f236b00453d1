"""A bare number that goes on from a question: "and 5?" after "4 bedrooms" is that question about 5 bedrooms.

Rules of this module: pure. A bare number takes the place of the one number of the question before, and of
several that of the one nearest to it in size ("and 4?" after "zone 3 at 250 m" is zone 4). A number of a
place, a document or an edition is never replaced, nor one inside a code, a ratio or a word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

_FIGURES = r"\d+(?:[.,]\d+)?"
_NUMBER = re.compile(rf"(?<![\w.,:/-])(?:{_FIGURES}|[^\W\d_]+)(?![\w:/]|[.,-]\d)")


def with_number(
    said: str, before: str, taken: Sequence[tuple[int, int]], named: Mapping[str, float], small: str
) -> str:
    """Return the question before with another number, "" where `said` is no bare number or none is there.

    `taken` are the stretches whose numbers stay, `named` the numbers in words, `small` the pattern of the
    words that may stand before a bare number.
    """
    bare = re.sub(rf"^{small}\s+", "", said.strip(), flags=re.IGNORECASE)
    number = _value(bare, named)
    if number is None:
        return ""
    found = [
        (match, value)
        for match in _NUMBER.finditer(before)
        if (value := _value(match.group(), named)) is not None
        and not any(start < match.end() and match.start() < end for start, end in taken)
    ]
    if not found:
        return ""
    old, _ = min(found, key=lambda item: _apart(item[1], number))
    return f"{before[: old.start()]}{bare}{before[old.end() :]}?"


def _value(text: str, named: Mapping[str, float]) -> float | None:
    if re.fullmatch(_FIGURES, text):
        return float(text.replace(",", "."))
    word = text.casefold()
    return named[word] if named.get(word, 0) > 1 else None  # "one" may stand for a thing


def _apart(one: float, other: float) -> float:
    """Return how many times one number is the other, as a logarithm."""
    return abs(math.log(max(one, 1e-9) / max(other, 1e-9)))
