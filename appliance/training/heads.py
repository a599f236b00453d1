"""A head over stored token vectors (models/late_interaction.py), learned from examples on one core."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from appliance import library_building
from appliance.core.errors import BadInput
from appliance.evaluation.questions import Progress
from appliance.models.late_interaction import LENGTH_COST, LEVELS, SHARP, WIDTH, Head, max_sim, unpack
from appliance.models.protocols import Embedder, Floats, Int8s
from appliance.store.read import Store
from appliance.training.examples import Data, Example, passage_id
from appliance.training.recipes import AUTO
from appliance.training.torch_training import Report, choose, descend, torch_here

PARTS_RIGHT, PARTS_WRONG, PLACES_RIGHT, HARDEST = 4, 2, 3, 20  # that a head is shown of an example
LINE_OVER = 200  # examples that the line is fitted on
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
        with Store(path) as store:
            if store.embedder != embedder.fingerprint:
                continue
            chunks = [row[0] for row in store.connections.rows("searched_in", documents=None, kinds=None)]
            stored = {chunk: passage_id(text) for chunk, text in store.texts(chunks).items()}
            wanted = [chunk for chunk, name in stored.items() if name in data.passages]
            passages |= {stored[chunk]: one.tokens.copy() for chunk, one in store.vectors(wanted).items()}
    missing = [name for name in data.passages if name not in passages]
    for first in range(0, len(missing), TOGETHER):
        names = missing[first : first + TOGETHER]
        texts = [data.passages[name] for name in names]
        made = library_building.load(folder, embedder.fingerprint, texts)
        if made is None:
            made = embedder.encode_passages(texts)
            library_building.save(folder, embedder.fingerprint, texts, made)
        passages |= {name: one.tokens for name, one in zip(names, made, strict=True)}
        progress(first + len(names), len(missing))
    asked = dict.fromkeys(one.question for one in data.examples)
    return Rows(passages, {question: embedder.encode_query(question).tokens for question in asked})


@dataclass(frozen=True, slots=True)
class HeadRecipe:
    """How a head is trained; `decay` draws it back to plain MaxSim, `turns` over all examples."""

    turns: int = 2
    batch: int = 16
    wrong: int = 12
    learning_rate: float = 1e-3
    warmup: int = 20
    decay: float = 0.0
    sharpness: float = 20.0  # scores are this much apart for the softmax, at first
    learned: tuple[str, ...] = ("turn", "gate", "curve", "length")  # the rest stays as in plain MaxSim
    seed: int = 1


def train_head(
    examples: Sequence[Example],
    rows: Rows,
    embedder: str,
    recipe: HeadRecipe,
    report: Report,
    *,
    device: str = AUTO,
) -> Head:
    """Return the head that the examples teach; the same examples and seed give the same head.

    Raises:
        ExtraMissing: torch is not installed. BadInput: the device that is asked for is not there, or no
            example has words on both sides.
    """
    torch = torch_here()
    torch.set_num_threads(1)
    if not (usable := usable_of(examples, rows)):
        raise BadInput(
            "Nothing can be learned: no example has words in its question, in a place that answers it and in "
            f"one that does not (examples given: {len(examples)})."
        )
    model = _Model(torch, rows, recipe, choose(torch, device))
    per_turn = max(1, len(usable) // recipe.batch)
    steps = recipe.turns * per_turn

    def rate(step: int) -> float:
        return recipe.learning_rate * min(1.0, step / recipe.warmup) * (1 - 0.9 * (step - 1) / steps)

    def losses() -> Iterator[Any]:
        dice = random.Random(recipe.seed)  # noqa: S311 - no secret
        for step in range(steps):
            place = step % per_turn
            if place == 0:
                dice.shuffle(usable)
            chosen = usable[place * recipe.batch : (place + 1) * recipe.batch]
            yield torch.stack([model.loss(one, dice) for one in chosen]).mean()

    descend(model.weights, losses(), steps, rate, report, decay=recipe.decay, smooth=0.95)
    return levelled(model.head(embedder), usable, rows)


def usable_of(examples: Iterable[Example], rows: Rows) -> list[Example]:
    """Return what can be learned from: examples with places on both sides after `filled`."""
    return [one for one in (filled(example, rows) for example in examples) if one.right and one.wrong]


def filled(example: Example, rows: Rows) -> Example:
    """Return the example without the parts and places that have no rows, nor any place without words."""
    if not len(rows.questions[example.question]):
        return replace(example, right=(), wrong=())
    right, wrong = (
        tuple(kept for parts in places if (kept := tuple(part for part in parts if len(rows.passages[part]))))
        for places in (example.right, example.wrong)
    )
    return replace(example, right=right, wrong=wrong)


def levelled(head: Head, examples: Sequence[Example], rows: Rows) -> Head:
    """Return the head with scale and shift such that its scores have mean and spread of plain MaxSim's."""

    def scores(one: Head | None) -> Floats:
        """Return the scores of the first parts of all places of the examples."""
        found = [np.zeros(0, dtype=np.float32)]
        for example in examples[:LINE_OVER]:
            passages = [rows.passages[parts[0]] for parts in (*example.right, *example.wrong)]
            found.append(max_sim(rows.questions[example.question], passages, one))
        return np.concatenate(found)

    plain, learned = scores(None), scores(head)
    if not len(plain):
        return head
    scale = float(plain.std() / max(float(learned.std()), 1e-6))
    return replace(head, scale=scale, shift=float(plain.mean() - scale * learned.mean()))


class _Model:
    """The head's weights in torch and the loss of one question."""

    def __init__(self, torch: Any, rows: Rows, recipe: HeadRecipe, device: str) -> None:
        width = next(iter(rows.questions.values())).shape[1]
        torch.manual_seed(recipe.seed)
        self._torch, self._rows, self._recipe, self._device = torch, rows, recipe, device
        self.turn = self._learned(torch.zeros(width, width))
        self.gate = self._learned(torch.zeros(width))
        self.curve = self._learned(torch.zeros(len(LEVELS)))
        self.length = self._learned(torch.tensor(LENGTH_COST))
        self.sharpness = self._learned(torch.tensor(math.log(recipe.sharpness)))
        self.weights = [*(getattr(self, name) for name in recipe.learned), self.sharpness]
        self._levels = torch.from_numpy(LEVELS).to(device)

    def _learned(self, begin: Any) -> Any:
        return self._torch.nn.Parameter(begin.to(self._device))

    def loss(self, example: Example, dice: random.Random) -> Any:
        """Return the softmax loss of each right place, as good as its best part, against some wrong ones."""
        torch = self._torch
        right = [parts[:PARTS_RIGHT] for parts in example.right[:PLACES_RIGHT]]
        hardest = [parts[:PARTS_WRONG] for parts in example.wrong[:HARDEST]]
        places = [*right, *dice.sample(hardest, min(self._recipe.wrong, len(hardest)))]
        packed = [self._rows.passages[part] for parts in places for part in parts]
        query = self._on_device(self._rows.questions[example.question].copy())
        parted = torch.split(self._scores(query, packed), [len(parts) for parts in places])
        scores = torch.stack([one.max() for one in parted]) * self.sharpness.exp()
        against = scores[None, len(right) :].expand(len(right), -1)
        lists = torch.cat([scores[: len(right), None], against], dim=1)
        return -torch.log_softmax(lists, dim=1)[:, 0].mean()

    def _scores(self, query: Any, packed: Sequence[Int8s]) -> Any:
        """Return the score of each passage, as `Head.joined` has it."""
        torch = self._torch
        rows = self._on_device(unpack(np.concatenate(packed)))
        counts = torch.tensor([len(one) for one in packed], device=self._device)
        numbers = torch.arange(len(packed), device=self._device)
        owner = torch.repeat_interleave(numbers, counts, output_size=len(rows))[:, None].expand(
            -1, len(query)
        )
        near = rows @ torch.nn.functional.normalize(query + query @ self.turn, dim=1).T
        best = torch.full((len(packed), len(query)), -1.0, device=self._device)
        best = best.scatter_reduce(0, owner, near, "amax")
        bumps = torch.exp(-((best[:, :, None] - self._levels) ** 2) / (2 * WIDTH**2))
        weights = torch.softmax(SHARP * (query @ self.gate), dim=0)
        return (best + bumps @ self.curve) @ weights - self.length * torch.log1p(counts.float())

    def _on_device(self, values: Any) -> Any:
        return self._torch.from_numpy(values).to(self._device)

    def head(self, embedder: str) -> Head:
        turn, gate, curve = (one.detach().cpu().numpy().copy() for one in (self.turn, self.gate, self.curve))
        return Head(turn, gate, curve, self.length.item(), 1.0, 0.0, embedder)
