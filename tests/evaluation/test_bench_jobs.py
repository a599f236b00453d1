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
def test_searches_beside_writing_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation, "SEARCHES", 3)
    library = cast("Library", FakeLibrary())
    measures, notes = generation.bench_jobs(library, ["snow", "wind"], write_gguf(tmp_path / "tiny.gguf"))
    assert notes == ()
    assert [measure.name for measure in measures] == ["search p95 while writing"]


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
