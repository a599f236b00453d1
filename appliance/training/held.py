"""What a trained encoder is worth on the documents that were held out, beside what it began from.

Rules of this module: torch without gradients, in single precision, over the fixed lists of the examples. An
embedder orders by the cosine of pooled vectors and by MaxSim less the cost of length, all dimensions, a place
as good as its best part; a reader of pairs reads one part of each place, the one that the scores which it
stands beside like best, or the first. What is measured is the weights as they are at that time: before the
first step, and as they are written, mixed with the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from appliance.models.late import LENGTH_COST
from appliance.models.protocols import Floats
from appliance.training.batches import Prior
from appliance.training.examples import Data, Example, Parts
from appliance.training.measure import mean_worth, ranks_by
from appliance.training.recipes import Recipe
from appliance.training.torch_models import Encoder, Pairs, Trained, max_sim

TOGETHER = 16  # texts that run at once
Figures = dict[str, dict[str, Any]]


def figures(model: Trained, held: Data, recipe: Recipe, prior: Prior | None = None) -> Figures:
    """Return what a model is worth on examples by each way that it can order; nothing without examples."""
    import torch  # noqa: PLC0415 - the extra `train`

    usable = [one for one in held.examples if one.right and one.wrong]
    if not usable:
        return {}
    model.module.eval()
    with torch.no_grad():
        if isinstance(model, Encoder):
            found = [_by_vectors(model, one, held, recipe) for one in usable]
        elif isinstance(model, Pairs):
            found = [_by_reading(model, one, held, recipe, prior) for one in usable]
    model.module.train()
    return {
        way: asdict(
            mean_worth(
                [ranks_by(one[way], len(example.right)) for example, one in zip(usable, found, strict=True)]
            )
        )
        for way in found[0]
    }


def _by_vectors(model: Encoder, example: Example, held: Data, recipe: Recipe) -> dict[str, Floats]:
    """Return the scores of the places of a question by pooled vectors and by MaxSim."""
    places = (*example.right, *example.wrong)
    parts = [held.passages[part] for parts in places for part in parts]
    asked = model.vectors([example.question], recipe.question_tokens)
    ways: dict[str, list[float]] = {"pooled": [], "MaxSim": []}
    for first in range(0, len(parts), TOGETHER):
        read = model.vectors(parts[first : first + TOGETHER], recipe.passage_tokens)
        ways["pooled"] += (asked[0] @ read[0].T)[0].tolist()
        lengths = read[2].sum(1).float().log1p()
        ways["MaxSim"] += (max_sim(asked[1:], read[1:])[0] - LENGTH_COST * lengths).tolist()
    return {way: _best(scores, places) for way, scores in ways.items()}


def _by_reading(
    model: Pairs, example: Example, held: Data, recipe: Recipe, prior: Prior | None
) -> dict[str, Floats]:
    """Return the scores of the places of a question when they are read, alone and beside the prior."""
    places = (*example.right, *example.wrong)
    before = [prior(example.question, parts) if prior else [0.0] for parts in places]
    shown = [int(np.argmax(scores)) for scores in before]
    texts = [held.passages[parts[best]] for parts, best in zip(places, shown, strict=True)]
    alone = np.array(model.scores([(example.question, text) for text in texts]).tolist(), np.float32)
    if prior is None:
        return {"read": alone}
    base = np.array([max(scores) for scores in before], np.float32)
    return {
        "what it stands beside": base,
        "read, alone": alone,
        "read, beside that": alone / recipe.temperature + recipe.beside * base,
    }


def _best(scores: Sequence[float], places: Sequence[Parts]) -> Floats:
    """Return the score of each place from those of all parts in a row."""
    ends = np.cumsum([len(parts) for parts in places])[:-1]
    return np.array([one.max() for one in np.split(np.array(scores, np.float32), ends)])
