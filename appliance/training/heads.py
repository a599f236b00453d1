"""A head over stored token vectors (models/late_interaction.py), learned from examples on one core."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from appliance.core.errors import BadInput
from appliance.models.late_interaction import LENGTH_COST, LEVELS, SHARP, WIDTH, Head, max_sim, unpack
from appliance.models.protocols import Floats, Int8s
from appliance.training.batches import Rows
from appliance.training.examples import Example, Parts
from appliance.training.recipes import AUTO
from appliance.training.torch_models import choose, torch_here

PARTS_RIGHT, PARTS_WRONG, PLACES_RIGHT, HARDEST = 4, 2, 3, 20
LINE_OVER = 200  # examples that the line is fitted on
Report = Callable[["Learned"], None]


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


@dataclass(frozen=True, slots=True)
class Learned:
    """One point of the curve."""

    step: int
    steps: int
    loss: float


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
        message = (
            "Nothing can be learned: no example has words in its question, in a place that answers it and in "
            f"one that does not (examples given: {len(examples)})."
        )
        raise BadInput(message)
    model = _Model(torch, rows, recipe, choose(torch, device))
    optimizer = torch.optim.AdamW(model.weights, lr=recipe.learning_rate, weight_decay=recipe.decay)
    per_turn = max(1, len(usable) // recipe.batch)
    steps, smooth = recipe.turns * per_turn, 0.0
    dice = random.Random(recipe.seed)  # noqa: S311 - no secret
    for step in range(steps):
        place = step % per_turn
        if place == 0:
            dice.shuffle(usable)
        chosen = usable[place * recipe.batch : (place + 1) * recipe.batch]
        loss = torch.stack([model.loss(one, dice) for one in chosen]).mean()
        for group in optimizer.param_groups:
            group["lr"] = (
                recipe.learning_rate * min(1.0, (step + 1) / recipe.warmup) * (1 - 0.9 * step / steps)
            )
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.weights, 1.0)
        optimizer.step()
        smooth = 0.95 * smooth + 0.05 * loss.item() if smooth else loss.item()
        if (step + 1) % max(1, steps // 50) == 0:
            report(Learned(step + 1, steps, round(smooth, 4)))
    return levelled(model.head(embedder), usable, rows)


def usable_of(examples: Iterable[Example], rows: Rows) -> list[Example]:
    """Return what can be learned from: examples with places on both sides after `filled`."""
    return [one for one in (filled(example, rows) for example in examples) if one.right and one.wrong]


def listed(example: Example) -> list[Parts]:
    """Return the places of an example that a head may be shown, the right ones first."""
    right = [parts[:PARTS_RIGHT] for parts in example.right[:PLACES_RIGHT]]
    return [*right, *(parts[:PARTS_WRONG] for parts in example.wrong[:HARDEST])]


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
    plain, learned = (_all_scores(examples[:LINE_OVER], rows, one) for one in (None, head))
    if not len(plain):
        return head
    scale = float(plain.std() / max(float(learned.std()), 1e-6))
    shift = float(plain.mean() - scale * learned.mean())
    return replace(head, scale=scale, shift=shift)


def _all_scores(examples: Sequence[Example], rows: Rows, head: Head | None) -> Floats:
    """Return the scores of the first parts of all places of the examples."""
    found = [np.zeros(0, dtype=np.float32)]
    for one in examples:
        passages = [rows.passages[parts[0]] for parts in (*one.right, *one.wrong)]
        found.append(max_sim(rows.questions[one.question], passages, head))
    return np.concatenate(found)


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
        """Return the softmax loss of each right place against some wrong ones."""
        torch = self._torch
        places = listed(example)
        count = min(PLACES_RIGHT, len(example.right))
        right, hardest = places[:count], places[count:]
        wrong = dice.sample(hardest, min(self._recipe.wrong, len(hardest)))
        scores = self._places(example.question, [*right, *wrong]) * self.sharpness.exp()
        against = scores[None, len(right) :].expand(len(right), -1)
        lists = torch.cat([scores[: len(right), None], against], dim=1)
        return -torch.log_softmax(lists, dim=1)[:, 0].mean()

    def _places(self, question: str, places: Sequence[Sequence[str]]) -> Any:
        """Return a score for each place: that of its best part."""
        packed = [self._rows.passages[part] for parts in places for part in parts]
        scores = self._scores(self._on_device(self._rows.questions[question].copy()), packed)
        parted = self._torch.split(scores, [len(parts) for parts in places])
        return self._torch.stack([one.max() for one in parted])

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
        """Return what was learned."""
        turn, gate, curve = (one.detach().cpu().numpy().copy() for one in (self.turn, self.gate, self.curve))
        return Head(turn, gate, curve, self.length.item(), 1.0, 0.0, embedder)
