"""What a user is reading or has selected raises what belongs to it; nothing is hidden for it.

Rules of this module: a place that belongs to what is read moves up by a part of its rank, so that far
better places stay before it; the reason is kept and shown. An unknown place is refused, never ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from appliance.document import Label
from appliance.errors import BadInput, UnknownPlace
from appliance.retrieval.ask import Ask, Reading
from appliance.retrieval.exact import Raised
from appliance.retrieval.labels import asked_labels
from appliance.store.bearers import bearers, fitting
from appliance.store.channels import ColumnWeights, chunks_within, index_terms, quoted, search_words
from appliance.store.read import Store

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
    match = " AND ".join(quoted(term) for term in dict.fromkeys(terms[:SELECTED]))
    within = chunks_within(ask.store, "child", (reading.document,), ())
    hits = search_words(ask.store, "child", match, ColumnWeights(), PLACES, within=within)
    for chunk in ask.store.parents(chunk for chunk, _ in hits).values():
        yield chunk, "the selected text stands in it"


def _shown(store: Store, document: str, label: Label) -> Iterable[int]:
    return store.chunks_for(document, label)[:1]
