"""Examples to batches and to the vectors that a head is trained on."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from appliance import building
from appliance.models.protocols import Embedder, Floats, Int8s
from appliance.store.read import open_library
from appliance.training.examples import Data, Example, Parts, passage_id
from appliance.training.recipes import Recipe
from appliance.training.sources import Progress

HARDEST = 20  # wrong places, best first, that are drawn from
LONGEST = 3  # parts of a place that are drawn from, as the search met them first


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question with one right passage and as many wrong ones as the recipe asks for, as texts."""

    question: str
    right: str
    wrong: tuple[str, ...]


def batches(data: Data, recipe: Recipe) -> Iterator[list[Drawn]]:
    """Yield the batches of all steps, each example once in a round."""
    in_round = max(1, len(data.examples) // recipe.batch)
    for step in range(recipe.steps):
        turn, place = divmod(step, in_round)
        order = list(range(len(data.examples)))
        random.Random(f"{recipe.seed} {turn}").shuffle(order)  # noqa: S311 - no secret
        dice = random.Random(f"{recipe.seed} {step}")  # noqa: S311 - idem
        chosen = order[place * recipe.batch : (place + 1) * recipe.batch]
        yield [draw(data.examples[number], data, recipe.wrong, dice) for number in chosen]


def draw(example: Example, data: Data, wrong: int, dice: random.Random) -> Drawn:
    """Return one right passage of an example and some wrong ones, fewer where there are no more."""
    others = example.wrong[:HARDEST]
    places = [dice.choice(example.right), *dice.sample(others, min(wrong, len(others)))]
    right, *rest = (data.passages[_one_of(parts, dice)] for parts in places)
    return Drawn(example.question, right, tuple(rest))


def _one_of(parts: Parts, dice: random.Random) -> str:
    """Return a part of a place, the ones that the search met first more often."""
    return dice.choice(parts[: dice.randint(1, LONGEST)])


TOGETHER = 256  # passages embedded and kept at a time


@dataclass(frozen=True, slots=True)
class Rows:
    """Token vectors: packed rows of each passage by id, float rows of each question."""

    passages: dict[str, Int8s]
    questions: dict[str, Floats]


def rows_of(
    data: Data, embedder: Embedder, libraries: Iterable[Path], folder: Path, progress: Progress
) -> Rows:
    """Return the token vectors of all examples; libraries by another embedder are passed over."""
    passages: dict[str, Int8s] = {}
    for path in libraries:
        passages |= _stored(path, embedder, data)
    missing = [name for name in data.passages if name not in passages]
    for first in range(0, len(missing), TOGETHER):
        names = missing[first : first + TOGETHER]
        texts = [data.passages[name] for name in names]
        made = building.load(folder, embedder.fingerprint, texts)
        if made is None:
            made = embedder.encode_passages(texts)
            building.save(folder, embedder.fingerprint, texts, made)
        passages |= {name: one.tokens for name, one in zip(names, made, strict=True)}
        progress(first + len(names), len(missing))
    asked = dict.fromkeys(one.question for one in data.examples)
    return Rows(passages, {question: embedder.encode_query(question).tokens for question in asked})


def _stored(path: Path, embedder: Embedder, data: Data) -> dict[str, Int8s]:
    """Return the rows of those passages of the data that a library holds, as they are stored."""
    with open_library(path) as store:
        if store.embedder != embedder.fingerprint:
            return {}
        chunks = [row[0] for row in store.connections.rows("searched_in", documents=None, kinds=None)]
        names = {chunk: passage_id(text) for chunk, text in store.texts(chunks).items()}
        wanted = [chunk for chunk, name in names.items() if name in data.passages]
        return {names[chunk]: one.tokens.copy() for chunk, one in store.vectors(wanted).items()}
