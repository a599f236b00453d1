"""Does what a statement says stand in the quotations it cites? Decided without a model.

Rules of this module: pure functions of text. A *particular* is what a reader could build from: a
number, the unit behind it, the number of a clause, table or figure, an obligation, a prohibition, a
limit. A statement is made of claims; every particular of a claim must occur in the quotations of that
very claim (a row of a table in that row and its headers), so that a right number beside the wrong
name is not confirmed. A claim without quotations is never confirmed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from appliance.quantity import unit_behind
from appliance.shipped import shipped

_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:\.\d+)*(?:[:/]\d+)?")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))|(?<=(?<![\d.,])0),(?=\d)")
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
    printed = _fold(" ".join(quotes)).casefold()
    missing = [item for item in particulars(statement) if item not in held]
    missing += [unit for unit in units(statement) if not _is_printed(unit, printed)]
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
    signs = (re.escape(sign) for sign in _fold(unit).casefold() if not sign.isspace())
    spaced = r"\s*".join(signs)
    return bool(re.search(rf"(?<![^\W\d_]){spaced}(?![\w/])", printed))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).replace("−", "-").replace("⁄", "/")
