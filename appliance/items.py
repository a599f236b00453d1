"""How an item of a list begins: "– ", "a) ", "(iv) ", "2. ".

Rules of this module: pure; one grammar for all who read a text by its lines. A single letter is a letter,
also where it may be a Roman number; a number in brackets may begin an item or a paragraph of a clause, so it
has a kind of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

ItemKind = Literal["dash", "letter", "roman", "number", "bracketed"]

_MARK = re.compile(
    r"\s*(?:(?P<dash>[–—•·-])|\(?(?P<letter>[a-z])[).]|\(?(?P<roman>[ivx]{2,})[).]"
    r"|(?P<number>\d{1,2})[).]|\((?P<bracketed>\d{1,2})[).])\s"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of an item: its kind, its sign without brackets and stops, and where it ends in the text."""

    kind: ItemKind
    sign: str
    end: int


def mark_of(text: str, at: int = 0) -> Mark | None:
    """Return the mark of the item that begins at a character of a text, None where none does."""
    found = _MARK.match(text, at)
    if found is None:
        return None
    kind, sign = next((name, said) for name, said in found.groupdict().items() if said)
    return Mark(kind, sign, found.end())  # type: ignore[arg-type]  # the names of the groups are the kinds
