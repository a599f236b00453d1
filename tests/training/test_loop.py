"""A training that is stopped goes on as if it had not been; skipped where torch is not installed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from appliance.core.errors import BadInput
from appliance.models.catalogue import shipped_folder
from appliance.training.examples import Data, Example
from appliance.training.loop import CHECKPOINT, CURVE, Origin, Point, pace, train
from appliance.training.recipes import Recipe
from appliance.training.torch_models import open_model, save_model

RECIPE = Recipe("embedder", 6, 2, 2, 1e-2, 2, 1, 8, 16, 0.05, 0.5, seed=3)
WORDS = ("stairs", "drains", "glass", "smoke", "noise", "water")


def data() -> Data:
    passages = {word: f"The rule on {word} is this." for word in WORDS}
    wrong = {word: tuple((other,) for other in WORDS if other != word) for word in WORDS}
    return Data(
        tuple(Example(f"what of {word}", ((word,),), wrong[word], "asked", "A", "CC0") for word in WORDS),
        passages,
    )


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch", reason="the extra `train` is not installed")
    transformers = pytest.importorskip("transformers", reason="the extra `train` is not installed")
    folder = tmp_path_factory.mktemp("base")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(shipped_folder() / "minilm-l6-int8" / "tokenizer.json"),
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
        unk_token="[UNK]",
    )
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    transformers.BertModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def trained(
    base: Path, recipe: Recipe, folder: Path, stop: int | None = None, origin: Origin | None = None
) -> tuple[Any, list[Point]]:
    """Train, stopping after so many steps as a power cut would."""
    model = open_model(base, recipe, 1)
    points: list[Point] = []

    def note(point: Point) -> None:
        points.append(point)
        if point.step == stop:
            raise KeyboardInterrupt

    try:
        train(model, data(), recipe, folder, note, origin=origin, every_s=0.0)
    except KeyboardInterrupt:
        assert stop is not None
    return model, points


@pytest.mark.parametrize("kind", ["embedder", "reranker"])
def test_a_stopped_training_goes_on_as_if_it_had_not_been(kind: Any, base: Path, tmp_path: Path) -> None:
    recipe = replace(RECIPE, kind=kind)
    whole, _ = trained(base, recipe, tmp_path / "whole")
    trained(base, recipe, tmp_path / "parts", stop=3)
    rest, points = trained(base, recipe, tmp_path / "parts")
    assert [point.step for point in points] == [4, 5, 6]
    assert len((tmp_path / "parts" / CURVE).read_bytes().splitlines()) == 6
    theirs = rest.module.state_dict()
    same = [name for name, weights in whole.module.state_dict().items() if weights.equal(theirs[name])]
    grown = [name for name in theirs if "classifier" in name]  # begins at random, by the seed
    assert set(same) | set(grown) >= set(theirs)


def test_frozen_layers_stay_and_the_soup_lies_between(base: Path, tmp_path: Path) -> None:
    first = open_model(base, RECIPE, 1).module.state_dict()
    first = {name: weights.clone() for name, weights in first.items()}
    model, _ = trained(base, RECIPE, tmp_path / "out")
    now = {name: weights.clone() for name, weights in model.module.state_dict().items()}
    still = [name for name in first if name.startswith(("embeddings", "encoder.layer.0"))]
    moved = "encoder.layer.1.attention.self.query.weight"
    assert all(now[name].equal(first[name]) for name in still)
    assert not now[moved].equal(first[moved])
    save_model(model, base, RECIPE, tmp_path / "model")
    mixed = open_model(tmp_path / "model", RECIPE, 1).module.state_dict()[moved]
    assert mixed.allclose((now[moved] + first[moved]) / 2, atol=1e-6)


ORIGIN = Origin("data", "base", ("B", "A"))


@pytest.mark.parametrize(
    ("recipe", "origin", "differing"),
    [
        (replace(RECIPE, seed=4), ORIGIN, "seed"),
        (replace(RECIPE, steps=7), ORIGIN, "recipe"),
        (RECIPE, replace(ORIGIN, data="other"), "data"),
        (RECIPE, replace(ORIGIN, base="other"), "base"),
        (RECIPE, replace(ORIGIN, held_out=("A",)), "documents held out"),
        (replace(RECIPE, seed=4), replace(ORIGIN, data="other", base="other"), "seed, data, base"),
    ],
)
def test_a_checkpoint_of_another_training_is_refused_with_what_differs(
    recipe: Recipe, origin: Origin, differing: str, base: Path, tmp_path: Path
) -> None:
    trained(base, RECIPE, tmp_path, stop=1, origin=ORIGIN)
    kept = (tmp_path / CHECKPOINT).read_bytes()
    with pytest.raises(BadInput, match=f"under another: {differing}\\. .*--into"):
        trained(base, recipe, tmp_path, origin=origin)
    assert (tmp_path / CHECKPOINT).read_bytes() == kept
    same = replace(ORIGIN, held_out=("A", "B"))  # their order says nothing
    assert trained(base, RECIPE, tmp_path, origin=same)[1][-1].step == RECIPE.steps


def test_what_is_no_checkpoint_is_refused(base: Path, tmp_path: Path) -> None:
    (tmp_path / CHECKPOINT).write_bytes(b"nothing")
    with pytest.raises(BadInput, match="no checkpoint"):
        trained(base, RECIPE, tmp_path)


def test_a_folder_without_an_encoder_is_refused(base: Path, tmp_path: Path) -> None:
    assert base.is_dir()
    with pytest.raises(BadInput, match="no encoder"):
        open_model(tmp_path, RECIPE, 1)


@pytest.mark.parametrize(("step", "share"), [(1, 0.5), (2, 1.0), (4, 0.5), (6, 0.0), (9, 0.0)])
def test_the_pace_rises_and_falls(step: int, share: float) -> None:
    assert pace(step, RECIPE) == pytest.approx(share)
