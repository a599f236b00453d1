"""Evidence to an answer without a language model: quoted, ordered, each statement checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from appliance.answer.conflicts import conflicts
from appliance.answer.headline import Reading, headline, open_rows, text_of
from appliance.answer.not_loaded import of_absent, of_edition, respelt, sent_away
from appliance.answer.quoting import Quotations, Said, marked_tables
from appliance.answer.reading.answerability import Gated, gated, is_parted, of_all, ungiven
from appliance.answer.reading.decision import Case, decide, given_from, signals_of
from appliance.answer.reading.order import Ranked, ranked
from appliance.answer.reading.quantity import nowhere, unstated
from appliance.answer.reading.question import Judges
from appliance.answer.relations import related
from appliance.answer.review import reviewed
from appliance.answer.shape import READ, leading_place, place_of, shaped
from appliance.answer.verify import named_besides
from appliance.core.evidence import (
    Answer,
    Confidence,
    Evidence,
    Grounded,
    Headline,
    NotFound,
    Place,
    Query,
    Subanswer,
)
from appliance.core.settings import AnswerSettings
from appliance.retrieval.follow.scope import asks_absent_scope, asks_own_scope, asks_what_applies
from appliance.store.read import Store

REFERENCES = 12  # references that are said, the others are named in a line
NOTHING = "No place found answers this part by itself: nothing is said for it."


def compose(
    store: Store, evidence: Evidence, judges: Judges, settings: AnswerSettings, documents: Sequence[str] = ()
) -> Answer:
    """Return an answer, or that nothing in the documents bears on the question.

    `documents` are those that were searched, all where none is named.
    """
    searched = tuple(documents) or tuple(info.id for info in store.documents())
    query, question = evidence.query, evidence.query.asked
    parted = is_parted(query, judges)
    if (why := _refused(store, evidence, settings)) is not None:
        return NotFound(question, evidence, searched, why)
    no_label = _no_label(evidence)
    evidence, reached = reviewed(store, evidence, frozenset(searched))
    read = tuple(dict.fromkeys((*evidence.hits, *reached)))
    gates = gated(store, evidence, evidence.hits, read, judges) if parted else ()
    none = "" if parted else nowhere(store, query, read)
    if none and not query.labels:
        return NotFound(question, evidence, searched, (none,))
    lacking = None if parted else ungiven(store, evidence, evidence.hits, judges)
    missing = lacking.reasons if lacking else of_all(gates)
    whole = ranked(store, query, read, judges)
    if not whole.found:
        return NotFound(question, evidence, searched, ("no place found says anything in words",))
    statements, also = _statements(store, evidence, whole)
    statements, parts = _by_part(store, read, statements, gates, judges)
    gap = (
        none
        or next(iter(missing), "")
        or no_label
        or of_absent(store, query, [one.text for one in statements])
        or of_edition(store, query, leading_place(whole)[0].place.document)
        or _of_scope(evidence)
        or _sent_away(store, evidence)
        or _open_part(parts)
        or _unstated(store, query, statements)
    )
    answer = _grounded(store, evidence, searched, _Made(whole, statements, also, parts, gap), judges)
    refused = lacking.refuses if lacking else bool(missing)
    if refused and not query.labels and answer.confidence.chance < given_from():
        return NotFound(question, evidence, searched, missing)
    return answer


@dataclass(frozen=True, slots=True)
class _Made:
    """What an answer is made of: the order of the candidates, what is said and named, parts and gap."""

    ranked: Ranked
    statements: Sequence[Said]
    also: Sequence[Said]
    parts: tuple[Subanswer, ...]
    gap: str


def _grounded(
    store: Store, evidence: Evidence, searched: tuple[str, ...], made: _Made, judges: Judges
) -> Grounded:
    """Return the answer that statements make, with their citations, conflicts, decision and headline."""
    quotations = Quotations(store)
    told = tuple(quotations.statement(one) for one in made.statements)
    beside = tuple(quotations.statement(one) for one in made.also)
    claims = [claim for one in made.statements for claim in one.claims]
    best = leading_place(made.ranked)[0]
    signals = signals_of(evidence, made.ranked, best)
    said = made.statements[0].claims
    is_said = any(one.quotes == best.quotes for one in said)
    reading = Reading(
        made.ranked.asked, best, made.ranked.found[:READ], signals, judges.encode(text_of(best)), said
    )
    figure = headline(reading) if is_said else None
    number = quotations.number(figure.quote) if figure else 0
    citations = quotations.citations()
    against = conflicts(store, claims, evidence.choices, len(citations))
    case = Case(evidence, best, told[0], signals, figure, against, made.gap, made.parts, open_rows(reading))
    decision = decide(case)
    reasons = (*decision.reasons, *respelt(evidence.query))
    head, sure = None, None
    if figure is not None and decision.headline:
        trust: Literal["text", "doubtful"] = "text" if told[0].confirmed else "doubtful"
        sure = (figure.quote.document, figure.quote.label) if trust == "text" else None
        head = Headline(figure.value, figure.unit, figure.what, figure.conditions, number, trust)
    return Grounded(
        question=evidence.query.asked,
        statements=told,
        citations=(*citations, *(side for conflict in against for side in conflict.sides)),
        evidence=evidence,
        tables=marked_tables(made.statements, evidence.hits, sure),
        figures=tuple(place for place in evidence.hits if place.kind == "figure"),
        confidence=Confidence(decision.level, reasons, decision.chance, decision.signals),
        searched=searched,
        conflicts=against,
        parts=made.parts,
        gap=made.gap,
        state=decision.state,
        headline=head,
        also=beside,
    )


def _statements(store: Store, evidence: Evidence, whole: Ranked) -> tuple[list[Said], list[Said]]:
    """Return what is said, and what is named in a line; references asked for are said themselves."""
    referring = related(store, evidence)
    statements, also = shaped(whole, evidence.chain)
    if not referring:
        return statements, also
    told = [Said((one,)) for one in referring]
    return [*told[:REFERENCES], *statements[: 1 if len(told) < REFERENCES else 0]], [
        *told[REFERENCES:],
        *also,
    ]


def _by_part(
    store: Store, read: Sequence[Place], statements: list[Said], gates: Sequence[Gated], judges: Judges
) -> tuple[list[Said], tuple[Subanswer, ...]]:
    """Return the statements part by part, with the best claim of each part, and which answer which part."""
    if not gates or judges.read is None:
        return statements, ()
    led: list[Said] = []
    answers: list[Subanswer] = []
    for gate in gates:
        why, own = gate.why, None
        if not why:
            query, encoded = judges.read(gate.part.searched)
            found, _ = shaped(ranked(store, query, read, replace(judges, encoded=encoded)))
            why = _unstated(store, gate.query, found[:1])
            own = found[0] if found and not why else None
        if own is None:
            answers.append(Subanswer(gate.part.asked, (), why or NOTHING))
            continue
        leading = own.claims[0].quotes[-1]
        own = next((one for one in statements if leading in one.quotes), own)  # the whole says it with more
        same = next((at for at, one in enumerate(led) if set(own.quotes) <= set(one.quotes)), None)
        if same is None:
            led.append(own)
            same = len(led) - 1
        answers.append(Subanswer(gate.part.asked, (same,)))
    rest = [one for one in statements if not any(set(one.quotes) <= set(other.quotes) for other in led)]
    return [*led, *rest[: max(3 - len(led), 0)]] or statements, tuple(answers)


def _refused(store: Store, evidence: Evidence, settings: AnswerSettings) -> tuple[str, ...] | None:
    """Return why nothing that was searched bears on the question, None where something may."""
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
    return None


def _no_label(evidence: Evidence) -> str:
    """Return in a sentence that no label of the question exists, "" where one does or none is named."""
    exact = any("exact" in hit.found_by for hit in evidence.hits)
    return evidence.query.unreadable if evidence.query.labels and not exact else ""


def _of_scope(evidence: Evidence) -> str:
    """Return that only a part of a subject is spoken of."""
    return evidence.scope.text if evidence.scope and evidence.scope.verdict == "partly" else ""


def _sent_away(store: Store, evidence: Evidence) -> str:
    """Return where the text sends a reader for what is asked; a scope that leaves it to others answers."""
    return "" if asks_own_scope(store, evidence.query) else sent_away(evidence)


def _open_part(parts: Sequence[Subanswer]) -> str:
    """Return why no part is answered, "" where one is: a part that is open says so itself."""
    return parts[0].why if parts and not any(part.statements for part in parts) else ""


def _unstated(store: Store, query: Query, statements: Sequence[Said]) -> str:
    """Return that no statement gives the kind of quantity asked for, "" where one does.

    A row is of the kind too that its heads or the caption of its table name.
    """
    rows = [claim for one in statements for claim in one.claims if claim.values]
    tables = (store.table(document, key) for document, key in dict.fromkeys(map(place_of, rows)))
    headings = [
        *(quote.text for row in rows for quote in row.quotes),
        *(table.title for table in tables if table),
    ]
    return unstated(query, [one.text for one in statements], headings)


def _reasons(evidence: Evidence) -> tuple[str, ...]:
    if not evidence.hits:
        return (*evidence.not_run, "no word of the question occurs in the documents")
    return (*evidence.not_run, "the nearest places bear too little on the question")
