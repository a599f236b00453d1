"""Whether a question asks for one value of one thing, and in so many words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.text.quantities import all_kinds, counted_unit
from appliance.text.terms import fold

KEPT = 256  # questions of which is remembered what they measure
COUNT = "count"  # of things, which some number can always be


@dataclass(frozen=True, slots=True)
class _Patterns:
    asking: re.Pattern[str]
    counting: re.Pattern[str]
    begins: re.Pattern[str]
    otherwise: tuple[re.Pattern[str], ...]
    how: re.Pattern[str]
    what: re.Pattern[str]
    named: re.Pattern[str]
    speaking: re.Pattern[str]
    two: re.Pattern[str]


def asks_one_value(query: Query) -> bool:
    """Tell whether a question asks for one value of one thing, of a kind that is known."""
    if query.labels or query.pages or len(query.parts) > 1:
        return False
    if query.intent not in _data()["intents"] or not set(query.kinds) - {COUNT}:
        return False
    return is_single(fold(query.spelt or query.text).strip().rstrip("?. "))


def is_single(folded: str) -> bool:
    """Tell whether the words of a question, folded, ask for one value."""
    known = _patterns()
    if known.begins.match(folded) or any(pattern.search(folded) for pattern in (*known.otherwise, known.two)):
        return False
    if known.how.search(folded):
        return True
    if known.counting.search(folded):
        return bool(counted_unit(folded))
    if known.asking.search(folded):
        return known.what.search(folded) is not None
    short = len(folded.split()) <= _data()["longest"] and not known.speaking.search(folded)
    return short and known.named.search(folded) is not None


def measuring(query: Query) -> frozenset[str]:
    """Return the words of a question, folded, that say what is to be measured."""
    return _measuring(fold(query.spelt or query.text))


def kinds_named(query: Query, word: str) -> frozenset[str]:
    """Return the kinds of quantity that a word of a question, folded, asks for with those beside it."""
    return frozenset(kind for kind, said in _named(fold(query.spelt or query.text)).items() if word in said)


def _measuring(folded: str) -> frozenset[str]:
    return frozenset[str]().union(*_named(folded).values())


@lru_cache(KEPT)
def _named(folded: str) -> Mapping[str, frozenset[str]]:
    """Return by kind of quantity the words of a folded question that ask for it."""
    return {
        kind.name: frozenset(
            word
            for pattern in kind.words(folded)
            for match in pattern.finditer(folded)
            for word in match.group().split()
        )
        for kind in all_kinds()
    }


def spelt_units(folded: str) -> frozenset[int]:
    """Return the places in a folded question of the words that spell the unit of what is asked for.

    "per cubic metre" and "a cubic metre of" name no thing.
    """
    spans = (found.span("unit" if found["unit"] else "some") for found in _per().finditer(folded))
    return frozenset(at for span in spans for at in range(*span))


def occasions(folded: str) -> frozenset[int]:
    """Return the places in a folded question of the words that tell an occasion, not what is asked about."""
    return frozenset(at for found in _occasion().finditer(folded) for at in range(*found.span("said")))


def small_phrases(folded: str) -> frozenset[int]:
    """Return the places in a folded question of what names nothing: "no longer", the s of "house's"."""
    return frozenset(at for found in _small().finditer(folded) for at in range(*found.span()))


@cache
def _small() -> re.Pattern[str]:
    return re.compile("|".join(_data()["phrases"]))


@cache
def _occasion() -> re.Pattern[str]:
    """Return what finds a clause with its verb behind "after" or the like, up to the next "in" or "of"."""
    said = {name: "|".join(map(fold, each)) for name, each in _data()["occasion"].items()}
    word = rf" (?!(?:{said['ends']})\b)\w+"
    return re.compile(
        rf"\b(?:{said['opens']})(?P<said>(?:{word}){{1,4}}? (?:{said['verbs']})\b(?:{word}){{1,3}})"
    )


@cache
def _per() -> re.Pattern[str]:
    """Return what finds a unit in words behind "per", or behind "a" where something of it is meant."""
    said = _data()["units"]
    names = sorted(filter(_is_words, shipped("units")["symbols"]), key=len, reverse=True)
    unit = "|".join(map(re.escape, names))
    per, one, of = ("|".join(said[name]) for name in ("per", "one", "of"))
    return re.compile(
        rf"\b(?:(?:{per}) (?P<unit>(?:{unit})(?: (?:{of}))?)|(?:{one}) (?P<some>{unit}) (?:{of}))\b"
    )


def _is_words(unit: str) -> bool:
    return len(unit) > 2 and all(part.isalpha() for part in unit.split())


@cache
def _patterns() -> _Patterns:
    said = _data()
    measures, how = "|".join(said["measures"]), "|".join(said["how"])
    what, joins = "|".join(said["what"]), "|".join(said["joins"])
    return _Patterns(
        re.compile(rf"\b(?:{what}|{said['degree']})\b"),
        re.compile(said["counting"]),
        re.compile(said["begins"]),
        tuple(map(re.compile, said["otherwise"])),
        re.compile(rf"\b{said['degree']} (?:{how})\b"),
        re.compile(rf"\b(?:{what})(?: [\w.%/-]+){{0,{said['before']}}}? (?:{measures})\b"),
        re.compile(rf"\b(?:{measures})\b(?!{said['stated']})"),
        re.compile(said["speaking"]),
        re.compile(rf"\b(?:{measures})\b(?: \w+){{0,2}} (?:{joins})(?: \w+){{0,3}} (?:{measures})\b"),
    )


@cache
def _data() -> dict[str, Any]:
    known: dict[str, Any] = shipped("answer/given")["asks"]
    return known
