"""Where terms are defined, and what else they and the parameters are called.

Rules of this module: a term stands in the innermost clause that holds it; two things are the same
where they bear the same name, word for word; a symbol is what its explanation says only where that is
the name of something and nothing more.
"""

from __future__ import annotations

from appliance.document import Box, Clause, Term
from appliance.graph import Proof, name_key
from appliance.ingest.knowledge.collected import Collected, Items
from appliance.ingest.knowledge.phrases import fold
from appliance.ingest.knowledge.vocabulary import Vocabulary

PLACED, SAME, MEANT, ALSO = 0.95, 0.9, 0.85, 0.6
LONGEST = 8  # words of an explanation that may be a name


def read_definitions(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Add where the terms of a document are defined, and what they are the same as."""
    on_page: dict[int, list[tuple[Clause, Box]]] = {}
    for clause in items.document.clauses:
        for box in clause.boxes:
            on_page.setdefault(box.page, []).append((clause, box))
    names = {name_key(term.term): term.term for term in items.document.terms if term.kind == "term"}
    for term in items.document.terms:
        node = items.term(term.term)
        quote = " ".join(f"{term.term}: {term.passage.text}".split())[:200]
        proof = Proof(items.document.id, term.label, 0, 0, quote, term.boxes[:1])
        home = _home(term, on_page)
        place = items.node(home.label) if home else None
        if place:
            into.edge(node, "DEFINED_IN", place, PLACED, "place", proof)
        _same(term, names, items, vocabulary, into, proof=proof)


def read_parameters(items: Items, vocabulary: Vocabulary, into: Collected) -> None:
    """Tie the parameters of a document to its terms, and to the concepts, of the same name."""
    terms = {name_key(term.term): term.term for term in items.document.terms}
    for node in [n for n in into.nodes.values() if n.kind == "parameter" and n.document == items.document.id]:
        if node.key in terms:
            into.edge(node.id, "EQUIVALENT_TO", items.term(terms[node.key]), SAME, "same name")
        _called_alike(node.id, node.name, vocabulary, into, sure=SAME)


def _same(
    term: Term,
    names: dict[str, str],
    items: Items,
    vocabulary: Vocabulary,
    into: Collected,
    *,
    proof: Proof,
) -> None:
    node = items.term(term.term)
    meaning = name_key(term.passage.text) if len(fold(term.passage.text)) <= LONGEST else ""
    if term.kind == "term":
        _called_alike(node, term.term, vocabulary, into, sure=SAME, proof=proof)
        return
    if meaning in names:
        into.edge(node, "EQUIVALENT_TO", items.term(names[meaning]), MEANT, "meaning", proof)
    _called_alike(node, meaning, vocabulary, into, sure=MEANT, proof=proof)


def _called_alike(
    node: str,
    name: str,
    vocabulary: Vocabulary,
    into: Collected,
    *,
    sure: float,
    proof: Proof | None = None,
) -> None:
    """Tie a node to the things of its name; by another of their names, only a person can tell."""
    first = vocabulary.firsts.named(name)
    for thing in first:
        into.edge(node, "EQUIVALENT_TO", thing, sure, "same name", proof)
    for thing in vocabulary.subjects.named(name):
        if thing not in first:
            into.edge(node, "EQUIVALENT_TO", thing, ALSO, "another name", proof)


def _home(term: Term, on_page: dict[int, list[tuple[Clause, Box]]]) -> Clause | None:
    """Return the last clause whose box holds the middle of the term's first box."""
    if not term.boxes:
        return None
    first = term.boxes[0]
    x, y = (first.x0 + first.x1) / 2, (first.y0 + first.y1) / 2
    holding = (c for c, box in reversed(on_page.get(first.page, [])) if _holds(box, x, y))
    return next(holding, None)


def _holds(box: Box, x: float, y: float) -> bool:
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1
