"""Examples to batches: which passages of a question are shown at which step.

Rules of this module: no torch. What a step sees follows from the recipe's seed and the step's number
alone, so that a training that goes on after a stop sees what it would have seen. Where a `Prior` is
given (what another reranker says), a place is shown by the part that it likes best, as in the search.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from appliance.training.examples import Data, Example, Parts
from appliance.training.recipes import Recipe

HARDEST = 20  # wrong places, best first, that are drawn from
LONGEST = 3  # parts of a place that are drawn from, as the search met them first
Prior = Callable[[str, Parts], Sequence[float]]  # of a question and passages by id


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question with one right passage and as many wrong ones as the recipe asks for, as texts.

    `prior` is what another reranker says of them, the right one first; () where none was asked.
    """

    question: str
    right: str
    wrong: tuple[str, ...]
    prior: tuple[float, ...] = ()


def batches(data: Data, recipe: Recipe, first: int = 0, prior: Prior | None = None) -> Iterator[list[Drawn]]:
    """Yield the batches of the steps from `first` on, each example once in a round."""
    in_round = max(1, len(data.examples) // recipe.batch)
    for step in range(first, recipe.steps):
        turn, place = divmod(step, in_round)
        order = list(range(len(data.examples)))
        random.Random(f"{recipe.seed} {turn}").shuffle(order)  # noqa: S311 - no secret
        dice = random.Random(f"{recipe.seed} {step}")  # noqa: S311 - idem
        chosen = order[place * recipe.batch : (place + 1) * recipe.batch]
        yield [draw(data.examples[number], data, recipe.wrong, dice, prior) for number in chosen]


def draw(example: Example, data: Data, wrong: int, dice: random.Random, prior: Prior | None = None) -> Drawn:
    """Return one right passage of an example and some wrong ones, fewer where there are no more."""
    others = example.wrong[:HARDEST]
    places = [dice.choice(example.right), *dice.sample(others, min(wrong, len(others)))]
    if prior is None:
        right, *rest = (data.passages[_one_of(parts, dice)] for parts in places)
        return Drawn(example.question, right, tuple(rest))
    found = [_best_of(prior(example.question, parts), parts) for parts in places]
    right, *rest = (data.passages[name] for _, name in found)
    return Drawn(example.question, right, tuple(rest), tuple(score for score, _ in found))


def _best_of(scores: Sequence[float], parts: Parts) -> tuple[float, str]:
    """Return the part of a place that scores best with its score, the first of equals."""
    best = max(range(len(parts)), key=lambda number: scores[number])
    return float(scores[best]), parts[best]


def _one_of(parts: Parts, dice: random.Random) -> str:
    """Return a part of a place, the ones that the search met first more often."""
    return dice.choice(parts[: dice.randint(1, LONGEST)])
