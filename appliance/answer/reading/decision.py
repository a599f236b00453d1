"""What an answer comes to: found, or places to read, with the chance that it is right and the reasons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from appliance.answer.candidates.values import Candidate
from appliance.answer.headline import Figure
from appliance.answer.reading.order import Ranked
from appliance.answer.shape import READ, place_of
from appliance.core.evidence import Conflict, Evidence, Statement, Subanswer
from appliance.core.files import shipped

# what the model weighs, and what a reason is told from besides
FOUND = ("top_chance", "place_margin", "relevance", "late", "place_score", "value_chance")
MEASURED = ("late", "place_score", "cover_heads", "wanted")


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


def decide(case: Case) -> Decision:
    """Return what an answer comes to."""
    model, figure = _model(), case.figure
    signals = {**case.signals, "value_chance": figure.chance if figure else 0.0}
    chance = probability(signals, model["found"])
    vetoes = list(_vetoes(case))
    found = chance >= model["bounds"]["found"] and not vetoes
    level: Literal["high", "medium", "low"] = "high" if found else "medium"
    if not found and (chance < model["bounds"]["low"] or case.gap):
        level = "low"
    reasons = (*vetoes, f"estimated chance {round(10 * chance)} in 10", *_words(signals))
    return Decision(
        "found" if found else "read",
        found and signals["value_chance"] >= model["bounds"]["headline"],
        level,
        chance,
        tuple(dict.fromkeys(reasons)),
        tuple(signals.items()),
    )


def given_from() -> float:
    """Return the chance from which an answer is shown though its places seem not to give the value."""
    bound: float = _model()["bounds"]["given"]
    return bound


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


def probability(signals: Mapping[str, float], model: Mapping[str, Any]) -> float:
    """Return the chance (0..1) that signals add up to."""
    total = model["intercept"] + sum(weight * signals[name] for name, weight in model["weights"].items())
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


def _doubtful(case: Case) -> str:
    return "" if case.first.confirmed else f"the first statement is not confirmed ({case.first.why})"


def _other_document(case: Case) -> str:
    query, best = case.evidence.query, case.best
    named = query.documents and query.intent != "reference"
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


def _gap(case: Case) -> str:
    return f"{case.gap.partition(';')[0].rstrip('.')}." if case.gap else ""


def _open_part(case: Case) -> str:
    return next((f"“{part.asked}” is open" for part in case.parts if not part.statements), "")


# what is never shown as sure; what each takes away on the judged questions: docs/quality.md, docs/trials.md
VETOES: Mapping[str, Callable[[Case], str]] = {
    "not what was asked": _gap,
    "a part left open": _open_part,
    "a row not told apart": lambda case: case.rows,
    "read with doubt or not confirmed": _doubtful,
    "of another document than named": _other_document,
    "decided elsewhere": _national_choice,
    "contradicted": _conflict,
}


def _vetoes(case: Case) -> Iterator[str]:
    yield from filter(None, (veto(case) for veto in VETOES.values()))
    yield from case.evidence.not_run


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
