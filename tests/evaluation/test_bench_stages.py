"""Single stages measured beside their peers: what is measured, and what is left out. No time is judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from appliance.core.settings import Settings
from appliance.evaluation.bench import generation, models, search, vector_scan
from appliance.evaluation.bench.rounds import in_turn
from appliance.library import Library
from appliance.models.catalogue import embedder_files, load_embedder
from appliance.models.float32_baseline import products_of_a_token
from appliance.models.session import run
from tests.gguf_maker import write_gguf

ASKED = ("snow load on a roof", "how wide is a stair", "density of concrete", "wind on a wall", "fire door")


def test_scans_are_measured_beside_all_peers_and_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_scan, "SIZES", (3_000,))
    monkeypatch.setattr(vector_scan, "ROUNDS", 2)
    measures, _ = vector_scan.bench_scan()
    assert [measure.peer_name for measure in measures] == ["reading the bytes", "numpy float32", ""]
    assert measures[-1].unit == "%"
    assert measures[-1].met


def test_recall_of_a_library_is_that_of_its_vectors(demo: Library) -> None:
    embedder = load_embedder(Settings().models)
    ((recall,), notes) = vector_scan.bench_recall(demo.store, embedder, ASKED)
    assert recall.ours > 95
    assert notes == ()


def test_words_are_measured_beside_all_of_them(demo: Library) -> None:
    (measure,), notes = search.bench_words(demo, [*ASKED, "?!"])
    assert measure.peer_name == "FTS5, any word"
    assert "after 3 others" in notes[0]
    assert search.bench_words(demo, ["?!"])[0] == ()


def test_models_are_measured(demo: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "TEXTS", 3)
    monkeypatch.setattr(models, "ROUNDS", 1)
    measures, _ = models.bench_models(demo, ASKED[:2])
    assert [measure.name for measure in measures] == [
        "passages encoded",
        "question encoded p50",
        "3 passages judged",
    ]
    assert measures[0].peer
    limit = measures[1]
    assert (limit.peer_name, limit.peer is not None and limit.peer > 0) == ("products of int8 alone", True)
    assert models.bench_models(demo, [])[0] == ()


def test_the_products_of_a_token_are_those_of_all_weights() -> None:
    pytest.importorskip("onnx")
    entry, folder = embedder_files(Settings().models)
    layer = 4 * 384 * 384 + 2 * 384 * 1536
    assert products_of_a_token(folder / entry.model) == 6 * layer


def test_the_float_peer_says_what_the_int8_model_says() -> None:
    pytest.importorskip("onnx")
    from appliance.models.float32_baseline import FloatPeer

    settings = Settings().models
    entry, folder = embedder_files(settings)
    peer, text = FloatPeer(entry, folder), "A private stair should have a pitch of 42 degrees at most."
    ids = np.array(peer._tokenizer.encode(text).ids, dtype=np.int64)
    pooled = run(peer._session, ids).mean(axis=0)
    ours = load_embedder(settings).encode_query(text).pooled
    assert float(pooled @ ours / np.linalg.norm(pooled)) > 0.98


def test_ways_are_run_in_turn_and_once_before() -> None:
    seen: list[str] = []
    spent = in_turn({name: lambda n, name=name: seen.append(f"{name}{n}") for name in "ab"}, 2)  # type: ignore[misc] # a lambda with a default
    assert seen == ["a0", "b0", "a0", "b0", "a1", "b1"]
    assert [len(item.processor) for item in spent.values()] == [2, 2]


def test_what_writing_costs_is_measured_beside_its_peers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gguf", reason="the package gguf writes the model (extra dev)")
    pytest.importorskip("llama_cpp", reason="llama.cpp is not installed (extra llm)")
    for name, value in (("ROUNDS", 1), ("STOPS", 2), ("TOKENS", 6), ("PREFIX", 64), ("CONTEXT", 512)):
        monkeypatch.setattr(generation, name, value)
    measures, notes = generation.bench_generation(write_gguf(tmp_path / "tiny.gguf"))
    assert notes == ()
    assert [(measure.name, measure.peer is not None) for measure in measures] == [
        ("64 fixed tokens", True),
        ("decoding", True),
        ("stopping within a prompt", False),
    ]
    assert all(measure.part == "generate" and measure.ours >= 0 for measure in measures)


def test_what_is_no_model_is_a_remark(tmp_path: Path) -> None:
    pytest.importorskip("llama_cpp", reason="llama.cpp is not installed (extra llm)")
    (tmp_path / "wrong.gguf").write_bytes(b"GGUF")
    measures, (note,) = generation.bench_generation(tmp_path / "wrong.gguf")
    assert measures == ()
    assert note.startswith("generate: not measured, ")
