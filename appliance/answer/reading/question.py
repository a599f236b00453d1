"""A question as candidates are compared with it: its words with their other names, and what it asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from appliance.answer.statement_support import unit_in
from appliance.core.evidence import Place, Query
from appliance.core.files import shipped
from appliance.models.late_interaction import best_cosines
from appliance.models.protocols import EncodedQuery, Int8s, Reranker
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.retrieval.search_context import index_of
from appliance.store.read import Store
from appliance.tables import lookup
from appliance.tables.ranges import Range, alike, tokens
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
from appliance.text.terms import STEM, fold, singular, words

KEPT_STEMS = 1 << 15  # texts whose stems are kept
APART, SAME = 0.25, 0.80  # cosines of tokens that have nothing in common, and of the same word

_CLASS = re.compile(r"\b([A-Z][A-Za-z]?)[ -](\d{1,4})\b")

Stems = frozenset[str]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question: its stem, the stems of each other name, how rare it is, its token rows."""

    stem: str
    ways: tuple[Stems, ...]
    rarity: float
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """All that candidates are compared with.

    `kinds` are the kinds of quantity wanted, `numbers` those that the question states, `measure` the stems of
    the words that say what is to be measured.
    """

    query: Query
    encoded: EncodedQuery | None
    words: tuple[Word, ...]
    kinds: frozenset[str]
    numbers: tuple[Range, ...]
    text: str

    @property
    def weight(self) -> float:
        """Return the rarity of all words."""
        return sum(word.rarity for word in self.words) or 1.0

    def met(self, held: Stems) -> list[bool]:
        """Tell of each word whether a text speaks of it."""
        return [met(word, held) for word in self.words]

    def share(self, held: Iterable[bool]) -> float:
        """Return the share of the question, by how rare its words are, of the words held."""
        return (
            sum(word.rarity for word, is_held in zip(self.words, held, strict=True) if is_held) / self.weight
        )


def asked_of(store: Store, query: Query, encoded: EncodedQuery | None) -> Asked:
    """Return a question as it is compared."""
    text = query.spelt or query.text
    folded = fold(text)
    stop = load_lexicon().stop
    measured = frozenset(word for word in measuring(query) if _single()["measure"].fullmatch(word))
    named = {part for name in (*query.labels, *query.documents) for part in words(fold(name))}
    ways: dict[str, list[Stems]] = {}  # for each stem the other names of the ideas that it is of
    for idea in query.concepts:
        own = [stem_of(word) for word in words(fold(idea.words))]
        for other in idea.others:
            way = frozenset(stem_of(word) for word in words(fold(other)))
            for stem in own if way and not way <= set(own) else ():
                ways.setdefault(stem, []).append(way)
    # the letters of a question and of its tokens are counted alike where folding changes no length
    line = fold(encoded.text) if encoded and len(fold(encoded.text)) == len(encoded.text) else ""
    found: dict[str, Word] = {}
    for word in dict.fromkeys((*words(folded), *_classes(text))):
        if (word in stop and word not in measured) or word.isdigit() or len(word) < 2 or word in named:
            continue
        at = line.find(word)
        spans = encoded.spans if encoded and at >= 0 else ()
        rows = tuple(n for n, (start, end) in enumerate(spans) if start < at + len(word) and end > at)
        stem = stem_of(word)
        found.setdefault(stem, Word(stem, tuple(ways.get(stem, ())), rarity(store, word), rows))
    numbers = tuple(one for one in tokens(text) if isinstance(one, Range))
    kinds = frozenset(query.kinds) or asked_kinds(folded)
    return Asked(query, encoded, tuple(found.values()), kinds, numbers, text)


def count_of(store: Store, word: str) -> int:
    """Return how many places of a library hold a word."""
    return index_of(store).vocabulary.chunks.get(store.connections.stem(word), 0)


def rarity(store: Store, word: str) -> float:
    """Return how rare a word is in a library: the logarithm of one over its share."""
    return log(1 + index_of(store).vocabulary.total / (1 + count_of(store, word)))


def nearness(
    encoded: EncodedQuery, words_rows: Sequence[tuple[int, ...]], passages: Sequence[Int8s]
) -> NDArray[np.float64]:
    """Return how near each passage comes to each word, given by its rows, from 0 to 1 [passages, words]."""
    if not words_rows:
        return np.zeros((len(passages), 0))
    cosines = best_cosines(encoded.tokens, passages)
    return likened(np.stack([cosines[:, list(rows)].mean(axis=1) for rows in words_rows], axis=1))


def likened(cosines: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return cosines of tokens as how far they mean the same, from 0 to 1."""
    return np.asarray(np.clip((cosines - APART) / (SAME - APART), 0.0, 1.0), dtype=np.float64)


@lru_cache(KEPT_STEMS)
def stem_of(word: str) -> str:
    """Return the letters by which a word is compared."""
    return singular(word.casefold())[:STEM]


@lru_cache(KEPT_STEMS)
def stems(text: str) -> Stems:
    """Return the stems of the words of a text; a longer word is found by its beginning."""
    return frozenset(stem_of(word) for word in (*words(fold(text)), *_classes(text)))


def _classes(text: str) -> Iterator[str]:
    """Yield the names of classes that a text prints in two, folded to one word: "t22" of "T 22"."""
    for letters, number in _CLASS.findall(text):
        if letters.casefold() not in load_lexicon().stop:
            yield fold(letters + number)


def met(word: Word, held: Stems) -> bool:
    """Tell whether a text speaks of a word of the question, by itself or by another name."""
    return word.stem in held or any(way <= held for way in word.ways)


@dataclass(frozen=True, slots=True)
class Judges:
    """The question as encoded and the reranker, None where there is none.

    `read` reads and encodes another question, one inside the question, `encode` encodes a text; None where
    none can be.
    """

    encoded: EncodedQuery | None
    reranker: Reranker | None
    read: Callable[[str], tuple[Query, EncodedQuery | None]] | None = None
    encode: Callable[[str], EncodedQuery | None] = lambda _text: None


# -- one value of one thing, in so many words

KEPT_QUESTIONS = 256  # of which is remembered what they measure
COUNT = "count"  # of things, which some number can always be


def asks_one_value(query: Query) -> bool:
    """Tell whether a question asks for one value of one thing, of a kind that is known."""
    if query.labels or query.pages or len(query.parts) > 1:
        return False
    if query.intent not in _asks()["intents"] or not set(query.kinds) - {COUNT}:
        return False
    return is_single(fold(query.spelt or query.text).strip().rstrip("?. "))


def is_single(folded: str) -> bool:
    """Tell whether the words of a question, folded, ask for one value."""
    known = _single()
    if known["begins"].match(folded) or known["otherwise"].search(folded) or known["two"].search(folded):
        return False
    if known["how"].search(folded):
        return True
    if known["counting"].search(folded):
        return bool(counted_unit(folded))
    if known["asking"].search(folded):
        return known["what"].search(folded) is not None
    short = len(folded.split()) <= _asks()["longest"] and not known["speaking"].search(folded)
    return short and known["named"].search(folded) is not None


def measuring(query: Query) -> frozenset[str]:
    """Return the words of a question, folded, that say what is to be measured."""
    return frozenset[str]().union(*_named(fold(query.spelt or query.text)).values())


def kinds_named(query: Query, word: str) -> frozenset[str]:
    """Return the kinds of quantity that a word of a question, folded, asks for with those beside it."""
    return frozenset(kind for kind, said in _named(fold(query.spelt or query.text)).items() if word in said)


@lru_cache(KEPT_QUESTIONS)
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


def naming_nothing(folded: str) -> frozenset[int]:
    """Return the places in a folded question of words that name nothing that is asked about.

    Those that spell the unit of what is asked for ("per cubic metre", "a cubic metre of"), those that tell an
    occasion ("after the light is switched off"), and small phrases ("no longer", the s of "house's").
    """
    found = (match for pattern in _nothing() for match in pattern.finditer(folded))
    spans = (match.span(match.lastgroup or 0) for match in found)
    return frozenset(at for span in spans for at in range(*span))


@cache
def _nothing() -> tuple[re.Pattern[str], ...]:
    """Return what finds words that name nothing, in a group of its own where others stand around them."""
    data = _asks()
    said = {name: "|".join(map(fold, each)) for name, each in data["occasion"].items()}
    word = rf" (?!(?:{said['ends']})\b)\w+"  # an occasion goes up to the next "in" or "of"
    occasion = rf"\b(?:{said['opens']})(?P<said>(?:{word}){{1,4}}? (?:{said['verbs']})\b(?:{word}){{1,3}})"
    spelt = (name for name in shipped("units")["symbols"] if len(name) > 2)
    names = sorted((name for name in spelt if all(map(str.isalpha, name.split()))), key=len, reverse=True)
    unit = "|".join(map(re.escape, names))
    per, one, of = ("|".join(data["units"][name]) for name in ("per", "one", "of"))
    units = rf"\b(?:(?:{per}) (?P<unit>(?:{unit})(?: (?:{of}))?)|(?:{one}) (?P<some>{unit}) (?:{of}))\b"
    return re.compile(units), re.compile(occasion), re.compile("|".join(data["phrases"]))


@cache
def _single() -> dict[str, re.Pattern[str]]:
    said = _asks()
    measures, how, what, joins = ("|".join(said[name]) for name in ("measures", "how", "what", "joins"))
    patterns = {
        "measure": measures,
        "asking": rf"\b(?:{what}|{said['degree']})\b",
        "counting": said["counting"],
        "begins": said["begins"],
        "otherwise": _any_of(said["otherwise"]),
        "how": rf"\b{said['degree']} (?:{how})\b",
        "what": rf"\b(?:{what})(?: [\w.%/-]+){{0,{said['before']}}}? (?:{measures})\b",
        "named": rf"\b(?:{measures})\b(?!{said['stated']})",
        "speaking": said["speaking"],
        "two": rf"\b(?:{measures})\b(?: \w+){{0,2}} (?:{joins})(?: \w+){{0,3}} (?:{measures})\b",
    }
    return {name: re.compile(pattern) for name, pattern in patterns.items()}


def _any_of(patterns: Iterable[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


@cache
def _asks() -> dict[str, Any]:
    known: dict[str, Any] = shipped("answer/given")["asks"]
    return known


# -- the kind of quantity that is wanted, and whether a place or a column holds one

SMALLER = 60.0  # times smaller than the unit asked for the unit of a time may be ("hours": minutes will do)
TIME = "time"
UNSTATED = "No statement found gives a value of the kind asked for."
KEPT_TEXTS = 4_000  # texts whose quantities are remembered

_UNIT_AT_END = re.compile(r"[^\d\s.,\u2212-][^\d]*$")


def head_kinds(asked: str, heads: Iterable[str]) -> frozenset[str]:
    """Return the kinds of quantity of the heads that a question names by a word of theirs."""
    spoken = [word for word in lookup.words(asked) if word not in _bounds()]
    found: set[str] = set()
    for head in heads:
        unit = unit_in(head)
        named = set(lookup.words(head)) - set(lookup.words(unit)) - _bounds() if unit else set()
        if any(alike(word, own) for word in spoken for own in named):
            found |= kinds_of(unit)
    return frozenset(found)


def heads_of(store: Store, places: Iterable[Place]) -> Iterator[str]:
    """Yield the heads of the columns of the place that stands first, none where it is no table."""
    first = next(iter(places), None)
    table = store.table(first.document, first.label.key) if first and first.kind == "table" else None
    if table:
        for column in range(columns(table)):
            yield from column_headers(table, column)


@cache
def _bounds() -> frozenset[str]:
    bounds = shipped("answer/columns")["bounds"]
    return frozenset(word.casefold() for name in ("least", "most") for word in bounds[name])


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question surely wants: a kind of quantity, of a unit not much smaller than one named."""

    kind: str
    unit: str = ""


def sought(query: Query) -> Sought | None:
    """Return the kind of quantity that a question surely wants, None where it may want something else."""
    folded = fold(query.spelt or query.text)
    unit = counted_unit(folded)
    kinds = (
        sorted(asked_kinds(folded))
        if unit
        else [k for k, one in _found("kinds").items() if one.search(folded)]
    )
    return Sought(kinds[0], unit) if len(kinds) == 1 else None


def nowhere(store: Store, query: Query, places: Sequence[Place]) -> str:
    """Return in a sentence that no place holds what a question surely wants, "" where one does."""
    wanted = sought(query)
    if wanted is None or not places:
        return ""
    if any(holds(text, wanted) for text in _texts(store, places)):
        return ""
    named = f"{wanted.kind} in {wanted.unit} or the like" if wanted.unit else wanted.kind
    return f"No place found gives a {named}."


def _texts(store: Store, places: Sequence[Place]) -> Iterator[str]:
    """Yield every part of the places as it was indexed: with its headings, cells with their headers."""
    yield from (place.text for place in places)
    children = store.chunk_children([place.chunk for place in places])
    yield from store.texts([child for ids in children.values() for child in ids]).values()


def unstated(query: Query, texts: Iterable[str], headings: Iterable[str] = ()) -> str:
    """Return in a sentence that no statement holds the kind of quantity asked for, "" where one does.

    `headings` are the captions and headers of stated tables. Nothing is said to a question that does not
    ask for a value in so many words.
    """
    kinds = set(query.kinds)
    folded = fold(query.spelt or query.text)
    if query.intent != "value" or not kinds or not _found("asking")["value"].search(folded):
        return ""
    headings = tuple(headings)
    kinds |= head_kinds(folded, (head for text in headings for head in text.split("|")))
    stated = any(holds(text, Sought(kind)) for text in texts for kind in kinds)
    headed = any(kinds & kinds_of(unit.group()) for text in headings for unit in _units().finditer(text))
    return "" if stated or headed else UNSTATED


def holds(text: str, wanted: Sought) -> bool:
    """Tell whether a text holds a quantity of the wanted kind, its number in digits or in words."""
    if mark := _found("marks").get(wanted.kind):
        return mark.search(text) is not None
    for found in quantities(text):
        unit = _UNIT_AT_END.search(text[found.start : found.end])
        if wanted.kind in found.kinds and _is_like(unit.group().strip() if unit else "", wanted):
            return True
    units = (unit_behind(text, number.end()) for number in _worded().finditer(text))
    if any(unit and wanted.kind in kinds_of(unit) and _is_like(unit, wanted) for unit in units):
        return True
    if wanted.kind in kinds_told(text):
        return True
    return wanted.kind == TIME and _adverbs().search(text) is not None


@lru_cache(KEPT_TEXTS)
def kinds_held(text: str) -> frozenset[str]:
    """Return the kinds of the quantities of a text, the units that it prints over values among them."""
    units = [unit_behind(text, number.end()) for number in _worded().finditer(text)]
    units += [unit.group() for unit in _units().finditer(text)]
    return kinds_in(text).union(*map(kinds_of, units), {TIME} if _adverbs().search(text) else ())


def _is_like(unit: str, wanted: Sought) -> bool:
    if wanted.kind != TIME or not wanted.unit:
        return True
    asked, printed = size_of(wanted.unit).factor, size_of(unit).factor
    return not asked or not printed or printed * SMALLER >= asked


@cache
def _found(name: str) -> dict[str, re.Pattern[str]]:
    """Return by kind of quantity what finds the words of this name."""
    return {kind: re.compile(_any_of(patterns)) for kind, patterns in shipped("answer/sought")[name].items()}


@cache
def _units() -> re.Pattern[str]:
    """Return what finds a unit as headers print it: behind "in" or in brackets."""
    return re.compile(rf"(?:(?<= in )|(?<=[(\[]))(?:{unit_pattern().pattern})(?![^\W_])")


@cache
def _worded() -> re.Pattern[str]:
    numbers = "|".join(map(re.escape, shipped("answer/sought")["numbers"]["words"]))
    return re.compile(rf"\b(?:{numbers})(?=[ -])", re.IGNORECASE)


@cache
def _adverbs() -> re.Pattern[str]:
    adverbs = "|".join(shipped("answer/sought")["numbers"]["adverbs"])
    return re.compile(rf"\b(?:{adverbs})\b", re.IGNORECASE)
