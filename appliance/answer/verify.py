"""Does what a statement says stand in the quotations it cites? Decided without a model.

Rules of this module: pure functions of text. A *particular* is what a reader could build from: a
number with its unit, the number of a clause, table or figure, an obligation, a prohibition, a limit.
Every particular of a statement must occur in one of its quotations; a statement without quotations
is never confirmed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:\.\d+)*(?:[:/]\d+)?")
_LETTERED = re.compile(r"\b[A-Z]{1,3}\.?\d+(?:\.\d+)*\b")
_LIMITS = (
    "not less than", "not more than", "no less than", "no more than", "at least", "at most",
    "not exceed", "minimum", "maximum", "less than", "more than", "greater than", "exceeding",
)  # fmt: skip
_MODALS = ("shall not", "should not", "must not", "may not", "shall", "should", "must", "may", "need not")


def particulars(text: str) -> Iterator[str]:
    """Yield what a reader could build from, in a normal form: numbers, labels, modals, limits."""
    plain = _fold(text)
    for match in _NUMBER.finditer(plain):
        yield re.sub(r"[,\s]", "", match.group())
    yield from (match.group().casefold() for match in _LETTERED.finditer(plain))
    lowered = plain.casefold()
    yield from _words(lowered, _LIMITS)
    yield from _words(lowered, _MODALS)


def unsupported(statement: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Return the particulars of the statement that no quotation holds, in order, each once."""
    held = {item for quote in quotes for item in particulars(quote)}
    return tuple(dict.fromkeys(item for item in particulars(statement) if item not in held))


def verdict(statement: str, quotes: Sequence[str]) -> tuple[bool, str]:
    """Return whether the statement is confirmed, and if not the reason in words."""
    if not quotes:
        return False, "no place of the documents is cited for this"
    missing = unsupported(statement, quotes)
    if missing:
        return False, "not in the quoted text: " + ", ".join(missing)
    return True, ""


def _words(text: str, phrases: Sequence[str]) -> Iterator[str]:
    """Yield the phrases that occur, the longest reading of each place only."""
    pattern = "|".join(rf"\b{re.escape(phrase)}\b" for phrase in phrases)
    return (match.group() for match in re.finditer(pattern, text))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("−", "-")
