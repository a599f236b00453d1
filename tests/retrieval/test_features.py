"""The features of candidates: one row each, one order, defined for every hard case."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from appliance.core.settings import SearchSettings
from appliance.models.protocols import Floats
from appliance.retrieval.rank.model import INTENTS, NAMES, rows
from appliance.retrieval.search import Outcome, explore, prepare
from appliance.store.read import Store
from tests.retrieval.conftest import FakeEmbedder


def outcome(library: Store, embedder: FakeEmbedder) -> Outcome:
    return explore(prepare(library, embedder, None, "how deep is the snow in Table 5.1", SearchSettings()))


def column(found: Floats, name: str) -> Floats:
    return found[:, NAMES.index(name)]


def test_every_feature_has_a_name_and_its_place(library: Store, embedder: FakeEmbedder) -> None:
    one = outcome(library, embedder)
    contest, question = one.contest, one.ask.question
    found = rows(one.ask, one.found, contest)
    assert found.shape == (len(contest.chunks), len(NAMES))
    by_words = contest.ranks["child_words"]
    assert [value > 0 for value in column(found, "child_words")] == [
        chunk in by_words for chunk in contest.chunks
    ]
    covered = column(found, "covered")
    assert 0.0 < covered.max() <= 1.0
    assert np.array_equal(column(found, "below_covered"), covered - covered.max())
    kinds = [item.chunk.kind for item in contest.chunks.values()]
    assert column(found, "kind_table").tolist() == [float(kind == "table") for kind in kinds]
    for intent in INTENTS:
        assert set(column(found, f"intent_{intent}").tolist()) == {float(question.query.intent == intent)}
    assert set(column(found, "ideas").tolist()) == {float(len(question.groups))}
    assert set(column(found, "similar_whole").tolist()) == {-1.0}  # what no reranker judged
    assert set(column(found, "below_similar_second").tolist()) == {0.0}


def test_no_candidates_make_no_rows(library: Store, embedder: FakeEmbedder) -> None:
    one = outcome(library, embedder)
    assert rows(one.ask, one.found, replace(one.contest, chunks={})).shape == (0, len(NAMES))
