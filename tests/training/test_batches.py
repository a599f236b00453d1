"""What each step sees, and that a training that goes on sees what it would have seen."""

from __future__ import annotations

from itertools import islice

import pytest

from appliance.core.errors import BadInput
from appliance.training.examples import Data, Example
from appliance.training.recipes import Recipe, load_recipe
from appliance.training.torch_training import batches

RECIPE = Recipe(12, 2, 3, 1e-4, 2, 0, 8, 8, 0.05, 1.0, seed=7)
PASSAGES = {f"{side}{number}": f"{side} {number}" for side in ("r", "w") for number in range(30)}


def data(count: int, wrong: int = 6) -> Data:
    others = tuple((f"w{number}", f"w{number + 10}") for number in range(wrong))
    return Data(
        tuple(Example(f"q{n}", ((f"r{n}",),), others, "asked", "A", "CC0") for n in range(count)), PASSAGES
    )


def test_a_training_sees_the_same_again() -> None:
    whole = list(batches(data(7), RECIPE))
    assert len(whole) == RECIPE.steps
    assert list(batches(data(7), RECIPE)) == whole


def test_each_example_comes_once_in_a_round() -> None:
    questions = [one.question for batch in islice(batches(data(6), RECIPE), 3) for one in batch]
    assert sorted(questions) == [f"q{number}" for number in range(6)]


@pytest.mark.parametrize(("there", "drawn"), [(6, 3), (3, 3), (2, 2), (0, 0)])
def test_right_and_wrong_are_what_they_are(there: int, drawn: int) -> None:
    for batch in batches(data(4, there), RECIPE):
        for one in batch:
            assert one.right == f"r {one.question[1:]}"
            assert len(one.wrong) == len(set(one.wrong)) == drawn
            assert all(text.startswith("w") for text in one.wrong)


def test_fewer_examples_than_a_batch_are_still_a_batch() -> None:
    assert [len(batch) for batch in batches(data(1), RECIPE)] == [1] * RECIPE.steps


def test_the_recipe_that_ships_is_whole() -> None:
    recipe = load_recipe("embedder")
    assert recipe.warmup < recipe.steps
    assert 0 < recipe.soup <= 1


def test_an_unknown_recipe_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadInput, match="there are embedder"):
        load_recipe("miracle")
