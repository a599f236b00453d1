"""What the fit of the order and of the decision learns from, without the libraries that fit trees."""

from __future__ import annotations

import pytest

from appliance.answer import headline
from appliance.answer.compose import FOUND
from appliance.answer.reading.order import ALL_NAMES, COMPARED
from appliance.core.files import shipped
from appliance.retrieval.rank.model import chance_of
from appliance.training.answer_fitting import BETTER, LIKELIER, UNLIKELIER, WORSE, direction, fit_chance


def test_every_feature_held_to_one_direction_is_measured() -> None:
    assert {*BETTER, *WORSE} <= set(ALL_NAMES)
    assert not set(BETTER) & set(WORSE)
    assert {*LIKELIER, *UNLIKELIER} <= set(headline.NAMES)
    assert {direction(f"{name}_gap") for name in COMPARED} == {1}
    assert {direction(f"{name}_order") for name in COMPARED} == {-1}
    assert direction("late") == 1
    assert direction("rank") == -1
    assert direction("form_row") == 0


def test_the_weights_that_ship_are_of_the_signals_that_are_measured() -> None:
    model = shipped("answer/decision")
    assert set(model["found"]["weights"]) == set(FOUND)


def test_a_chance_is_learned_from_the_signals_named_alone() -> None:
    signals = [{"late": at / 10, "noise": float(at % 3)} for at in range(100)]
    weights = fit_chance(("late",), signals, [at >= 50 for at in range(100)])
    intercept = weights.pop("intercept")
    assert set(weights) == {"late"}
    assert chance_of(intercept, weights, {"late": 5.0}) == pytest.approx(0.5, abs=0.1)
    assert chance_of(intercept, weights, {"late": 9.0}) > 0.8
    assert chance_of(intercept, weights, {"late": 1.0}) < 0.2
