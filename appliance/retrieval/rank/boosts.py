"""Filters, tags, and what a user reads or has selected raising what belongs to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import get_args

from appliance.core.document import Label
from appliance.core.errors import BadInput, UnknownPlace
from appliance.core.graph import NodeKind
from appliance.core.mechanisms import mechanism
from appliance.retrieval.ask import Ask, Filter, Reading, Scope
from appliance.retrieval.channels.exact import Raised
from appliance.retrieval.query.documents import years
from appliance.retrieval.query.labels import asked_labels
from appliance.retrieval.query.lexicon import Tag, load_tags
from appliance.store.bm25 import Wanted
from appliance.store.channels import ColumnWeights, chunks_within, index_terms, search_terms, with_status
from appliance.store.read import Store, bearers, fitting
from appliance.store.values import DocumentInfo
from appliance.text.terms import fold, words

NEAR = 0.4  # of its rank that a place keeps which stands in what is read, or is named there
SAME = 0.7  # and one that merely stands in the same document
SELECTED = 12  # words of a selected text that find where it stands
PLACES = 5  # places in which a selected text may stand


def parse_reading(text: str, selected: str = "") -> Reading | None:
    """Return "DOCUMENT:LABEL" or "DOCUMENT" as what is read, None where nothing is; raises BadInput."""
    document, _, label = text.strip().partition(":")
    if not document and (label or selected):
        message = f"{text!r} names no document. Write what is read as DOCUMENT or DOCUMENT:LABEL."
        raise BadInput(message)
    return Reading(document.strip(), label.strip(), selected.strip()) if document else None


@mechanism("rank.reading", "What belongs to the place that is open is raised.", without=lambda *_: {})
def boosts_of(ask: Ask) -> Mapping[int, Raised]:
    """Return the shown chunks that belong to what is read; raises UnknownDocument, UnknownPlace."""
    reading = ask.reading
    if reading is None:
        return {}
    ask.store.position(reading.document)
    found: dict[int, Raised] = {}
    for chunk, why in (*_selected(ask, reading), *_read(ask.store, reading)):
        found.setdefault(chunk, Raised(why, NEAR))
    return found


def raised(
    ranked: Sequence[int], owners: Mapping[int, str], boosts: Mapping[int, Raised], reading: Reading | None
) -> list[int]:
    """Return a ranking in which what belongs to what is read has moved up."""
    if reading is None:
        return list(ranked)

    def place(rank: int) -> float:
        chunk = ranked[rank]
        if chunk in boosts:
            return (rank + 1) * boosts[chunk].keeps
        return (rank + 1) * (SAME if owners[chunk] == reading.document else 1.0)

    return [ranked[rank] for rank in sorted(range(len(ranked)), key=lambda rank: (place(rank), rank))]


def _read(store: Store, reading: Reading) -> Iterator[tuple[int, str]]:
    """Yield the chunks of the place that is read, of all that stands in it, and of what it refers to."""
    if not reading.label:
        return
    labels = _labels(store, reading)
    if not labels:
        raise UnknownPlace(reading.document, reading.label)
    name = f"{labels[0]} of {reading.document}"
    for label in labels:
        yield from (
            (chunk, f"stands in {name}, which is open") for chunk in _shown(store, reading.document, label)
        )
    keys = [label.key for label in labels]
    for reference in store.references_from_any(reading.document, keys):
        if reference.target is not None and store.has(reference.document or reading.document):
            for chunk in _shown(store, reference.document or reading.document, reference.target):
                yield chunk, f"{name}, which is open, refers to it ({reference.text})"


def _labels(store: Store, reading: Reading) -> list[Label]:
    """Return the label that is read and those of all that stands under it."""
    known = {item.label.key: item.label for item in fitting(bearers(store, reading.document), reading.label)}
    for entry in store.contents(reading.document):
        if entry.parent is not None and entry.parent.key in known:
            known.setdefault(entry.label.key, entry.label)
    return list(known.values())


def _selected(ask: Ask, reading: Reading) -> Iterator[tuple[int, str]]:
    """Yield the chunks in which the selected text stands, and those that it names."""
    if not reading.selected:
        return
    for label in asked_labels(reading.selected, ask.lexicon):
        for item in ask.store.labelled(form for ways in label.forms[:1] for form in ways):
            if item.document == reading.document:
                yield item.chunk, f"the selected text names {label.printed}"
    terms = [term for term in index_terms(ask.store, reading.selected) if term in ask.index.vocabulary.chunks]
    wanted = [Wanted(tuple(dict.fromkeys(terms[:SELECTED])))] if terms else []
    within = chunks_within(ask.store, "child", (reading.document,), ())
    hits = search_terms(ask.store, "child", wanted, ColumnWeights(), PLACES, within=within)
    for chunk in ask.store.parents(chunk for chunk, _ in hits).values():
        yield chunk, "the selected text stands in it"


def _shown(store: Store, document: str, label: Label) -> Iterable[int]:
    return store.chunks_for(document, label)[:1]


def tagged(store: Store, asked: Sequence[str], folders: Iterable[Path] = ()) -> frozenset[int]:
    """Return the ids of the searched chunks that are about all of these tags.

    Raises:
        BadInput: a tag is none of the vocabularies.
    """
    held = [places_about(store, tag_named(name, load_tags(*folders))) for name in asked]
    return frozenset.intersection(*held) if held else frozenset()


def tag_named(name: str, tags: Sequence[Tag]) -> Tag:
    """Return the tag of this name, or with this word among its own; raises BadInput."""
    wanted = words(name)
    by_name = [tag for tag in tags if words(tag.name) == wanted]
    by_word = [tag for tag in tags if wanted in [words(item) for item in tag.names]]
    if found := by_name or by_word:
        return found[0]
    known = ", ".join(sorted(tag.name for tag in tags))
    message = f"There is no tag {name!r}. Known are: {known}."
    raise BadInput(message)


def places_about(store: Store, tag: Tag) -> frozenset[int]:
    """Return the ids of the searched chunks that are about a tag."""
    kind = tag.kind if tag.kind in get_args(NodeKind) else "concept"
    nodes = [node for node in store.graph.entities([tag.name])[tag.name] if node.kind == kind]
    return frozenset(chunk for node in nodes for chunk, _ in store.graph.chunks_of(node))


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
    for name in wanted.families:
        if not any(_is_of(info, name) for info in infos):
            raise _refused(name, "family", (info.family for info in infos))
    for name in wanted.editions:
        if not any(_has_edition(info, name) for info in infos):
            raise _refused(name, "edition", (info.edition for info in infos))
    left = tuple(
        info.id
        for info in infos
        if (not wanted.documents or info.id in wanted.documents)
        and (not wanted.families or any(_is_of(info, name) for name in wanted.families))
        and (not wanted.editions or any(_has_edition(info, name) for name in wanted.editions))
    )
    if not left:
        message = "No document is of all that the filter names. Take one of its conditions away."
        raise BadInput(message)
    return left


def chunks_left(store: Store, wanted: Filter, *folders: Path) -> frozenset[int] | None:
    """Return the searched chunks that tags and status leave, None for all; raises BadInput."""
    found = tagged(store, wanted.tags, folders) if wanted.tags else None
    if wanted.normative is None:
        return found
    standing = with_status(store, normative=wanted.normative)
    return standing if found is None else found & standing


def with_places(scope: Scope, wanted: Filter) -> Scope:
    """Return what a filter leaves; raises BadInput where that is no place."""
    if scope.parents is not None and not scope.parents:
        message = (
            f"No place is of all that the filter names ({_named(wanted)}). Take one of its conditions away."
        )
        raise BadInput(message)
    return scope


def _named(wanted: Filter) -> str:
    """Return the conditions of a filter."""
    standing = () if wanted.normative is None else ("normative" if wanted.normative else "informative",)
    named = (*wanted.documents, *wanted.families, *wanted.editions, *wanted.kinds, *wanted.tags, *standing)
    return ", ".join(named)


def _is_of(info: DocumentInfo, family: str) -> bool:
    return fold(family) == fold(info.family)


def _has_edition(info: DocumentInfo, edition: str) -> bool:
    """Tell whether a document is of an edition, told by its year or as its edition is printed."""
    return edition.strip() in years(info) or fold(edition).strip() == fold(info.edition)


def _refused(name: str, what: str, known: Iterable[str]) -> BadInput:
    there = ", ".join(sorted({item for item in known if item}))
    return BadInput(f"No document loaded has the {what} {name!r}. Loaded are: {there}.")
