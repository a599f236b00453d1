"""The loop over the batches of a recipe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from appliance.training.batches import batches
from appliance.training.examples import Data
from appliance.training.heads import Learned
from appliance.training.recipes import Recipe
from appliance.training.torch_models import Trained, fewer_bits

SMOOTH = 0.98  # of the loss as shown
POINTS = 50  # of a curve
Report = Callable[[Learned], None]


def train(model: Trained, data: Data, recipe: Recipe, report: Report) -> None:
    """Train until the recipe's last step, telling points of the curve; the same seed gives the same model."""
    import torch  # noqa: PLC0415 - the extra `train`

    learning = [weights for weights in model.module.parameters() if weights.requires_grad]
    optimizer = torch.optim.AdamW(learning, lr=recipe.learning_rate, weight_decay=recipe.decay)
    smooth = 0.0
    for step, batch in enumerate(batches(data, recipe), 1):
        with fewer_bits(torch, model.device):
            loss: Any = model.loss(batch)
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate * pace(step, recipe)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learning, 1.0)
        optimizer.step()
        smooth = SMOOTH * smooth + (1 - SMOOTH) * loss.item() if smooth else loss.item()
        if step % max(1, recipe.steps // POINTS) == 0 or step == recipe.steps:
            report(Learned(step, recipe.steps, round(smooth, 4)))


def pace(step: int, recipe: Recipe) -> float:
    """Return the share of the learning rate at a step: a linear rise, then a linear fall to nothing."""
    if step < recipe.warmup:
        return step / recipe.warmup
    return max(0.0, (recipe.steps - step) / max(1, recipe.steps - recipe.warmup))
