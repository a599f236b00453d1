"""Statements of the documents that a question names: "handrail height in AD-K" is answered from AD-K.

Rules of this module: pure. Where a statement of such a document gives what is asked as well as the first
one, those of these documents stand before the others; nothing is left out. A place that the question names
by its label leads whatever document it is in; a comparison and what refers to a place ask for others too.
Where another document leads all the same, that is told before all else; what changes the one that is named is
no other.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.answer.findings import Finding, best_first, holds_what_is_asked
from appliance.core.evidence import Choice, Query

ELSEWHERE = frozenset({"comparison", "reference"})  # intents that name a document to ask beyond it
TAKEN_IN = 2  # statements of the documents named where none of them was chosen
MARGIN = 0.15  # how much worse than the best of them they may be
LEAST = 0.5  # score under which 2 of 100 answerable judged questions have their best finding


def asked_documents_first(
    query: Query, chosen: Sequence[Finding], said: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Return the findings, before others those of the documents that a question names; `said` are all."""
    named = frozenset(query.documents)
    if not named or not chosen or query.intent in ELSEWHERE or _leads(named, chosen[0]):
        return tuple(chosen)
    least = holds_what_is_asked(query, chosen[0].text)
    own = [item for item in chosen if item.place.document in named]
    if not any(holds_what_is_asked(query, item.text) >= least for item in own):
        inside = [item for item in said if item.place.document in named and item.score >= LEAST]
        giving = [item for item in inside if holds_what_is_asked(query, item.text) >= least]
        own = [*best_first(giving, TAKEN_IN, MARGIN), *own]
    first = next((item for item in own if holds_what_is_asked(query, item.text) >= least), None)
    if first is None:
        return tuple(chosen)
    kept: dict[str, Finding] = {}
    for item in (first, *own, *chosen):
        kept.setdefault(" ".join(item.text.split()).casefold(), item)
    return tuple(kept.values())


def of_another(query: Query, chosen: Sequence[Finding], choices: Sequence[Choice] = ()) -> str:
    """Return in a sentence that the first finding is of another document than a question names, else "".

    `choices` are what annexes and amendments say of the places found.
    """
    named = frozenset(query.documents)
    if not named or not chosen or query.intent in ELSEWHERE or _leads(named, chosen[0]):
        return ""
    first = chosen[0].place.document
    if any((first, one.parent) == (one.document, name) for one in choices for name in named):
        return ""
    return f"The first statement is of {first}, not of {', '.join(query.documents)}."


def _leads(named: frozenset[str], first: Finding) -> bool:
    return first.place.document in named or "exact" in first.place.found_by
