"""An answer as the JSON that outside programs rely on."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.contract import (
    Json,
    box_json,
    channels_json,
    choices_json,
    places_json,
    timings_json,
    understood_json,
    unresolved_json,
)
from appliance.core.evidence import (
    Answer,
    Citation,
    Conflict,
    Evidence,
    Failed,
    Grounded,
    Headline,
    NotFound,
    Statement,
)


def citation_json(citation: Citation) -> Json:
    """Return a citation with its place on the page."""
    return {
        "n": citation.n,
        "document": citation.document,
        "label": str(citation.label),
        "key": citation.label.key,
        "page": citation.page,
        "boxes": [box_json(box) for box in citation.boxes],
        "quote": citation.quote,
        "status": citation.status,
        "address": citation.address,
    }


def _empty_answer(question: str, outcome: str) -> Json:
    return {
        "question": question,
        "outcome": outcome,
        "state": outcome,
        "headline": None,
        "also": [],
        "text": "",
        "statements": [],
        "evidence": [],
        "citations": [],
        "tables": [],
        "figures": [],
        "chain": [],
        "conflicts": [],
        "parts": [],
        "gap": "",
        "rounds": [],
        "national_choices": [],
        "unresolved": [],
        "searched": {"documents": [], "nearest": []},
        "confidence": {"level": "low", "reasons": []},
        "mode": "deterministic",
        "written": None,
        "resolved": "",
        "after": "",
        "reading": None,
        "scope": None,
        "boosted": [],
        "timings_ms": {},
    }


def _chain(evidence: Evidence) -> list[Json]:
    return [
        {
            "from": f"{link.from_document} {link.from_label.named}",
            "to": f"{link.to_document} {link.to_label.named}",
            "words": link.words,
        }
        for link in evidence.chain
    ]


def conflict_json(conflict: Conflict) -> Json:
    """Return both sides of a conflict, the rule, and the number of the citation that it prefers."""
    decides = conflict.sides[conflict.decides].n if conflict.decides is not None else None
    return {
        "kind": conflict.kind,
        "rule": conflict.rule,
        "decides": decides,
        "sides": [citation_json(side) for side in conflict.sides],
    }


def _parts(answer: Grounded) -> list[Json]:
    """Return the questions in the question; statements by their position from 0, why where none."""
    return [
        {
            "question": part.asked,
            "found": bool(part.statements),
            "statements": list(part.statements),
            "why": part.why,
        }
        for part in answer.parts
    ]


def _rounds(evidence: Evidence) -> list[Json]:
    return [
        {"why": item.why, "added": [f"{found.document} {found.label.named}" for found in item.added]}
        for item in evidence.rounds
    ]


def own_statements(answer: Grounded) -> Iterator[Statement]:
    """Yield the statements that a language model made, in the order of the answer; what is quoted is not."""
    own = {(said.text, said.confirmed) for said in (answer.written.own if answer.written else ())}
    yield from (item for item in answer.statements if (item.text, item.confirmed) in own)


def _written(answer: Grounded) -> Json | None:
    """Return what a language model did for the answer, None where none was asked."""
    written = answer.written
    if written is None:
        return None
    steps = [
        {"what": step.what, "prompt": step.prompt, "ending": step.ending, "found": step.found}
        | {"prompt_tokens": step.prompt_tokens, "restored_tokens": step.restored_tokens}
        | {"tokens": step.tokens, "first_seconds": round(step.first_seconds, 3)}
        | {"writing_seconds": round(step.writing_seconds, 3)}
        for step in written.steps
    ]
    counts = {"statements": written.statements, "confirmed": written.confirmed}
    own = [_statement(said) for said in own_statements(answer)]
    return {"model": written.model, "notice": written.notice, **counts, "own": own, "steps": steps}


def _headline(found: Headline | None) -> Json | None:
    """Return the one value of an answer, None where it has none."""
    if found is None:
        return None
    words = {"value": found.value, "unit": found.unit, "what": found.what}
    return {**words, "conditions": list(found.conditions), "citation": found.citation, "trust": found.trust}


def _statement(item: Statement) -> Json:
    return {
        "text": item.text, "citations": list(item.citations), "confirmed": item.confirmed, "why": item.why
    }  # fmt: skip


def _grounded(answer: Grounded) -> Json:
    evidence = answer.evidence
    return (
        _empty_answer(answer.question, "answer")
        | understood_json(evidence)
        | {
            "state": answer.state,
            "headline": _headline(answer.headline),
            "also": [_statement(item) for item in answer.also],
            "text": "\n".join(statement.text for statement in answer.statements),
            "statements": [_statement(item) for item in answer.statements],
            "evidence": places_json(evidence.hits),
            "citations": [citation_json(citation) for citation in answer.citations],
            "tables": [
                {
                    "document": table.document,
                    "label": str(table.label),
                    "key": table.label.key,
                    "marked": [list(cell) for cell in table.marked],
                }
                for table in answer.tables
            ],
            "figures": places_json(answer.figures),
            "chain": _chain(evidence),
            "conflicts": [conflict_json(conflict) for conflict in answer.conflicts],
            "parts": _parts(answer),
            "gap": answer.gap,
            "rounds": _rounds(evidence),
            "national_choices": choices_json(evidence.choices),
            "unresolved": unresolved_json(evidence),
            "searched": {"documents": list(answer.searched), "nearest": []},
            "confidence": {
                "level": answer.confidence.level,
                "reasons": list(answer.confidence.reasons),
                "chance": round(answer.confidence.chance, 3),
            },
            "mode": answer.mode,
            "written": _written(answer),
            "timings_ms": timings_json(evidence),
        }
    )


def _not_found(answer: NotFound) -> Json:
    return (
        _empty_answer(answer.question, "not_found")
        | understood_json(answer.evidence)
        | {
            "text": "Not found in the documents loaded.",
            "evidence": places_json(answer.evidence.hits),
            "unresolved": unresolved_json(answer.evidence),
            "searched": {
                "documents": list(answer.searched),
                "nearest": places_json(answer.evidence.hits[:5]),
            },
            "confidence": {"level": "low", "reasons": list(answer.reasons)},
            "timings_ms": timings_json(answer.evidence),
        }
    )


def answer_json(answer: Answer) -> Json:
    """Return what `ask --json` prints: three outcomes, never mixed."""
    match answer:
        case Grounded():
            return _grounded(answer)
        case NotFound():
            return _not_found(answer)
        case Failed():
            kept = places_json(answer.evidence.hits) if answer.evidence else []
            return _empty_answer(answer.question, "failed") | {"text": answer.message, "evidence": kept}


def explained_json(answer: Answer) -> Json:
    """Return what `ask --explain --json` prints, with first places of searches and what a model was sent."""
    found = answer.evidence if isinstance(answer, Grounded | NotFound) else None
    written = answer.written if isinstance(answer, Grounded) else None
    sent = [
        {"what": step.what, "prompt": step.prompt, "grammar": step.grammar, "wrote": step.wrote}
        | {"messages": [{"role": role, "text": text} for role, text in step.asked]}
        for step in (written.steps if written else ())
    ]
    return answer_json(answer) | {"channels": channels_json(found) if found else {}, "sent": sent}
