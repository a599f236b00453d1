"""The words by which documents speak of editions, annexes and amendments, as read from data/editions.toml.

Rules of this module: patterns only, compiled once; what they are for stands beside them in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from appliance.shipped import shipped

Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class EditionWords:
    """All patterns of the file, by what they tell."""

    incorporating: Patterns
    annexes: Patterns
    choosing: Patterns  # names of places of an annex that say on what they decide
    amendments: Patterns
    amending: Patterns
    forward: Patterns
    backward: Patterns
    other: Patterns
    places: Patterns
    decisions: Patterns
    replacing: Patterns
    deciding: Patterns
    citing: Patterns
    adopting: Patterns
    excepting: Patterns
    named: re.Pattern[str]
    bare: re.Pattern[str]
    more: re.Pattern[str]
    own: re.Pattern[str]  # a number that an annex gives its own places
    kinds: Mapping[str, str]


@cache
def load_edition_words() -> EditionWords:
    """Return the shipped patterns."""
    data: dict[str, Any] = shipped("editions")
    replacing, numbers = data["replacing"], data["numbers"]
    return EditionWords(
        incorporating=_all(data["incorporating"]),
        annexes=_all(data["annex"]["designations"]),
        choosing=_all(data["annex"]["headings"]),
        amendments=_all(data["amendment"]["designations"]),
        amending=_all(data["amendment"]["headings"]),
        forward=_all(text.replace("<name>", replacing["name"]) for text in replacing["forward"]),
        backward=_all(text.replace("<name>", replacing["name"]) for text in replacing["backward"]),
        other=_all(replacing["other"]),
        places=_all(data["table"]["places"]),
        decisions=_all(data["table"]["decisions"]),
        replacing=_all(data["deciding"]["replacing"]),
        deciding=_all([*data["deciding"]["replacing"], *data["deciding"]["patterns"]]),
        citing=_all(data["deciding"]["citing"]),
        adopting=_all(data["deciding"]["adopting"]),
        excepting=_all(data["deciding"]["excepting"]),
        named=re.compile(numbers["named"]),
        bare=re.compile(numbers["bare"]),
        more=re.compile(numbers["more"]),
        own=re.compile(data["annex"]["own"]),
        kinds=numbers["kinds"],
    )


def found(patterns: Iterable[re.Pattern[str]], text: str) -> bool:
    """Tell whether any of the patterns occurs in the text."""
    return any(pattern.search(text) for pattern in patterns)


def with_amendments(edition: str, texts: Iterable[str]) -> str:
    """Return an edition with the corrigenda and amendments that the first pages say it takes in.

    Only a line of its own says so: a sentence may speak of another edition. What the edition itself names
    already ("2013 edition incorporating 2018 amendments") is not said twice.
    """
    if found(load_edition_words().incorporating, edition):
        return edition
    said = [
        " ".join(match.group().split()).rstrip(" ,;")
        for text in texts
        for pattern in load_edition_words().incorporating
        if (match := pattern.fullmatch(text.strip())) and re.search(r"\d", text)
    ]
    return f"{edition}, {_lowered(max(said, key=len))}" if said else edition


def _lowered(text: str) -> str:
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def _all(patterns: Iterable[str]) -> Patterns:
    return tuple(re.compile(pattern) for pattern in patterns)
