"""What an answer comes to: found, or places to read, with the chance that it is right and the reasons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from appliance.answer.candidates.values import Candidate
from appliance.answer.headline import Figure, case_not_asked, headline, of_kind, row_contradicted
from appliance.answer.reading.order import Ranked
from appliance.answer.shape import READ, place_of
from appliance.core.evidence import Conflict, Evidence, Statement
from appliance.core.files import shipped

# what each of the two models weighs, and what a reason is told from besides
FOUND = ("top_chance", "place_margin", "relevance", "late", "place_score", "agreed")
HEADLINE = ("top_chance", "late", "agreed")
MEASURED = ("late", "place_score", "cover_heads", "wanted")

_ALL: ContextVar[bool] = ContextVar("all", default=False)


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
    """All that a decision looks at: `best` leads the answer, `first` is what is said first."""

    evidence: Evidence
    ranked: Ranked
    best: Candidate
    first: Statement
    figure: Figure | None
    conflicts: Sequence[Conflict]
    gap: str


@contextmanager
def any_headline() -> Iterator[None]:
    """Show every headline inside: for fitting which of them may be shown."""
    token = _ALL.set(True)
    try:
        yield
    finally:
        _ALL.reset(token)


def decide(case: Case) -> Decision:
    """Return what an answer comes to."""
    signals, model = signals_of(case), _model()
    chance = probability(signals, model["found"])
    heads = probability(signals, model["headline"]) if case.figure else 0.0
    vetoes = list(_vetoes(case))
    found = chance >= model["bounds"]["found"] and not vetoes
    level: Literal["high", "medium", "low"] = "high" if found else "medium"
    if not found and (chance < model["bounds"]["low"] or case.gap):
        level = "low"
    reasons = (*vetoes, f"estimated chance {round(10 * chance)} in 10", *_words(signals))
    return Decision(
        "found" if found else "read",
        case.figure is not None and (_ALL.get() or (found and heads >= model["bounds"]["headline"])),
        level,
        chance,
        tuple(dict.fromkeys(reasons)),
        tuple(signals.items()),
    )


def given_from() -> float:
    """Return the chance from which an answer is shown though its places seem not to give the value."""
    bound: float = _model()["bounds"]["given"]
    return bound


def signals_of(case: Case) -> dict[str, float]:
    """Return the signals of an answer by their names in data/answer/decision.toml."""
    ranked, best, figure = case.ranked, case.best, case.figure
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
        "relevance": case.evidence.relevance,
        "agreed": _agreed(ranked, figure, chances) if figure else 0.0,
    }


def _agreed(ranked: Ranked, figure: Figure, chances: NDArray[np.float64]) -> float:
    """Return the share (0..1) of the candidates that give a value, by their chances, that give this one."""
    same = given = 0.0
    for one, chance in zip(ranked.found, chances, strict=False):
        if other := headline(ranked.asked, one):
            given += float(chance)
            same += float(chance) * (other.value == figure.value)
    return same / given if given else 0.0


def probability(signals: Mapping[str, float], model: Mapping[str, Any]) -> float:
    """Return the chance (0..1) that signals add up to."""
    total = model["intercept"] + sum(weight * signals[name] for name, weight in model["weights"].items())
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


def _doubtful(case: Case) -> str:
    return "" if case.first.confirmed else f"the first statement is not confirmed ({case.first.why})"


def _other_kind(case: Case) -> str:
    wrong = case.figure is not None and not of_kind(case.ranked.asked, case.figure)
    return "the value is of another dimension than asked for" if wrong else ""


def _other_case(case: Case) -> str:
    """The value of a case that was not asked for, where the same clause gives another value besides."""
    asked, best, figure = case.ranked.asked, case.best, case.figure
    if best.form == "row" and row_contradicted(asked, best):
        return f"it holds in a case that was not asked for: {best.name}"
    if figure is None or best.form == "row" or not (told := case_not_asked(asked, figure.quote.text)):
        return ""
    for other in case.ranked.found[:READ]:
        beside = headline(asked, other) if other.form != "row" and _clause(other) == _clause(best) else None
        if beside and beside.value != figure.value and not case_not_asked(asked, beside.quote.text):
            return f"it holds in a case that was not asked for: {told}"
    return ""


def _clause(one: Candidate) -> tuple[str, str]:
    """Return the clause of a candidate, whichever of its paragraphs and items it is."""
    return one.place.document, one.label.parts[0].partition("(")[0]


def _other_document(case: Case) -> str:
    query, best = case.evidence.query, case.best
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


# what is never shown as sure; what each takes away on the judged questions: docs/quality.md, docs/trials.md
VETOES: Mapping[str, Callable[[Case], str]] = {
    "not what was asked": _gap,
    "read with doubt or not confirmed": _doubtful,
    "of another dimension": _other_kind,
    "of another case than asked for": _other_case,
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
