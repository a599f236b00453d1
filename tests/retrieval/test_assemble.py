"""What the demo codes show: nothing that a search found first is lost."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.settings import SearchSettings
from appliance.library import Library
from appliance.retrieval.search import assemble, explore, prepare

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
def test_the_first_hits_of_every_channel_are_shown(demo: Library, question: str) -> None:
    outcome = explore(prepare(demo.store, demo._embedder, None, question, SETTINGS))
    evidence = assemble(outcome, SETTINGS.limit)
    shown = {place.chunk for place in evidence.hits}
    for ids in outcome.found.rankings.values():
        assert shown.issuperset(ids[: SETTINGS.kept_from_each_channel])
    assert len(evidence.hits) <= SETTINGS.limit
    assert evidence.hits[0].chunk == outcome.final[0]


def test_what_stands_beside_the_first_place_gives_way_to_nothing(demo: Library) -> None:
    question = "snow load on a roof beside a taller building"
    outcome = explore(prepare(demo.store, demo._embedder, None, question, SETTINGS))
    first, *others = outcome.final
    edge = next(one for one in outcome.contest.edges if one.source == first and one.kind == "beside")
    rest = [chunk for chunk in others if chunk != edge.target]
    last = (first, *rest[: SETTINGS.limit - 2], edge.target, *rest[SETTINGS.limit - 2 :])
    moved = replace(outcome, final=last)
    assert edge.target in {place.chunk for place in assemble(moved, SETTINGS.limit).hits}
    apart = replace(moved.contest, edges=())
    kept = {place.chunk for place in assemble(replace(moved, contest=apart), SETTINGS.limit).hits}
    assert edge.target not in kept  # the first hits of a channel would have taken its place
