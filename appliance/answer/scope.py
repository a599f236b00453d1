"""What a code says that it covers and what it leaves out: its scope, reached for every question of it.

Rules of this module: what a scope is called and how it speaks are words of data/retrieval/scope.toml.
"""

from __future__ import annotations

from appliance.core.evidence import Evidence, Place
from appliance.retrieval.ask import place
from appliance.retrieval.follow.scope import SHOWN, chunks_under, is_scope, scopes_of
from appliance.store.read import Store

DOCUMENTS = 3  # leading documents whose scope is reached
PER_DOCUMENT = 2  # clauses about scope, and statements, of each
LEADING = 5  # places whose documents and divisions count


def is_scope_place(found: Place) -> bool:
    """Tell whether a place stands under a title about what is covered."""
    return any(is_scope(title) for title in (found.title, *found.heading_path[-1:]))


def scope_places(store: Store, evidence: Evidence) -> tuple[Place, ...]:
    """Return the places that say what the leading documents cover, those of the first document first."""
    leading = evidence.hits[:LEADING]
    documents = dict.fromkeys([*evidence.query.documents, *(hit.document for hit in leading)])
    known = {hit.chunk: hit for hit in evidence.hits}
    found: dict[int, Place] = {}
    for document in list(documents)[:DOCUMENTS]:
        above = {
            clause.label.key
            for hit in leading
            if hit.document == document
            for clause in store.lineage(document, hit.label.key)
        }
        for entry in scopes_of(store, document, above)[:PER_DOCUMENT]:
            path = (str(leading[0].label), str(entry.label)) if leading else ()
            for item in store.chunks(chunks_under(store, document, entry.label)):
                if item.chunk.kind in SHOWN:
                    reached = place(item, 0.0, ("closure",), path=path)
                    found.setdefault(item.id, known.get(item.id, reached))
    return tuple(found.values())
