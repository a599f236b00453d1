"""The graph of a library as the rest of the program asks it.

Rules of this module: every question is one named statement over an index; what a person decided stands
above what the build found, and what was rejected is never returned unless asked for. PART_OF and
REFERENCES follow from items and references and are answered as edges like all others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from appliance.document import Label, Passage, Reference, boxes_between
from appliance.graph import (
    Decision,
    Edge,
    EdgeKind,
    Node,
    Proof,
    Quantity,
    name_key,
    reference_number,
)
from appliance.store import from_rows
from appliance.store.codec import unpack_boxes, unpack_lines
from appliance.store.connection import Connections
from appliance.store.graph_rows import SHARED, node_of

Direction = Literal["out", "in"]
ITEMS = ("clause", "table", "figure", "formula")
PLACED, DOUBTFUL = (
    0.95,
    0.5,
)  # confidence in a reference that was resolved, without and with a reason to doubt


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
        found: dict[str, list[Node]] = {}
        for folded, *node in rows:
            found.setdefault(folded, []).append(Node(*node))
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
        self,
        node: Node | str,
        kinds: Sequence[EdgeKind] = (),
        direction: Direction = "out",
        *,
        rejected: bool = False,
    ) -> tuple[Neighbour, ...]:
        """Return the neighbours of a node over edges of these kinds, all kinds where none is named."""
        written = node if isinstance(node, str) else node.id
        found = self._row(written)
        if found is None:
            return ()
        wanted = json.dumps(list(kinds)) if kinds else None
        name = "neighbours_out" if direction == "out" else "neighbours_in"
        rows = self._connections.rows(name, node=found[0], kinds=wanted)
        with self._connections.reading():
            near = [self._neighbour(written, row, direction) for row in rows]
        if not kinds or "REFERENCES" in kinds:
            near += self._references(Node(*found[1:]), direction)
        return tuple(item for item in near if rejected or item.edge.state != "rejected")

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
        with self._connections.reading():
            return tuple(self._whole(row) for row in rows)

    def counts(self) -> tuple[dict[str, int], dict[tuple[str, str], int]]:
        """Return the number of nodes by kind, and of stored edges by kind and state as built."""
        nodes = dict(self._connections.rows("node_counts"))
        edges = {(kind, state): n for kind, state, n in self._connections.rows("graph_counts")}
        return nodes, edges

    # -- chunks

    def chunks_of(self, entity: Node | str) -> tuple[tuple[int, int], ...]:
        """Return (searched chunk, rank) that speak of a node, best rank first (see graph.Mention)."""
        found = self._row(entity if isinstance(entity, str) else entity.id)
        return tuple(self._connections.rows("chunks_of", node=found[0])) if found else ()

    def entities_of(self, chunks: Iterable[int]) -> dict[int, tuple[tuple[Node, int], ...]]:
        """Return (node, rank) that each of these searched chunks speaks of."""
        wanted = list(dict.fromkeys(chunks))
        found: dict[int, list[tuple[Node, int]]] = {chunk: [] for chunk in wanted}
        for chunk, rank, *node in self._connections.rows("entities_of", chunks=json.dumps(wanted)):
            found[chunk].append((Node(*node), rank))
        return {chunk: tuple(entities) for chunk, entities in found.items()}

    # -- references

    def doubtful(self, document: str | None = None) -> tuple[tuple[str, Reference], ...]:
        """Return the references that lead nowhere or were resolved with a doubt, with their documents."""
        place = None if document is None else self._positions.get(document, SHARED)
        rows = self._connections.rows("doubtful_references", document=place)
        return tuple((row[0], from_rows.reference(row[1:])) for row in rows)

    def printed(self, document: str) -> tuple[Reference, ...]:
        """Return the references of a document as the build found them, whatever was decided since."""
        place = self._positions.get(document, SHARED)
        rows = self._connections.rows("references_from", document=place, source=None)
        return tuple(map(from_rows.reference, rows))

    def judged(self, document: str, references: Iterable[Reference]) -> tuple[Reference, ...]:
        """Return the references of a document as people decided: a rejected one leads nowhere."""
        if not self.decisions:
            return tuple(references)
        return tuple(self._judged(document, reference) for reference in references)

    def _judged(self, document: str, reference: Reference) -> Reference:
        decision = self.decisions.get(reference_number(document, reference))
        if decision is None or (reference.target is None and reference.document is None):
            return reference
        if decision.state == "accepted":
            return replace(reference, reason="") if reference.status == "resolved" else reference
        why = f"rejected by a person: {decision.why}" if decision.why else "rejected by a person"
        return replace(reference, target=None, document=None, status="unresolved", reason=why)

    # -- rows

    def _row(self, written: str) -> tuple[Any, ...] | None:
        """Return number, kind, document, key and name of the node of this id."""
        wanted = node_of(written, self._positions)
        place = self._positions.get(wanted.document, SHARED)
        rows = self._connections.rows("node", document=place, key=wanted.key, kind=wanted.kind)
        return rows[0] if rows else None

    def _neighbour(self, asked: str, row: Sequence[Any], direction: Direction) -> Neighbour:
        node, number = Node(*row[:4]), row[4]
        ends = (asked, node.id) if direction == "out" else (node.id, asked)
        return Neighbour(node, self._edge(ends, row[4:]), number)

    def _whole(self, row: Sequence[Any]) -> tuple[int, Edge, Node, Node]:
        source, target = Node(*row[:4]), Node(*row[4:8])
        return row[8], self._edge((source.id, target.id), row[8:]), source, target

    def _edge(self, ends: tuple[str, str], row: Sequence[Any]) -> Edge:
        number, kind, confidence, rule, state, *proof = row
        decision = self.decisions.get(number) if number is not None else None
        return Edge(
            ends[0], kind, ends[1], confidence, rule, _proof(proof), decision.state if decision else state
        )

    def _references(self, node: Node, direction: Direction) -> list[Neighbour]:
        if node.kind not in (*ITEMS, "document"):
            return []
        if direction == "out":
            rows = self._connections.rows(
                "references_from", document=self._positions.get(node.document, SHARED), source=node.key
            )
            with self._connections.reading():
                pairs = [(node.document, from_rows.reference(row)) for row in rows]
        else:
            target = node.key or None
            rows = self._connections.rows(
                "references_to", document=self._positions.get(node.document, SHARED), target=target
            )
            with self._connections.reading():
                pairs = [(row[0], from_rows.reference(row[1:])) for row in rows]
        found = [self._reference(node, owner, reference, direction) for owner, reference in pairs]
        return [item for item in found if item is not None]

    def _reference(
        self, node: Node, owner: str, reference: Reference, direction: Direction
    ) -> Neighbour | None:
        """Return a reference as an edge, None where it leads to no loaded place."""
        if reference.status != "resolved":
            return None
        if direction == "out":
            there = reference.document or owner
            other = self._item(there, reference.target)
        else:
            other = self._item(owner, reference.source)
        if other is None:
            return None
        number = reference_number(owner, reference)
        decision = self.decisions.get(number)
        state = decision.state if decision else "to review" if reference.reason else "accepted"
        proof = Proof(
            owner, reference.source, reference.start, reference.end, reference.text, reference.boxes
        )
        ends = (node.id, other.id) if direction == "out" else (other.id, node.id)
        sure = DOUBTFUL if reference.reason else PLACED
        return Neighbour(other, Edge(ends[0], "REFERENCES", ends[1], sure, "reference", proof, state), number)

    def _item(self, document: str, label: Label | None) -> Node | None:
        key = label.key if label else ""
        wanted = ITEMS if label else ("document",)
        return next((node for node in self.nodes_at(document, key) if node.kind in wanted), None)


def _proof(row: Sequence[Any]) -> Proof | None:
    document, key, start, stop, quote, boxes, lines = row
    if document is None or key is None:
        return None
    own = unpack_boxes(boxes)
    if not own and lines:
        own = boxes_between(Passage("", unpack_lines(lines)), start, stop)
    return Proof(document, Label.from_key(key), start, stop, quote or "", own)
