"""What the graph holds, and what of it a person should look at."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.contract.shape import Json, picked, plain
from appliance.core.document import Label
from appliance.core.graph import Edge, Node, Quantity, ReviewItem, edge_id


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


def review_json(items: Sequence[ReviewItem], total: int, page: int, broken: Sequence[int]) -> Json:
    """Return what `review --json` prints: one page of what is to look at."""
    names = "id", "kind", "document", "page", "source", "target", "quote", "why", "confidence", "boxes"
    shown = [picked(names, item) for item in items]
    return {"total": total, "page": page, "unreadable_lines": list(broken), "items": shown}
