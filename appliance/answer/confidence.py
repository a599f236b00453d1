"""How sure an answer is, from named signals only, each said in words."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.evidence import Confidence, Evidence, Statement

SURE = 0.75  # relevance above which the documents surely bear on the question
DOUBTFUL = 0.5


def confidence(evidence: Evidence, statements: Sequence[Statement]) -> Confidence:
    """Return high, medium or low with the reasons that made it so."""
    first = evidence.hits[0]
    channels = [name for name in first.found_by if name in {"exact", "lexical", "dense"}]
    unconfirmed = sum(not statement.confirmed for statement in statements)
    against = []
    reasons = [f"relevance {evidence.relevance:.2f}", f"first place found by {', '.join(first.found_by)}"]
    if evidence.relevance < SURE:
        against.append("the question is only partly met by the documents")
    if len(channels) < 2 and "exact" not in channels:
        against.append("only one kind of search found the first place")
    if unconfirmed:
        against.append(f"{unconfirmed} of {len(statements)} statements not confirmed")
    if evidence.unresolved:
        reasons.append(f"{len(evidence.unresolved)} references could not be followed")
    low = evidence.relevance < DOUBTFUL or len(against) > 1 or not statements
    if low:
        return Confidence("low", (*reasons, *against))
    return Confidence("medium" if against else "high", (*reasons, *against))
