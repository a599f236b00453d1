"""What a trained model is worth on examples and documents that were held out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from appliance.models.late_interaction import LENGTH_COST, Head, max_sim
from appliance.models.protocols import Floats
from appliance.training.examples import Data, Example
from appliance.training.heads import Rows, usable_of
from appliance.training.recipes import Recipe
from appliance.training.sources import Progress
from appliance.training.torch_models import Encoder
from appliance.training.torch_models import max_sim as held_max_sim

FIRST = 10


@dataclass(frozen=True, slots=True)
class Worth:
    """Means over the questions; complete@k is the share with every right candidate among the first k."""

    questions: int
    mrr: float
    map_10: float
    recall_5: float
    recall_10: float
    complete_5: float
    complete_10: float


def worth(examples: Iterable[Example], rows: Rows, head: Head | None) -> Worth:
    """Return what plain MaxSim, or a head, is worth on these examples."""
    return mean_worth([ranks_of(one, rows, head) for one in usable_of(examples, rows)])


def mean_worth(ranks: Sequence[Sequence[int]]) -> Worth:
    """Return the means over questions whose right places stand at these ranks, from 1 and ascending."""
    figures = [_figures(one) for one in ranks]
    means = np.mean(figures, axis=0) if figures else np.zeros(6)
    return Worth(len(figures), *(round(float(mean), 4) for mean in means))


def ranks_of(example: Example, rows: Rows, head: Head | None) -> list[int]:
    """Return the ranks, from 1 and ascending, of the right places; of equal scores the first stands first."""
    places = (*example.right, *example.wrong)
    parts = [rows.passages[part] for place in places for part in place]
    each = np.split(
        max_sim(rows.questions[example.question], parts, head),
        np.cumsum([len(place) for place in places])[:-1],
    )
    return ranks_by(np.array([one.max() for one in each]), len(example.right))


def ranks_by(scores: Floats, right: int) -> list[int]:
    """Return the ranks of the first `right` places by their scores, from 1 and ascending."""
    order = np.argsort(-scores, kind="stable").tolist()
    return sorted(order.index(place) + 1 for place in range(right))


def _figures(ranks: Sequence[int]) -> tuple[float, ...]:
    within = [rank for rank in ranks if rank <= FIRST]
    precision = sum(number / rank for number, rank in enumerate(within, 1)) / min(len(ranks), FIRST)
    recall = [sum(rank <= cut for rank in ranks) / len(ranks) for cut in (5, FIRST)]
    return (1 / ranks[0], precision, *recall, float(ranks[-1] <= 5), float(ranks[-1] <= FIRST))


TOGETHER = 16  # texts that run at once
Figures = dict[str, dict[str, Any]]


def figures(model: Encoder, held: Data, recipe: Recipe, progress: Progress) -> Figures:
    """Return what a model is worth on examples by pooled vectors and by MaxSim; nothing without examples."""
    import torch  # noqa: PLC0415 - the extra `train`

    usable = [one for one in held.examples if one.right and one.wrong]
    if not usable:
        return {}
    model.module.eval()
    with torch.no_grad():
        found = _scores(model, usable, held, recipe, progress)
    model.module.train()
    return {
        way: asdict(
            mean_worth(
                [ranks_by(_best(one, number, scores), len(one.right)) for number, one in enumerate(usable)]
            )
        )
        for way, scores in found.items()
    }


def _scores(
    model: Encoder, examples: Sequence[Example], held: Data, recipe: Recipe, progress: Progress
) -> dict[str, dict[tuple[int, str], float]]:
    """Return by way of ordering the score of each passage for each question, by number, that lists it.

    A passage is encoded once, beside those of like length, and met by all questions that list it; what is
    kept of it is its scores alone.
    """
    asked = [model.vectors([one.question], recipe.question_tokens) for one in examples]
    listing: dict[str, list[int]] = {}
    for number, one in enumerate(examples):
        for part in {part for parts in (*one.right, *one.wrong) for part in parts}:
            listing.setdefault(part, []).append(number)
    order = sorted(listing, key=lambda part: (len(held.passages[part]), part))
    met: dict[str, dict[tuple[int, str], float]] = {"pooled": {}, "MaxSim": {}}
    for first in range(0, len(order), TOGETHER):
        chosen = order[first : first + TOGETHER]
        read = model.vectors([held.passages[part] for part in chosen], recipe.passage_tokens)
        lengths = read[2].sum(1).float().log1p()
        for number in sorted({number for part in chosen for number in listing[part]}):
            pooled = (asked[number][0] @ read[0].T)[0].tolist()
            late = (held_max_sim(asked[number][1:], read[1:])[0] - LENGTH_COST * lengths).tolist()
            met["pooled"] |= {(number, part): one for part, one in zip(chosen, pooled, strict=True)}
            met["MaxSim"] |= {(number, part): one for part, one in zip(chosen, late, strict=True)}
        progress(min(first + TOGETHER, len(order)), len(order))
    return met


def _best(example: Example, number: int, scores: Mapping[tuple[int, str], float]) -> Floats:
    """Return the score of each place of a question: that of its best part."""
    places = (*example.right, *example.wrong)
    return np.array([max(scores[number, part] for part in parts) for parts in places], np.float32)
