"""MaxSim by hand, packing, and what the reranker does with odd candidates."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.core.settings import ModelSettings
from appliance.models.catalogue import load_reranker
from appliance.models.late_interaction import (
    LENGTH_COST,
    LateInteraction,
    fit_projection,
    max_sim,
    pack,
    project,
    turned,
    unit,
    unpack,
)
from appliance.models.protocols import Candidate, Embedder, Floats

# Unit rows of four numbers that packing keeps exactly: every number is one of the inner levels.
PLUS = np.array([0.5, 0.5, 0.5, 0.5], dtype=np.float32)
MINUS = -PLUS
HALF = np.array([0.5, 0.5, -0.5, -0.5], dtype=np.float32)


def rows(*items: Floats) -> Floats:
    return np.stack(items) if items else np.zeros((0, 4), dtype=np.float32)


@pytest.mark.parametrize(
    ("query", "passage", "mean_of_best"),
    [
        (rows(PLUS), rows(PLUS), 1.0),
        (rows(PLUS), rows(MINUS), -1.0),
        (rows(PLUS), rows(MINUS, HALF), 0.0),
        (rows(PLUS, MINUS), rows(PLUS), 0.0),
        (rows(PLUS, MINUS), rows(PLUS, MINUS), 1.0),
        (rows(PLUS, HALF, MINUS), rows(HALF), 1 / 3),
    ],
)
def test_max_sim_by_hand(query: Floats, passage: Floats, mean_of_best: float) -> None:
    expected = mean_of_best - LENGTH_COST * np.log1p(len(passage))
    assert max_sim(query, [pack(passage)]) == pytest.approx([expected], abs=1e-6)


def test_passages_without_tokens_keep_their_place() -> None:
    passages = [pack(rows()), pack(rows(PLUS)), pack(rows()), pack(rows(MINUS)), pack(rows())]
    scores = max_sim(rows(PLUS), passages)
    assert scores[[0, 2, 4]].tolist() == [0, 0, 0]
    assert scores[1] > 0.9 > -0.9 > scores[3]
    assert max_sim(rows(), passages).tolist() == [0] * 5
    assert max_sim(rows(PLUS), []).tolist() == []


@pytest.mark.parametrize("width", [4, 64, 192, 256])
def test_packing_takes_a_sixteenth_and_keeps_the_direction(width: int) -> None:
    whole = unit(np.random.default_rng(0).normal(size=(500, width)).astype(np.float32))
    packed = pack(whole)
    assert packed.nbytes * 16 == whole.nbytes
    near = (whole * unpack(packed)).sum(axis=1)
    assert near.mean() > 0.9
    assert np.linalg.norm(unpack(packed), axis=1) == pytest.approx(1, abs=1e-5)


def test_projection_keeps_what_lies_in_few_directions() -> None:
    generator = np.random.default_rng(0)
    inside = generator.normal(size=(400, 8)) @ generator.normal(size=(8, 32)) + 5
    matrix = fit_projection([inside[:200].astype(np.float32), inside[200:].astype(np.float32)], 8)
    narrow = project(inside.astype(np.float32), matrix)
    centred = inside - inside.mean(axis=0)
    assert np.allclose(narrow @ narrow.T, centred @ centred.T, rtol=1e-3, atol=1e-2)
    assert np.array_equal(matrix, fit_projection([inside.astype(np.float32)], 8))


def test_a_model_without_projection_is_only_turned() -> None:
    whole = unit(np.random.default_rng(0).normal(size=(20, 24)).astype(np.float32))
    assert project(whole, turned(24)) @ project(whole, turned(24)).T == pytest.approx(
        whole @ whole.T, abs=1e-5
    )


@pytest.fixture(scope="module")
def reranker(embedder: Embedder) -> LateInteraction:
    loaded = load_reranker(ModelSettings(), embedder)
    assert isinstance(loaded, LateInteraction)
    return loaded


def test_the_passage_that_answers_goes_first(embedder: Embedder, reranker: LateInteraction) -> None:
    texts = [
        "Guarding is provided where the drop is more than 600 mm.",
        "The pitch of a private stair is at most 42 degrees.",
        "A stair is a means of escape.",
    ]
    passages = embedder.encode_passages(texts)
    query = embedder.encode_query("maximum pitch of a private stair")
    scores = reranker.scores(query, [Candidate("", item.tokens) for item in passages])
    assert int(scores.argmax()) == 1


def test_candidates_without_vectors_are_encoded(embedder: Embedder, reranker: LateInteraction) -> None:
    texts = ["Snow drifts against a parapet.", "Imposed loads on floors.", "..."]
    query = embedder.encode_query("snow at a parapet")
    stored = [Candidate(t, p.tokens) for t, p in zip(texts, embedder.encode_passages(texts), strict=True)]
    mixed = [stored[0], Candidate(texts[1], None), Candidate(texts[2], None)]
    assert np.array_equal(reranker.scores(query, stored), reranker.scores(query, mixed))
    assert reranker.scores(query, []).tolist() == []
