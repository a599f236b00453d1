"""A training gives the same model again; skipped where torch is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.errors import BadInput
from appliance.training.examples import Data, Example
from appliance.training.recipes import Recipe
from appliance.training.torch_training import Encoder, Learned, open_model, pace, save_model, train

RECIPE = Recipe(6, 2, 2, 1e-2, 2, 1, 8, 16, 0.05, 0.5, seed=3)
WORDS = ("stairs", "drains", "glass", "smoke", "noise", "water")


def data() -> Data:
    passages = {word: f"The rule on {word} is this." for word in WORDS}
    wrong = {word: tuple((other,) for other in WORDS if other != word) for word in WORDS}
    return Data(
        tuple(Example(f"what of {word}", ((word,),), wrong[word], "asked", "A", "CC0") for word in WORDS),
        passages,
    )


def trained(base: Path) -> tuple[Encoder, list[Learned]]:
    model = open_model(base, RECIPE, 1)
    points: list[Learned] = []
    train(model, data(), RECIPE, points.append)
    return model, points


def test_the_same_seed_gives_the_same_model(base: Path) -> None:
    one, points = trained(base)
    assert [point.step for point in points] == [1, 2, 3, 4, 5, 6]
    theirs = trained(base)[0].module.state_dict()
    assert all(weights.equal(theirs[name]) for name, weights in one.module.state_dict().items())


def test_frozen_layers_stay_and_the_soup_lies_between(base: Path, tmp_path: Path) -> None:
    first = open_model(base, RECIPE, 1).module.state_dict()
    first = {name: weights.clone() for name, weights in first.items()}
    model, _ = trained(base)
    now = {name: weights.clone() for name, weights in model.module.state_dict().items()}
    still = [name for name in first if name.startswith(("embeddings", "encoder.layer.0"))]
    moved = "encoder.layer.1.attention.self.query.weight"
    assert all(now[name].equal(first[name]) for name in still)
    assert not now[moved].equal(first[moved])
    save_model(model, base, RECIPE, tmp_path / "model")
    mixed = open_model(tmp_path / "model", RECIPE, 1).module.state_dict()[moved]
    assert mixed.allclose((now[moved] + first[moved]) / 2, atol=1e-6)


def test_a_folder_without_an_encoder_is_refused(base: Path, tmp_path: Path) -> None:
    assert base.is_dir()
    with pytest.raises(BadInput, match="no encoder"):
        open_model(tmp_path, RECIPE, 1)


@pytest.mark.parametrize(("step", "share"), [(1, 0.5), (2, 1.0), (4, 0.5), (6, 0.0), (9, 0.0)])
def test_the_pace_rises_and_falls(step: int, share: float) -> None:
    assert pace(step, RECIPE) == pytest.approx(share)
