"""Evidence to an answer without a language model: quoted, ordered, each statement checked.

Rules of this module: three outcomes, never mixed. Nothing is said that is not printed in the places
cited; the evidence is passed on whole, whatever was quoted from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.answer.cells import from_row
from appliance.answer.confidence import confidence
from appliance.answer.findings import Finding, Quote, Weights, best_first
from appliance.answer.passages import from_passage
from appliance.answer.verify import verdict
from appliance.evidence import (
    Answer,
    Citation,
    Evidence,
    Grounded,
    MarkedTable,
    NotFound,
    Place,
    Statement,
)
from appliance.models.protocols import Candidate, EncodedQuery, Reranker
from appliance.settings import AnswerSettings
from appliance.store.passages import embedded_text
from appliance.store.read import Store
from appliance.store.values import StoredChunk


def compose(
    store: Store,
    evidence: Evidence,
    encoded: EncodedQuery | None,
    reranker: Reranker | None,
    settings: AnswerSettings,
) -> Answer:
    """Return an answer, or that nothing in the documents bears on the question.

    `encoded` is the question as the search encoded it, None where the library has no vectors.
    """
    question = evidence.query.text
    if not evidence.hits or evidence.relevance < settings.not_found_below:
        return NotFound(question, evidence, _searched(store, evidence), _reasons(evidence))
    found = best_first(
        list(_findings(store, evidence, encoded, reranker, settings)), settings.statements, settings.margin
    )
    citations = tuple(_citations(found))
    statements = tuple(_statements(found, citations))
    return Grounded(
        question=question,
        statements=statements,
        citations=citations,
        evidence=evidence,
        tables=tuple(_tables(found, evidence)),
        figures=tuple(place for place in evidence.hits if place.kind == "figure"),
        confidence=confidence(evidence, statements),
    )


def _findings(
    store: Store,
    evidence: Evidence,
    encoded: EncodedQuery | None,
    reranker: Reranker | None,
    settings: AnswerSettings,
) -> Iterator[Finding]:
    """Yield what each part of the first places says."""
    places = evidence.hits[: settings.places_read]
    parts = {place.chunk: _parts(store, place) for place in places}
    similarity = _similarities(store, [p for chunk in parts.values() for p in chunk], encoded, reranker)
    for rank, place in enumerate(places):
        for part in parts[place.chunk]:
            finding = _finding(store, evidence, place, part, similarity.get(part.id, 0.0), rank)
            if finding is not None:
                yield finding


def _finding(
    store: Store, evidence: Evidence, place: Place, part: StoredChunk, similarity: float, rank: int
) -> Finding | None:
    weights = Weights()
    if place.kind == "table" and part.chunk.row is not None:
        table = store.table(place.document, place.label)
        if table is not None:
            return from_row(evidence.query, place, part.chunk, table, similarity, rank, weights)
    if place.kind in {"table", "figure", "heading"}:
        return None
    return from_passage(evidence.query, place, part.chunk, similarity, rank, weights)


def _parts(store: Store, place: Place) -> Sequence[StoredChunk]:
    """Return the children of a shown chunk, or the chunk itself where it has none."""
    return store.children_of_chunk(place.chunk) or store.chunks([place.chunk])


def _similarities(
    store: Store, parts: Sequence[StoredChunk], encoded: EncodedQuery | None, reranker: Reranker | None
) -> dict[int, float]:
    """Return what the reranker thinks of each part, by chunk id; nothing where there is none."""
    if encoded is None or reranker is None or not parts:
        return {}
    vectors = store.vectors([part.id for part in parts])
    candidates = [
        Candidate(embedded_text(part.chunk), vectors[part.id].tokens if part.id in vectors else None)
        for part in parts
    ]
    scores = reranker.scores(encoded, candidates)
    return {part.id: float(score) for part, score in zip(parts, scores, strict=True)}


def _citations(found: Sequence[Finding]) -> Iterator[Citation]:
    quotes: list[Quote] = list(dict.fromkeys(quote for finding in found for quote in finding.quotes))
    for n, quote in enumerate(quotes, 1):
        yield Citation(n, quote.document, quote.label, quote.page, quote.boxes, quote.text)


def _statements(found: Sequence[Finding], citations: Sequence[Citation]) -> Iterator[Statement]:
    numbers = {(c.document, c.label, c.page, c.boxes, c.quote): c.n for c in citations}
    for finding in found:
        quoted = [quote.text for quote in finding.quotes]
        cited = tuple(numbers[(q.document, q.label, q.page, q.boxes, q.text)] for q in finding.quotes)
        names = [f"{quote.document} {quote.label}" for quote in finding.quotes]
        confirmed, why = verdict(finding.text, [*quoted, *names])
        yield Statement(finding.text, cited, confirmed, why)


def _tables(found: Sequence[Finding], evidence: Evidence) -> Iterator[MarkedTable]:
    """Yield the tables of the answer: those that decide with their cells, then the other tables found."""
    marked: dict[tuple[str, str], MarkedTable] = {}
    for finding in found:
        if finding.marked:
            place, key = finding.place, (finding.place.document, finding.place.label.key)
            before = marked[key].marked if key in marked else ()
            cells = tuple(dict.fromkeys((*before, *finding.marked)))
            marked[key] = MarkedTable(place.document, place.label, cells)
    for place in evidence.hits:
        if place.kind == "table":
            key = (place.document, place.label.key)
            marked.setdefault(key, MarkedTable(place.document, place.label, ()))
    yield from marked.values()


def _searched(store: Store, evidence: Evidence) -> tuple[str, ...]:
    return evidence.query.documents or tuple(info.id for info in store.documents())


def _reasons(evidence: Evidence) -> tuple[str, ...]:
    if not evidence.hits:
        return ("no word of the question occurs in the documents",)
    return (f"the nearest places bear too little on the question (relevance {evidence.relevance:.2f})",)
