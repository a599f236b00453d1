"""The words that retrieval knows: stop words, signs of intent, words before labels, aliases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TypeVar, get_args

from appliance.core.evidence import ConditionKind, Intent
from appliance.core.settings import SearchSettings
from appliance.text.quantities import without_places
from appliance.text.terms import unconfuse, words
from appliance.text.vocabularies import (
    Direction,
    Group,
    Relation,
    Sign,
    Vocabulary,
    named_things,
    read_vocabulary,
    vocabulary_files,
    with_groups,
)

Words = tuple[str, ...]
Asked = TypeVar("Asked")
CONDITIONS: tuple[ConditionKind, ...] = get_args(ConditionKind)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All vocabularies joined; words are folded, aliases are tuples of words."""

    stop: frozenset[str]
    intents: tuple[Sign[Intent], ...]
    directions: tuple[Sign[Direction], ...]
    label_words: Mapping[str, frozenset[str]]  # kind of label -> words that may stand before its number
    joining: frozenset[str]  # words between the numbers of a list
    spanning: frozenset[str]  # words between the ends of a range
    leading: frozenset[Words]  # words before a bare number that is a label
    sizes: frozenset[str]  # words after a bare number that is a value
    edition_words: frozenset[str]
    page_words: frozenset[str]
    aliases: tuple[tuple[Words, ...], ...]
    narrower: Mapping[Words, tuple[Words, ...]] = field(default_factory=dict)  # of a broad phrase
    relations: tuple[Sign[Relation], ...] = ()
    placing: frozenset[str] = frozenset()  # words of a question for a place that are not its subject
    listing: frozenset[str] = frozenset()  # and of one for a list
    instead: Mapping[Words, tuple[Words, ...]] = field(default_factory=dict)  # of a word that no text holds

    def intent(self, folded: str) -> Intent:
        """Return the first intent whose patterns match a folded question; "a wet area" asks for no value."""
        return _first(self.intents, without_places(folded)) or "general"

    def direction(self, folded: str) -> Direction | None:
        """Return which way a folded question follows references, None where it asks for none."""
        return _first(self.directions, folded)

    def relation(self, folded: str) -> Relation | None:
        """Return where a folded question looks from the place or document that it names, None for no such."""
        return _first(self.relations, folded)

    def label_kind(self, word: str) -> str | None:
        """Return the kind of label that a word announces, also when the word is misread ("tabie")."""
        seen = unconfuse(word)
        for kind, known in self.label_words.items():
            if word in known or (len(word) > 3 and seen in {unconfuse(item) for item in known}):
                return kind
        return None


def _first(signs: Sequence[Sign[Asked]], folded: str) -> Asked | None:
    return next((sign.name for sign in signs if sign.stands_in(folded)), None)


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
        BadSettings: a folder is not there, a file is not TOML, or has an unknown key or a wrong value.
    """
    return _join([read_vocabulary(path) for path in vocabulary_files(*folders)])


@cache
def load_tags(*folders: Path) -> tuple[Tag, ...]:
    """Return the tags of all vocabularies; the words of one that several files name are joined.

    Raises:
        BadSettings: as `load_lexicon`.
    """
    return _tags(named_things(said.tags) for said in map(read_vocabulary, vocabulary_files(*folders)))


@cache
def load_conditions(*folders: Path) -> tuple[Tag, ...]:
    """Return what a question may say of its case: tags, locations and uses; raises as `load_tags`."""
    every = map(read_vocabulary, vocabulary_files(*folders))
    named = (named_things(table) for said in every for table in (said.tags, said.conditions))
    return tuple(tag for tag in _tags(named) if tag.kind in CONDITIONS)


def _tags(named: Iterable[Iterable[tuple[str, str, Group]]]) -> tuple[Tag, ...]:
    known: dict[tuple[str, str], dict[str, None]] = {}
    for kind, name, names in chain.from_iterable(named):
        known[kind, name] = {**known.get((kind, name), {}), **dict.fromkeys(names)}
    return tuple(Tag(kind, name, tuple(names)) for (kind, name), names in known.items())


def own_vocabularies(settings: SearchSettings) -> tuple[Path, ...]:
    """Return the user's folder of vocabularies, none where the settings name none."""
    return () if settings.vocabularies == Path() else (settings.vocabularies,)


def _key(word: str) -> Words:
    return tuple(words(word))


def _join(files: Sequence[Vocabulary]) -> Lexicon:
    labels: dict[str, frozenset[str]] = {}
    groups: list[Group] = []
    narrower: dict[Words, tuple[Words, ...]] = {}
    instead: dict[Words, tuple[Words, ...]] = {}
    for said in files:
        for kind, known in said.words.items():
            labels[kind] = labels.get(kind, frozenset()) | {item.casefold() for item in known}
        groups = with_groups(groups, said, _key)
        for name, broad in said.broader.items():
            for item in map(_key, broad):
                narrower[item] = (*narrower.get(item, ()), _key(name))
        for name, others in said.instead.items():
            instead[_key(name)] = (*instead.get(_key(name), ()), *map(_key, others))

    def every(table: str, key: str) -> frozenset[str]:
        return frozenset(word for said in files for word in getattr(said, table).get(key, ()))

    def told(key: str) -> frozenset[str]:
        return frozenset(word for said in files for word in words(getattr(said, key)))

    return Lexicon(
        stop=told("stop"),
        intents=tuple(sign for said in files for sign in said.intent),
        directions=tuple(sign for said in files for sign in said.direction),
        label_words=labels,
        joining=every("lists", "joining"),
        spanning=every("lists", "spanning"),
        leading=frozenset(map(_key, every("bare", "leading"))),
        sizes=every("bare", "sizes"),
        edition_words=every("editions", "words"),
        page_words=every("pages", "words"),
        aliases=tuple(tuple(map(_key, group)) for group in groups),
        narrower=narrower,
        relations=tuple(sign for said in files for sign in said.relation),
        placing=told("placing"),
        listing=told("listing"),
        instead=instead,
    )
