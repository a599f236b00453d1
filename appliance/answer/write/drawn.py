"""What a vision model wrote of a drawing, as the sentences that may be shown."""

from __future__ import annotations

import re
from dataclasses import dataclass

import msgspec

from appliance.answer.verify import particulars
from appliance.answer.write.strange import marked_up, plain
from appliance.text.quantities import unit_behind

MOST = 5  # sentences
LONGEST = 600  # characters of a sentence

_LETTERS = re.compile(r"[^\W\d_]{2}")
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:[,\s]\d{3})+(?!\d)|\d+)(?:[.,]\d+)*(?:[:/]\d+)?")


class _Said(msgspec.Struct, frozen=True):
    d: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences that may be shown, and how many were left out."""

    shown: tuple[str, ...]
    left_out: int


def sentences(text: str, printed: str) -> Sentences | None:
    """Return what a description says that the printed text does not contradict, None where it is none."""
    try:
        said = msgspec.json.decode(text.strip().encode(), type=_Said).d
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    every = tuple(dict.fromkeys(words for item in said[:MOST] if (words := " ".join(item.split()))))
    known = set(particulars(printed)), _measured(printed)
    shown = tuple(item for item in every if _is_plain(item) and _printed(item, *known))
    return Sentences(shown, len(every) - len(shown))


def _printed(text: str, known: set[str], with_units: set[tuple[str, str]]) -> bool:
    """Tell whether all numbers and labels of a sentence are printed, those with a unit with that unit."""
    return not set(particulars(text)) - known and not _measured(text) - with_units


def _is_plain(text: str) -> bool:
    """Tell whether a text is a short sentence in words, without markup or an address."""
    return not marked_up(plain(text)) and len(text) <= LONGEST and _LETTERS.search(text) is not None


def _measured(text: str) -> set[tuple[str, str]]:
    """Return the numbers in a normal form that have a unit, with it."""
    found = ((_normal(match.group()), unit_behind(text, match.end())) for match in _NUMBER.finditer(text))
    return {(value, unit) for value, unit in found if unit}


def _normal(number: str) -> str:
    read = (item for item in particulars(number) if item.lstrip("-")[:1].isdigit())
    return next(read, number)
