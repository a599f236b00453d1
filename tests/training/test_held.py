"""The record of an encoder has its figures on what was held out; skipped where torch is not installed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from appliance.cli import main
from appliance.training import running
from appliance.training.examples import Example, Writer, read
from appliance.training.recipes import Recipe
from appliance.training.running import figures
from appliance.training.torch_training import open_model

RECIPE = Recipe(2, 2, 1, 1e-3, 1, 1, 16, 32, 0.05, 1.0, seed=3)


def ignored(_done: int, _total: int) -> None:
    """Take what is told of the progress."""


@pytest.fixture
def few(tmp_path: Path) -> Path:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    pytest.importorskip("transformers", reason="the extra `train` is not installed")
    writer = Writer(tmp_path / "data")
    for number in range(6):
        document = "A" if number % 2 else "B"
        right = (writer.passage(f"Stairs of kind {number} rise 220 mm at most.", document),)
        wrong = (writer.passage(f"Drains of kind {number} fall 1 in 40.", document),)
        writer.add(
            Example(f"how high is a step of kind {number}", (right,), (wrong,), "asked", document, "CC0")
        )
    return tmp_path / "data"


def test_a_trained_encoder_is_measured_on_what_was_held_out(
    few: Path, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "load_recipe", lambda _: RECIPE)
    words = [
        "train",
        "embedder",
        few,
        "--base",
        base,
        "--held-out",
        "A",
        "--into",
        tmp_path / "out",
        "--json",
    ]
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    record = json.loads((tmp_path / "out" / "training.json").read_text())
    named = {
        name.removeprefix("held out, ").removesuffix(", trained").removesuffix(", as begun")
        for name in record["figures"]
    }
    assert sorted(named) == ["MaxSim", "pooled"]
    assert {one["questions"] for one in record["figures"].values()} == {3}
    assert record["base"].startswith("base (sha256 ")
    assert json.loads((tmp_path / "out" / "model" / "training.json").read_text()) == record


def test_the_way_that_is_better_has_the_better_figure(few: Path, base: Path) -> None:
    data = read(few)
    model = open_model(base, RECIPE, 1, "cpu")
    told: list[tuple[int, int]] = []
    found = figures(model, data, RECIPE, lambda done, total: told.append((done, total)))
    assert told[-1] == (12, 12), "each passage once"
    turned = replace(
        data, examples=tuple(replace(one, right=one.wrong, wrong=one.right) for one in data.examples)
    )
    worse = figures(model, turned, RECIPE, ignored)
    for way in ("pooled", "MaxSim"):  # of two places one stands first: 1 and 1/2 in turn
        assert found[way]["mrr"] + worse[way]["mrr"] == pytest.approx(1.5)
    assert figures(model, data.of(["nothing"]), RECIPE, ignored) == {}
    assert model.module.training, "goes on training"


def test_a_passage_is_encoded_once_whoever_lists_it(few: Path, base: Path) -> None:
    data = read(few)
    everything = tuple(data.examples[0].wrong[0] + data.examples[number].wrong[0] for number in range(1, 6))
    shared = replace(data, examples=tuple(replace(one, wrong=everything) for one in data.examples))
    model = open_model(base, RECIPE, 1, "cpu")
    read_texts: list[str] = []
    vectors = model.vectors

    def noted(texts: Sequence[str], limit: int) -> Any:
        read_texts.extend(texts)
        return vectors(texts, limit)

    model.vectors = noted  # type: ignore[method-assign]
    figures(model, shared, RECIPE, ignored)
    passages = [text for text in read_texts if not text.startswith("how high")]
    assert sorted(passages) == sorted(data.passages.values())


def test_figures_that_a_training_did_not_move_stand_once() -> None:
    before = {"a": {"mrr": 0.5}, "b": {"mrr": 0.5}}
    after = {"a": {"mrr": 0.5}, "b": {"mrr": 0.75}}
    assert running._beside(before, after) == {
        "held out, a": {"mrr": 0.5},
        "held out, b, as begun": {"mrr": 0.5},
        "held out, b, trained": {"mrr": 0.75},
    }
