"""How sure an answer is, from named signals only, each said in words.

Rules of this module: no signal is hidden in a number. On judged questions over real codes an answer
called high was complete and held the wanted values in about two of three cases, so "high" means:
read this first; it never means: need not be checked. Anything that speaks against an answer lowers it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from appliance.answer.findings import covered
from appliance.evidence import Confidence, Conflict, Evidence, Statement

SURE = 0.95  # relevance from which the documents surely bear on the question
FAIR = 0.75  # and below which they may well not
COVERED = 0.5  # share of the question's words that the first statements should hold
FIRST = 2  # statements that count as the first
OUT_OF_FORCE = frozenset({"superseded", "withdrawn"})


def confidence(
    evidence: Evidence,
    statements: Sequence[Statement],
    statuses: Sequence[str],
    against: Sequence[Conflict] = (),
) -> Confidence:
    """Return high, medium or low with the reasons; `statuses` are those of the documents cited first."""
    first = evidence.hits[0]
    reasons = [f"relevance {evidence.relevance:.2f}", f"first place found by {', '.join(first.found_by)}"]
    if evidence.unresolved:
        reasons.append(f"{len(evidence.unresolved)} references could not be followed")
    lowering = [*_against(evidence, statements, statuses), *_contradicted(against)]
    if evidence.relevance < FAIR or len(lowering) > 2 or not statements:
        return Confidence("low", (*reasons, *lowering))
    return Confidence("medium" if lowering else "high", (*reasons, *lowering))


def _contradicted(conflicts: Sequence[Conflict]) -> Iterator[str]:
    for conflict in conflicts:
        one, other = conflict.sides
        yield f"{one.document} {one.label} and {other.document} {other.label} give different numbers"


def _against(evidence: Evidence, statements: Sequence[Statement], statuses: Sequence[str]) -> Iterator[str]:
    if evidence.query.unreadable:
        yield evidence.query.unreadable
    if evidence.relevance < SURE:
        yield "the question is only partly met by the documents"
    said = " ".join(statement.text for statement in statements[:FIRST])
    share = covered(evidence.query, said)
    if share < COVERED:
        yield f"the first statements hold {share:.0%} of the words of the question"
    found = set(evidence.hits[0].found_by)
    if "exact" not in found and len(found & {"lexical", "dense"}) < 2:
        yield "only one kind of search found the first place"
    first = evidence.hits[0]
    keys = {label.key for label in (first.label, *first.labels)}
    for choice in evidence.choices:
        if choice.parent == first.document and choice.target.key in keys and not choice.adopts:
            yield f"a {choice.what} decides about the first place ({choice.document} {choice.label})"
            break
    unconfirmed = sum(not statement.confirmed for statement in statements)
    if unconfirmed:
        yield f"{unconfirmed} of {len(statements)} statements not confirmed"
    yield from (f"the first document cited is {status}" for status in statuses[:1] if status in OUT_OF_FORCE)
