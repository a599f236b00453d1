"""The words that retrieval knows: stop words, signs of intent, words before labels, aliases."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal, get_args

from appliance.core.evidence import ConditionKind, Intent
from appliance.core.settings import SearchSettings
from appliance.text.quantities import without_places
from appliance.text.terms import unconfuse, words
from appliance.text.vocabularies import (
    Group,
    named_things,
    read_vocabulary,
    texts,
    vocabulary_files,
    with_groups,
    wrong,
)

Words = tuple[str, ...]
Direction = Literal["incoming", "outgoing"]
Relation = Literal["above", "before", "after", "contents", "replaced"]
CONDITIONS: tuple[ConditionKind, ...] = get_args(ConditionKind)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All vocabularies joined; words are folded, aliases are tuples of words."""

    stop: frozenset[str]
    intents: tuple[tuple[Intent, re.Pattern[str]], ...]
    directions: tuple[tuple[Direction, re.Pattern[str]], ...]
    label_words: Mapping[str, frozenset[str]]  # kind of label -> words that may stand before its number
    joining: frozenset[str]  # words between the numbers of a list
    spanning: frozenset[str]  # words between the ends of a range
    leading: frozenset[Words]  # words before a bare number that is a label
    sizes: frozenset[str]  # words after a bare number that is a value
    edition_words: frozenset[str]
    page_words: frozenset[str]
    aliases: tuple[tuple[Words, ...], ...]
    narrower: Mapping[Words, tuple[Words, ...]] = field(default_factory=dict)  # of a broad phrase
    relations: tuple[tuple[Relation, re.Pattern[str]], ...] = ()
    placing: frozenset[str] = frozenset()  # words of a question for a place that are not its subject
    listing: frozenset[str] = frozenset()  # and of one for a list
    instead: Mapping[Words, tuple[Words, ...]] = field(default_factory=dict)  # of a word that no text holds

    def intent(self, folded: str) -> Intent:
        """Return the first intent whose patterns match a folded question; "a wet area" asks for no value."""
        asked = without_places(folded)
        return next((name for name, pattern in self.intents if pattern.search(asked)), "general")

    def direction(self, folded: str) -> Direction | None:
        """Return which way a folded question follows references, None where it asks for none."""
        return next((name for name, pattern in self.directions if pattern.search(folded)), None)

    def relation(self, folded: str) -> Relation | None:
        """Return where a folded question looks from the place or document that it names, None for no such."""
        return next((name for name, pattern in self.relations if pattern.search(folded)), None)

    def label_kind(self, word: str) -> str | None:
        """Return the kind of label that a word announces, also when the word is misread ("tabie")."""
        seen = unconfuse(word)
        for kind, known in self.label_words.items():
            if word in known or (len(word) > 3 and seen in {unconfuse(item) for item in known}):
                return kind
        return None


def with_terms(lexicon: Lexicon, folded: str, terms: frozenset[str]) -> Lexicon:
    """Return a lexicon for a question: a common word that is a defined term is one where that is asked.

    "what is meant by going" and "what is going" ask for it, "what is the load going to the roof" does not.
    """
    meant = lexicon.stop & terms & set(words(folded))
    if not meant or not (lexicon.intent(folded) == "definition" or set(words(folded)) <= lexicon.stop):
        return lexicon
    return replace(lexicon, stop=lexicon.stop - meant)


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """What a place may be about: `kind` is material, structure, load or discipline, `names` its words."""

    kind: str
    name: str
    names: tuple[str, ...]


@cache
def load_lexicon(*folders: Path) -> Lexicon:
    """Return the shipped vocabularies joined with those of the folders.

    Raises:
        BadSettings: a folder is not there, a file is not TOML or has a value of the wrong kind.
    """
    return _join([(path, read_vocabulary(path)) for path in vocabulary_files(*folders)])


@cache
def load_tags(*folders: Path) -> tuple[Tag, ...]:
    """Return the tags of all vocabularies; the words of one that several files name are joined.

    Raises:
        BadSettings: as `load_lexicon`.
    """
    return _named_things(("tags",), folders)


@cache
def load_conditions(*folders: Path) -> tuple[Tag, ...]:
    """Return what a question may say of its case: tags, locations and uses; raises as `load_tags`."""
    return tuple(tag for tag in _named_things(("tags", "conditions"), folders) if tag.kind in CONDITIONS)


def _named_things(tables: Sequence[str], folders: Sequence[Path]) -> tuple[Tag, ...]:
    known: dict[tuple[str, str], dict[str, None]] = {}
    for path, table in product(vocabulary_files(*folders), tables):
        try:
            for kind, name, names in named_things(read_vocabulary(path), table, _key):
                known[kind, name] = {**known.get((kind, name), {}), **dict.fromkeys(names)}
        except (AttributeError, TypeError, ValueError) as error:
            raise wrong(path, error) from None
    return tuple(Tag(kind, name, tuple(names)) for (kind, name), names in known.items())


def own_vocabularies(settings: SearchSettings) -> tuple[Path, ...]:
    """Return the user's folder of vocabularies, none where the settings name none."""
    return () if settings.vocabularies == Path() else (settings.vocabularies,)


def _texts(value: Any) -> list[str]:
    return texts(value, _key)


def _key(word: str) -> Words:
    return tuple(words(word))


def _join(files: Sequence[tuple[Path, dict[str, Any]]]) -> Lexicon:
    stop: set[str] = set()
    intents: list[tuple[Intent, re.Pattern[str]]] = []
    directions: list[tuple[Direction, re.Pattern[str]]] = []
    relations: list[tuple[Relation, re.Pattern[str]]] = []
    placing: set[str] = set()
    listing: set[str] = set()
    labels: dict[str, frozenset[str]] = {}
    pages: set[str] = set()
    editions: set[str] = set()
    joining: set[str] = set()
    spanning: set[str] = set()
    leading: set[Words] = set()
    sizes: set[str] = set()
    groups: list[Group] = []
    narrower: dict[Words, tuple[Words, ...]] = {}
    instead: dict[Words, tuple[Words, ...]] = {}
    for path, data in files:
        try:
            stop.update(words(data.get("stop", "")))
            intents += [_named(entry, Intent) for entry in data.get("intent", [])]
            directions += [_named(entry, Direction) for entry in data.get("direction", [])]
            relations += [_named(entry, Relation) for entry in data.get("relation", [])]
            placing.update(words(data.get("placing", "")))
            listing.update(words(data.get("listing", "")))
            for kind, known in data.get("words", {}).items():
                labels[kind] = labels.get(kind, frozenset()) | {item.casefold() for item in known}
            editions.update(data.get("editions", {}).get("words", []))
            joining.update(data.get("lists", {}).get("joining", []))
            spanning.update(data.get("lists", {}).get("spanning", []))
            leading.update(tuple(words(item)) for item in data.get("bare", {}).get("leading", []))
            sizes.update(data.get("bare", {}).get("sizes", []))
            pages.update(data.get("pages", {}).get("words", []))
            groups = with_groups(groups, data, _key)
            for name, broad in data.get("broader", {}).items():
                for item in map(words, _texts(broad)):
                    known_here = narrower.get(tuple(item), ())
                    narrower[tuple(item)] = (*known_here, tuple(words(name)))
            for name, others in data.get("instead", {}).items():
                instead[_key(name)] = (*instead.get(_key(name), ()), *map(_key, _texts(others)))
        except (AttributeError, KeyError, TypeError, ValueError, re.error) as error:
            raise wrong(path, error) from None
    aliases = tuple(tuple(_key(item) for item in group) for group in groups)
    return Lexicon(
        frozenset(stop), tuple(intents), tuple(directions), labels, frozenset(joining), frozenset(spanning),
        frozenset(leading), frozenset(sizes), frozenset(editions), frozenset(pages), aliases,
        narrower, tuple(relations), frozenset(placing), frozenset(listing), instead,
    )  # fmt: skip


def _named(entry: Mapping[str, Any], known: Any) -> tuple[Any, re.Pattern[str]]:
    """Return a name with the patterns that show it; `known` is the Literal of the names there are."""
    name = entry["name"]
    if name not in get_args(known):
        message = f"unknown name {name!r}; known are: {', '.join(get_args(known))}"
        raise ValueError(message)
    return name, _any_of(entry["patterns"])


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
