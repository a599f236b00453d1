"""What writing costs can be measured of any model file, and what cannot is a remark."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.evaluation.bench import generation
from tests.gguf_maker import write_gguf


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("ROUNDS", 1), ("STOPS", 2), ("TOKENS", 6), ("PREFIX", 64), ("CONTEXT", 512)):
        monkeypatch.setattr(generation, name, value)


@pytest.mark.usefixtures("quick")
def test_every_figure_is_there_beside_its_peer(tmp_path: Path) -> None:
    pytest.importorskip("gguf", reason="the package gguf writes the model (extra dev)")
    pytest.importorskip("llama_cpp", reason="llama.cpp is not installed (extra llm)")
    measures, notes = generation.bench_generation(write_gguf(tmp_path / "tiny.gguf"))
    assert notes == ()
    assert [(measure.name, measure.peer is not None) for measure in measures] == [
        ("64 fixed tokens", True),
        ("decoding", True),
        ("stopping within a prompt", False),
        ("killed, to the next token", False),
    ]
    assert all(measure.part == "generate" and measure.ours >= 0 for measure in measures)


def test_what_is_no_model_is_a_remark(tmp_path: Path) -> None:
    pytest.importorskip("llama_cpp", reason="llama.cpp is not installed (extra llm)")
    (tmp_path / "wrong.gguf").write_bytes(b"GGUF")
    measures, (note,) = generation.bench_generation(tmp_path / "wrong.gguf")
    assert measures == ()
    assert note.startswith("generate: not measured, ")
