"""Which notes of the site a new library touches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from appliance.core.document import Document
from appliance.site.saved import Saved
from appliance.site.values import Kind, Row
from appliance.store.read import Store
from appliance.update.changes.compare import DocumentChange, Fate, words_of


@dataclass(frozen=True, slots=True)
class Touched:
    """A note of the site whose places are changed or gone."""

    kind: Kind
    question: str
    places: tuple[tuple[str, str, Fate], ...]  # document, label, fate


@dataclass(frozen=True, slots=True)
class _Change:
    """A document that changes: its fate, those of its items, and what is around each item before and now."""

    fate: Fate
    revised: bool  # its edition or status is another
    items: Mapping[str, Fate]
    around: Mapping[str, frozenset[str]]
    lost: frozenset[str]  # quotations that stood in it before and stand in it no more


def touched(
    old: Store | None,
    new: Store,
    changes: Iterable[DocumentChange],
    rows: Iterable[Row],
    answers: Mapping[str, Saved],
) -> tuple[Touched, ...]:
    """Return the notes of the site that name a place or keep a quotation which is changed or withdrawn."""
    quotes = {(said.document, said.quote) for saved in answers.values() for said in saved.kept.citations}
    known = {
        change.document: _known(
            old, new, change, {quote for name, quote in quotes if name == change.document}
        )
        for change in changes
        if change.fate != "added"
    }
    found = []
    for row in rows:
        saved = answers.get(row.about.request) if row.kind == "answers" else None
        if places := tuple(dict.fromkeys(_places(known, row, saved))):
            found.append(Touched(row.kind, row.about.question, places))
    return tuple(found)


def _known(old: Store | None, new: Store, change: DocumentChange, quotes: Iterable[str]) -> _Change:
    before = old.document(change.document) if old and old.has(change.document) else None
    after = new.document(change.document) if new.has(change.document) else None
    then, now = (words_of(document) if document else "" for document in (before, after))
    plain = {quote: " ".join(quote.split()) for quote in quotes}
    return _Change(
        change.fate,
        change.before != change.after,
        {item.label: item.fate for item in change.items},
        {key: above for document in (after, before) if document for key, above in _around(document)},
        frozenset(quote for quote, words in plain.items() if words in then and words not in now),
    )


def _around(document: Document) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each item with the clauses that it lies in."""
    parents = {clause.label: clause.parent for clause in document.clauses}
    inside = [(clause.label, clause.parent) for clause in document.clauses]
    for items in (document.tables, document.figures, document.formulas):
        inside += [(item.label, item.clause) for item in items]
    for label, parent in inside:
        above: list[str] = []
        at = parent
        while at and at.key not in above:
            above.append(at.key)
            at = parents.get(at)
        yield label.key, frozenset(above)


def _places(known: Mapping[str, _Change], row: Row, saved: Saved | None) -> Iterator[tuple[str, str, Fate]]:
    for place in row.about.shown:
        change = known.get(place.document)
        if change and (fate := _fate(change, place.label)):
            yield place.document, place.label, fate
    for said in saved.kept.citations if saved else ():
        change = known.get(said.document)
        if change and (fate := _fate(change, said.key) or ("changed" if said.quote in change.lost else None)):
            yield said.document, said.key, fate


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
