"""What is gathered: nothing is lost unsaid."""

from __future__ import annotations

import pytest

from appliance.core import graph
from appliance.core.graph import Edge
from appliance.ingest.knowledge.collected import Collected

ONE = Edge("clause:K:1", "REQUIRES", "clause:K:2", 1.0, "demand")
OTHER = Edge("clause:K:3", "REQUIRES", "clause:K:4", 1.0, "demand")


def test_an_edge_found_twice_is_one() -> None:
    into = Collected()
    into.keep(ONE)
    into.keep(ONE)
    assert list(into.edges.values()) == [ONE]
    assert into.problems == []


def test_two_edges_of_one_number_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "_number", lambda *_: 7)
    into = Collected()
    into.keep(ONE)
    into.keep(OTHER)
    assert list(into.edges.values()) == [ONE]
    ((owner, problem),) = into.problems
    assert owner == "K"
    assert "clause:K:3" in problem.message
    assert "clause:K:1" in problem.message


def test_numbers_are_wide_enough_for_many_edges() -> None:
    numbers = {Edge(f"clause:K:{n}", "REQUIRES", "clause:K:0", 1.0, "demand").number for n in range(50_000)}
    assert len(numbers) == 50_000
    assert max(map(abs, numbers)) > 2**60
