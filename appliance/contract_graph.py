"""The graph of a library as the JSON that outside programs rely on.

Rules of this module: those of contract.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.contract import Json, box_json
from appliance.document import Label, pages_of
from appliance.graph import Edge, Kept, Node, Proof, Quantity, ReviewItem, edge_id


def quantity_json(quantity: Quantity) -> Json:
    """Return what a value says, as read and with its factor to base units (0 where it is unknown)."""
    return {
        "bound": quantity.bound,
        "low": quantity.low,
        "high": quantity.high,
        "unit": quantity.unit,
        "dimension": quantity.dimension,
        "factor": quantity.factor,
    }


def node_json(node: Node, quantity: Quantity | None = None) -> Json:
    """Return a node of the graph."""
    said = {"quantity": quantity_json(quantity)} if quantity else {}
    return {
        "id": node.id,
        "kind": node.kind,
        "document": node.document,
        "key": node.key,
        "name": node.name or (str(Label.from_key(node.key)) if node.key else node.document),
    } | said


def proof_json(proof: Proof | None) -> Json | None:
    """Return the words that prove an edge, with their page."""
    if proof is None:
        return None
    return {
        "document": proof.document,
        "label": str(proof.label),
        "pages": list(pages_of(proof.boxes)),
        "boxes": [box_json(box) for box in proof.boxes],
        "quote": proof.quote,
    }


def neighbour_json(node: Node, edge: Edge, number: int | None, way: str, quantity: Quantity | None) -> Json:
    """Return a neighbour with the edge that leads to it; `edge` is "" for PART_OF."""
    return {
        "kind": edge.kind,
        "direction": way,
        "edge": edge_id(number) if number is not None else "",
        "state": edge.state,
        "confidence": edge.confidence,
        "rule": edge.rule,
        "proof": proof_json(edge.proof),
        "node": node_json(node, quantity),
    }


def review_json(items: Sequence[ReviewItem], total: int, page: int, broken: Sequence[int]) -> Json:
    """Return what `review --json` prints: one page of what is to look at."""
    return {
        "total": total,
        "page": page,
        "unreadable_lines": list(broken),
        "items": [
            {
                "id": item.id,
                "kind": item.kind,
                "document": item.document,
                "page": item.page,
                "source": item.source,
                "target": item.target,
                "quote": item.quote,
                "why": item.why,
                "confidence": item.confidence,
                "boxes": [box_json(box) for box in item.boxes],
            }
            for item in items
        ],
    }


def stale_json(kept: Sequence[Kept], broken: Sequence[int] = ()) -> list[Json]:
    """Return the decisions about what is gone, as they were written, and the lines that cannot be read."""
    return [dict(item.about) for item in kept] + [{"line": line, "state": "unreadable"} for line in broken]
