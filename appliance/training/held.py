"""What a trained encoder is worth on the documents that were held out, beside what it began from.

Rules of this module: torch without gradients, in single precision, over the fixed lists of the examples. An
embedder orders by the cosine of pooled vectors and by MaxSim less the cost of length, all dimensions, a place
as good as its best part; a reader of pairs reads one part of each place, the one that the scores which it
stands beside like best, or the first. What is measured is the weights as they are at that time: before the
first step, and as they are written, mixed with the base.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from appliance.models.late import LENGTH_COST
from appliance.models.protocols import Floats
from appliance.training.asked import Progress
from appliance.training.batches import Prior
from appliance.training.examples import Data, Example
from appliance.training.measure import mean_worth, ranks_by
from appliance.training.recipes import Recipe
from appliance.training.torch_models import Encoder, Pairs, Trained, max_sim

TOGETHER = 16  # texts that run at once
Figures = dict[str, dict[str, Any]]


def figures(
    model: Trained, held: Data, recipe: Recipe, progress: Progress, prior: Prior | None = None
) -> Figures:
    """Return what a model is worth on examples by each way that it can order; nothing without examples."""
    import torch  # noqa: PLC0415 - the extra `train`

    usable = [one for one in held.examples if one.right and one.wrong]
    if not usable:
        return {}
    found: list[dict[str, Floats]] = []
    model.module.eval()
    with torch.no_grad():
        if isinstance(model, Encoder):
            found = _by_vectors(model, usable, held, recipe, progress)
        elif isinstance(model, Pairs):
            for number, one in enumerate(usable, 1):
                found.append(_by_reading(model, one, held, recipe, prior))
                progress(number, len(usable))
    model.module.train()
    return {
        way: asdict(
            mean_worth(
                [ranks_by(one[way], len(example.right)) for example, one in zip(usable, found, strict=True)]
            )
        )
        for way in found[0]
    }


def _by_vectors(
    model: Encoder, examples: Sequence[Example], held: Data, recipe: Recipe, progress: Progress
) -> list[dict[str, Floats]]:
    """Return the scores of the places of each question by pooled vectors and by MaxSim.

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
            late = (max_sim(asked[number][1:], read[1:])[0] - LENGTH_COST * lengths).tolist()
            met["pooled"] |= {(number, part): one for part, one in zip(chosen, pooled, strict=True)}
            met["MaxSim"] |= {(number, part): one for part, one in zip(chosen, late, strict=True)}
        progress(min(first + TOGETHER, len(order)), len(order))
    return [
        {way: _best(one, number, scores) for way, scores in met.items()}
        for number, one in enumerate(examples)
    ]


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


def _best(example: Example, number: int, scores: Mapping[tuple[int, str], float]) -> Floats:
    """Return the score of each place of a question: that of its best part."""
    places = (*example.right, *example.wrong)
    return np.array([max(scores[number, part] for part in parts) for parts in places], np.float32)
