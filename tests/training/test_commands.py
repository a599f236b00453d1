"""The commands: what they say when something is missing, and the record that they leave."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.cli import main
from appliance.models.catalogue import shipped_folder
from appliance.training.examples import Example, Writer


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder of a few examples over two documents."""
    writer = Writer(tmp_path / "data")
    for number in range(6):
        document = "A" if number % 2 else "B"
        right = (writer.passage(f"Stairs of kind {number} rise 220 mm at most.", document),)
        wrong = (writer.passage(f"Drains of kind {number} fall 1 in 40.", document),)
        question = f"how high is a step of kind {number}"
        writer.add(Example(question, (right,), (wrong,), "asked", document, "CC0"))
    return tmp_path / "data"


def run(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(word) for word in words])
    return result.exit_code, result.output


@pytest.mark.parametrize("model", ["reranker", "embedder"])
def test_without_the_extra_the_command_says_what_to_install(
    model: str, few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    code, said = run(
        "train", model, few, "--into", tmp_path / "out", *(("--base", tmp_path) * (model == "embedder"))
    )
    assert code == 21
    assert "pip install -e '.[train]'" in said


def test_everything_held_out_is_refused(few: Path, tmp_path: Path) -> None:
    code, said = run(
        "train", "reranker", few, "--held-out", "A", "--held-out", "B", "--into", tmp_path / "out"
    )
    assert code != 0
    assert "held out" in said


@pytest.mark.parametrize("model", ["reranker", "embedder"])
def test_a_document_that_is_not_there_is_named_beside_those_that_are(
    model: str, few: Path, tmp_path: Path
) -> None:
    code, said = run("train", model, few, "--held-out", "NOSUCH", "--into", tmp_path / "out")
    assert code == 2
    assert "no document NOSUCH to hold out; there are A, B" in " ".join(said.split())


def test_data_of_no_library_hold_out_nothing(tmp_path: Path) -> None:
    code, said = run("train", "data", "--held-out", "A", "--into", tmp_path / "out")
    assert code == 2
    assert "--library" in said


@pytest.mark.parametrize("model", ["reranker", "embedder"])
def test_a_gpu_that_is_not_there_is_refused(
    model: str, few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch = pytest.importorskip("torch", reason="the extra `train` is not installed")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    base = ("--base", shipped_folder() / "minilm-l6-int8") * (model == "embedder")
    code, said = run("train", model, few, "--device", "cuda", *base, "--into", tmp_path / "out")
    assert code == 2
    assert "finds no GPU" in said


def test_a_head_is_trained_measured_and_recorded(few: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    into = tmp_path / "out"
    code, said = run("train", "reranker", few, "--held-out", "A", "--into", into, "--json")
    assert code == 0, said
    record = json.loads((into / "training.json").read_text())
    assert record["held_out"] == ["A"]
    assert record["data"] == [{"source": "asked", "licence": "CC0", "examples": 3, "documents": ["B"]}]
    assert record["recipe"]["seed"] == 1
    assert record["device"] in {"cpu", "cuda"}
    assert record["figures"]["held out, with the head"]["questions"] == 3
