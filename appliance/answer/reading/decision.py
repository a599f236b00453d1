"""What an answer comes to: found, or places to read, with the chance that it is right and the reasons in words.

Rules of this module: the chance comes from a small logistic model over named signals (data/answer/decision.toml).
The vetoes are few, in one table, and each takes "found" away whatever the chance is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from appliance.answer.headline import Figure, of_kind
from appliance.answer.reading.order import Ranked
from appliance.core.evidence import Conflict, Evidence, Statement
from appliance.core.files import shipped


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the box stands behind the answer, and whether a value may head it."""

    state: Literal["found", "read"]
    headline: bool
    level: Literal["high", "medium", "low"]
    chance: float
    reasons: tuple[str, ...]
    signals: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """All that vetoes look at."""

    evidence: Evidence
    ranked: Ranked
    first: Statement
    figure: Figure | None
    conflicts: Sequence[Conflict]
    gap: str


def decide(
    evidence: Evidence,
    ranked: Ranked,
    first: Statement,
    figure: Figure | None,
    conflicts: Sequence[Conflict],
    gap: str,
) -> Decision:
    """Return what an answer comes to."""
    case = Case(evidence, ranked, first, figure, conflicts, gap)
    signals = signals_of(evidence, ranked, figure)
    model = _model()
    chance = probability(signals, model["found"])
    heads = probability(signals, model["headline"]) if figure else 0.0
    vetoes = list(_vetoes(case))
    found = chance >= model["bounds"]["found"] and not vetoes
    level: Literal["high", "medium", "low"] = "medium"
    if found:
        level = "high"
    elif chance < model["bounds"]["low"] or gap:
        level = "low"
    reasons = (f"estimated chance {round(10 * chance)} in 10", *vetoes, *_words(signals))
    return Decision(
        "found" if found else "read",
        figure is not None and heads >= model["bounds"]["headline"] and not vetoes,
        level,
        chance,
        tuple(dict.fromkeys(reasons)),
        tuple(signals.items()),
    )


def signals_of(evidence: Evidence, ranked: Ranked, figure: Figure | None) -> dict[str, float]:
    """Return the signals of an answer by their names in data/answer/decision.toml."""
    found = ranked.found
    scores = [one.score for one in found[:10]]
    best = found[0]
    other = next((one.score for one in found if one.place.chunk != best.place.chunk), scores[-1])
    near = [one for one in found[:5] if one.place.chunk == best.place.chunk]
    intent = evidence.query.intent
    return {
        "best": best.score,
        "margin": best.score - (scores[1] if len(scores) > 1 else scores[0]),
        "margin_place": best.score - other,
        "agreeing": len(near) / 5,
        "cover": ranked.feature("cover"),
        "cover_heads": ranked.feature("cover_heads"),
        "soft": ranked.feature("soft_own"),
        "soft_least": ranked.feature("soft_least"),
        "missing": ranked.feature("missing_rare"),
        "late": ranked.feature("late"),
        "wanted": ranked.feature("wanted"),
        "rank": ranked.feature("rank"),
        "place": ranked.feature("place_score"),
        "relevance": evidence.relevance,
        "value": float(intent in {"value", "general"}),
        "definition": float(intent == "definition"),
        "row": float(best.form == "row"),
        "definition_form": float(best.form == "definition"),
        "conditions_missed": ranked.feature("conditions_missed"),
        "conditions": ranked.feature("conditions"),
        "long": math.log(1 + len(ranked.asked.words)),
        "parts": float(len(evidence.query.parts) > 1),
        "kinds": float(bool(ranked.asked.kinds)),
        "fit": figure.fit if figure else 0.0,
        "figure": float(figure is not None),
    }


def probability(signals: Mapping[str, float], model: Mapping[str, Any]) -> float:
    """Return the chance (0..1) that signals add up to."""
    total = model["intercept"] + sum(weight * signals[name] for name, weight in model["weights"].items())
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


def _doubtful(case: Case) -> str:
    return "" if case.first.confirmed else f"the first statement is not confirmed ({case.first.why})"


def _other_kind(case: Case) -> str:
    wrong = case.figure is not None and not of_kind(case.ranked.asked, case.figure)
    return "the value is of another dimension than asked for" if wrong else ""


def _other_document(case: Case) -> str:
    query, best = case.evidence.query, case.ranked.found[0]
    named = query.documents and query.intent not in {"comparison", "reference"}
    if not named or best.place.document in query.documents or "exact" in best.place.found_by:
        return ""
    changed = any(
        choice.document == best.place.document and choice.parent in query.documents
        for choice in case.evidence.choices
    )
    return (
        ""
        if changed
        else f"the first statement is of {best.place.document}, not of {', '.join(query.documents)}"
    )


def _national_choice(case: Case) -> str:
    best = case.ranked.found[0]
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


def _gap(case: Case) -> str:
    return case.gap.partition(";")[0].rstrip(".")


# what is never shown as sure, with what each takes away on the judged questions (docs/quality.md)
VETOES: Mapping[str, Callable[[Case], str]] = {
    "read with doubt or not confirmed": _doubtful,
    "of another dimension": _other_kind,
    "of another document than named": _other_document,
    "decided elsewhere": _national_choice,
    "contradicted": _conflict,
    "not what was asked": _gap,
}


def _vetoes(case: Case) -> Iterator[str]:
    yield from case.evidence.not_run
    yield from filter(None, (veto(case) for veto in VETOES.values()))


def _words(signals: Mapping[str, float]) -> Iterator[str]:
    """Yield what the signals say, for or against the answer, in words."""
    for name, said in _model()["words"].items():
        if signals[name] >= said["from"]:
            yield said["for"]
        elif said.get("against") and signals[name] <= said["to"]:
            yield said["against"]


@cache
def _model() -> dict[str, Any]:
    return shipped("answer/decision")
