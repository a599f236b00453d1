"""What is gathered: each edge once, under a number of its own."""

from __future__ import annotations

from appliance.core.graph import Edge
from appliance.ingest.knowledge.collected import Collected

ONE = Edge("clause:K:1", "REQUIRES", "clause:K:2", 1.0, "demand")
OTHER = Edge("clause:K:3", "REQUIRES", "clause:K:4", 1.0, "demand")


def test_an_edge_found_twice_is_one() -> None:
    into = Collected()
    into.keep(ONE)
    into.keep(ONE)
    assert list(into.edges.values()) == [ONE]


def test_numbers_are_wide_enough_for_many_edges() -> None:
    numbers = {Edge(f"clause:K:{n}", "REQUIRES", "clause:K:0", 1.0, "demand").number for n in range(50_000)}
    assert len(numbers) == 50_000
    assert max(map(abs, numbers)) > 2**60
