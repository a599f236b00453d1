"""The graph of a library: written as rows, asked as typed questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from appliance.core.document import Document, Label, Passage, Reference, boxes_between
from appliance.core.graph import (
    Decision,
    Edge,
    EdgeKind,
    Graph,
    Node,
    NodeKind,
    Proof,
    Quantity,
    name_key,
    reference_number,
)
from appliance.core.runs import grouped
from appliance.store.connection import Connections
from appliance.store.rows import ToRowsRow as Row
from appliance.store.rows import from_row, pack_boxes, unpack_boxes, unpack_lines

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
    kind: NodeKind
    for kind, drawn in (("table", document.tables), ("figure", document.figures)):
        for item in drawn:
            yield Node(kind, document.id, item.label.key, item.title), above(item.clause)
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

    def columns(proof: Proof | None) -> Row:
        if proof is None:
            return (None, None, 0, 0, "", b"")
        held = texts.get((proof.document, proof.label), "")[proof.start : proof.end]
        quote = None if proof.end and held == proof.quote else proof.quote
        place = (numbers.positions.get(proof.document), proof.label.key, proof.start, proof.end)
        return (*place, quote, pack_boxes(proof.boxes))

    return [
        (
            edge.number, numbers.nodes[edge.source], edge.kind, numbers.nodes[edge.target], edge.confidence,
            edge.rule, edge.state, *columns(edge.proof),
        )
        for edge in graph.edges
    ]  # fmt: skip


def mention_rows(graph: Graph, numbers: Numbers, firsts: Mapping[str, int]) -> list[Row]:
    """Return the rows of table chunk_entities; `firsts` is the id of each document's first chunk."""
    return [
        (firsts[mention.document] + mention.chunk, numbers.nodes[mention.node], mention.rank)
        for mention in graph.mentions
        if mention.node in numbers.nodes
    ]


Direction = Literal["out", "in"]
ITEMS = ("clause", "table", "figure", "formula")
PLACED, DOUBTFUL = 0.95, 0.5  # confidence in a reference that was resolved, without a doubt and with one


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A node beside another, with the edge between them; `number` is None for PART_OF."""

    node: Node
    edge: Edge
    number: int | None


class Knowledge:
    """The graph of one library, under the decisions of the people who looked at it."""

    def __init__(
        self, connections: Connections, documents: Sequence[str], decisions: Mapping[int, Decision]
    ) -> None:
        self._connections = connections
        self._documents = documents
        self._positions = {name: number for number, name in enumerate(documents)}
        self.decisions = decisions

    # -- nodes

    def node(self, written: str) -> Node | None:
        """Return the node of an id ("table:AD-K:Table 1.1"), None where there is none."""
        found = self._row(written)
        return Node(*found[1:]) if found else None

    def nodes_at(self, document: str, key: str) -> tuple[Node, ...]:
        """Return the nodes of a document with this key, whatever their kind."""
        place = self._positions.get(document, SHARED)
        return tuple(Node(*row[1:]) for row in self._connections.rows("nodes_at", document=place, key=key))

    def entities(self, names: Iterable[str]) -> dict[str, tuple[Node, ...]]:
        """Return what each of the names may mean: concepts, materials, terms, parameters."""
        keys = {name: name_key(name) for name in names}
        rows = self._connections.rows("nodes_named", folded=json.dumps(sorted(set(keys.values()))))
        found = grouped((folded, Node(*node)) for folded, *node in rows)
        return {name: tuple(found.get(key, ())) for name, key in keys.items()}

    def quantity(self, value: Node) -> Quantity | None:
        """Return what a value says."""
        return self.quantities((value,)).get(value.id)

    def quantities(self, values: Iterable[Node]) -> dict[str, Quantity]:
        """Return what these values say, by their ids."""
        rows = [self._row(value.id) for value in values]
        wanted = json.dumps([row[0] for row in rows if row])
        said = self._connections.rows("values_of", nodes=wanted)
        return {Node(*row[:4]).id: Quantity(*row[4:]) for row in said}

    # -- edges

    def neighbours(
        self, node: Node | str, kinds: Sequence[EdgeKind] = (), direction: Direction = "out"
    ) -> tuple[Neighbour, ...]:
        """Return the neighbours of a node over edges of these kinds, all kinds where none is named."""
        written = node if isinstance(node, str) else node.id
        found = self._row(written)
        if found is None:
            return ()
        wanted = json.dumps(list(kinds)) if kinds else None
        near: list[Neighbour] = []
        with self._connections.reading():
            for row in self._connections.rows(f"neighbours_{direction}", node=found[0], kinds=wanted):
                other = Node(*row[:4])
                ends = (written, other.id) if direction == "out" else (other.id, written)
                near.append(Neighbour(other, self._edge(ends, row[4:]), row[4]))
        if not kinds or "REFERENCES" in kinds:
            near += self._references(Node(*found[1:]), direction)
        return tuple(item for item in near if item.edge.state != "rejected")

    def edges(
        self, *, ids: Iterable[int] | None = None, state: str | None = None, document: str | None = None
    ) -> tuple[tuple[int, Edge, Node, Node], ...]:
        """Return edges with their numbers and ends, in the order of the places that prove them."""
        rows = self._connections.rows(
            "edges_of",
            ids=None if ids is None else json.dumps(sorted(ids)),
            state=state,
            document=None if document is None else self._positions.get(document, SHARED),
        )
        found: list[tuple[int, Edge, Node, Node]] = []
        with self._connections.reading():
            for row in rows:
                source, target = Node(*row[:4]), Node(*row[4:8])
                found.append((row[8], self._edge((source.id, target.id), row[8:]), source, target))
        return tuple(found)

    # -- chunks

    def chunks_of(self, entity: Node | str) -> tuple[tuple[int, int], ...]:
        """Return (searched chunk, rank) that speak of a node, best rank first (see graph.Mention)."""
        found = self._row(entity if isinstance(entity, str) else entity.id)
        return tuple(self._connections.rows("chunks_of", node=found[0])) if found else ()

    # -- references

    def doubtful(self, document: str | None = None) -> tuple[tuple[str, Reference], ...]:
        """Return the references that lead nowhere or were resolved with a doubt, with their documents."""
        place = None if document is None else self._positions.get(document, SHARED)
        rows = self._connections.rows("doubtful_references", document=place)
        return tuple((row[0], from_row(Reference, row[1:])) for row in rows)

    def judged(self, document: str, references: Iterable[Reference]) -> tuple[Reference, ...]:
        """Return the references of a document as people decided: a rejected one leads nowhere."""
        if not self.decisions:
            return tuple(references)

        def judged(reference: Reference) -> Reference:
            decision = self.decisions.get(reference_number(document, reference))
            if decision is None or (reference.target is None and reference.document is None):
                return reference
            if decision.state == "accepted":
                return replace(reference, reason="") if reference.status == "resolved" else reference
            why = f"rejected by a person: {decision.why}" if decision.why else "rejected by a person"
            return replace(reference, target=None, document=None, status="unresolved", reason=why)

        return tuple(map(judged, references))

    # -- rows

    def _row(self, written: str) -> tuple[Any, ...] | None:
        """Return number, kind, document, key and name of the node of this id."""
        wanted = node_of(written, self._positions)
        place = self._positions.get(wanted.document, SHARED)
        rows = self._connections.rows("node", document=place, key=wanted.key, kind=wanted.kind)
        return rows[0] if rows else None

    def _edge(self, ends: tuple[str, str], row: Sequence[Any]) -> Edge:
        number, kind, confidence, rule, state, document, key, start, stop, quote, boxes, lines = row
        proof = None
        if document is not None and key is not None:
            own = unpack_boxes(boxes)
            if not own and lines:
                own = boxes_between(Passage("", unpack_lines(lines)), start, stop)
            proof = Proof(document, Label.from_key(key), start, stop, quote or "", own)
        decision = self.decisions.get(number)
        return Edge(ends[0], kind, ends[1], confidence, rule, proof, decision.state if decision else state)

    def _references(self, node: Node, direction: Direction) -> list[Neighbour]:
        """Return the references from or to a node as edges, but those that lead to no loaded place."""
        if node.kind not in (*ITEMS, "document"):
            return []
        place = self._positions.get(node.document, SHARED)
        if direction == "out":
            rows = self._connections.rows("references_from", document=place, source=node.key)
            with self._connections.reading():
                pairs = [(node.document, from_row(Reference, row)) for row in rows]
        else:
            rows = self._connections.rows("references_to", document=place, target=node.key or None)
            with self._connections.reading():
                pairs = [(row[0], from_row(Reference, row[1:])) for row in rows]
        found: list[Neighbour] = []
        for owner, said in pairs:
            if said.status != "resolved":
                continue
            there = (said.document or owner, said.target) if direction == "out" else (owner, said.source)
            document, label = there
            wanted = ITEMS if label else ("document",)
            nodes = self.nodes_at(document, label.key if label else "")
            other = next((one for one in nodes if one.kind in wanted), None)
            if other is None:
                continue
            number = reference_number(owner, said)
            decision = self.decisions.get(number)
            state = decision.state if decision else "to review" if said.reason else "accepted"
            proof = Proof(owner, said.source, said.start, said.end, said.text, said.boxes)
            source, target = (node.id, other.id) if direction == "out" else (other.id, node.id)
            sure = DOUBTFUL if said.reason else PLACED
            edge = Edge(source, "REFERENCES", target, sure, "reference", proof, state)
            found.append(Neighbour(other, edge, number))
        return found
