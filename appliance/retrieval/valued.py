"""The tables that give values for the class that a question means, where the table of classes leads.

Rules of this module: a question names a use, one table says which class that is, and another, which does not
print the use, gives the value: neither search can find it. Only tables of the same document are read, and
only for a question that wants a quantity. Where its words tell no class, the tables that give values for at
least half of the classes come, and a table of values leads to the one that defines its classes: whoever reads
one of the two needs the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from appliance.document import Label, Table
from appliance.evidence import Link, Query
from appliance.retrieval.ask import Ask
from appliance.retrieval.classes import classes_of, meant, shared
from appliance.retrieval.closure import Edge
from appliance.store.read import Store
from appliance.store.values import StoredChunk

LEADING = 5  # places among which the table of classes is looked for
READ = 2  # tables of values that are read for one table of classes
CARRIED = 0.5  # share of the classes for which a table of values has a row
CLASSED = "class"  # the kind of a step from a table of classes to one of values

_PAIRS: WeakKeyDictionary[Store, dict[str, tuple[tuple[Label, Label], ...]]] = WeakKeyDictionary()


def valued(ask: Ask, leading: Iterable[StoredChunk]) -> Iterator[Edge]:
    """Yield the steps between tables of classes and of their values, from those among the leading places."""
    for item in list(leading)[:LEADING] if ask.question.query.kinds else ():
        if item.chunk.kind == "table":
            own, pairs = item.chunk.label, _pairs(ask.store, item.document)
            meant_by = [
                table.label for table in values_for(ask.store, ask.question.query, item.document, own)
            ]
            values = meant_by or [value for known, value in pairs if known == own][:READ]
            for label in values:
                yield from _steps(ask.store, item, label, f"{label} gives values for the classes of {own}")
            for label in [known for known, value in pairs if value == own]:
                yield from _steps(ask.store, item, label, f"{label} defines the classes of {own}")


def _steps(store: Store, item: StoredChunk, label: Label, words: str) -> Iterator[Edge]:
    """Yield the step from a table to another one of its document."""
    link = Link(item.document, item.chunk.label, item.document, label, words)
    for chunk in store.chunks_for(item.document, label)[:1]:
        yield Edge(item.id, chunk, CLASSED, link)


def _pairs(store: Store, document: str) -> tuple[tuple[Label, Label], ...]:
    """Return the tables of classes of a document, each with those of their values, read the first time."""
    known = _PAIRS.setdefault(store, {})
    if document not in known:
        tables = store.tables(document)
        classes = {table.label: tuple(classes_of(document, table)) for table in tables}
        defining = [table for table in tables if classes[table.label]]
        known[document] = tuple(
            (one.label, other.label)
            for one in defining
            for other in tables
            if not classes[other.label] and shared(classes[one.label], other) >= CARRIED
        )
    return known[document]


def values_for(store: Store, query: Query, document: str, label: Label) -> list[Table]:
    """Return the tables with values for the classes meant that the table of a label defines."""
    table = store.table(document, label.key)
    classes = list(classes_of(document, table)) if table else []
    if not classes:
        return []
    found = [other for other in store.tables(document) if meant(query, other, classes)]
    return [other for other in found if not list(classes_of(document, other))][:READ]
