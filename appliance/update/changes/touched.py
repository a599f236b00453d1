"""Which notes of the site a new library touches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from appliance.core.document import Document
from appliance.keeping.recheck import Recheck, Shelf, keys_above, recheck
from appliance.site.gaps_and_feedback import Kind, Row
from appliance.site.saved import Saved
from appliance.store.read import Store
from appliance.update.changes.compare import DocumentChange, Fate


@dataclass(frozen=True, slots=True)
class Touched:
    """A note of the site whose places are changed or gone."""

    kind: Kind
    question: str
    places: tuple[tuple[str, str, Fate], ...]  # document, label, fate


@dataclass(frozen=True, slots=True)
class _Change:
    """A document that changes: its fate, those of its items by their former keys, and what is over each."""

    fate: Fate
    revised: bool  # its edition or status is another
    items: Mapping[str, Fate]
    around: Mapping[str, frozenset[str]]


def touched(
    old: Store,
    new: Store,
    changes: Iterable[DocumentChange],
    rows: Iterable[Row],
    answers: Mapping[str, Saved],
) -> tuple[Touched, ...]:
    """Return the notes of the site that name a place or keep a quotation which is changed or gone."""
    known = {change.document: _known(old, new, change) for change in changes if change.fate != "added"}
    shelves = Shelf(old.version, old.document), Shelf(new.version, new.document)
    found = []
    for row in rows:
        saved = answers.get(row.about.request) if row.kind == "answers" else None
        before, after = (recheck(saved.kept, shelf) if saved else Recheck(()) for shelf in shelves)
        places: dict[tuple[str, str, Fate], None] = {}
        for place in row.about.shown:
            change = known.get(place.document)
            if change and (fate := _fate(change, place.label)):
                places[place.document, place.label, fate] = None
        for then, now in zip(before.checked, after.checked, strict=True):  # the quotations of a saved answer
            said, change = now.citation, known.get(now.citation.document)
            other: Fate | None = "changed" if now.state != then.state else None  # it holds them no longer
            if change and (fate := _fate(change, said.key) or other):
                places[said.document, said.key, fate] = None
        if places:
            found.append(Touched(row.kind, row.about.question, tuple(places)))
    return tuple(found)


def _known(old: Store, new: Store, change: DocumentChange) -> _Change:
    documents = [store.document(change.document) for store in (new, old) if store.has(change.document)]
    return _Change(
        change.fate,
        change.before != change.after,
        {item.label: item.fate for item in change.items if item.fate == "added"}
        | {item.before or item.label: item.fate for item in change.items if item.fate != "added"},
        {key: above for document in documents for key, above in _around(document)},
    )


def _around(document: Document) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each item with the clauses that it lies in."""
    parents = {clause.label: clause.parent for clause in document.clauses}
    inside = [(clause.label, clause.parent) for clause in document.clauses]
    for items in (document.tables, document.figures, document.formulas):
        inside += [(item.label, item.clause) for item in items]
    for label, parent in inside:
        yield label.key, keys_above([parent] if parent else [], parents)


def _fate(change: _Change, label: str) -> Fate | None:
    """Return what becomes of a place, None for nothing."""
    if change.fate == "withdrawn":
        return "withdrawn"
    own = change.items.get(label)
    if own and own != "added":
        return own
    if change.revised:
        return "changed"
    if label not in change.around:
        return "changed" if change.items else None
    above = change.around[label]
    near = above & change.items.keys() or any(label in change.around.get(key, ()) for key in change.items)
    return "changed" if near else None
