"""What site.db holds: questions without an answer, what people say of answers, answers they keep."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Literal

from appliance.core.evidence import Answer, Failed, Grounded, Place

Kind = Literal["gaps", "feedback", "corrections", "answers"]
Verdict = Literal["helpful", "wrong", "missing"]
KINDS: tuple[Kind, ...] = ("gaps", "feedback", "corrections", "answers")
PLACES = 12  # shown places that a row names
QUESTION, COMMENT, LABEL, BESIDE = 2_000, 2_000, 120, 6_000  # characters kept


@dataclass(frozen=True, slots=True)
class Shown:
    """A place that was shown with the answer: the document, its label key, its first page (0: unknown)."""

    document: str
    label: str
    page: int = 0


@dataclass(frozen=True, slots=True)
class About:
    """What a row is about: the request, the question, what was shown, and the version of the library.

    The question is the one that stands by itself: of one that goes on, as it was understood. `beside` is the
    address that it was asked by ("q=...&after=...&d=..."), "" where that says no more than the question.
    """

    request: str
    question: str
    shown: tuple[Shown, ...]
    library: str
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One row; `at` is in seconds since 1970, `said` what only rows of its kind have."""

    kind: Kind
    number: int
    about: About
    at: float
    said: dict[str, str | int | float] = field(default_factory=dict)


def new_request() -> str:
    """Return the id of a request: random, so that it names nobody and nothing."""
    return secrets.token_hex(8)


def about(answer: Answer, library: str, request: str = "", beside: str = "") -> About:
    """Return what a row about this answer names: the places cited, else the nearest ones found."""
    return About(request or new_request(), _alone(answer), _shown(answer), library, beside)


def _alone(answer: Answer) -> str:
    """Return a question as it can be asked by itself."""
    if isinstance(answer, Failed):
        return answer.question
    query = answer.evidence.query
    return query.text if query.after and query.typed else answer.question


def _shown(answer: Answer) -> tuple[Shown, ...]:
    if isinstance(answer, Failed):
        return ()
    found: list[Shown] = []
    if isinstance(answer, Grounded):
        found = [Shown(said.document, said.label.key, said.page) for said in answer.citations]
    found = found or [_place(place) for place in answer.evidence.hits]
    return tuple(dict.fromkeys(found))[:PLACES]


def _place(place: Place) -> Shown:
    return Shown(place.document, place.label.key, min(place.pages, default=0))
