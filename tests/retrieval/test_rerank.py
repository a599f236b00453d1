"""A place is judged by its best part, by the next best, and by all of its parts as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.core.document import Label
from appliance.core.settings import SearchSettings
from appliance.models.protocols import Candidate, EncodedQuery, Floats
from appliance.retrieval.rank.model import ALONE, rerank
from appliance.retrieval.search import prepare
from tests.factories import clause, document
from tests.retrieval.conftest import FakeEmbedder
from tests.store.libraries import chunked, opened

TWO = "Snow on a roof is heavy. The load of a parapet drifts."
SETTINGS = SearchSettings()


class Shared:
    """Counts the words that question and passage share."""

    name = "shared"

    def __init__(self) -> None:
        self.rows: list[int] = []

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        wanted = set(query.text.lower().split())
        self.rows = [0 if item.tokens is None else len(item.tokens) for item in candidates]
        texts = [set(item.text.lower().replace(".", " ").split()) for item in candidates]
        return np.array([len(wanted & words) for words in texts], np.float32)


@pytest.mark.parametrize(
    ("text", "vectors", "best", "second", "whole"),
    [
        (TWO, True, 2.0, 2.0, 4.0),  # each part meets half of the question, both together all of it
        ("Snow on a roof is heavy. Stairs.", True, 2.0, 0.0, 2.0),
        ("Snow on a roof is heavy.", True, 2.0, 2.0 - ALONE, 2.0),
        (TWO, False, 2.0, 2.0, 2.0),  # without vectors the parts are not read as one
    ],
)
def test_parts_of_a_place_are_judged_alone_and_together(
    tmp_path: Path, text: str, vectors: bool, best: float, second: float, whole: float
) -> None:
    reranker = Shared()
    with opened(tmp_path / "a", chunked(document(clauses=(clause("1.1", text),))), vectors=vectors) as store:
        ask = prepare(store, FakeEmbedder(), reranker, "roof heavy load parapet", SETTINGS)
        encoded = FakeEmbedder().encode_query("roof heavy load parapet")
        (place,) = store.chunks_for(store.documents()[0].id, Label(("1.1",)))
        judged = rerank(replace(ask, encoded=encoded), [place], {})[place]
    assert (judged.score, judged.second, judged.whole) == (best, second, whole)
    assert all(reranker.rows) == vectors
