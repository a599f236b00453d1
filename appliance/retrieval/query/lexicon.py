"""The words that retrieval knows, and how a question asks: intents, aliases, frames of coverage questions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from appliance.core.evidence import ConditionKind, Intent
from appliance.core.files import shipped
from appliance.core.settings import SearchSettings
from appliance.text.quantities import without_places
from appliance.text.terms import unconfuse, words
from appliance.text.vocabularies import (
    Direction,
    Group,
    Relation,
    Sign,
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
def load_tags(*folders: Path) -> tuple[Tag, ...]:
    """Return the tags of all vocabularies, their words joined; raises as `load_lexicon`."""
    return _tags(named_things(said.tags) for said in map(read_vocabulary, vocabulary_files(*folders)))


@cache
def load_conditions(*folders: Path) -> tuple[Tag, ...]:
    """Return what a question may say of its case: tags, locations and uses; raises as `load_tags`."""
    files = map(read_vocabulary, vocabulary_files(*folders))
    named = (named_things(table) for said in files for table in (said.tags, said.conditions))
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


@cache
def load_lexicon(*folders: Path) -> Lexicon:
    """Return the shipped vocabularies joined with those of the folders.

    Raises:
        BadSettings: a folder is not there, a file is not TOML, or has an unknown key or a wrong value.
    """
    files = [read_vocabulary(path) for path in vocabulary_files(*folders)]
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


# -- how a question asks whether, what or where documents speak of a subject

Form = Literal["whether", "what", "which", "where"]
FRAMED_CHARACTERS = 400  # of a question that is read so: longer ones tell a story


@dataclass(frozen=True, slots=True)
class Frame:
    """What a question asks of documents, the words it asks about, and those that only ask, all folded.

    `verb` are those of them that mean something else beside other words ("cover").
    """

    form: Form
    subject: tuple[str, ...]
    asking: frozenset[str]
    verb: frozenset[str]


def frame_of(folded: str, named: Sequence[tuple[int, int]]) -> Frame | None:
    """Return how a folded question asks for what documents speak of, None where it asks something else.

    `named` is where it names documents.
    """
    text = folded.rstrip("?!. ")
    for form, pattern in _frame_patterns() if len(text) <= FRAMED_CHARACTERS else ():
        found = pattern.match(text)
        if found is None:
            continue
        said = found.groupdict()
        if said.get("where") and not _is_document(text, found.span("where"), named):
            continue
        subject = tuple(words(said["subject"]))
        if subject and set(_frames()["asking"]).isdisjoint(subject):
            kept = {*subject, *words(said.get("where") or "")}
            verb = frozenset(words(said["verb"])) - kept
            asking = verb if form == "where" else frozenset(words(text)) - kept
            return Frame(form, subject, asking, verb)
    return None


def _is_document(text: str, span: tuple[int, int], named: Sequence[tuple[int, int]]) -> bool:
    """Tell whether the words at a span are a document by its name, or end in a word for documents."""
    said = text[slice(*span)]
    rest = said
    for start, end in reversed(named):
        if span[0] <= start and end <= span[1]:
            rest = f"{rest[: start - span[0]]} {rest[end - span[0] :]}"
    if rest != said and not set(words(rest)) - set(_frames()["small"]):
        return True
    codes, behind, pronouns = (_any_of(name) for name in ("codes", "behind", "pronouns"))
    numbered = rf"(?:{codes}) [^\W\d_]?[\d.-]*"  # "part k"
    generic = rf"^(?:{pronouns})$|\b(?:{codes}|{numbered})(?: (?:{behind}) .+)?$|{_frames()['coded']}"
    return re.search(generic, said) is not None


def asking_of(folded: str) -> frozenset[str]:
    """Return the words of a folded question that only ask for a definition, or how a quantity is found.

    "definition of going", "how do I calculate the wind force".
    """
    text = folded.rstrip("?!. ")
    patterns = (*_frames()["defining"], *_frames()["calculating"])
    said = (one.groupdict().values() for pattern in patterns for one in re.finditer(pattern, text))
    return frozenset(word for groups in said for found in groups for word in words(found or ""))


def sorts_of(folded: str) -> frozenset[str]:
    """Return the words of a folded question for what of a subject is wanted: "requirements for ramps".

    Words for a kind of place are among them. One at the end is where no subject stands behind another:
    "list all ramp requirements", but not "list all rules for limits".
    """
    sort, of = rf"(?P<sort>{_any_of('sorts')})", rf"(?:{_any_of('of')})\b"
    opening = rf"\b(?:{_any_of('listing')})\b(?:(?! {of}).)* "
    text = folded.rstrip("?!. ")
    patterns = (rf"\b{sort} {of}", rf"{opening}{sort}$", _kinds())
    found = [one for pattern in patterns for one in re.finditer(pattern, text)]
    return frozenset(word for one in found for word in words(one["sort"]))


def kind_of(folded: str) -> str:
    """Return the kind of place that a folded question lists, "" for none: "list all tables on wind"."""
    found = re.search(_kinds(), folded.rstrip("?!. "))
    return next((kind for kind in _frames()["kinds"] if found and found[kind]), "")


@cache
def _kinds() -> str:
    """Return what finds the words for the kind of place that is listed, with a group for each kind."""
    of = rf"(?:{_any_of('of')})\b"
    kinds = "|".join(f"(?P<{kind}>{'|'.join(ways)})" for kind, ways in _frames()["kinds"].items())
    between = rf"(?: (?!{of})[^\W\d_]+)*?"  # "list all the ventilation tables"
    return rf"\b(?:{_any_of('listing')})\b{between} (?P<sort>{kinds})(?= {of}|$)"


@cache
def _frame_patterns() -> tuple[tuple[Form, re.Pattern[str]], ...]:
    frames: Sequence[Mapping[str, Any]] = _frames()["frame"]
    return tuple(
        (frame["form"], re.compile(re.sub(r"\{(\w+)\}", lambda found: _any_of(found[1]), pattern)))
        for frame in frames
        for pattern in frame["patterns"]
    )


def _any_of(name: str) -> str:
    return "|".join(_frames()[name])


def _frames() -> dict[str, Any]:
    return shipped("retrieval/frames")
