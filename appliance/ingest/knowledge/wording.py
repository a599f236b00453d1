"""The words by which a code says values, demands and scope, from data/graph/*.toml.

Rules of this module: no word of a language stands in the code; what is read here is read once. A
pattern is written as printed text: a space in it stands for any white space.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from appliance.graph import Bound
from appliance.shipped import shipped


@dataclass(frozen=True, slots=True)
class Nouns:
    """Words for what can be measured: units by noun, noun by adjective, sign by "maximum" and its like."""

    units: Mapping[str, frozenset[str]]
    adjectives: Mapping[str, str]
    extremes: Mapping[str, Bound]
    edges: frozenset[str]  # words that no name of a quantity holds


@dataclass(frozen=True, slots=True)
class Wording:
    """Compiled patterns; `before` and `after` pair each with the bound that it sets, longest first."""

    before: tuple[tuple[Bound, re.Pattern[str]], ...]
    after: tuple[tuple[Bound, re.Pattern[str]], ...]
    joints: str  # a pattern of what stands between the ends of a range
    joined: re.Pattern[str]
    behind: re.Pattern[str]
    comparing: re.Pattern[str]
    linking: re.Pattern[str]
    stating: re.Pattern[str]
    objects: re.Pattern[str]
    subjects: re.Pattern[str]
    rules: re.Pattern[str]
    conditions: re.Pattern[str]
    continued: re.Pattern[str]  # a comma behind which a condition goes on
    elsewhere: re.Pattern[str]  # what makes a condition an aside on another place
    endings: frozenset[str]  # words with which no condition ends
    apart: re.Pattern[str]
    shares: re.Pattern[str]
    names: re.Pattern[str]
    requires: re.Pattern[str]
    exceptions: re.Pattern[str]
    applies: re.Pattern[str]
    negative: re.Pattern[str]
    between_values: re.Pattern[str]
    between_names: re.Pattern[str]
    between_demands: re.Pattern[str]
    close: re.Pattern[str]  # all that may stand between a name and the words of its bound
    taken: re.Pattern[str]  # right before a number, behind the subject that it is the value of
    equals: re.Pattern[str]  # the same behind a symbol
    value_of: re.Pattern[str]  # before such a subject
    articles: frozenset[str]
    cases: frozenset[str]  # before a symbol that is compared, not set ("for t = 0")
    held_for: re.Pattern[str]  # behind a number: the case that it is for
    unread: re.Pattern[str]  # behind a number without a unit: what may be one that was not read


@cache
def nouns() -> Nouns:
    """Return the words for what can be measured.

    Raises:
        BadSettings: the file is not what this program reads.
    """
    data = shipped("graph/quantities")
    units: dict[str, set[str]] = {}
    adjectives: dict[str, str] = {}
    for entry in data["noun"]:
        for word in entry["words"]:
            units.setdefault(word, set()).add(entry["unit"])
        for adjective in entry.get("adjectives", ()):
            adjectives[adjective] = entry["words"][0]
    extremes = {word: sign for sign, words in data["extremes"].items() for word in words}
    known = {word: frozenset(found) for word, found in units.items()}
    return Nouns(known, adjectives, extremes, frozenset(data["edges"]["words"]))


@cache
def wording() -> Wording:
    """Return the patterns of sentences.

    Raises:
        BadSettings: the file is not what this program reads.
    """
    data = shipped("graph/sentences")
    between = _any(data["requires"]["between"])
    lead = rf"(?:\W{{1,3}}{between}\b)*\W{{1,3}}$"
    leading = rf"(?:[^.;:]{{0,60}}\b{_any(data['requires']['leading'])})?\W{{0,3}}"
    return Wording(
        tuple((entry["sign"], _pattern(_before(entry["before"]))) for entry in data["bound"]),
        tuple(
            (entry["sign"], _pattern(rf"\s*{_any(entry['after'])}(?![^\W_])"))
            for entry in data["bound"]
            if entry["after"]
        ),
        _any([*data["ranges"]["spanning"], *data["ranges"]["joined"]]),
        _pattern(rf"\s*{_any(data['ranges']['joined'])}\s*"),
        _pattern(rf"{_any(data['ranges']['behind'])}\s*$"),
        _pattern(_before(data["comparing"]["words"])),
        _pattern(rf"(?:\s*{_any(data['linking']['words'])}\b)*\s*"),
        _pattern(_any(data["stating"]["patterns"])),
        _pattern(data["stating"]["objects"]),
        _pattern(data["stating"]["subjects"]),
        _words(data["rules"]["words"]),
        _words(data["conditions"]["words"]),
        _pattern(rf"[,;]?\s*{_any(data['conditions']['continued'])}(?![^\W_])"),
        _words(data["conditions"]["elsewhere"]),
        frozenset(data["conditions"]["endings"]),
        _words(data["conditions"]["apart"]),
        _pattern(rf"\s*{_any(data['conditions']['shares'])}"),
        _pattern(rf"(?<![^\W_]){_any(data['conditions']['names'])}\.?\s+$"),
        _pattern(rf"(?<![^\W_]){_any(data['requires']['patterns'])}{lead}"),
        _pattern(rf"(?<![^\W_]){_any(data['requires']['exceptions'])}\b{leading}$"),
        _pattern(_any(data["applies"]["patterns"])),
        _pattern(data["applies"]["negative"]),
        *_between(data["joining"]),
        *_setting(data["taken"]),
        frozenset(data["taken"]["articles"]),
        frozenset(data["taken"]["cases"]),
        _pattern(rf"\s+(?P<words>{_any(data['conditions']['behind'])}(?![^\W_])[^,;:.()]{{3,60}})"),
        _pattern(rf"\s?(?:\[|(?!{_any(data['taken']['going_on'])}\b)[^\W\d_]{{1,3}}(?![^\W_]))"),
    )


def _setting(words: Mapping[str, Iterable[str]]) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of what sets a value, of what sets that of a symbol, and of what a value is of."""
    return (
        _pattern(rf"(?<![^\W_]){_any(words['cues'])}\s*$"),
        _pattern(rf"\s(?:{_any(words['equal'])})\s*$"),
        _pattern(rf"(?<![^\W_]){_any(words['value_of'])}(?![^\W_])"),
    )


def _between(
    words: Mapping[str, Iterable[str]],
) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of what stands between values, names, demands, and a name and its bound."""
    values, names, demands = (_any(words[key]) for key in ("values", "names", "demands"))
    return (
        re.compile(rf"\s*(?:,|{values}|\s)+(?:{_any(words['articles'])}\s)?\s*", re.IGNORECASE),
        re.compile(rf"\s*(?:,|{names})\s*", re.IGNORECASE),
        re.compile(rf"\W*(?:{demands}\b\W*){{0,3}}", re.IGNORECASE),
        re.compile(rf"\s*\(?{_any(words['close'])}?\s*{_any(words['softened'])}?\s*\)?", re.IGNORECASE),
    )


def _before(patterns: Iterable[str]) -> str:
    return rf"(?<![^\W_]){_any(patterns)}\s*(?:(?:about|approximately|around|a|the|only)\s+)?$"


def _words(patterns: Iterable[str]) -> re.Pattern[str]:
    return _pattern(rf"(?<![^\W_]){_any(patterns)}(?![^\W_])")


def _any(patterns: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(patterns, key=len, reverse=True))})"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace(" ", r"\s+"), re.IGNORECASE)
