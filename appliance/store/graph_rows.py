"""The graph to rows: every item and every thing spoken of gets a number, edges go between numbers.

Rules of this module: pure; the numbers follow the order of the documents and of the graph, so that equal
input gives equal bytes. What an edge names and nothing holds becomes a node all the same, so that
nothing that was said is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from appliance.document import Document, Label
from appliance.graph import Graph, Node, NodeKind, Proof, name_key
from appliance.store.codec import pack_boxes
from appliance.store.to_rows import Row

SHARED = -1  # the document of what several documents share
NAMED = frozenset({"parameter", "concept", "material", "structure", "load", "term", "document"})


@dataclass(frozen=True, slots=True)
class Numbers:
    """The number of each node by its id, and the position of each document."""

    nodes: Mapping[str, int]
    positions: Mapping[str, int]


def number_nodes(documents: Sequence[Document], graph: Graph) -> tuple[Numbers, list[Row]]:
    """Return the numbers of all nodes, and the rows of table nodes."""
    found: dict[str, tuple[Node, str | None]] = {}
    for document in documents:
        for node, holder in items_of(document):
            found.setdefault(node.id, (node, holder))
    homes = dict(graph.homes)
    for node in graph.nodes:
        found.setdefault(node.id, (node, homes.get(node.id)))
    positions = {document.id: number for number, document in enumerate(documents)}
    written = dict.fromkeys(end for edge in graph.edges for end in (edge.source, edge.target))
    loose = {end: node_of(end, positions) for end in written if end not in found}
    for node in loose.values():
        found.setdefault(node.id, (node, None))
    nodes = {node: number for number, node in enumerate(found, 1)}
    nodes |= {end: nodes[node.id] for end, node in loose.items()}
    rows: list[Row] = [
        (
            nodes[node.id], node.kind, positions.get(node.document, SHARED), node.key, node.name,
            nodes.get(holder) if holder else None,
        )
        for node, holder in found.values()
    ]  # fmt: skip
    return Numbers(nodes, positions), rows


def items_of(document: Document) -> Iterator[tuple[Node, str | None]]:
    """Yield the items of a document as nodes, each with the id of what holds it."""
    whole = Node("document", document.id, "", document.title or document.designation)
    kinds: dict[Label, NodeKind] = dict.fromkeys((clause.label for clause in document.clauses), "clause")
    yield whole, None

    def above(label: Label | None) -> str:
        known = kinds.get(label) if label else None
        return Node(known, document.id, label.key).id if known and label else whole.id

    for clause in document.clauses:
        yield Node("clause", document.id, clause.label.key, clause.title), above(clause.parent)
    for table in document.tables:
        yield Node("table", document.id, table.label.key, table.title), above(table.clause)
    for figure in document.figures:
        yield Node("figure", document.id, figure.label.key, figure.title), above(figure.clause)
    for formula in document.formulas:
        yield Node("formula", document.id, formula.label.key, formula.text[:80]), above(formula.clause)
    for term in document.terms:
        yield Node("term", document.id, term.term, term.term), None


def node_of(written: str, documents: Mapping[str, int]) -> Node:
    """Return the node of an id whose document may hold any sign; of one not loaded it is part of the key."""
    kind, _, rest = written.partition(":")
    owners = [name for name in documents if rest.startswith(f"{name}:")]
    owner = max(owners, key=len, default="")
    key = rest[len(owner) + 1 :] if owner else rest.removeprefix(":")
    return Node(kind, owner, key)  # type: ignore[arg-type]  # an id begins with its kind


def name_rows(documents: Sequence[Document], graph: Graph, numbers: Numbers) -> list[Row]:
    """Return the rows of table node_names: what people may ask for by name."""
    named = [(node.id, node.name or node.key) for node in graph.nodes if node.kind in NAMED]
    for document in documents:
        named += [(Node("term", document.id, term.term).id, term.term) for term in document.terms]
        whole = Node("document", document.id, "").id
        names = (document.id, document.designation, document.title, *document.aliases)
        named += [(whole, name) for name in names if name]
    pairs = {(name_key(name), numbers.nodes[node]) for node, name in (*named, *graph.names)}
    return sorted(pair for pair in pairs if pair[0])


def quantity_rows(graph: Graph, numbers: Numbers) -> list[Row]:
    """Return the rows of table quantities."""
    return [
        (numbers.nodes[node], q.bound, q.low, q.high, q.unit, q.dimension, q.factor)
        for node, q in graph.quantities
    ]


def edge_rows(documents: Sequence[Document], graph: Graph, numbers: Numbers) -> list[Row]:
    """Return the rows of table edges; words that a clause holds are not kept twice."""
    texts = {(d.id, clause.label): clause.passage.text for d in documents for clause in d.clauses}
    return [
        (
            edge.number, numbers.nodes[edge.source], edge.kind, numbers.nodes[edge.target], edge.confidence,
            edge.rule, edge.state, *_proof_columns(edge.proof, texts, numbers.positions),
        )
        for edge in graph.edges
    ]  # fmt: skip


def _proof_columns(
    proof: Proof | None, texts: Mapping[tuple[str, Label], str], positions: Mapping[str, int]
) -> Row:
    if proof is None:
        return (None, None, 0, 0, "", b"")
    held = texts.get((proof.document, proof.label), "")[proof.start : proof.end]
    quote = None if proof.end and held == proof.quote else proof.quote
    place = (positions.get(proof.document), proof.label.key, proof.start, proof.end)
    return (*place, quote, pack_boxes(proof.boxes))


def mention_rows(graph: Graph, numbers: Numbers, firsts: Mapping[str, int]) -> list[Row]:
    """Return the rows of table chunk_entities; `firsts` is the id of each document's first chunk."""
    return [
        (firsts[mention.document] + mention.chunk, numbers.nodes[mention.node], mention.rank)
        for mention in graph.mentions
        if mention.node in numbers.nodes
    ]
