"""What a provision requires beside itself, and what it applies to."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from appliance.core.document import Clause, Figure, Reference, Table
from appliance.core.graph import Node, Proof, name_key
from appliance.ingest.knowledge.collected import Collected, Items
from appliance.ingest.knowledge.vocabulary import Vocabulary, wording
from appliance.text.sentences import sentence_spans

REACH = 110  # characters before a reference
SURE, EXCEPTION, POORLY = 0.9, 0.85, 0.8


def read_demands(items: Items, others: Mapping[str, Items], into: Collected) -> None:
    """Add what the references of a document make its provisions depend on."""
    ordered = sorted(items.document.references, key=lambda r: (r.source, r.start, r.end))
    for source, references in groupby(ordered, key=lambda reference: reference.source):
        clause, home = items.clauses.get(source), items.node(source)
        if clause is None or home is None:
            continue
        text = clause.passage.text
        poor = not items.trusted(clause.boxes[0].page if clause.boxes else 0)
        begun, ended, rule = -1, -1, ""  # where the proof began, where the reference before ended, its rule
        for reference in references:
            # The words before a reference that make it binding, or those before the one that it goes on from.
            first = max(0, reference.start - REACH)
            window = text[first : reference.start]
            demand = wording().requires.search(window)
            goes_on = rule and wording().between_demands.fullmatch(text, ended, max(ended, reference.start))
            if match := demand or wording().exceptions.search(window):
                begun, rule = first + match.start(), "demand" if demand else "exception"
            elif not goes_on:
                rule = ""
                continue
            ended = reference.end
            target = _target(reference, items, others, into)
            if target is not None:
                sure = POORLY if poor else EXCEPTION if rule == "exception" else SURE
                into.edge(home, "REQUIRES", target, sure, rule, items.proof(clause, begun, ended))


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


TITLE, STATED = 0.9, 0.9
SCOPE_REACH = 40  # characters before a thing in which it may be excepted


def read_scope(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Add what the places of a document are about."""
    document = items.document
    for thing in _things(document.title, vocabulary):
        into.edge(items.whole, "APPLIES_TO", thing, TITLE, "title")
    titled: list[Clause | Table | Figure] = [*document.clauses, *document.tables, *document.figures]
    for item in titled:
        node = items.node(item.label)
        if node is None or not item.title:
            continue
        proof = Proof(document.id, item.label, 0, 0, " ".join(item.title.split()), item.boxes[:1])
        for thing in _things(item.title, vocabulary):
            into.edge(node, "APPLIES_TO", thing, TITLE, "title", proof)
    for clause in document.clauses:
        text, place = clause.passage.text, items.node(clause.label)
        spans = sentence_spans(text) if place and wording().applies.search(text) else ()
        for start, end in spans:
            match = wording().applies.search(text, start, end)
            if not place or not match or wording().negative.search(text, start, end):
                continue
            for thing in _things(text[match.end() : end], vocabulary):
                into.edge(place, "APPLIES_TO", thing, STATED, "stated", items.proof(clause, start, end))


def _things(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return what a text names, without what it excepts ("buildings other than dwellings")."""
    return tuple(
        dict.fromkeys(
            heard.node
            for heard in vocabulary.subjects.find(text)
            if not wording().exceptions.search(text[max(0, heard.start - SCOPE_REACH) : heard.start])
        )
    )
