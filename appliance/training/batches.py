"""Examples to batches: which passages of a question are shown at which step.

Rules of this module: no torch. What a step sees follows from the recipe's seed and the step's number
alone, so that a training that goes on after a stop sees what it would have seen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from appliance.training.examples import Data, Example, Parts
from appliance.training.recipes import Recipe

HARDEST = 20  # wrong places, best first, that are drawn from
LONGEST = 3  # parts of a place that are drawn from, as the search met them first


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question with one right passage and as many wrong ones as the recipe asks for, as texts."""

    question: str
    right: str
    wrong: tuple[str, ...]


def batches(data: Data, recipe: Recipe, first: int = 0) -> Iterator[list[Drawn]]:
    """Yield the batches of the steps from `first` on, each example once in a round."""
    in_round = max(1, len(data.examples) // recipe.batch)
    for step in range(first, recipe.steps):
        turn, place = divmod(step, in_round)
        order = list(range(len(data.examples)))
        random.Random(f"{recipe.seed} {turn}").shuffle(order)  # noqa: S311 - no secret
        dice = random.Random(f"{recipe.seed} {step}")  # noqa: S311 - idem
        chosen = order[place * recipe.batch : (place + 1) * recipe.batch]
        yield [draw(data.examples[number], data, recipe.wrong, dice) for number in chosen]


def draw(example: Example, data: Data, wrong: int, dice: random.Random) -> Drawn:
    """Return one right passage of an example and some wrong ones, fewer where there are no more."""
    others = example.wrong[:HARDEST]
    met = dice.sample(others, min(wrong, len(others)))
    return Drawn(
        example.question,
        data.passages[_one_of(dice.choice(example.right), dice)],
        tuple(data.passages[_one_of(parts, dice)] for parts in met),
    )


def _one_of(parts: Parts, dice: random.Random) -> str:
    """Return a part of a place, the ones that the search met first more often."""
    return dice.choice(parts[: dice.randint(1, LONGEST)])
