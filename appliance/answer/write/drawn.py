"""What a vision model wrote of a drawing, as the sentences that may be shown."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from appliance.answer.verify import particulars
from appliance.answer.write.checking import measured, refused

MOST = 5  # sentences


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
    known = set(particulars(printed)), measured(printed)
    shown = tuple(item for item in every if not refused(item) and _printed(item, *known))
    return Sentences(shown, len(every) - len(shown))


def _printed(text: str, known: set[str], with_units: set[tuple[str, str]]) -> bool:
    """Tell whether all numbers and labels of a sentence are printed, those with a unit with that unit."""
    return not set(particulars(text)) - known and not measured(text) - with_units
