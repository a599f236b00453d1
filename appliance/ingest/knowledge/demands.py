"""What a provision demands beside itself: REQUIRES, from the words before a reference.

Rules of this module: an edge is made only where a reference was resolved, or names a document that is
not loaded; the words that prove it end where the reference begins. Of a list of references, what
governs the first governs all.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from appliance.document import Clause, Reference
from appliance.graph import Node, name_key
from appliance.ingest.knowledge.collected import Collected, Items
from appliance.ingest.knowledge.wording import wording

REACH = 110  # characters before a reference
SURE, EXCEPTION, POORLY = 0.9, 0.85, 0.8


def read_demands(items: Items, others: Mapping[str, Items], into: Collected) -> None:
    """Add what the references of a document make its provisions depend on."""
    ordered = sorted(items.document.references, key=lambda r: (r.source, r.start, r.end))
    for source, references in groupby(ordered, key=lambda reference: reference.source):
        clause = items.clauses.get(source)
        if clause is not None:
            _of_clause(clause, list(references), items, others, into)


def _of_clause(
    clause: Clause, references: list[Reference], items: Items, others: Mapping[str, Items], into: Collected
) -> None:
    text, home = clause.passage.text, items.node(clause.label)
    before: tuple[int, int, str] | None = None  # where the proof began, where the reference ended, the rule
    for reference in references:
        said = _said(text, reference.start)
        if (
            said is None
            and before
            and wording().between_demands.fullmatch(text, before[1], max(before[1], reference.start))
        ):
            said = (before[0], before[2])
        before = None
        if said is None or home is None:
            continue
        start, rule = said
        before = (start, reference.end, rule)
        target = _target(reference, items, others, into)
        if target is not None:
            poor = not items.trusted(clause.boxes[0].page if clause.boxes else 0)
            sure = POORLY if poor else EXCEPTION if rule == "exception" else SURE
            into.edge(home, "REQUIRES", target, sure, rule, items.proof(clause, start, reference.end))


def _said(text: str, start: int) -> tuple[int, str] | None:
    """Return where the words before a reference that make it binding begin, and what they are."""
    first = max(0, start - REACH)
    window = text[first:start]
    match = wording().requires.search(window)
    if match:
        return first + match.start(), "demand"
    match = wording().exceptions.search(window)
    return (first + match.start(), "exception") if match else None


def _target(reference: Reference, items: Items, others: Mapping[str, Items], into: Collected) -> str | None:
    """Return the node that a reference leads to, None where that is not known."""
    if reference.status == "not_loaded" and reference.designation:
        node = Node("document", "", name_key(reference.designation), reference.designation)
        into.nodes.setdefault(node.id, node)
        return node.id
    if reference.status != "resolved":
        return None
    there = others.get(reference.document) if reference.document else items
    if there is None:
        return None
    return there.node(reference.target) if reference.target else there.whole
