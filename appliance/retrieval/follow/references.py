"""What must be read with a hit: where its references lead, one step."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from appliance.core.document import Label, Reference
from appliance.core.evidence import Link, Unresolved
from appliance.core.mechanisms import mechanism
from appliance.retrieval.follow.national_choice import NO_CHOICES, Choices
from appliance.retrieval.follow.terms import Terms
from appliance.store.read import Store
from appliance.store.values import StoredChunk

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


@mechanism(
    "follow.closure",
    "What the first places refer to, define, hold or stand beside competes.",
    without=lambda *_: Steps((), ()),
)
def steps_from(
    store: Store, terms: Terms, chunks: Iterable[StoredChunk], choices: Choices = NO_CHOICES
) -> Steps:
    """Return the edges from these shown chunks, those of the first chunk first."""
    edges: list[Edge] = []
    unresolved: dict[Unresolved, None] = {}
    for item in chunks:
        keys = list(dict.fromkeys(label.key for label in (item.chunk.label, *item.chunk.labels)))
        edges += _deciding(store, item, keys, choices)
        own: list[Edge] = []
        for reference in store.references_from_any(item.document, keys):
            if reference.target is None:
                if not _is_whole(store, reference):
                    unresolved[_unresolved(item.document, reference)] = None
            else:
                link = _link(item.document, reference, reference.target)
                own += _edges(store, item, reference.kind, link)
        for inner, outer in store.hosted(item.document, keys):
            own += _hosting(store, item, Label.from_key(inner), Label.from_key(outer), keys)
        if item.chunk.kind not in OVERVIEWS or len({edge.link.to_label for edge in own}) <= LISTING:
            edges += own
        edges += _defining(store, item, terms)
        edges += _beside(store, item)
    return Steps(first_of_each(edges), tuple(unresolved))


@mechanism("follow.terms", "The definitions of the terms of the first places compete.", without=lambda *_: [])
def _defining(store: Store, item: StoredChunk, terms: Terms) -> list[Edge]:
    """Return the edges to the definitions of the terms that a place uses."""
    edges: list[Edge] = []
    for term in terms.used(f"{item.chunk.title} {item.chunk.passage.text}", item.document):
        link = Link(item.document, item.chunk.label, item.document, term.label, term.term)
        edges += _edges(store, item, "term", link)
    return edges


@mechanism(
    "follow.national_choice", "What an annex decides about a place comes with it.", without=lambda *_: []
)
def _deciding(store: Store, item: StoredChunk, keys: Sequence[str], choices: Choices) -> list[Edge]:
    """Return the edges between a place and what an annex decides about it, from the side shown."""
    edges: list[Edge] = []
    for choice in choices.on(item.document, keys):
        link = Link(item.document, choice.target, choice.document, choice.label, choice.what)
        edges += _edges(store, item, "choice", link)
    for choice in choices.by(item.document, keys):
        link = Link(item.document, choice.label, choice.parent, choice.target, choice.what)
        edges += _edges(store, item, "chosen", link)
    return edges


@mechanism(
    "follow.hosting", "A table or figure comes with the clause where it stands.", without=lambda *_: []
)
def _hosting(
    store: Store, item: StoredChunk, inner: Label, outer: Label, keys: Collection[str]
) -> list[Edge]:
    """Return the edge between a table or figure and the clause where it stands, from the side shown."""
    words = f"{inner} stands in {outer}"
    source, target, kind = (inner, outer, "stands in") if inner.key in keys else (outer, inner, "holds")
    return _edges(store, item, kind, Link(item.document, source, item.document, target, words))


def _link(document: str, reference: Reference, target: Label) -> Link:
    return Link(document, reference.source, reference.document or document, target, reference.text)


def _edges(store: Store, item: StoredChunk, kind: str, link: Link) -> list[Edge]:
    """Return the edges to the chunks that show the target, none to the same chunk or where it is unknown."""
    if not store.has(link.to_document):
        return []
    found = store.chunks_for(link.to_document, link.to_label)
    parts = _parts(store, found, link.to_label) if len(found) > 1 else found
    return [Edge(item.id, chunk, kind, link) for chunk in parts if chunk != item.id]


def _parts(store: Store, found: Sequence[int], label: Label) -> tuple[int, ...]:
    """Return the first parts into which an item was cut; of chunks that merely hold it the first alone."""
    first, *others = store.chunks(found[:PARTS])
    if first.chunk.label != label:
        return (first.id,)
    return (first.id, *(part.id for part in others if part.chunk.label == label))


@mechanism("follow.beside", "The places before and after the first places compete.", without=lambda *_: [])
def _beside(store: Store, item: StoredChunk) -> list[Edge]:
    """Return the edges to the places before and after, which go on with what this one says."""
    before, after = store.chunk_neighbours(item.id)
    return [
        Edge(
            item.id,
            near.id,
            "beside",
            Link(item.document, item.chunk.label, item.document, near.chunk.label, ""),
        )
        for near in store.chunks((*before, *after))
    ]


def _is_whole(store: Store, reference: Reference) -> bool:
    """Tell whether a reference is to a loaded document as a whole: followed, though to no one place."""
    return reference.status == "resolved" and reference.document is not None and store.has(reference.document)


def _unresolved(document: str, reference: Reference) -> Unresolved:
    reason = reference.reason or f"{reference.text} is not among the documents loaded."
    return Unresolved(reference.text, document, reference.source, reason)


def first_of_each(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Return the edges without a second one between the same two chunks."""
    seen: dict[tuple[int, int], Edge] = {}
    for edge in edges:
        seen.setdefault((edge.source, edge.target), edge)
    return tuple(seen.values())
