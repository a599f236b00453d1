"""An answer: one of three outcomes, each statement with its citations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NotRequired, TypedDict, cast

from appliance.contract.documents import Choice, choices_json
from appliance.contract.found import (
    Boosted,
    Place,
    Reading,
    Scope,
    Unresolved,
    channels_json,
    places_json,
    timings_json,
    understood_json,
    unresolved_json,
)
from appliance.contract.shape import Json, plain, shaped
from appliance.core import evidence as core
from appliance.core.document import Box, DocumentStatus
from appliance.core.evidence import Failed, Grounded, NotFound, Statement


class Citation(TypedDict):
    """The proof of a statement, with its place on the page."""

    n: int
    document: str
    label: str
    key: str
    page: int
    boxes: list[Box]
    quote: str
    status: DocumentStatus
    address: str


class Marked(TypedDict):
    """The cells of a table that decide, each as row and column, from 0."""

    document: str
    label: str
    key: str
    marked: list[tuple[int, int]]


Link = TypedDict("Link", {"from": str, "to": str, "words": str})


class Conflict(TypedDict):
    """Two places that say different things; `decides` is the number of the citation that counts."""

    kind: Literal["national annex", "amendment", "edition", "undecided"]
    rule: str
    decides: int | None
    sides: list[Citation]


class Part(TypedDict):
    """A question inside the question; statements by their position from 0, why where there is none."""

    question: str
    found: bool
    statements: list[int]
    why: str


class Round(TypedDict):
    """What was looked for once more."""

    why: str
    added: list[str]


class Searched(TypedDict):
    """What was gone through."""

    documents: list[str]
    nearest: list[Place]


class Confidence(TypedDict):
    """How sure an answer is."""

    level: Literal["high", "medium", "low"]
    reasons: list[str]
    chance: NotRequired[float]


class Step(TypedDict):
    """One thing that the language model was asked."""

    what: str
    prompt: str
    ending: str
    found: str
    prompt_tokens: int
    restored_tokens: int
    tokens: int
    first_seconds: float
    writing_seconds: float


class Written(TypedDict):
    """What a language model did for an answer; `own` are the statements that it made."""

    model: str
    notice: str
    statements: int
    confirmed: int
    own: list[Statement]
    steps: list[Step]


class Headline(TypedDict):
    """The one value of an answer, what it is the value of, and the number of the citation that proves it."""

    value: str
    unit: str
    what: str
    conditions: list[str]
    citation: int
    trust: Literal["text", "doubtful"]


class Answer(TypedDict):
    """An answer: one of three outcomes; `also` are further statements, one line each.

    `cases` are the values of cases that the question leaves open; their conditions tell them apart.
    """

    question: str
    outcome: Literal["answer", "not_found", "failed"]
    state: Literal["found", "read", "not_found", "failed"]
    headline: Headline | None
    cases: list[Headline]
    also: list[Statement]
    text: str
    statements: list[Statement]
    evidence: list[Place]
    citations: list[Citation]
    tables: list[Marked]
    figures: list[Place]
    chain: list[Link]
    conflicts: list[Conflict]
    parts: list[Part]
    gap: str
    rounds: list[Round]
    national_choices: list[Choice]
    unresolved: list[Unresolved]
    searched: Searched
    confidence: Confidence
    mode: str
    written: Written | None
    resolved: str
    after: str
    reading: Reading | None
    scope: Scope | None
    boosted: list[Boosted]
    timings_ms: dict[str, float]


def _answer(question: str, outcome: str, **said: Any) -> Answer:
    """Return an answer with what is said of it; what is not is empty."""
    empty: Json = {name: [] for name in Answer.__annotations__}
    empty |= dict.fromkeys(("text", "gap", "resolved", "after"), "")
    empty |= dict.fromkeys(("headline", "written", "reading", "scope"))
    empty |= {
        "searched": {"documents": [], "nearest": []},
        "confidence": {"level": "low", "reasons": []},
        "mode": "deterministic",
        "timings_ms": {},
    }
    return cast("Answer", empty | {"question": question, "outcome": outcome, "state": outcome} | said)


def own_statements(answer: Grounded) -> Iterator[Statement]:
    """Yield the statements that a language model made, in the order of the answer; what is quoted is not."""
    own = {(said.text, said.confirmed) for said in (answer.written.own if answer.written else ())}
    yield from (item for item in answer.statements if (item.text, item.confirmed) in own)


def answer_json(answer: core.Answer) -> Answer:
    """Return what `ask --json` prints: three outcomes, never mixed."""
    match answer:
        case Grounded():
            return _grounded(answer)
        case NotFound():
            hits = places_json(answer.evidence.shown)
            return _answer(
                answer.question,
                "not_found",
                text="Not found in the documents loaded.",
                evidence=hits,
                unresolved=unresolved_json(answer.evidence),
                searched={"documents": list(answer.searched), "nearest": hits[:5]},
                confidence={"level": "low", "reasons": list(answer.reasons)},
                timings_ms=timings_json(answer.evidence),
                **understood_json(answer.evidence),
            )
        case Failed():
            kept = places_json(answer.evidence.shown) if answer.evidence else []
            return _answer(answer.question, "failed", text=answer.message, evidence=kept)


def _grounded(answer: Grounded) -> Answer:
    evidence, sure, by = answer.evidence, answer.confidence, answer.written
    written = None
    if by is not None:
        steps = [
            shaped(
                Step,
                one,
                first_seconds=round(one.first_seconds, 3),
                writing_seconds=round(one.writing_seconds, 3),
            )
            for one in by.steps
        ]
        written = shaped(Written, by, own=plain([*own_statements(answer)]), steps=steps)
    conflicts = []
    for one in answer.conflicts:
        decides = one.sides[one.decides].n if one.decides is not None else None
        conflicts.append(
            shaped(Conflict, one, decides=decides, sides=[shaped(Citation, s) for s in one.sides])
        )
    return _answer(
        answer.question,
        "answer",
        state=answer.state,
        headline=shaped(Headline, answer.headline) if answer.headline else None,
        cases=[shaped(Headline, one) for one in answer.cases],
        also=plain(answer.also),
        text="\n".join(statement.text for statement in answer.statements),
        statements=plain(answer.statements),
        evidence=places_json(evidence.shown),
        citations=[shaped(Citation, citation) for citation in answer.citations],
        tables=[shaped(Marked, table) for table in answer.tables],
        figures=places_json(answer.figures),
        chain=[
            {
                "from": f"{link.from_document} {link.from_label.named}",
                "to": f"{link.to_document} {link.to_label.named}",
                "words": link.words,
            }
            for link in evidence.chain
        ],
        conflicts=conflicts,
        parts=[shaped(Part, part, question=part.asked, found=bool(part.statements)) for part in answer.parts],
        gap=answer.gap,
        rounds=[
            {"why": item.why, "added": [f"{found.document} {found.label.named}" for found in item.added]}
            for item in evidence.rounds
        ],
        national_choices=choices_json(evidence.choices),
        unresolved=unresolved_json(evidence),
        searched={"documents": list(answer.searched), "nearest": []},
        confidence=shaped(Confidence, sure, chance=round(sure.chance, 3)),
        mode=answer.mode,
        written=written,
        timings_ms=timings_json(evidence),
        **understood_json(evidence),
    )


def explained_json(answer: core.Answer) -> Json:
    """Return what `ask --explain --json` prints, with first places of searches and what a model was sent."""
    found = answer.evidence if isinstance(answer, Grounded | NotFound) else None
    written = answer.written if isinstance(answer, Grounded) else None
    sent = [
        {"what": step.what, "prompt": step.prompt, "grammar": step.grammar, "wrote": step.wrote}
        | {"messages": [{"role": role, "text": text} for role, text in step.asked]}
        for step in (written.steps if written else ())
    ]
    return {**answer_json(answer), "channels": channels_json(found) if found else {}, "sent": sent}
