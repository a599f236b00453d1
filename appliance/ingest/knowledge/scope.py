"""What a place is about: APPLIES_TO from its title, and from sentences that state a scope.

Rules of this module: only things that the vocabularies name; what stands below a place inherits from
it, and is not said again. What a place says that it does not apply to makes no edge; nor do disciplines,
which are tags of many words.
"""

from __future__ import annotations

from appliance.document import Clause, Figure, Table
from appliance.graph import Proof
from appliance.ingest.knowledge.collected import Collected, Items
from appliance.ingest.knowledge.vocabulary import Vocabulary
from appliance.ingest.knowledge.wording import wording
from appliance.ingest.sentences import sentence_spans

TITLE, STATED = 0.9, 0.9
REACH = 40  # characters before a thing in which it may be excepted


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
        _stated(clause, items, vocabulary, into)


def _stated(clause: Clause, items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    text, node = clause.passage.text, items.node(clause.label)
    if node is None or not wording().applies.search(text):
        return
    for start, end in sentence_spans(text):
        match = wording().applies.search(text, start, end)
        if not match or wording().negative.search(text, start, end):
            continue
        for thing in _things(text[match.end() : end], vocabulary):
            into.edge(node, "APPLIES_TO", thing, STATED, "stated", items.proof(clause, start, end))


def _things(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return what a text names, without what it excepts ("buildings other than dwellings")."""
    return tuple(
        dict.fromkeys(
            heard.node
            for heard in vocabulary.subjects.find(text)
            if not wording().exceptions.search(text[max(0, heard.start - REACH) : heard.start])
        )
    )
