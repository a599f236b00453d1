"""One question on its way through the search, what a filter leaves of the library, and chunks as places."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import get_args

from appliance.core.document import Box, pages_of
from appliance.core.errors import BadInput
from appliance.core.evidence import Channel, Place
from appliance.core.graph import NodeKind
from appliance.core.settings import SearchSettings
from appliance.models.protocols import EncodedQuery, Reranker
from appliance.retrieval.follow.references import Terms
from appliance.retrieval.query.documents import years
from appliance.retrieval.query.lexicon import Lexicon, Tag, load_lexicon, load_tags, own_vocabularies
from appliance.retrieval.query.question import Question, Speller
from appliance.store.channels import Vocabulary, chunks_within, index_terms, with_status
from appliance.store.read import Store, kept
from appliance.store.records import DocumentInfo, StoredChunk
from appliance.text.lookalikes import language_words
from appliance.text.terms import fold, words


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


STEMMED_TEXTS = 4_000  # whose stems are remembered


class Stems:
    """The stems of a text, and of chunks by what of a chunk is asked for."""

    def __init__(self, store: Store) -> None:
        self.of = lru_cache(maxsize=STEMMED_TEXTS)(lambda text: frozenset(index_terms(store, text)))

    def head(self, item: StoredChunk) -> frozenset[str]:
        """Return the stems of the title and heading path of a chunk."""
        return self.of(" ".join((item.chunk.title, *item.chunk.context)))

    def body(self, item: StoredChunk) -> frozenset[str]:
        """Return the stems of the text of a chunk, with what is searched beside it."""
        return self.of(f"{item.chunk.passage.text} {item.chunk.extra}")


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


@kept
def index_of(store: Store) -> Index:
    """Return what is kept in memory of a library."""
    vocabulary = Vocabulary(store)
    speller = Speller(vocabulary, store.connections.stem, language_words())
    return Index(vocabulary, speller, Terms(store), Stems(store))


def scope_of(store: Store, wanted: Filter, documents: Sequence[str], *folders: Path) -> Scope:
    """Return what a filter leaves, in the documents that it leaves; the folders hold vocabularies.

    Raises:
        BadInput: a tag is none of the vocabularies, or the filter leaves no place.
    """
    children = chunks_within(store, "child", documents)
    parents = chunks_within(store, "parent", documents, wanted.kinds)
    if wanted.kinds and parents is not None:
        families = store.chunk_children(parents)
        children = frozenset(child for family in families.values() for child in family)
    about = [places_about(store, tag_named(name, load_tags(*folders))) for name in wanted.tags]
    if wanted.normative is not None:
        about.append(with_status(store, normative=wanted.normative))
    if about:
        children = frozenset.intersection(*about, *([] if children is None else [children]))
        shown = frozenset(store.parents(children).values())
        parents = shown if parents is None else parents & shown
    if parents is None or parents:
        return Scope(children, parents)
    standing = () if wanted.normative is None else ("normative" if wanted.normative else "informative",)
    named = (*wanted.documents, *wanted.families, *wanted.editions, *wanted.kinds, *wanted.tags, *standing)
    raise BadInput(
        f"No place is of all that the filter names ({', '.join(named)}). Take one of its conditions away."
    )


def documents_left(store: Store, wanted: Filter) -> tuple[str, ...]:
    """Return the ids of the documents that a filter leaves, none where it leaves all.

    Raises:
        UnknownDocument: a document is not loaded. BadInput: nothing has the family or edition.
    """
    for name in wanted.documents:
        store.position(name)
    if not wanted.families and not wanted.editions:
        return tuple(wanted.documents)
    infos = store.documents()

    def of_any(what: str, names: Sequence[str], fits: Callable[[DocumentInfo, str], bool]) -> set[str]:
        for name in names:
            if not any(fits(info, name) for info in infos):
                there = ", ".join(sorted({getattr(info, what) for info in infos} - {""}))
                raise BadInput(f"No document loaded has the {what} {name!r}. Loaded are: {there}.")
        return {info.id for info in infos if not names or any(fits(info, name) for name in names)}

    def is_edition(info: DocumentInfo, name: str) -> bool:  # told by its year, or as it is printed
        return name.strip() in years(info) or fold(name).strip() == fold(info.edition)

    left = of_any("family", wanted.families, lambda info, name: fold(name) == fold(info.family))
    left &= of_any("edition", wanted.editions, is_edition)
    left &= {*wanted.documents} or left
    if not left:
        raise BadInput("No document is of all that the filter names. Take one of its conditions away.")
    return tuple(info.id for info in infos if info.id in left)


def tag_named(name: str, tags: Sequence[Tag]) -> Tag:
    """Return the tag of this name, or with this word among its own; raises BadInput."""
    wanted = words(name)
    by_name = [tag for tag in tags if words(tag.name) == wanted]
    by_word = [tag for tag in tags if wanted in [words(item) for item in tag.names]]
    if found := by_name or by_word:
        return found[0]
    known = ", ".join(sorted(tag.name for tag in tags))
    raise BadInput(f"There is no tag {name!r}. Known are: {known}.")


def places_about(store: Store, tag: Tag) -> frozenset[int]:
    """Return the ids of the searched chunks that are about a tag."""
    kind = tag.kind if tag.kind in get_args(NodeKind) else "concept"
    nodes = [node for node in store.graph.entities([tag.name])[tag.name] if node.kind == kind]
    return frozenset(chunk for node in nodes for chunk, _ in store.graph.chunks_of(node))
