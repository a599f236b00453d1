"""What a place is about: APPLIES_TO from its title, and from sentences that state a scope.

Rules of this module: only things that the vocabularies name; what stands below a place inherits from
it, and is not said again. A sentence that says what a place does not apply to makes no edge.
"""

from __future__ import annotations

from appliance.document import Clause, Figure, Table
from appliance.graph import Proof
from appliance.ingest.knowledge.collected import Collected, Items
from appliance.ingest.knowledge.vocabulary import Vocabulary
from appliance.ingest.knowledge.wording import wording
from appliance.ingest.sentences import sentence_spans

TITLE, STATED = 0.9, 0.9


def read_scope(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Add what the places of a document are about."""
    document = items.document
    for heard in vocabulary.phrases.find(document.title):
        into.edge(items.whole, "APPLIES_TO", heard.node, TITLE, "title")
    titled: list[Clause | Table | Figure] = [*document.clauses, *document.tables, *document.figures]
    for item in titled:
        node = items.node(item.label)
        if node is None or not item.title:
            continue
        proof = Proof(document.id, item.label, 0, 0, " ".join(item.title.split()), item.boxes[:1])
        for heard in vocabulary.phrases.find(item.title):
            into.edge(node, "APPLIES_TO", heard.node, TITLE, "title", proof)
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
        for heard in vocabulary.phrases.find(text[match.end() : end]):
            into.edge(node, "APPLIES_TO", heard.node, STATED, "stated", items.proof(clause, start, end))
