"""What a question about references asks for: where a named label leads, or what leads to it.

Rules of this module: edges come from the store as they do for the closure; those of the label that
was asked for come alone, not those of the other clauses that its place shows. The search steps from place to
place; a list of references is longer, for source and target may be shown as one place. An index or a list of
contents refers to nothing in this sense. Where several documents hold the label, the one that has most to
tell about it is meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from appliance.document import Label, Reference
from appliance.evidence import Link
from appliance.retrieval.ask import Ask
from appliance.retrieval.closure import LISTING, OVERVIEWS, Edge
from appliance.retrieval.exact import Jump
from appliance.retrieval.labels import AskedLabel
from appliance.store.read import Store
from appliance.store.values import StoredChunk
from appliance.store.words import fold_label


@dataclass(frozen=True, slots=True)
class _Asked:
    """A label of a document with the chunk that shows it, and the keys of itself and what it holds."""

    item: StoredChunk
    keys: tuple[str, ...]

    def holds(self, link: Link) -> bool:
        """Tell whether both ends of a reference are the label itself or stand in it."""
        ends = ((link.from_document, link.from_label), (link.to_document, link.to_label))
        return all(document == self.item.document and label.key in self.keys for document, label in ends)


@dataclass(frozen=True, slots=True)
class _Cited:
    """A reference of one kind, and which of its ends is not the label asked for."""

    kind: str
    document: str
    label: Label
    link: Link


def wanted(ask: Ask, named: Jump) -> tuple[Edge, ...]:
    """Return the steps that a question about references asks for, none for other questions.

    Each edge leads from the place named to the place wanted, also where the reference itself runs
    the other way: what the place shown is, its link tells.
    """
    query = ask.question.query
    if query.intent != "reference" or not named.labels:
        return ()
    inside = [
        edge for edge in _edges(ask, named) if edge.target not in named.first and ask.scope.holds(edge.target)
    ]
    return tuple({edge.target: edge for edge in reversed(inside)}.values())[::-1]


def most_linked_first(ask: Ask, named: Jump) -> Jump:
    """Return what a question about references names, of one label the place with most references first."""
    if ask.question.query.intent != "reference" or ask.question.relation or len(named.first) < 2:
        return named
    counted = Counter(e.source for e in dict.fromkeys(_edges(ask, named)) if ask.scope.holds(e.target))
    labels = tuple(
        (label, tuple(sorted(chunks, key=lambda chunk: -counted[chunk]))) for label, chunks in named.labels
    )
    first = tuple(dict.fromkeys(chunk for _, chunks in labels for chunk in chunks))
    return replace(named, first=first, labels=labels)


def links(ask: Ask, named: Jump) -> tuple[Link, ...]:
    """Return every reference from the places that a question names, or to them, each pair of labels once."""
    found = (
        cited.link
        for asked in _asked(ask.store, named)
        for cited in _cited(ask, asked)
        if not asked.holds(cited.link) and any(map(ask.scope.holds, _chunks(ask.store, cited)))
    )
    pairs = {(link.from_document, link.from_label, link.to_document, link.to_label): link for link in found}
    return tuple(pairs.values())


def _edges(ask: Ask, named: Jump) -> Iterator[Edge]:
    """Yield the steps to other places than the one named."""
    for asked in _asked(ask.store, named):
        for cited in _cited(ask, asked):
            for chunk in _chunks(ask.store, cited):
                if chunk != asked.item.id:
                    yield Edge(asked.item.id, chunk, cited.kind, cited.link)


def _cited(ask: Ask, asked: _Asked) -> Iterator[_Cited]:
    return (_sources if ask.question.incoming else _targets)(ask.store, asked)


def _asked(store: Store, named: Jump) -> Iterator[_Asked]:
    for label, chunks in named.labels:
        for item in store.chunks(chunks):
            if keys := tuple(_keys(item, label)):
                yield _Asked(item, keys)


def _keys(item: StoredChunk, asked: AskedLabel) -> Iterator[str]:
    """Yield the keys of the labels of a chunk that are the one asked for, or items and paragraphs of it."""
    labels = dict.fromkeys((item.chunk.label, *item.chunk.labels))
    named = {label.key: {fold_label(str(label)), fold_label("".join(label.parts))} for label in labels}
    ways = ([key for key, said in named.items() if said & set(forms)] for forms in asked.forms)
    own = next(filter(None, ways), [])  # a paragraph is asked for before the clause that holds it
    yield from own
    for label in labels:
        if any(_is_part(label.key, key) for key in own):
            yield label.key


def _is_part(key: str, whole: str) -> bool:
    """Tell whether a key is that of an item or paragraph of another: "1.42b" and "1.42(2)" of "1.42"."""
    rest = key.removeprefix(whole)
    return rest != key and bool(rest) and (rest[0].isalpha() or rest[0] == "(")


def _targets(store: Store, asked: _Asked) -> Iterator[_Cited]:
    document = asked.item.document
    for reference in store.references_from_any(document, asked.keys):
        if reference.target is not None:
            target = reference.document or document
            link = Link(document, reference.source, target, reference.target, reference.text)
            yield _Cited(reference.kind, target, reference.target, link)


def _sources(store: Store, asked: _Asked) -> Iterator[_Cited]:
    own = asked.item.document
    found = [cited for key in asked.keys for cited in store.references_to(own, key)]
    listing = set(_listing(store, found))
    for document, reference in sorted(found, key=lambda cited: cited[0] != own):
        if (document, reference.source.key) not in listing and reference.target is not None:
            link = Link(document, reference.source, own, reference.target, reference.text)
            yield _Cited(reference.kind, document, reference.source, link)


def _listing(store: Store, found: Iterable[tuple[str, Reference]]) -> Iterator[tuple[str, str]]:
    """Yield the headings and annexes that refer to so many places that they are an index or contents."""
    for document, key in {(document, reference.source.key) for document, reference in found}:
        targets = {reference.target for reference in store.references_from(document, key)}
        if len(targets) > LISTING and _is_overview(store, document, key):
            yield document, key


def _is_overview(store: Store, document: str, key: str) -> bool:
    shown = store.chunks(store.chunks_for(document, Label.from_key(key))[:1])
    return any(item.chunk.kind in OVERVIEWS for item in shown)


def _chunks(store: Store, cited: _Cited) -> tuple[int, ...]:
    """Return the chunk that shows the other end of a reference, none where it is not loaded."""
    return tuple(store.chunks_for(cited.document, cited.label)[:1]) if store.has(cited.document) else ()
