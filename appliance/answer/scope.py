"""What a code says that it covers and what it leaves out: its scope, reached for every question of it.

Rules of this module: whether something applies is answered from the scope before any other clause, so
the scope of the documents that lead the evidence is always among the evidence and is always quoted, first
that of a document whose own title names the subject.
What a scope is called and how it speaks are words of data/retrieval/scope.toml.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from appliance.answer.about import spoken_by, things
from appliance.answer.choosing import once
from appliance.answer.findings import Finding
from appliance.core.evidence import Evidence, Place, Query
from appliance.retrieval.ask import place
from appliance.retrieval.follow.scope import (
    SHOWN,
    asks_own_scope,
    asks_what_applies,
    chunks_of_scope,
    chunks_under,
    is_scope,
    leaves_out,
    scopes_of,
    speaks_of_scope,
)
from appliance.store.read import Store

DOCUMENTS = 3  # leading documents whose scope is reached
PER_DOCUMENT = 2  # clauses about scope, and statements, of each
LEADING = 5  # places whose documents and divisions count
NEAR = 0.25  # a scope that answers this much worse than the best other clause still comes first
NAMED = 0.5  # the same of a document whose title names the subject
FEW = 3  # documents (editions, an annex) that a word may name before it tells none of them
MANY = 6  # places of a document that is named which may speak of a subject and still lead
AGAIN = 2 / 3  # of a text that was said before from which it is not said again
STATED = 4  # statements of scopes in one answer


def with_scope(
    chosen: Sequence[Finding], said: Sequence[Finding], about: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Return the findings with what the scope of each document says, of those `about` the subject first.

    Where it speaks of what was asked, about as well as the best other clause, it comes before that.
    """
    stated = [item for item in said if is_scope_place(item.place) and speaks_of_scope(item.text)]
    first: list[Finding] = []
    for finding in once(sorted(stated, key=lambda item: (item.place.document not in about, -item.score))):
        said_before = any(_says_again(finding.text, item.text) for item in first)
        few = sum(item.place.document == finding.place.document for item in first) < PER_DOCUMENT
        if few and not said_before:
            first.append(finding)
    best = max((item.score for item in chosen), default=0.0)
    far = {item.place.document: NAMED if item.place.document in about else NEAR for item in first}
    leading = [item for item in first[:STATED] if item.score >= best - far[item.place.document]]
    texts = {item.text for item in (*leading, *chosen)}
    rest = (item for item in chosen if not any(_says_again(item.text, scope.text) for scope in leading))
    return (*leading, *rest, *(item for item in first[:STATED] if item.text not in texts))


def _says_again(text: str, said: str) -> bool:
    """Tell whether a text is one that was said before or a part of it, or holds it whole and little more."""
    return text in said or (said in text and len(said) >= AGAIN * len(text))


def listed_first(
    evidence: Evidence, chosen: Sequence[Finding], said: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Return the findings to a question of what documents say, those of documents that it names first.

    What leaves the subject out comes before what speaks of it, and few places that speak of all of it, where
    the search has one of them first or the document is named, before all others. Other questions keep theirs.
    """
    scope, named = evidence.scope, evidence.query.documents
    if scope is None or not scope.verdict:
        return tuple(chosen)
    few = scope.items if len(scope.items) <= (MANY if named else FEW) else ()
    listed = {(item.document, item.label.key): at for at, item in reversed(list(enumerate(few)))}
    hit = evidence.hits[0]
    first = bool(named) or any((hit.document, label.key) in listed for label in hit.labels)

    def far(item: Finding) -> tuple[bool, bool, int]:
        labels = (item.place.label, *item.place.labels, *(quote.label for quote in item.quotes))
        told = [at for label in labels if (at := listed.get((item.place.document, label.key))) is not None]
        left_out = scope.verdict == "limits" and leaves_out(item.text)
        rank = (min(told, default=MANY) if named else 0 if told else 1) if first else 0
        return (bool(named) and item.place.document not in named, not left_out, rank)

    best = sorted(said, key=lambda item: (*far(item), -item.score))[:STATED]
    texts = {item.text for item in chosen}
    return tuple(sorted((*chosen, *(item for item in best if item.text not in texts)), key=far))


def own_scope_first(
    store: Store, query: Query, chosen: Sequence[Finding], said: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Return the findings to a question of what a document covers: first what its scope says, as printed.

    Where it is asked what is left out, what says so comes before what is covered; whether a thing is covered
    is told first by what answers that best.
    """
    side, whether = asks_own_scope(store, query), asks_what_applies(store, query)
    if not side and not whether:
        return tuple(chosen)
    held = {chunk for document in query.documents for chunk in chunks_of_scope(store, document)}
    own = [item for item in said if item.place.chunk in held and speaks_of_scope(item.text)]
    if side == "left out":
        own.sort(key=lambda item: not leaves_out(item.text))
    elif whether:
        own.sort(key=lambda item: -item.score)
    return tuple(once((*once(own)[:STATED], *chosen)))


def documents_about(store: Store, query: Query) -> frozenset[str]:
    """Return the documents whose title names what a question is about more than those of all others do."""
    named = {
        info.id: frozenset(word for word in things(query) if spoken_by(query, word, info.title))
        for info in store.documents()
    }
    telling = {
        word
        for word in frozenset[str]().union(*named.values())
        if sum(word in held for held in named.values()) <= FEW
    }
    return frozenset(document for document, held in named.items() if held & telling)


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
