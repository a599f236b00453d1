"""The kind of quantity that a question wants, and whether a place or a column holds one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from appliance.answer.verify import unit_in
from appliance.core.evidence import Place, Query
from appliance.core.files import shipped
from appliance.store.read import Store
from appliance.tables.lookup import words
from appliance.tables.ranges import alike
from appliance.tables.rows import column_headers, columns
from appliance.text.numbers import unit_pattern
from appliance.text.quantities import (
    all_kinds,
    asked_kinds,
    counted_unit,
    kinds_in,
    kinds_of,
    kinds_told,
    quantities,
    size_of,
    unit_behind,
)
from appliance.text.terms import STEM, asked_stems, fold, held_stems

LONG = 4  # letters of a word that may name a thing
SHORTEST = 3  # letters of a term by which its word is told

_WORD = re.compile(r"[^\W\d_]{2,}")


def things(query: Query) -> list[str]:
    """Return the words of the question that may name a thing, as typed."""
    folded = fold(query.spelt or query.text)
    measures = [pattern for kind in all_kinds() for pattern in kind.words(folded)]
    taken = {
        word for pattern in measures for found in pattern.finditer(folded) for word in _words(found.group())
    }
    # a stem may end otherwise than its word: "parti" of "party", "wall" of "walls"
    terms = tuple(term.casefold()[: max(min(len(term), STEM) - 1, SHORTEST)] for term in query.terms)
    words = [word for word in _words(folded) if len(word) >= LONG and word not in taken]
    return [word for word in dict.fromkeys(words) if word.startswith(terms)]


def spoken_by(query: Query, word: str, text: str) -> bool:
    """Tell whether a text holds a word of the question, or the whole of another name of an idea it is of."""
    held = stems_of(text)
    ideas = (idea for idea in query.concepts if stems_of(word) & stems_of(idea.words))
    ways = [word, *(way for idea in ideas for way in idea.others if stems_of(way))]
    return any(asked_stems(_words(fold(way))) <= held for way in ways)


def stems_of(text: str) -> set[str]:
    """Return the words of a text by the letters by which they are compared."""
    return held_stems(" ".join(_words(fold(text))))


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def head_kinds(asked: str, heads: Iterable[str]) -> frozenset[str]:
    """Return the kinds of quantity of the heads that a question names by a word of theirs."""
    spoken = [word for word in words(asked) if word not in _bounds()]
    found: set[str] = set()
    for head in heads:
        unit = unit_in(head)
        named = set(words(head)) - set(words(unit)) - _bounds() if unit else set()
        if any(alike(word, own) for word in spoken for own in named):
            found |= kinds_of(unit)
    return frozenset(found)


def heads_of(store: Store, places: Iterable[Place]) -> Iterator[str]:
    """Yield the heads of the columns of the place that stands first, none where it is no table."""
    first = next(iter(places), None)
    table = store.table(first.document, first.label.key) if first and first.kind == "table" else None
    for column in range(columns(table) if table else 0):
        yield from column_headers(table, column) if table else ()


@cache
def _bounds() -> frozenset[str]:
    bounds = shipped("answer/columns")["bounds"]
    return frozenset(word.casefold() for name in ("least", "most") for word in bounds[name])


SMALLER = 60.0  # times smaller than the unit asked for the unit of a time may be ("hours": minutes will do)
TIME = "time"
UNSTATED = "No statement found gives a value of the kind asked for."
KEPT = 4_000  # texts whose quantities are remembered


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question surely wants: a kind of quantity, of a unit not much smaller than one named."""

    kind: str
    unit: str = ""


def sought(query: Query) -> Sought | None:
    """Return the kind of quantity that a question surely wants, None where it may want something else."""
    folded = fold(query.spelt or query.text)
    unit = counted_unit(folded)
    if unit:
        kinds = sorted(asked_kinds(folded))
        return Sought(kinds[0], unit) if len(kinds) == 1 else None
    found = [kind for kind, patterns in _patterns().items() if any(p.search(folded) for p in patterns)]
    return Sought(found[0]) if len(found) == 1 else None


def nowhere(store: Store, query: Query, places: Sequence[Place]) -> str:
    """Return in a sentence that no place holds what a question surely wants, "" where one does."""
    wanted = sought(query)
    if wanted is None or not places:
        return ""
    held = (text for text in _texts(store, places) if holds(text, wanted))
    if any(wanted.kind not in _marks() or _is_of(query, wanted, text) for text in held):
        return ""
    return f"No place found gives a {_named(wanted)}."


def _is_of(query: Query, wanted: Sought, text: str) -> bool:
    """Tell whether a text that holds what no unit tells speaks of half of the thing that it is asked of."""
    naming = _data()["naming"][wanted.kind].split()
    asked = [word for word in things(query) if word not in naming]
    return 2 * sum(spoken_by(query, word, text) for word in asked) >= len(asked)


def unstated(query: Query, texts: Iterable[str], headings: Iterable[str] = ()) -> str:
    """Return in a sentence that no statement holds the kind of quantity asked for, "" where one does.

    `headings` are the captions and headers of stated tables. Nothing is said to a question that does not
    ask for a value in so many words.
    """
    kinds = set(query.kinds)
    folded = fold(query.spelt or query.text)
    if query.intent != "value" or not kinds or not any(p.search(folded) for p in _asking()):
        return ""
    headings = tuple(headings)
    kinds |= head_kinds(folded, (head for text in headings for head in text.split("|")))
    if any(holds(text, Sought(kind)) for text in texts for kind in kinds):
        return ""
    if any(kinds & kinds_of(unit.group()) for text in headings for unit in _units().finditer(text)):
        return ""
    return UNSTATED


def _named(wanted: Sought) -> str:
    return f"{wanted.kind} in {wanted.unit} or the like" if wanted.unit else wanted.kind


def holds(text: str, wanted: Sought) -> bool:
    """Tell whether a text holds a quantity of the wanted kind, its number in digits or in words."""
    if wanted.kind in _marks():
        return any(mark.search(text) for mark in _marks()[wanted.kind])
    for found in quantities(text):
        if wanted.kind in found.kinds and _is_like(_unit(text, found.start, found.end), wanted):
            return True
    for number in _worded().finditer(text):
        unit = unit_behind(text, number.end())
        if unit and wanted.kind in kinds_of(unit) and _is_like(unit, wanted):
            return True
    if wanted.kind in kinds_told(text):
        return True
    return wanted.kind == TIME and _adverbs().search(text) is not None


@lru_cache(KEPT)
def kinds_held(text: str) -> frozenset[str]:
    """Return the kinds of the quantities of a text, the units that it prints over values among them."""
    kinds = set(kinds_in(text))
    for number in _worded().finditer(text):
        kinds |= kinds_of(unit_behind(text, number.end()))
    for unit in _units().finditer(text):
        kinds |= kinds_of(unit.group())
    return frozenset(kinds | ({TIME} if _adverbs().search(text) else set()))


def _is_like(unit: str, wanted: Sought) -> bool:
    if wanted.kind != TIME or not wanted.unit:
        return True
    asked, printed = size_of(wanted.unit).factor, size_of(unit).factor
    return not asked or not printed or printed * SMALLER >= asked


def _unit(text: str, start: int, end: int) -> str:
    found = re.search(r"[^\d\s.,\u2212-][^\d]*$", text[start:end])
    return found.group().strip() if found else ""


def _texts(store: Store, places: Sequence[Place]) -> Iterator[str]:
    """Yield every part of the places as it was indexed: with its headings, cells with their headers."""
    yield from (place.text for place in places)
    children = store.chunk_children([place.chunk for place in places])
    yield from store.texts([child for ids in children.values() for child in ids]).values()


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], ...]]:
    return {kind: tuple(map(re.compile, texts)) for kind, texts in _data()["kinds"].items()}


@cache
def _marks() -> dict[str, tuple[re.Pattern[str], ...]]:
    return {kind: tuple(map(re.compile, texts)) for kind, texts in _data()["marks"].items()}


@cache
def _asking() -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, _data()["asking"]["value"]))


@cache
def _units() -> re.Pattern[str]:
    """Return what finds a unit as headers print it: behind "in" or in brackets."""
    return re.compile(rf"(?:(?<= in )|(?<=[(\[]))(?:{unit_pattern().pattern})(?![^\W_])")


@cache
def _worded() -> re.Pattern[str]:
    words = "|".join(map(re.escape, _data()["numbers"]["words"]))
    return re.compile(rf"\b(?:{words})(?=[ -])", re.IGNORECASE)


@cache
def _adverbs() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_data()['numbers']['adverbs'])})\b", re.IGNORECASE)


@cache
def _data() -> dict[str, Any]:
    return shipped("answer/sought")
