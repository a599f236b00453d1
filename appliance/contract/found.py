"""What a search found, and how its question was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TypedDict

from appliance.contract.documents import Choice, choices_json
from appliance.contract.shape import Json, picked, shaped
from appliance.core import evidence as core
from appliance.core.document import Box
from appliance.core.evidence import (
    Channel,
    Concept,
    Condition,
    Evidence,
    Intent,
    PlaceKind,
    ScopeKind,
    Stated,
    SubQuestion,
    Verdict,
)  # fmt: skip
from appliance.text.printed_labels import printed_labels


class Place(TypedDict):
    """A stretch of a document that was found; `rank` counts from 1."""

    rank: int
    document: str
    label: str
    key: str
    labels: list[str]
    kind: PlaceKind
    title: str
    heading_path: list[str]
    pages: list[int]
    boxes: list[Box]
    focus: list[Box]
    text: str
    score: float
    found_by: list[Channel]
    path: list[str]


class Unresolved(TypedDict):
    """A reference that could not be followed."""

    text: str
    document: str
    source: str
    reason: str


class Reading(TypedDict):
    """How a question was read."""

    intent: Intent
    terms: list[str]
    concepts: list[Concept]
    labels: list[str]
    documents: list[str]
    pages: list[str]
    conditions: list[Condition]
    quantities: list[Stated]
    asks_for: list[str]
    parts: list[SubQuestion]
    spelt: str


class Parts(TypedDict):
    """A label by its parts, that of the document part first."""

    parts: list[str]


class Listed(TypedDict):
    """An item of a question for places; `source` is the document and label that it was reached from.

    `above` are the labels of what it stands in, the highest first, of an item that is named after a subject.
    """

    document: str
    label: str
    title: str
    page: int
    how: str
    source: tuple[str, Parts] | None
    key: str
    above: list[str]
    address: str


class Scope(TypedDict):
    """What a question for places comes to."""

    kind: ScopeKind
    text: str
    items: list[Listed]
    searched: list[str]
    verdict: Verdict


class Boosted(TypedDict):
    """What was raised because of what is being read."""

    document: str
    label: str
    key: str
    why: str


class Asked(TypedDict):
    """A question as typed, and what it asks for."""

    query: str
    intent: Intent


class Understood(TypedDict):
    """How the question was read and what that changed."""

    resolved: str
    after: str
    reading: Reading | None
    scope: Scope | None
    boosted: list[Boosted]


class Hits(Asked, Understood):
    """What a search found, best first; `not_run` says which searches could not run, and why."""

    hits: list[Place]
    must_read: list[Place]
    unresolved: list[Unresolved]
    national_choices: list[Choice]
    not_run: list[str]
    relevance: float
    timings_ms: dict[str, float]


class Found(Hits):
    """What a search found, best first; `total` counts all places that hold words of the question.

    `not_run` says which searches could not run, and why.
    """

    total: int


WithWords = TypedDict("WithWords", {"query": str, "from": int, "total": int, "hits": list[Place]})
WithWords.__doc__ = "A part of all places that hold words of a question, from the place `from` (0) on."


def understood_json(evidence: Evidence) -> Understood:
    """Return how the question was read, what it was taken for, and what was raised for it."""
    query, scope = evidence.query, evidence.scope
    items = [shaped(Listed, one, source=asdict(one)["source"]) for one in scope.items] if scope else []
    return {
        "resolved": query.text if query.typed else "",
        "after": query.after,
        "reading": shaped(Reading, query, asks_for=list(query.kinds)),
        "scope": shaped(Scope, scope, items=items) if scope else None,
        "boosted": [shaped(Boosted, item) for item in evidence.boosted],
    }


def channels_json(evidence: Evidence) -> Json:
    """Return the first places of every search, where they were kept."""
    return {
        name: [picked(("document", "label", "key", "pages"), place) for place in places]
        for name, places in evidence.channels.items()
    }


def place_json(place: core.Place, rank: int) -> Place:
    """Return a Place of the contract; `rank` counts from 1."""
    return shaped(Place, place, rank=rank, labels=list(printed_labels(place)), score=round(place.score, 5))


def places_json(places: Sequence[core.Place]) -> list[Place]:
    """Return places with their ranks."""
    return [place_json(place, rank) for rank, place in enumerate(places, 1)]


def unresolved_json(evidence: Evidence) -> list[Unresolved]:
    """Return the references that could not be followed."""
    return [shaped(Unresolved, item) for item in evidence.unresolved]


def timings_json(evidence: Evidence) -> dict[str, float]:
    """Return what each stage took."""
    return {stage: round(ms, 2) for stage, ms in evidence.timings_ms.items()}


def evidence_json(evidence: Evidence) -> Hits:
    """Return what `search --json` prints."""
    return shaped(
        Hits,
        evidence,
        query=evidence.query.asked,
        intent=evidence.query.intent,
        hits=places_json(evidence.shown),
        must_read=places_json(evidence.must_read),
        unresolved=unresolved_json(evidence),
        national_choices=choices_json(evidence.choices),
        relevance=round(evidence.relevance, 4),
        timings_ms=timings_json(evidence),
        **understood_json(evidence),
    )
