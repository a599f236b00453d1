"""The features of candidates: one row each, one order, defined for every hard case."""

from __future__ import annotations

import numpy as np

from appliance.core.document import Chunk, Label, Passage
from appliance.retrieval.rank.model import NAMES, Candidate, Judged, matrix
from appliance.retrieval.search_context import Coverage
from appliance.store.records import StoredChunk


def candidate(covered: float, similarity: float = 0.5, **signals: float) -> Candidate:
    label = Label(("1.1",))
    chunk = Chunk(label, (label,), "table", "", (), Passage("text"), ())
    judged = Judged(similarity, 0, -1.0, -1.0)
    return Candidate(signals, StoredChunk(1, "C", None, chunk), Coverage(covered, 0.0, covered), judged, 0.4)


def column(rows: np.ndarray[tuple[int, ...], np.dtype[np.float32]], name: str) -> list[float]:
    return [round(float(value), 4) for value in rows[:, NAMES.index(name)]]


def test_every_feature_has_a_name_and_its_place() -> None:
    rows = matrix([candidate(0.2, dense=1.0), candidate(0.8)], "value", 3, measures=True)
    assert rows.shape == (2, len(NAMES))
    assert column(rows, "dense") == [1.0, 0.0]  # a signal that is not known counts nothing
    assert column(rows, "covered") == [0.2, 0.8]
    assert column(rows, "below_covered") == [-0.6, 0.0]
    assert column(rows, "kind_table") == [1.0, 1.0]
    assert column(rows, "intent_value") == [1.0, 1.0]
    assert column(rows, "ideas") == [3.0, 3.0]
    assert column(rows, "similar_whole") == [-1.0, -1.0]  # what no reranker judged
    assert column(rows, "below_similar_second") == [0.0, 0.0]


def test_no_candidates_make_no_rows() -> None:
    assert matrix([], "general", 0, measures=False).shape == (0, len(NAMES))
