"""A head over stored vectors: what it changes, and which files it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from appliance.core.errors import ModelUnusable
from appliance.core.settings import ModelSettings
from appliance.models.catalogue import load_embedder, load_reranker
from appliance.models.late_interaction import (
    LENGTH_COST,
    LEVELS,
    Head,
    max_sim,
    pack,
    read_head,
    save_head,
    unit,
)
from appliance.models.protocols import Candidate, Floats

WIDTH = 8
NOTHING = Head(
    turn=np.zeros((WIDTH, WIDTH), dtype=np.float32),
    gate=np.zeros(WIDTH, dtype=np.float32),
    curve=np.zeros(len(LEVELS), dtype=np.float32),
    length=LENGTH_COST,
    scale=1.0,
    shift=0.0,
    embedder="one:1",
)


def rows(count: int, seed: int) -> Floats:
    return unit(np.random.default_rng(seed).normal(size=(count, WIDTH)).astype(np.float32))


PASSAGES = [pack(rows(count, count)) for count in (1, 5, 0, 40)]


def test_with_nothing_learned_it_is_plain_max_sim() -> None:
    query = rows(6, 99)
    assert max_sim(query, PASSAGES, NOTHING) == pytest.approx(max_sim(query, PASSAGES), abs=1e-6)


@pytest.mark.parametrize(
    ("query", "passages"), [(rows(0, 1), PASSAGES), (rows(3, 1), []), (rows(3, 1), [PASSAGES[2]])]
)
def test_nothing_to_meet_scores_nothing(query: Floats, passages: list[np.ndarray]) -> None:
    head = replace(NOTHING, shift=0.7)
    assert max_sim(query, passages, head).tolist() == [0.0] * len(passages)


def test_the_gate_says_which_word_counts() -> None:
    first, second = rows(1, 1), rows(1, 2)
    second = unit(second - (second @ first.T) * first)
    query, passages = np.concatenate([first, second]), [pack(first), pack(second)]
    met = max_sim(query, passages, replace(NOTHING, gate=first[0]))
    missed = max_sim(query, passages, replace(NOTHING, gate=second[0]))
    assert met[0] > met[1]
    assert missed[0] < missed[1]


def test_the_turn_moves_the_question_and_the_curve_lifts_near_matches() -> None:
    query, passages = rows(1, 3), [pack(rows(1, 3))]
    away = replace(NOTHING, turn=-2 * np.eye(WIDTH, dtype=np.float32))
    assert max_sim(query, passages, away)[0] < 0 < max_sim(query, passages)[0]
    lifted = replace(NOTHING, curve=np.array([0] * 7 + [1, 1], dtype=np.float32))
    assert max_sim(query, passages, lifted)[0] > max_sim(query, passages)[0] + 0.5
    line = replace(NOTHING, scale=2.0, shift=0.5)
    assert max_sim(query, passages, line) == pytest.approx(2 * max_sim(query, passages) + 0.5)


def test_a_head_comes_back_from_its_file(tmp_path: Path) -> None:
    head = replace(
        NOTHING, turn=np.diag(np.full(WIDTH, 0.25, dtype=np.float32)), length=0.25, scale=0.5, shift=-0.125
    )
    save_head(head, tmp_path / "head.npz")
    read = read_head("own", tmp_path / "head.npz", "one:1", WIDTH)
    assert np.array_equal(read.turn, head.turn)
    assert (read.length, read.scale, read.shift, read.embedder) == (0.25, 0.5, -0.125, "one:1")


def broken(head: Head, path: Path, fault: str) -> None:
    save_head(head, path)
    if fault == "cut":
        path.write_bytes(path.read_bytes()[:200])
    elif fault == "text":
        path.write_text("no head")
    elif fault == "gone":
        path.unlink()


@pytest.mark.parametrize(
    ("fault", "head", "says"),
    [
        ("cut", NOTHING, "is not a head"),
        ("text", NOTHING, "is not a head"),
        ("gone", NOTHING, "is not a head"),
        ("", replace(NOTHING, embedder="two:2"), "models.reranker = 'late-interaction'"),
        ("", replace(NOTHING, gate=np.zeros(4, dtype=np.float32)), "arrays of shapes"),
        ("", replace(NOTHING, turn=np.full((WIDTH, WIDTH), np.nan, dtype=np.float32)), "arrays that hold"),
        ("", replace(NOTHING, shift=float("inf")), "arrays that hold"),
    ],
)
def test_what_is_no_head_for_this_embedder_is_refused(
    fault: str, head: Head, says: str, tmp_path: Path
) -> None:
    broken(head, tmp_path / "head.npz", fault)
    with pytest.raises(ModelUnusable, match=says):
        read_head("own", tmp_path / "head.npz", "one:1", WIDTH)


def test_the_head_that_ships_fits_the_embedder_that_ships() -> None:
    embedder = load_embedder(ModelSettings())
    reranker = load_reranker(ModelSettings(reranker="late-interaction-codes"), embedder)
    plain = load_reranker(ModelSettings(reranker="late-interaction"), embedder)
    assert reranker
    assert plain
    query = embedder.encode_query("How steep may a private stair be?")
    texts = ["The pitch of a private stair is at most 42 degrees.", "Drains fall towards the sewer.", ""]
    scores, others = (
        one.scores(query, [Candidate(text, None) for text in texts]) for one in (reranker, plain)
    )
    assert reranker.name == "late-interaction-codes"
    assert scores[0] > scores[1] > scores[2] == 0
    assert abs(float(scores[0] - others[0])) < 0.2, "it lies where plain MaxSim lies"
