"""The tables that give values for the class that a question means, where only the table of classes was found.

Rules of this module: a question names a use, one table says which class that is, and another, which does not
print the use, gives the value. Only tables of the same document are read, and only where one of the first
places defines the class.
"""

from __future__ import annotations

from collections.abc import Iterator

from appliance.answer.review import with_round
from appliance.core.evidence import Evidence, Place, Round
from appliance.retrieval.ask import place
from appliance.retrieval.follow.terms import LEADING, values_for
from appliance.store.read import Store


def with_values(store: Store, evidence: Evidence, read: int) -> tuple[Evidence, tuple[Place, ...]]:
    """Return the evidence with the tables that its first `read` places lack, and those tables."""
    if not evidence.query.kinds:
        return evidence, ()
    reached = tuple(_lacking(store, evidence, read))
    if not reached:
        return evidence, ()
    why = "another table gives values for the class that is defined: "
    named = ", ".join(f"{found.document} {found.label}" for found in reached)
    known = {hit.chunk for hit in evidence.hits}
    new = tuple(found for found in reached if found.chunk not in known)
    return with_round(evidence, Round(why + named, new)) if new else evidence, reached


def _lacking(store: Store, evidence: Evidence, read: int) -> Iterator[Place]:
    shown = {(hit.document, hit.label.key) for hit in evidence.hits[:read]}
    for hit in evidence.hits[:LEADING]:
        if hit.kind != "table":
            continue
        for other in values_for(store, evidence.query, hit.document, hit.label):
            chunks = store.chunks(store.chunks_for(hit.document, other.label)[:1])
            if (hit.document, other.label.key) not in shown:
                path = (str(hit.label), str(other.label))
                yield from (place(item, 0.0, ("reference",), path=path) for item in chunks)
