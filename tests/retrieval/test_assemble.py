"""What the demo codes show: nothing that a search found first is lost."""

from __future__ import annotations

import pytest

from appliance.library import Library
from appliance.retrieval.assemble import assemble
from appliance.retrieval.search import explore, prepare
from appliance.settings import SearchSettings

SETTINGS = SearchSettings()


@pytest.mark.parametrize(
    "question",
    [
        "snow load on a roof beside a taller building",
        "what is the exposure coefficient",
        "imposed load on floors",
        "Which clauses refer to Table 5.1?",
        "wind pressure on a parapet and drifted snow",
    ],
)
def test_the_first_hits_of_every_search_are_shown(demo: Library, question: str) -> None:
    outcome = explore(prepare(demo.store, demo._embedder, None, question, SETTINGS))
    evidence = assemble(outcome, SETTINGS.limit)
    shown = {place.chunk for place in evidence.hits}
    for ids in outcome.found.rankings.values():
        assert shown.issuperset(ids[: SETTINGS.kept_from_each_channel])
    assert len(evidence.hits) <= SETTINGS.limit
    assert evidence.hits[0].chunk == outcome.orders.final[0]
