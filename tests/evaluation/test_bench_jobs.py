"""Writing beside searching can be measured of any model file; what cannot is a remark."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from appliance.evaluation.bench import generation
from appliance.library import Library
from tests.evaluation.fake_library import FakeLibrary
from tests.gguf_maker import write_gguf


@pytest.mark.usefixtures("llama")
def test_jobs_are_freed_and_the_model_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("ABANDONED", 12), ("ROUNDS", 1), ("SEARCHES", 3), ("LEASE", 0.3)):
        monkeypatch.setattr(generation, name, value)
    library = cast("Library", FakeLibrary())
    measures, notes = generation.bench_jobs(library, ["snow", "wind"], write_gguf(tmp_path / "tiny.gguf"))
    assert notes == ()
    assert [measure.name for measure in measures] == [
        "search p95 while writing",
        "12 abandoned jobs, all freed",
        "SEGV at work, to the next token",
        "STOP at work, to the next token",
        "out of memory at work, to the next token",
    ]
    assert measures[1].ours < generation.PATIENCE, "all of them are freed"
    for measure in measures[2:]:
        assert measure.note.startswith("0 of "), "no search fails while a process dies"
        assert "nothing was written" not in measure.note


@pytest.mark.usefixtures("llama")
def test_what_is_no_model_is_a_remark(tmp_path: Path) -> None:
    (tmp_path / "wrong.gguf").write_bytes(b"GGUF")
    measures, (note,) = generation.bench_jobs(
        cast("Library", FakeLibrary()), ["snow"], tmp_path / "wrong.gguf"
    )
    assert measures == ()
    assert note.startswith("jobs: not measured, ")


@pytest.fixture
def llama() -> None:
    pytest.importorskip("gguf", reason="the package gguf writes the model (extra dev)")
    pytest.importorskip("llama_cpp", reason="llama.cpp is not installed (extra llm)")
