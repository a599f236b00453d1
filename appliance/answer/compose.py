"""Evidence to an answer without a language model: quoted, ordered, each statement checked, then decided.

What it comes to is found, or places to read, with the chance that it is right and the reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from appliance.answer.candidates import REFERENCES, Candidate, related
from appliance.answer.cases import Open, open_cases
from appliance.answer.chosen_statements import (
    READ,
    Quotations,
    Said,
    leading_place,
    marked_tables,
    place_of,
    shaped,
)
from appliance.answer.conflicts import conflicts
from appliance.answer.headline import Figure, Reading, headline, open_rows, text_of
from appliance.answer.lacking import of_absent, of_edition, respelt, reviewed, sent_away
from appliance.answer.reading.answerability import Gated, gated, is_parted, of_all, ungiven
from appliance.answer.reading.order import Ranked, ranked
from appliance.answer.reading.question import Judges, nowhere, unstated
from appliance.answer.statement_support import named_besides
from appliance.core.evidence import (
    Confidence,
    Conflict,
    Evidence,
    Grounded,
    Headline,
    NotFound,
    Place,
    Query,
    Statement,
    Subanswer,
)
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.core.settings import AnswerSettings
from appliance.retrieval.follow.scope import asks_absent_scope, asks_own_scope, asks_what_applies
from appliance.retrieval.rank.model import chance_of
from appliance.store.read import Store

NOTHING = "No place found answers this part by itself: nothing is said for it."


def compose(
    store: Store, evidence: Evidence, judges: Judges, settings: AnswerSettings, documents: Sequence[str] = ()
) -> Grounded | NotFound:
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
    whole = of_named(ranked(store, query, read, judges), evidence)
    if not whole.found:
        return NotFound(question, evidence, searched, ("no place found says anything in words",))
    statements, also = shaped(whole, evidence.chain)
    if referring := [Said((one,)) for one in related(store, evidence)]:  # references that are asked for
        statements = [*referring, *(statements[:1] if len(referring) < REFERENCES else ())]
    statements, parts = _by_part(store, read, statements, gates, judges)
    gap = (
        none
        or next(iter(missing), "")
        or no_label
        or of_absent(store, query, [one.text for one in statements])
        or of_edition(store, query, leading_place(whole)[0].place.document)
        or (evidence.scope.text if evidence.scope and evidence.scope.verdict == "partly" else "")
        or ("" if asks_own_scope(store, query) else sent_away(evidence))  # that scope answers by itself
        or (parts[0].why if parts and not any(part.statements for part in parts) else "")
        or _unstated(store, query, statements)
    )
    answer = _grounded(store, evidence, searched, _Made(whole, statements, also, parts, gap), judges)
    refused = lacking.refuses if lacking else bool(missing)
    if (
        refused
        and not query.labels
        and answer.confidence.chance < shipped("answer/decision")["bounds"]["given"]
    ):
        return NotFound(question, evidence, searched, missing)
    return answer


ELSEWHERE = 100.0  # of a score, so that it comes behind all others


@mechanism("answer.named", without=lambda ranked, _evidence: ranked)
def of_named(ranked: Ranked, evidence: Evidence) -> Ranked:
    """Return the candidates with those of other documents than the question names behind."""
    found = [
        one if _is_of_named(one, evidence) else replace(one, score=one.score - ELSEWHERE)
        for one in ranked.found
    ]
    order = sorted(range(len(found)), key=lambda at: -found[at].score)
    return replace(ranked, found=tuple(found[at] for at in order), rows=ranked.rows[order])


def _is_of_named(one: Candidate, evidence: Evidence) -> bool:
    """Tell whether the question names a candidate's document or one that it changes, or names none."""
    query, document = evidence.query, one.place.document
    if not query.documents or query.intent == "reference" or "exact" in one.place.found_by:
        return True
    parents = {choice.parent for choice in evidence.choices if choice.document == document}
    return not {document, *parents}.isdisjoint(query.documents)


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
    trust: Literal["text", "doubtful"] = "text" if told[0].confirmed else "doubtful"
    if figure is not None and figure.chance < shipped("answer/decision")["bounds"]["headline"]:
        large, cases = None, Open()
    else:
        large, cases = figure, open_cases(store, reading, figure, judges.encode) if figure else Open()
    heads = tuple(
        Headline(one.value, one.unit, one.what, one.conditions, quotations.number(one.quote), trust, one.box)
        for one in cases.figures or ((large,) if large else ())
    )
    citations = quotations.citations()
    against = conflicts(store, claims, evidence.choices, len(citations))
    unnamed = open_rows(reading) or cases.why
    case = Case(evidence, best, told[0], signals, figure, against, made.gap, made.parts, unnamed)
    sure = decide(case)
    state: Literal["found", "read"] = "found" if sure.level == "high" else "read"
    heads = heads if state == "found" else ()
    one = heads[0] if len(heads) == 1 else None
    table = (figure.quote.document, figure.quote.label) if figure and one and trust == "text" else None
    return Grounded(
        question=evidence.query.asked,
        statements=told,
        citations=(*citations, *(side for conflict in against for side in conflict.sides)),
        evidence=evidence,
        tables=marked_tables(made.statements, evidence.hits, table),
        figures=tuple(place for place in evidence.hits if place.kind == "figure"),
        confidence=replace(sure, reasons=(*sure.reasons, *respelt(evidence.query))),
        searched=searched,
        conflicts=against,
        parts=made.parts,
        gap=made.gap,
        state=state,
        headline=one,
        cases=heads if one is None else (),
        also=beside,
    )


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
    if not evidence.hits:
        return (*evidence.not_run, "no word of the question occurs in the documents")
    of_scope = asks_own_scope(store, evidence.query) or asks_what_applies(store, evidence.query)
    if evidence.relevance < settings.not_found_below and not of_scope:
        return (*evidence.not_run, "the nearest places bear too little on the question")
    return None


def _no_label(evidence: Evidence) -> str:
    """Return in a sentence that no label of the question exists, "" where one does or none is named."""
    exact = any("exact" in hit.found_by for hit in evidence.hits)
    return evidence.query.unreadable if evidence.query.labels and not exact else ""


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


# what the model weighs, and what a reason is told from besides
FOUND = ("top_chance", "place_margin", "relevance", "late", "place_score", "value_chance")
MEASURED = ("late", "place_score", "cover_heads", "wanted")


@dataclass(frozen=True, slots=True)
class Case:
    """All that a decision looks at: `best` leads the answer, `first` is said first, `rows` leave it open."""

    evidence: Evidence
    best: Candidate
    first: Statement
    signals: Mapping[str, float]
    figure: Figure | None
    conflicts: Sequence[Conflict]
    gap: str
    parts: Sequence[Subanswer] = ()
    rows: str = ""


def decide(case: Case) -> Confidence:
    """Return how sure an answer is: high where the box stands behind it."""
    model = shipped("answer/decision")
    signals = {**case.signals, "value_chance": case.figure.chance if case.figure else 0.0}
    chance = chance_of(model["found"]["intercept"], model["found"]["weights"], signals)
    vetoes = [*filter(None, (veto(case) for veto in VETOES.values())), *case.evidence.not_run]
    level: Literal["high", "medium", "low"] = "medium"
    if chance >= model["bounds"]["found"] and not vetoes:
        level = "high"
    elif chance < model["bounds"]["low"] or case.gap:
        level = "low"
    reasons = (*vetoes, f"estimated chance {round(10 * chance)} in 10", *_words(signals))
    return Confidence(level, tuple(dict.fromkeys(reasons)), chance, tuple(signals.items()))


def signals_of(evidence: Evidence, ranked: Ranked, best: Candidate) -> dict[str, float]:
    """Return the signals of an answer by their names in data/answer/decision.toml."""
    found = ranked.found[:READ]
    chances = np.exp([one.score - found[0].score for one in found])
    chances /= chances.sum()
    places: dict[tuple[str, str], float] = {}
    for one, chance in zip(found, chances, strict=True):
        places[place_of(one)] = places.get(place_of(one), 0.0) + float(chance)
    own = places.pop(place_of(best), 0.0)
    at = ranked.found.index(best)
    return {name: ranked.feature(name, at) for name in MEASURED} | {
        "top_chance": float(chances[0]),
        "place_margin": own - max(places.values(), default=0.0),
        "relevance": evidence.relevance,
    }


def _other_document(case: Case) -> str:
    best, evidence = case.best, case.evidence
    if _is_of_named(best, evidence):
        return ""
    return f"the first statement is of {best.place.document}, not of {', '.join(evidence.query.documents)}"


def _national_choice(case: Case) -> str:
    best = case.best
    keys = {label.key for label in (best.place.label, *best.place.labels, best.label)}
    for choice in case.evidence.choices:
        if choice.parent == best.place.document and choice.target.key in keys and not choice.adopts:
            return f"a {choice.what} decides about the first place ({choice.document} {choice.label})"
    return ""


def _conflict(case: Case) -> str:
    for conflict in case.conflicts:
        one, other = conflict.sides
        return f"{one.document} {one.label} and {other.document} {other.label} give different numbers"
    return ""


# what is never shown as sure; what each takes away on the judged questions: docs/quality.md, docs/trials.md
VETOES: Mapping[str, Callable[[Case], str]] = {
    "not what was asked": lambda case: f"{case.gap.partition(';')[0].rstrip('.')}." if case.gap else "",
    "a part left open": lambda case: next(
        (f"“{one.asked}” is open" for one in case.parts if not one.statements), ""
    ),
    "a row not told apart": lambda case: case.rows,
    "read with doubt or not confirmed": lambda case: (
        "" if case.first.confirmed else f"the first statement is not confirmed ({case.first.why})"
    ),
    "of another document than named": _other_document,
    "decided elsewhere": _national_choice,
    "contradicted": _conflict,
}


def _words(signals: Mapping[str, float]) -> Iterator[str]:
    """Yield what the signals say, for or against the answer, in words."""
    for name, said in shipped("answer/decision")["words"].items():
        if signals[name] >= said["from"]:
            yield said["for"]
        elif said.get("against") and signals[name] <= said["to"]:
            yield said["against"]
