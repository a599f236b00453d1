"""What must be read with a hit: where its references lead, terms it uses, what an annex decides of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from appliance.core.document import Document, Figure, Formula, Label, Table
from appliance.core.evidence import Choice, Decided, Link, Place, Unresolved
from appliance.core.mechanisms import mechanism
from appliance.core.runs import grouped
from appliance.store.channels import index_terms
from appliance.store.read import Store, kept
from appliance.store.records import StoredChunk
from appliance.text.designations import belonging, found, load_edition_words
from appliance.text.terms import fold

LISTING = 20  # a heading or annex that leads to more others is an index or a list of contents
PARTS = 4  # parts of one target (a table cut over its pages) that are reached
OVERVIEWS = frozenset({"heading", "annex"})  # kinds of place that such a list may stand in


@dataclass(frozen=True, slots=True)
class Edge:
    """A step from one shown chunk to another.

    `kind` is the reference's kind, or "stands in", "holds", "term", "beside"; "choice" leads to what a
    national annex or amendment decides about the place, "chosen" from there to the place.
    """

    source: int
    target: int
    kind: str
    link: Link


@dataclass(frozen=True, slots=True)
class Steps:
    """The edges out of some chunks, in their order, and the references that lead nowhere."""

    edges: tuple[Edge, ...]
    unresolved: tuple[Unresolved, ...]


@mechanism("follow.closure", without=lambda *_: Steps((), ()))
def steps_from(store: Store, terms: Terms, chunks: Iterable[StoredChunk]) -> Steps:
    """Return the edges from these shown chunks, those of the first chunk first."""
    edges: list[Edge] = []
    unresolved: dict[Unresolved, None] = {}
    for item in chunks:
        document = item.document
        keys = list(dict.fromkeys(label.key for label in (item.chunk.label, *item.chunk.labels)))
        edges += _deciding(store, item, keys)
        own: list[Edge] = []
        for reference in store.references_from(document, *keys):
            whole = reference.document is not None and store.has(reference.document)
            if reference.target is not None:
                to = reference.document or document
                link = Link(document, reference.source, to, reference.target, reference.text)
                own += _edges(store, item, reference.kind, link)
            elif reference.status != "resolved" or not whole:  # one to a whole document is to no one place
                reason = reference.reason or f"{reference.text} is not among the documents loaded."
                unresolved[Unresolved(reference.text, document, reference.source, reason)] = None
        own += _hosting(store, item, keys)
        if item.chunk.kind not in OVERVIEWS or len({edge.link.to_label for edge in own}) <= LISTING:
            edges += own
        edges += _defining(store, item, terms)
        edges += _beside(store, item)
    return Steps(first_of_each(edges), tuple(unresolved))


@mechanism("follow.terms", without=lambda *_: [])
def _defining(store: Store, item: StoredChunk, terms: Terms) -> list[Edge]:
    """Return the edges to the definitions of the terms that a place uses."""
    used = terms.used(f"{item.chunk.title} {item.chunk.passage.text}", item.document)
    links = (Link(item.document, item.chunk.label, item.document, term.label, term.term) for term in used)
    return [edge for link in links for edge in _edges(store, item, "term", link)]


@mechanism("follow.national_choice", without=lambda *_: [])
def _deciding(store: Store, item: StoredChunk, keys: Sequence[str]) -> list[Edge]:
    """Return the edges between a place and what an annex decides about it, from the side shown."""
    choices = choices_of(store)
    edges: list[Edge] = []
    for choice in choices.on(item.document, keys):
        link = Link(item.document, choice.target, choice.document, choice.label, choice.what)
        edges += _edges(store, item, "choice", link)
    for choice in choices.by(item.document, keys):
        link = Link(item.document, choice.label, choice.parent, choice.target, choice.what)
        edges += _edges(store, item, "chosen", link)
    return edges


@mechanism("follow.hosting", without=lambda *_: [])
def _hosting(store: Store, item: StoredChunk, keys: Sequence[str]) -> list[Edge]:
    """Return the edges between tables or figures and the clauses where they stand, from the side shown."""
    edges: list[Edge] = []
    for pair in store.hosted(item.document, keys):
        inner, outer = map(Label.from_key, pair)
        words = f"{inner} stands in {outer}"
        source, target, kind = (inner, outer, "stands in") if pair[0] in keys else (outer, inner, "holds")
        edges += _edges(store, item, kind, Link(item.document, source, item.document, target, words))
    return edges


@mechanism("follow.beside", without=lambda *_: [])
def _beside(store: Store, item: StoredChunk) -> list[Edge]:
    """Return the edges to the places before and after, which go on with what this one says."""
    before, after = store.chunk_neighbours(item.id)
    document, label = item.document, item.chunk.label
    near = store.chunks((*before, *after))
    return [
        Edge(item.id, one.id, "beside", Link(document, label, document, one.chunk.label, "")) for one in near
    ]


def _edges(store: Store, item: StoredChunk, kind: str, link: Link) -> list[Edge]:
    """Return the edges to the chunks that show the target, none to the same chunk or where it is unknown."""
    if not store.has(link.to_document):
        return []
    parts = store.chunks_for(link.to_document, link.to_label)
    if len(parts) > 1:  # the first parts into which it was cut; of chunks that merely hold it the first alone
        first, *others = store.chunks(parts[:PARTS])
        cut = others if first.chunk.label == link.to_label else []
        parts = (first.id, *(part.id for part in cut if part.chunk.label == link.to_label))
    return [Edge(item.id, chunk, kind, link) for chunk in parts if chunk != item.id]


def first_of_each(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return the edges without a second one between the same two chunks."""
    seen: dict[tuple[int, int], Edge] = {}
    for edge in edges:
        seen.setdefault((edge.source, edge.target), edge)
    return tuple(seen.values())


# -- defined terms that a text uses

TERM_LETTERS = 3  # of a term that may be as common a word of any question ("going"); "a" is a symbol
Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Defined:
    """A term with the place that defines it."""

    term: str
    document: str
    label: Label


class Terms:
    """The defined terms of a library by the stems of their words; `words` are those of one word."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_document: dict[str, Mapping[str, Sequence[tuple[Stems, Defined]]]] = {}
        folded: set[str] = set()
        for info in store.documents():
            terms: dict[Stems, Defined] = {}
            for term in store.terms(info.id):
                folded.add(fold(term.term))
                if stems := index_terms(store, term.term):
                    terms.setdefault(stems, Defined(term.term, info.id, term.label))
            by_first: dict[str, list[tuple[Stems, Defined]]] = defaultdict(list)
            for stems in sorted(terms, key=len, reverse=True):
                by_first[stems[0]].append((stems, terms[stems]))
            self._by_document[info.id] = dict(by_first)
        self.words = frozenset(word for word in folded if len(word) >= TERM_LETTERS)

    def used(self, text: str, document: str | None = None) -> tuple[Defined, ...]:
        """Return the terms that a text uses, each once, in the order of the text."""
        stems = index_terms(self._store, text)
        met: dict[Defined, None] = {}
        for known in [self._by_document[document]] if document else self._by_document.values():
            position = 0
            while position < len(stems):
                for term, one in known.get(stems[position], ()):
                    if stems[position : position + len(term)] == term:
                        met[one] = None
                        position += len(term) - 1
                        break
                position += 1
        return tuple(met)


# -- what national annexes and amendments decide about the places of a library, from either side

Key = tuple[str, str]  # document id, Label.key


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices by the place that they govern and by the place that makes them; `above` holds what holds it."""

    governing: Mapping[Key, Sequence[Choice]] = field(default_factory=dict)
    made: Mapping[Key, Sequence[Choice]] = field(default_factory=dict)
    above: Mapping[Key, str] = field(default_factory=dict)

    def on(self, document: str, keys: Iterable[str], *, listed: bool = False) -> tuple[Choice, ...]:
        """Return what governs these places; a list of decisions with `listed`, or where nothing else does."""
        found_here: dict[Choice, None] = {}
        for key in keys:
            holder: str | None = key
            seen: set[str] = set()
            while holder is not None and holder not in seen:  # the place and the clauses that hold it
                seen.add(holder)
                found_here.update(dict.fromkeys(self.governing.get((document, holder), ())))
                holder = self.above.get((document, holder))
        said = {choice.target for choice in found_here if choice.kind == "clause"}
        return tuple(c for c in found_here if listed or c.kind == "clause" or c.target not in said)

    def by(self, document: str, keys: Iterable[str]) -> tuple[Choice, ...]:
        """Return what these places of an annex decide; a table that lists all decisions makes none itself."""
        made = dict.fromkeys(choice for key in keys for choice in self.made.get((document, key), ()))
        return tuple(choice for choice in made if choice.kind == "clause")

    def of_document(self, document: str) -> Decided:
        """Return all that governs a document and all that it decides."""
        governing = (items for place, items in self.governing.items() if place[0] == document)
        made = (items for place, items in self.made.items() if place[0] == document)
        return Decided(
            without_repeats(choice for items in governing for choice in items),
            without_repeats(choice for items in made for choice in items),
        )

    def about(self, places: Sequence[Place]) -> tuple[Choice, ...]:
        """Return what governs the places shown, and what they decide about one another, each once."""
        keys = [(place.document, [label.key for label in (place.label, *place.labels)]) for place in places]
        shown = {(document, key) for document, held in keys for key in held}
        governing = [choice for document, held in keys for choice in self.on(document, held)]
        near = [choice for choice in governing if (choice.document, choice.label.key) in shown]
        return without_repeats([*near, *governing])


def without_repeats(choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Return the choices without those whose words another one says of the same place."""
    first: dict[tuple[str, Label, str], Choice] = {}
    for choice in choices:
        first.setdefault((choice.parent, choice.target, choice.words), choice)
    return tuple(first.values())


@kept
def choices_of(store: Store) -> Choices:
    """Return the choices that the graph of a library holds, without those that a person rejected."""
    known = list(_decided(store))
    above: dict[Key, str] = {}
    for parent in dict.fromkeys(choice.parent for choice in known):
        above.update(_above(store.document(parent)))
    known.sort(key=lambda one: (not one.accepted, one.kind != "clause", one.words))
    governing = grouped(((choice.parent, choice.target.key), choice) for choice in known)
    made = grouped(((choice.document, choice.label.key), choice) for choice in known)
    return Choices(governing, made, above)


def _decided(store: Store) -> Iterator[Choice]:
    """Yield what annexes and amendments modify as what is shown of it, nothing for an edge without words."""
    said = load_edition_words()
    for info in store.documents():
        if belonging(info) is None:
            continue
        for _, edge, source, target in store.graph.edges(document=info.id):
            if edge.kind != "MODIFIES" or edge.state == "rejected" or edge.proof is None:
                continue
            words = " ".join(edge.proof.quote.split())
            last = words.rsplit(" | ", 1)[-1]  # of a row, its last cell says that all recommended is kept
            yield Choice(
                document=source.document,
                label=Label.from_key(source.key),
                kind="table" if source.kind == "table" else "clause",
                parent=target.document,
                target=Label.from_key(target.key),
                target_kind=cast("Literal['clause', 'table', 'figure', 'formula']", target.kind),
                what="amendment" if edge.rule.startswith("amendment") else "national annex",
                words=words,
                adopts=found(said.adopting, last) and not found((*said.replacing, *said.excepting), last),
                accepted=edge.state == "accepted",
            )


def _above(document: Document) -> Iterator[tuple[Key, str]]:
    """Yield what holds each numbered paragraph, and where each table, figure and formula stands."""
    numbered = {"clause", "paragraph", "item", "note"}
    kinds = {clause.label: clause.kind for clause in document.clauses}
    for clause in document.clauses:
        parent = clause.parent
        if parent and clause.kind in numbered - {"clause"} and kinds.get(parent) in numbered:
            yield (document.id, clause.label.key), parent.key
    standing: tuple[Table | Figure | Formula, ...] = (*document.tables, *document.figures, *document.formulas)
    for item in standing:
        if item.clause and item.clause != item.label:
            yield (document.id, item.label.key), item.clause.key
