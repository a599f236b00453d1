"""The commands: what they say when something is missing, and the record that they leave."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from appliance.cli import main
from appliance.core.settings import ModelSettings
from appliance.models.catalogue import ADDED, shipped_folder
from appliance.training.examples import Example, Writer
from appliance.training.running import hashed


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


def figures(*words: object) -> dict[str, dict[str, float]]:
    """Return what `train measure` writes for programs, its bars left out."""
    result = CliRunner().invoke(main, ["train", "measure", *map(str, words), "--json"])
    assert result.exit_code == 0, result.output
    found: dict[str, dict[str, float]] = json.loads(result.stdout)["figures"]
    return found


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
    code, said = run(
        "train", model, few, "--held-out", "NOSUCH", "--base", tmp_path, "--into", tmp_path / "out"
    )
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


def test_a_gpu_that_is_not_there_is_refused_before_a_teacher_reads(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cuda = SimpleNamespace(is_available=lambda: False)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=cuda))
    before = sorted(few.iterdir())
    given = ("--teacher", "minilm-l6-int8", "--device", "cuda")
    code, said = run("train", "reranker", few, *given, "--into", tmp_path / "out")
    assert code == 2
    assert "finds no GPU" in said
    assert sorted(few.iterdir()) == before, "nothing was read or encoded"


def test_a_recipe_whose_sources_are_not_there_says_which(few: Path, tmp_path: Path) -> None:
    data = few / "examples.jsonl"
    data.write_text(data.read_text().replace('"asked"', '"row"'))
    code, said = run(
        "train", "embedder", few, "--recipe", "embedder-short", "--base", tmp_path, "--into", tmp_path / "out"
    )
    assert code == 2
    assert "holds no examples of asked, reference, pra-xref" in " ".join(said.split())


def test_plain_max_sim_is_measured_without_torch(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert figures(few)["plain MaxSim"]["questions"] == 6


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
    assert (into / "curve.svg").read_text().startswith("<svg")
    assert set(figures(few, "--head", into / "head.npz")) == {"plain MaxSim", "with the head"}


def test_a_head_with_a_teacher_names_it_and_keeps_what_it_read(few: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    into = tmp_path / "out"
    code, said = run("train", "reranker", few, "--teacher", "minilm-l6-int8", "--into", into, "--json")
    assert code == 0, said
    recipe = json.loads((into / "training.json").read_text())["recipe"]
    assert recipe["distil"] == 0.5
    assert (recipe["teacher"], recipe["teacher beside"]) == ("minilm-l6-int8", "late-interaction-codes")
    (kept,) = (few / "teacher").iterdir()
    assert len(kept.read_text().splitlines()) == 6
    assert kept.stem == recipe["teacher's weights"]


def test_scores_to_train_beside_are_known_by_the_hashes_of_their_models(tmp_path: Path) -> None:
    def told(digest: str, **more: object) -> str:
        head = {
            "role": "reranker",
            "adapter": "late-interaction",
            "summary": "a head",
            "licence": "MIT",
            "files": [{"path": "head.npz", "sha256": digest * 64, "size": 1}],
        }
        reader = head | {"adapter": "cross-encoder", "base": "mine", "files": []}
        (tmp_path / ADDED).write_text(json.dumps({"mine": head, "reader": reader}))
        return hashed(ModelSettings(folder=tmp_path, **{"reranker": "mine", **more}))  # type: ignore[arg-type]

    assert told("a") == told("a")
    assert told("a") != told("b"), "another head of the same name"
    assert told("a", reranker="reader") != told("b", reranker="reader"), "another head below it"
    assert told("a", reranker="") != told("a")
    assert told("a").startswith("minilm-l6-int8:")
