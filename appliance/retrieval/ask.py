"""One question on its way through the search, and chunks as places."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from time import perf_counter
from weakref import WeakKeyDictionary, proxy

from appliance.core.document import Box, pages_of
from appliance.core.evidence import Channel, Place
from appliance.core.settings import SearchSettings
from appliance.models.encoder import whole_words
from appliance.models.protocols import EncodedQuery, Reranker
from appliance.retrieval.follow.terms import Terms
from appliance.retrieval.query.lexicon import Lexicon, load_lexicon, own_vocabularies
from appliance.retrieval.query.question import Question
from appliance.retrieval.query.spelling import Speller
from appliance.store.channels import Vocabulary, chunks_within, index_terms
from appliance.store.read import Store
from appliance.store.values import StoredChunk


def place(
    item: StoredChunk,
    score: float,
    found_by: tuple[Channel, ...],
    *,
    focus: tuple[Box, ...] = (),
    path: tuple[str, ...] = (),
) -> Place:
    """Return a shown chunk as a place; without a focus all of it is drawn strong."""
    chunk = item.chunk
    return Place(
        document=item.document,
        label=chunk.label,
        labels=chunk.labels or (chunk.label,),
        kind=chunk.kind,
        title=chunk.title,
        heading_path=chunk.context,
        pages=pages_of(chunk.boxes),
        boxes=chunk.boxes,
        focus=focus or chunk.boxes,
        text=chunk.passage.text,
        score=score,
        found_by=found_by,
        path=path,
        chunk=item.id,
    )


KEPT = 4_000  # texts whose stems are remembered


class Stems:
    """The stems of chunks, by what of a chunk is asked for."""

    def __init__(self, store: Store) -> None:
        held = proxy(store)  # kept in a table that is weak in its keys alone
        self._of = lru_cache(maxsize=KEPT)(lambda text: frozenset(index_terms(held, text)))

    def head(self, item: StoredChunk) -> frozenset[str]:
        """Return the stems of the title and heading path of a chunk."""
        return self._of(" ".join((item.chunk.title, *item.chunk.context)))

    def body(self, item: StoredChunk) -> frozenset[str]:
        """Return the stems of the text of a chunk, with what is searched beside it."""
        return self._of(f"{item.chunk.passage.text} {item.chunk.extra}")

    def of(self, text: str) -> frozenset[str]:
        """Return the stems of a text."""
        return self._of(text)


@dataclass(frozen=True, slots=True)
class Coverage:
    """The share (0..1) of a question's ideas that a place speaks of: in all, in its headings, in one part."""

    whole: float
    head: float
    part: float


def weights(question: Question, vocabulary: Vocabulary) -> dict[str, float]:
    """Return the rarity (idf) of each idea of a question."""
    return {
        group.stem: math.log(1.0 + vocabulary.total / (1.0 + vocabulary.chunks.get(group.stem, 0)))
        for group in question.groups
    }


def share(question: Question, rarity: Mapping[str, float], held: frozenset[str]) -> float:
    """Return the share, by rarity, of the question's ideas that these stems meet."""
    total = sum(rarity[group.stem] for group in question.groups)
    met = sum(
        rarity[group.stem]
        for group in question.groups
        if group.stem in held or any(held.issuperset(phrase) for phrase in group.others)
    )
    return met / total if total else 0.0


def coverage(
    question: Question, rarity: Mapping[str, float], stems: Stems, item: StoredChunk, parts: Iterable[str]
) -> Coverage:
    """Return how much of a question a place covers; `parts` are the texts of what was judged in it."""
    head = stems.head(item)
    return Coverage(
        share(question, rarity, head | stems.body(item)),
        share(question, rarity, head),
        max((share(question, rarity, head | stems.of(part)) for part in parts), default=0.0),
    )


@dataclass(frozen=True, slots=True)
class Index:
    """The words of one library, kept in memory."""

    vocabulary: Vocabulary
    speller: Speller
    terms: Terms
    stems: Stems


@dataclass(slots=True)
class Clock:
    """Milliseconds of each step."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time one step; a step that is taken twice adds up."""
        start = perf_counter()
        try:
            yield
        finally:
            self.spent[name] = self.spent.get(name, 0.0) + 1000 * (perf_counter() - start)


@dataclass(frozen=True, slots=True)
class Scope:
    """The chunks that the user's filter leaves, None for all."""

    children: frozenset[int] | None = None
    parents: frozenset[int] | None = None

    def holds(self, parent: int) -> bool:
        """Tell whether a shown chunk is inside."""
        return self.parents is None or parent in self.parents


@dataclass(frozen=True, slots=True)
class Reading:
    """What a user has open: a document, a label of it ("" for none), and text selected there."""

    document: str
    label: str = ""
    selected: str = ""


@dataclass(frozen=True, slots=True)
class Filter:
    """What a user wants to see: empty fields and None leave everything."""

    documents: Sequence[str] = ()
    kinds: Sequence[str] = ()
    tags: Sequence[str] = ()
    families: Sequence[str] = ()
    editions: Sequence[str] = ()
    normative: bool | None = None


EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as read, its vectors, and where and how it is searched.

    `documents` are those that the user's filter leaves, none for all; `encoded` is the question with the
    names that the library has for its ideas, `plain` as asked, None where that is the same.
    """

    store: Store
    index: Index
    question: Question
    encoded: EncodedQuery | None
    reranker: Reranker | None
    settings: SearchSettings
    scope: Scope
    clock: Clock
    documents: tuple[str, ...] = ()
    reading: Reading | None = None
    plain: EncodedQuery | None = None

    @property
    def lexicon(self) -> Lexicon:
        """Return the words of all vocabularies that the settings name."""
        return load_lexicon(*own_vocabularies(self.settings))


_INDEXES: WeakKeyDictionary[Store, Index] = WeakKeyDictionary()
_BUILDING = Lock()  # so that the first questions of several threads build an index once


def index_of(store: Store) -> Index:
    """Return what is kept in memory of a library, reading it the first time."""
    with _BUILDING:
        if store not in _INDEXES:
            vocabulary = Vocabulary(store)
            _INDEXES[store] = Index(
                vocabulary,
                Speller(vocabulary, store.connections.stem, whole_words()),
                Terms(store),
                Stems(store),
            )
        return _INDEXES[store]


def scope_of(
    store: Store,
    documents: Sequence[str],
    kinds: Sequence[str],
    about: frozenset[int] | None = None,
) -> Scope:
    """Return what the filter leaves, of searched chunks only those of `about`; raises UnknownDocument."""
    children = chunks_within(store, "child", documents, ())
    parents = chunks_within(store, "parent", documents, kinds)
    if kinds and parents is not None:
        families = store.chunk_children(parents)
        children = frozenset(child for family in families.values() for child in family)
    if about is None:
        return Scope(children, parents)
    children = about if children is None else children & about
    shown = frozenset(store.parents(children).values())
    return Scope(children, shown if parents is None else parents & shown)
