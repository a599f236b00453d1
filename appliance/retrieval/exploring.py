"""Looking around in the graph: from a name or a place to what stands beside it, as a tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from appliance.contract.shape import Json, picked, plain
from appliance.core.document import Label
from appliance.core.errors import UnknownNode
from appliance.core.graph import Edge, EdgeKind, Node, Quantity, edge_id
from appliance.retrieval.typed_labels import places_typed, tables_named
from appliance.store.graph import Direction, Neighbour
from appliance.store.read import Store

FOUND = frozenset({"value", "parameter", "concept"})  # what has no place of its own


@dataclass(frozen=True, slots=True)
class Walk:
    """How far to look: edges of these kinds (all where none is named), which way, how many steps."""

    kinds: Sequence[EdgeKind] = ()
    direction: Literal["out", "in", "both"] = "both"
    depth: int = 1
    limit: int = 50  # neighbours of one kind and direction
    most: int = 2_000  # neighbours in all

    @property
    def ways(self) -> tuple[Direction, ...]:
        """Return the directions to look in."""
        return ("out", "in") if self.direction == "both" else (self.direction,)


def named(store: Store, written: str) -> tuple[Node, ...]:
    """Return the nodes of an id, of a name, or of a place ("AD-K Table 1.1").

    Raises:
        UnknownNode: nothing bears this name.
    """
    known = store.graph.node(written)
    if known is not None:
        return (known,)
    found = list(store.graph.entities([written])[written])
    inside, _, label = written.partition(" ")
    for info in store.documents():
        if inside.casefold() == info.id.casefold() and label.strip():
            found += _labelled(store, info.id, label.strip())
    if not found:
        raise UnknownNode(written)
    return tuple(dict.fromkeys(found))


def _labelled(store: Store, document: str, label: str) -> list[Node]:
    at_key = store.graph.nodes_at(document, label)
    if exact := [node for node in at_key if node.kind not in {"value", "parameter"}]:
        return exact
    same = [item.label for item in places_typed(store, document, label)]
    same += [table.label for table in tables_named(store, document, label)]
    items = [node for at in dict.fromkeys(same) for node in store.graph.nodes_at(document, at.key)]
    return [node for node in items if node.kind not in FOUND]


def around(store: Store, node: Node, walk: Walk) -> Json:
    """Return a node with its neighbours, each with its own up to the depth of the walk."""
    root = node_json(node, store.graph.quantity(node))
    opened: set[str] = set()
    shown, cut = 0, False
    level: list[tuple[Node, Json]] = [(node, root)]
    for _ in range(max(1, walk.depth)):  # all of one step before the next, so that the near is never cut
        met: list[tuple[Node, Json]] = []
        for here, row in level:
            if here.id in opened:
                row["opened"] = True
                continue
            if shown >= walk.most:
                cut = True
                continue
            opened.add(here.id)
            row["neighbours"] = rows = list[Json]()
            for way in walk.ways:
                near = store.graph.neighbours(here, walk.kinds, way)
                first = _first_of_each(near, walk.limit)
                kept = first[: walk.most - shown]
                shown += len(kept)
                cut |= len(kept) < len(first)
                said = store.graph.quantities([item.node for item in kept if item.node.kind == "value"])
                for item in kept:
                    rows.append(
                        neighbour_json(item.node, item.edge, item.number, way, said.get(item.node.id))
                    )
                    met.append((item.node, rows[-1]))
                if len(kept) < len(near):
                    rows.append({"direction": way, "left_out": len(near) - len(kept)})
        level = met
    if cut:
        root["stopped"] = f"only the first {walk.most} neighbours of the walk are shown"
    return root


def node_json(node: Node, quantity: Quantity | None = None) -> Json:
    """Return a node; a value with what it says, and its factor to base units (0 where it is unknown)."""
    name = node.name or (str(Label.from_key(node.key)) if node.key else node.document)
    made = picked(("id", "kind", "document", "key", "name"), node, name=name)
    return made | ({"quantity": plain(quantity)} if quantity else {})


def neighbour_json(node: Node, edge: Edge, number: int | None, way: str, quantity: Quantity | None) -> Json:
    """Return a neighbour with the edge that leads to it; `edge` is "" for PART_OF."""
    proof = edge.proof  # the words that prove it, with their page
    return picked(
        ("kind", "direction", "edge", "state", "confidence", "rule", "proof", "node"),
        edge,
        direction=way,
        edge=edge_id(number) if number is not None else "",
        proof=picked(("document", "label", "pages", "boxes", "quote"), proof) if proof else None,
        node=node_json(node, quantity),
    )


def _first_of_each(near: Sequence[Neighbour], limit: int) -> list[Neighbour]:
    """Return the first so many of each kind of edge, each node once for a kind."""
    seen: dict[str, set[str]] = defaultdict(set)
    kept: list[Neighbour] = []
    for item in near:
        nodes = seen[item.edge.kind]
        if item.node.id not in nodes and len(nodes) < limit:
            nodes.add(item.node.id)
            kept.append(item)
    return kept
