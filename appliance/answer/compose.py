"""Evidence to an answer without a language model: quoted, ordered, each statement checked.

Rules of this module: three outcomes, never mixed. Nothing is said that is not printed in the places
cited; the evidence is passed on whole, whatever was quoted from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.answer.cells import from_table
from appliance.answer.confidence import confidence
from appliance.answer.drawings import from_figure
from appliance.answer.findings import Finding, Part, Quote, best_first
from appliance.answer.passages import from_passage, is_list
from appliance.answer.places import labelled
from appliance.answer.verify import verdict
from appliance.evidence import (
    Answer,
    Citation,
    Evidence,
    Grounded,
    MarkedTable,
    NotFound,
    Place,
    Query,
    Statement,
)
from appliance.models.protocols import Candidate, EncodedQuery, Reranker
from appliance.settings import AnswerSettings
from appliance.store.passages import embedded_text
from appliance.store.read import Store
from appliance.store.values import StoredChunk

LISTED = frozenset({"procedure", "coverage"})  # intents whose answer is a list: it is quoted whole
LEADING = 3  # first places whose lists are quoted whole, whatever is asked
UNQUOTED = frozenset({"heading"})  # shown with the answer, not stated


@dataclass(frozen=True, slots=True)
class Judges:
    """What a part is judged with: the question as encoded and the reranker, None where there is none."""

    encoded: EncodedQuery | None
    reranker: Reranker | None


def compose(
    store: Store, evidence: Evidence, judges: Judges, settings: AnswerSettings, documents: Sequence[str] = ()
) -> Answer:
    """Return an answer, or that nothing in the documents bears on the question.

    `documents` are those that were searched, all where none is named.
    """
    searched = tuple(documents) or tuple(info.id for info in store.documents())
    question = evidence.query.text
    if not evidence.hits or evidence.relevance < settings.not_found_below:
        return NotFound(question, evidence, searched, _reasons(evidence))
    findings = list(_findings(store, evidence, judges, settings))
    found = [_placed(store, item) for item in best_first(findings, settings.statements, settings.margin)]
    citations = tuple(_citations(store, found))
    statements = tuple(_statements(found, citations))
    return Grounded(
        question=question,
        statements=statements,
        citations=citations,
        evidence=evidence,
        tables=tuple(_tables(found, evidence)),
        figures=tuple(place for place in evidence.hits if place.kind == "figure"),
        confidence=confidence(evidence, statements, [citation.status for citation in citations]),
        searched=searched,
    )


def _placed(store: Store, finding: Finding) -> Finding:
    """Return the finding with each quote under the label that a reader finds beside it."""
    if not finding.labels:
        return finding
    return replace(finding, quotes=tuple(labelled(store, quote, finding.labels) for quote in finding.quotes))


def _findings(
    store: Store, evidence: Evidence, judges: Judges, settings: AnswerSettings
) -> Iterator[Finding]:
    """Yield what each part of the first places says."""
    places = evidence.hits[: settings.places_read]
    parts = _parts(store, places)
    similarity = _similarities(store, [part for group in parts.values() for part in group], judges)
    for rank, place in enumerate(places):
        group = [
            Part(place, stored.chunk, similarity.get(stored.id, 0.0), rank) for stored in parts[place.chunk]
        ]
        yield from _of_place(store, evidence.query, place, group)


def _of_place(store: Store, query: Query, place: Place, parts: Sequence[Part]) -> Iterator[Finding]:
    """Yield what a place says: one finding for a table, a figure or a list, else one for each part."""
    if place.kind == "table":
        table = store.table(place.document, place.label.key)
        found = [from_table(query, parts, table)] if table else []
    elif place.kind == "figure":
        figure = store.figure(place.document, place.label.key)
        found = [from_figure(query, parts, figure)] if figure else []
    elif place.kind in UNQUOTED:
        found = []
    elif whole := _whole_list(store, query, place, parts):
        found = [from_passage(query, whole, whole=True)]
    else:
        found = [from_passage(query, part) for part in parts]
    yield from (finding for finding in found if finding is not None)


def _whole_list(store: Store, query: Query, place: Place, parts: Sequence[Part]) -> Part | None:
    """Return a list as one part, None where the place is none, or it is neither asked for nor leading.

    An item quoted without the others of its list may leave out the condition that decides.
    """
    if not parts or (query.intent not in LISTED and parts[0].rank >= LEADING):
        return None
    shown = store.chunks([place.chunk])
    if not shown or not is_list(shown[0].chunk.passage.text):
        return None
    return replace(max(parts, key=lambda part: part.similarity), chunk=shown[0].chunk)


def _parts(store: Store, places: Sequence[Place]) -> dict[int, list[StoredChunk]]:
    """Return, for each shown chunk, its children, or itself where it has none."""
    children = store.chunk_children(place.chunk for place in places)
    stored = {part.id: part for part in store.chunks(child for ids in children.values() for child in ids)}
    return {chunk: [stored[child] for child in ids if child in stored] for chunk, ids in children.items()}


def _similarities(store: Store, parts: Sequence[StoredChunk], judges: Judges) -> dict[int, float]:
    """Return what the reranker thinks of each part, by chunk id; nothing where there is none."""
    if judges.encoded is None or judges.reranker is None or not parts:
        return {}
    vectors = store.vectors([part.id for part in parts])
    candidates = [
        Candidate(embedded_text(part.chunk), vectors[part.id].tokens if part.id in vectors else None)
        for part in parts
    ]
    scores = judges.reranker.scores(judges.encoded, candidates)
    return {part.id: float(score) for part, score in zip(parts, scores, strict=True)}


def _citations(store: Store, found: Sequence[Finding]) -> Iterator[Citation]:
    quotes: list[Quote] = list(dict.fromkeys(quote for finding in found for quote in finding.quotes))
    for n, quote in enumerate(quotes, 1):
        status = store.info(quote.document).status
        yield Citation(n, quote.document, quote.label, quote.page, quote.boxes, quote.text, status)


def _statements(found: Sequence[Finding], citations: Sequence[Citation]) -> Iterator[Statement]:
    numbers = {(c.document, c.label, c.page, c.boxes, c.quote): c.n for c in citations}
    for finding in found:
        cited = tuple(numbers[(q.document, q.label, q.page, q.boxes, q.text)] for q in finding.quotes)
        confirmed, why = verdict(finding.claims)
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


def _reasons(evidence: Evidence) -> tuple[str, ...]:
    if not evidence.hits:
        return ("no word of the question occurs in the documents",)
    return (f"the nearest places bear too little on the question (relevance {evidence.relevance:.2f})",)
