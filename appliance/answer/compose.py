"""Evidence to an answer without a language model: quoted, ordered, each statement checked.

Rules of this module: three outcomes, never mixed. Nothing is said that is not printed in the places
cited; the evidence is passed on whole, whatever was quoted from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from appliance.answer.about import very_thing_first
from appliance.answer.choosing import choose, defined_places
from appliance.answer.classed import with_values
from appliance.answer.confidence import agreeing, confidence, without_chance
from appliance.answer.conflicts import conflicts
from appliance.answer.designated import right_class_first
from appliance.answer.dimension import other_dimension
from appliance.answer.doubts import doubted
from appliance.answer.excepted import including_first, unanswered
from appliance.answer.findings import Finding, Quote, named_besides
from appliance.answer.fitting import fitting_first, unfitting
from appliance.answer.formulas import with_formula
from appliance.answer.gates import Gated, gated, is_parted, lacks, of_all
from appliance.answer.nearer import whole_thing_first, without_nearer, without_old
from appliance.answer.noted import with_notes
from appliance.answer.of_document import asked_documents_first, of_another
from appliance.answer.order import in_order
from appliance.answer.places import labelled
from appliance.answer.pointed import with_tables
from appliance.answer.reading import Judges, findings
from appliance.answer.relations import related
from appliance.answer.review import reviewed
from appliance.answer.scope import documents_about, listed_first, own_scope_first, with_scope
from appliance.answer.sent import sent_away
from appliance.answer.sides import right_side_first
from appliance.answer.silent import rarity_of, silence
from appliance.answer.sought import unstated
from appliance.answer.subquestions import by_part
from appliance.answer.turned import right_case_first
from appliance.answer.unfit import without_unfit
from appliance.answer.unloaded import of_absent, of_edition, respelt, unheard
from appliance.answer.unmeasured import unmeasured
from appliance.answer.unnamed import without_unnamed
from appliance.answer.unspoken import unspoken
from appliance.answer.verify import verdict
from appliance.answer.way import on_the_way
from appliance.core.evidence import (
    Answer,
    Citation,
    Confidence,
    Evidence,
    Grounded,
    MarkedTable,
    NotFound,
    Place,
    Statement,
    Subanswer,
)
from appliance.core.settings import AnswerSettings
from appliance.retrieval.follow.scope import asks_absent_scope, asks_own_scope, asks_what_applies
from appliance.retrieval.search import WORDS_OFF
from appliance.store.read import Store

LEADING = 3  # statements of which one has to give a quantity that is asked for
AFTER = 3  # statements behind the references that a question asks for


def compose(
    store: Store, evidence: Evidence, judges: Judges, settings: AnswerSettings, documents: Sequence[str] = ()
) -> Answer:
    """Return an answer, or that nothing in the documents bears on the question.

    `documents` are those that were searched, all where none is named.
    """
    searched = tuple(documents) or tuple(info.id for info in store.documents())
    question = evidence.query.asked
    parted = is_parted(evidence.query, judges)
    if (why := _refused(store, evidence, settings, parted=parted)) is not None:
        return NotFound(question, evidence, searched, why)
    no_label = _no_label(evidence)
    evidence, reached = reviewed(store, evidence, frozenset(searched))
    evidence, read = _read(store, evidence, reached, settings)
    seen = tuple(dict.fromkeys((*evidence.hits, *reached)))
    gates = gated(store, evidence, seen, read, judges) if parted else ()
    missing = of_all(gates) if parted else lacks(store, evidence, seen, read, judges)
    if missing and not evidence.query.labels:
        return NotFound(question, evidence, searched, missing)
    chosen, parts = _chosen(store, evidence, read, judges, settings, gates=gates)
    chosen, dated = of_edition(store, evidence.query, chosen)
    unread, several = unheard(store, evidence.query)
    silent, grave = silence(store, evidence, chosen)
    lacking = (
        next(iter(missing), "")
        or no_label
        or of_absent(store, evidence.query, chosen)
        or dated
        or of_another(evidence.query, chosen, evidence.choices)
        or (silent if grave else "")
        or _sent_away(store, evidence)
    )
    told = any(part.why for part in parts)  # a part that is told as open says so itself
    lacking = lacking or (unread if several and not told else "") or _gap(store, evidence, chosen, parts)
    return _grounded(store, evidence, searched, chosen, parts, lacking=lacking, silent=silent, unread=unread)


def _grounded(
    store: Store,
    evidence: Evidence,
    searched: tuple[str, ...],
    chosen: Sequence[Finding],
    parts: tuple[Subanswer, ...],
    *,
    lacking: str,
    silent: str,
    unread: str,
) -> Grounded:
    """Return the answer that the findings make, with their citations, conflicts and confidence."""
    found = [_placed(store, item) for item in chosen]
    citations = tuple(_citations(store, found))
    against = conflicts(store, found, evidence.choices, len(citations))
    statements = tuple(_statements(store, found, citations))
    spelt, states = tuple(respelt(evidence.query)), [citation.status for citation in citations]
    sure = confidence(
        evidence, found, statements, states, against, silent=silent, unread=unread, respelt=spelt
    )
    return Grounded(
        question=evidence.query.asked,
        statements=statements,
        citations=(*citations, *(side for conflict in against for side in conflict.sides)),
        evidence=evidence,
        tables=tuple(_tables(found, evidence)),
        figures=tuple(place for place in evidence.hits if place.kind == "figure"),
        confidence=_lowered(_of_parts(sure, parts), lacking),
        searched=searched,
        conflicts=against,
        parts=parts,
        gap=lacking,
    )


def _read(
    store: Store, evidence: Evidence, reached: Sequence[Place], settings: AnswerSettings
) -> tuple[Evidence, tuple[Place, ...]]:
    """Return the evidence with the tables of values of its classes, and the places that are stated from."""
    first = evidence.hits[: settings.places_read]
    evidence, valued = with_values(store, evidence, settings.places_read)
    terms = defined_places(store, evidence.query, first)
    return evidence, tuple(dict.fromkeys((*first[:1], *valued, *first[1:], *reached, *terms)))


def _gap(store: Store, evidence: Evidence, chosen: Sequence[Finding], parts: Sequence[Subanswer]) -> str:
    """Return what is asked for and in none of the findings, "" where all is there or a part tells it."""
    query = evidence.query
    if evidence.scope and evidence.scope.verdict:
        return evidence.scope.text if evidence.scope.verdict == "partly" else ""
    if any(not part.statements for part in parts):
        return "" if any(part.statements for part in parts) else parts[0].why
    headings = [text for item in chosen if item.marked for claim in item.claims for text in claim.quotes[:2]]
    texts = ["" if item.marked else item.text for item in chosen]
    return (
        unstated(query, [item.text for item in chosen[:LEADING]], headings)
        or unanswered(query, chosen)
        or unfitting(query, chosen)
        or other_dimension(query, texts)
        or (unmeasured(store, query, chosen[0]) if chosen else "")
    )


def _refused(
    store: Store, evidence: Evidence, settings: AnswerSettings, *, parted: bool
) -> tuple[str, ...] | None:
    """Return why nothing that was searched bears on the question, None where something may.

    Of one with several parts each is judged for itself, by what it is about (gates.py).
    """
    if (no_label := _no_label(evidence)) and not named_besides(evidence.query):
        return (no_label,)
    if asks_absent_scope(store, evidence.query):
        return (evidence.query.unreadable,)
    if (scope := evidence.scope) and scope.verdict:
        return (scope.text,) if scope.verdict == "no" else None
    little = evidence.relevance < settings.not_found_below
    of_scope = asks_own_scope(store, evidence.query) or asks_what_applies(store, evidence.query)
    if not evidence.hits or (little and not of_scope):
        return _reasons(evidence)
    if not parted and not evidence.query.labels and (unnamed := unspoken(store, evidence.query)):
        return (unnamed,)
    return None


def _no_label(evidence: Evidence) -> str:
    """Return in a sentence that no label of the question exists, "" where one does or none is named."""
    exact = any("exact" in hit.found_by for hit in evidence.hits)
    return evidence.query.unreadable if evidence.query.labels and not exact else ""


def _sent_away(store: Store, evidence: Evidence) -> str:
    """Return where the text sends a reader for what is asked; a scope that leaves it to others answers."""
    return "" if asks_own_scope(store, evidence.query) else sent_away(evidence)


def _of_parts(found: Confidence, parts: Sequence[Subanswer]) -> Confidence:
    """Return how sure an answer is: never high where a part of the question is not answered."""
    silent = next((part for part in parts if not part.statements), None)
    if silent is None or found.level != "high":
        return found
    sure = agreeing("medium", found.chance)
    reasons = (f"Not answered: {silent.asked}", *without_chance(found.reasons))
    return replace(found, level="medium", reasons=reasons, chance=sure)


def _lowered(found: Confidence, lacking: str) -> Confidence:
    """Return how sure an answer is: never more than low where what was asked for was not found."""
    if not lacking:
        return found
    sure = agreeing("low", found.chance)
    reasons = (f"{lacking.partition(';')[0].rstrip('.')}.", *without_chance(found.reasons))
    return replace(found, level="low", reasons=tuple(dict.fromkeys(reasons)), chance=sure)


def _chosen(
    store: Store,
    evidence: Evidence,
    read: Sequence[Place],
    judges: Judges,
    settings: AnswerSettings,
    *,
    gates: Sequence[Gated],
) -> tuple[tuple[Finding, ...], tuple[Subanswer, ...]]:
    """Return the findings that the answer states, and which of them answer which part of the question."""
    query = evidence.query
    said = list(findings(store, query, read, judges))
    chosen = with_notes(store, query, choose(store, query, read, said, settings))
    if query.intent == "value":
        chosen = in_order(query, chosen, said, read, partial(rarity_of, store))
    chosen = very_thing_first(query, evidence.hits, chosen)
    chosen = with_formula(store, query, including_first(query, chosen))
    if referring := related(store, evidence):
        chosen = (*referring, *chosen[:AFTER])
    chosen = without_unfit(store, query, evidence.hits, without_unnamed(store, query, chosen))
    chosen = without_nearer(query, chosen, partial(rarity_of, store))
    chosen = whole_thing_first(query, without_old(store, query, chosen))
    chosen = right_case_first(query, right_class_first(query, chosen))
    chosen = fitting_first(query, right_side_first(query, chosen), said)
    chosen = with_tables(query, chosen, said)
    if query.intent == "applicability":
        chosen = with_scope(chosen, said, documents_about(store, query))
    chosen = listed_first(evidence, asked_documents_first(query, chosen, said), said)
    chosen = own_scope_first(store, query, chosen, said)
    if query.intent == "procedure" and not query.parts[1:]:
        texts = {item.text for item in chosen}
        chosen = (*chosen, *(one for one in on_the_way(store, evidence, said) if one.text not in texts))
    return by_part(store, evidence, read, chosen, judges, gates=gates)


def _placed(store: Store, finding: Finding) -> Finding:
    """Return the finding with each quote under the label that a reader finds beside it."""
    if not finding.labels:
        return finding
    return replace(finding, quotes=tuple(labelled(store, quote, finding.labels) for quote in finding.quotes))


def _citations(store: Store, found: Sequence[Finding]) -> Iterator[Citation]:
    quotes: list[Quote] = list(dict.fromkeys(quote for finding in found for quote in finding.quotes))
    for n, quote in enumerate(quotes, 1):
        status = store.info(quote.document).status
        yield Citation(n, quote.document, quote.label, quote.page, quote.boxes, quote.text, status)


def _statements(store: Store, found: Sequence[Finding], citations: Sequence[Citation]) -> Iterator[Statement]:
    numbers = {(c.document, c.label, c.page, c.boxes, c.quote): c.n for c in citations}
    for finding in found:
        cited = tuple(numbers[(q.document, q.label, q.page, q.boxes, q.text)] for q in finding.quotes)
        confirmed, why = verdict(finding.claims)
        doubt = doubted(store, finding)
        reason = "; ".join(part for part in (why, doubt) if part)
        yield Statement(finding.text, cited, confirmed and not doubt, reason)


def _tables(found: Sequence[Finding], evidence: Evidence) -> Iterator[MarkedTable]:
    """Yield the tables of the answer: those that decide with their cells, then the other tables found."""
    marked: dict[tuple[str, str], MarkedTable] = {}
    for finding in found:
        if finding.marked:
            place, key = finding.place, (finding.place.document, finding.place.label.key)
            before = marked.get(key, MarkedTable(place.document, place.label, ()))
            cells = tuple(dict.fromkeys((*before.marked, *finding.marked)))
            marked[key] = replace(before, marked=cells, unsure=before.unsure or finding.unsure)
    for place in evidence.hits:
        if place.kind == "table":
            key = (place.document, place.label.key)
            marked.setdefault(key, MarkedTable(place.document, place.label, ()))
    yield from marked.values()


def _reasons(evidence: Evidence) -> tuple[str, ...]:
    if not evidence.hits and WORDS_OFF in evidence.not_run:
        return evidence.not_run
    if not evidence.hits:
        return (*evidence.not_run, "no word of the question occurs in the documents")
    little = f"the nearest places bear too little on the question (relevance {evidence.relevance:.2f})"
    return (*evidence.not_run, little)
