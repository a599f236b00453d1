"""The way from a question for steps to the clause that decides and what is behind it, on the demo codes."""

from __future__ import annotations

import pytest

from appliance.core.settings import SearchSettings
from appliance.library import Library
from appliance.retrieval.follow.references import Edge
from appliance.retrieval.follow.steps import BEHIND, DECIDES, FIRST, STEP, in_order
from appliance.retrieval.search import explore, prepare
from tests.factories import label

COMPOUND = "Do I need to apply snow loading onto my structure? What steps would I need to take to check this?"


def _way(demo: Library, question: str) -> tuple[list[str], list[str], list[str]]:
    """Return the clauses that decide, the steps from there, and the order of the places."""
    asked = prepare(demo.store, demo._embedder, demo._reranker, question, SearchSettings())
    found = explore(asked)
    edges = found.contest.edges
    decides = [str(edge.link.to_label) for edge in edges if edge.kind == DECIDES]
    steps = {str(edge.link.from_label): None for edge in edges if edge.kind == STEP}
    shown = [str(found.contest.chunks[chunk].chunk.label) for chunk in found.orders.final]
    behind = [str(edge.link.to_label) for edge in edges if edge.kind == STEP]
    return decides or list(steps), behind, shown


@pytest.mark.parametrize("question", [COMPOUND, "How do I work out the snow load on a roof?"])
def test_the_clause_that_decides_leads_to_what_it_takes(demo: Library, question: str) -> None:
    decides, behind, shown = _way(demo, question)
    assert decides == ["2.3"]  # which lists the steps in so many words
    assert "2.3" in shown[: FIRST + 1]
    assert {"4.1", "Table 5.1", "5.3", "Table 5.2", "Figure 5.1"} <= set(behind)
    assert {"4.1", "Table 5.1", "Table 5.2", "Figure 5.1"} <= set(shown[: BEHIND + len(behind)])


@pytest.mark.parametrize(
    "question",
    ["What is the characteristic density of hay?", "Where are snow loads covered?", "how do I read 5.2"],
)
def test_other_questions_and_labels_lead_nowhere(demo: Library, question: str) -> None:
    assert _way(demo, question)[:2] == ([], [])


@pytest.mark.parametrize(
    ("ranked", "ordered"),
    [
        ([1, 2, 3, 4], [1, 2, 4, 3]),  # what decides comes third
        ([4, 1, 2, 3], [4, 1, 2, 3]),  # or where it stands before
        ([1, 2, 3], [1, 2, 3]),  # and is not invented
        ([*range(10, 20), 1, 2, 3, 4], [10, 11, 4, *range(12, 20), 3, 1, 2]),
    ],
)
def test_what_decides_comes_first_and_its_steps_behind_the_first(
    ranked: list[int], ordered: list[int]
) -> None:
    from appliance.core.evidence import Link

    link = Link("A", label("1"), "A", label("2"), "")
    edges = [Edge(1, 4, DECIDES, link), Edge(4, 3, STEP, link), Edge(4, 99, STEP, link)]
    assert in_order(edges, ranked) == ordered
