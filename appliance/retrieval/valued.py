"""The tables that give values for the class that a question means, where the table of classes leads.

Rules of this module: a question names a use, one table says which class that is, and another, which does not
print the use, gives the value: neither search can find it. Only tables of the same document are read, and
only for a question that wants a quantity.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from appliance.document import Label, Table
from appliance.evidence import Link, Query
from appliance.retrieval.ask import Ask
from appliance.retrieval.classes import classes_of, meant
from appliance.retrieval.closure import Edge
from appliance.store.read import Store
from appliance.store.values import StoredChunk

LEADING = 5  # places among which the table of classes is looked for
READ = 2  # tables of values that are read for one table of classes
CLASSED = "class"  # the kind of a step from a table of classes to one of values


def valued(ask: Ask, leading: Iterable[StoredChunk]) -> Iterator[Edge]:
    """Yield the steps from the tables of classes among the leading places to the tables of their values."""
    for item in list(leading)[:LEADING] if ask.question.query.kinds else ():
        if item.chunk.kind == "table":
            own = item.chunk.label
            for table in values_for(ask.store, ask.question.query, item.document, own):
                words = f"{table.label} gives values for the classes of {own}"
                link = Link(item.document, own, item.document, table.label, words)
                for chunk in ask.store.chunks_for(item.document, table.label)[:1]:
                    yield Edge(item.id, chunk, CLASSED, link)


def values_for(store: Store, query: Query, document: str, label: Label) -> list[Table]:
    """Return the tables with values for the classes meant that the table of a label defines."""
    table = store.table(document, label.key)
    classes = list(classes_of(document, table)) if table else []
    if not classes:
        return []
    found = [other for other in store.tables(document) if meant(query, other, classes)]
    return [other for other in found if not list(classes_of(document, other))][:READ]
