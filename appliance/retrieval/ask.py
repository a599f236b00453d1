"""One question on its way through the search: what every step needs.

Rules of this module: values only; an index is what is kept in memory of one library, a scope what
the user's filter leaves of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from time import perf_counter
from weakref import WeakKeyDictionary

from appliance.models.protocols import EncodedQuery, Reranker
from appliance.models.whole_words import whole_words
from appliance.retrieval.coverage import Stems
from appliance.retrieval.lexicon import Lexicon, load_lexicon, own_vocabularies
from appliance.retrieval.query import Question
from appliance.retrieval.spelling import Speller
from appliance.retrieval.terms import Terms
from appliance.settings import SearchSettings
from appliance.store.channels import Vocabulary, chunks_within
from appliance.store.read import Store


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
