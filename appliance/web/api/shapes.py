"""The JSON shapes of what is found and answered."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from appliance.core.document import Box, DocumentStatus
from appliance.core.evidence import (
    Channel,
    Condition,
    Intent,
    PlaceKind,
    ScopeKind,
    Stated,
    SubQuestion,
    Verdict,
)

Cells = list[tuple[int, int]]  # row and column, from 0


class Named(TypedDict):
    """A place by its label."""

    document: str
    label: str
    key: str


class Place(Named):
    """A stretch of a document that was found."""

    rank: int
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


class Choice(Named):
    """What a national annex or an amendment says of a place of its parent."""

    kind: str
    target_document: str
    target: str
    target_key: str
    target_kind: str
    by: Literal["national annex", "amendment"]
    words: str
    adopts: bool
    accepted: bool
    rule: str


class Concept(TypedDict):
    """A concept of the vocabulary, with the other words for it."""

    words: str
    others: list[str]


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


class Listed(Named):
    """An item of a question for places; `source` is the document and label that it was reached from."""

    title: str
    page: int
    how: str
    source: tuple[str, Parts] | None


class Scope(TypedDict):
    """What a question for places comes to."""

    kind: ScopeKind
    text: str
    items: list[Listed]
    searched: list[str]
    verdict: Verdict


class Boosted(Named):
    """What was raised because of what is being read."""

    why: str


class Understood(TypedDict):
    """How the question was read and what that changed."""

    resolved: str
    after: str
    reading: Reading | None
    scope: Scope | None
    boosted: list[Boosted]
    national_choices: list[Choice]
    unresolved: list[Unresolved]
    timings_ms: dict[str, float]


class Found(Understood):
    """What a search found, best first; `total` counts all places that hold words of the question.

    `not_run` says which searches could not run, and why.
    """

    query: str
    intent: Intent
    hits: list[Place]
    must_read: list[Place]
    not_run: list[str]
    relevance: float
    total: int


WithWords = TypedDict("WithWords", {"query": str, "from": int, "total": int, "hits": list[Place]})
WithWords.__doc__ = "A part of all places that hold words of a question, from the place `from` (0) on."


class Statement(TypedDict):
    """One sentence of an answer; one that is not confirmed says why."""

    text: str
    citations: list[int]
    confirmed: bool
    why: str


class Citation(Named):
    """The proof of a statement."""

    n: int
    page: int
    boxes: list[Box]
    quote: str
    status: DocumentStatus
    address: str


class Marked(Named):
    """The cells of a table that decide."""

    marked: Cells


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


class Answer(Understood):
    """An answer: one of three outcomes; `also` are further statements, one line each."""

    question: str
    outcome: Literal["answer", "not_found", "failed"]
    state: Literal["found", "read", "not_found", "failed"]
    headline: Headline | None
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
    searched: Searched
    confidence: Confidence
    mode: str
    written: Written | None


class Suggestion(TypedDict):
    """A label that begins as typed, with the address that reads it."""

    document: str
    label: str
    title: str
    address: str
