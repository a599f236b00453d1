"""A question for a place, or for all that is said of a thing, leads to the division around the places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from appliance.core.settings import SearchSettings
from appliance.retrieval.search import search
from appliance.store.read import Store
from tests.factories import clause, document
from tests.retrieval.conftest import FakeEmbedder, FakeReranker
from tests.store.libraries import chunked, opened


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A code with many clauses about offices, and an annex about floors."""
    office = [clause(f"7.{n}", f"The load of an office is part {n} of the work.") for n in range(1, 9)]
    floors = [
        clause(f"B.{n}", f"Dancing crowds shake floors in way {n}.", parent="Annex B") for n in range(1, 4)
    ]
    annex = clause("Annex B", "Further rules.", "annex", title="Vibration")
    made = chunked(document(clauses=(*office, annex, *floors), name="DC", designation="DC 1:2024"))
    chunks = [replace(c, kind="annex") if str(c.label) == "Annex B" else c for c in made.chunks]
    with opened(tmp_path_factory.mktemp("divided") / "a", replace(made, chunks=tuple(chunks))) as store:
        yield store


@pytest.mark.parametrize(
    ("question", "raised"),
    [
        ("where are dancing crowds that shake floors dealt with", True),
        ("in what ways do dancing crowds shake floors? List them.", True),
        ("do dancing crowds shake floors", False),
    ],
)
def test_the_division_is_among_the_first_three(library: Store, question: str, *, raised: bool) -> None:
    found = search(library, FakeEmbedder(), FakeReranker(), question, SearchSettings())
    assert ("Annex B" in [str(place.label) for place in found.hits][:3]) is raised
