"""The loop: steps, checkpoints that a later run goes on from, the curve of the loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

from appliance.core.errors import BadInput
from appliance.training.batches import batches
from appliance.training.examples import Data
from appliance.training.recipes import CPU, Recipe
from appliance.training.torch_models import Trained, fewer_bits

CHECKPOINT = "checkpoint.pt"
CURVE = "curve.jsonl"
SMOOTH = 0.98  # of the loss as shown
MANY_STEPS = 1_000_000_007
Report = Callable[["Point"], None]


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the curve: smoothed loss after so many steps, and what is left at this pace."""

    step: int
    steps: int
    loss: float
    seconds: float
    seconds_left: float


@dataclass(frozen=True, slots=True)
class Origin:
    """What a training comes from beside its recipe: hashes of data and base, what was held out."""

    data: str = ""
    base: str = ""
    held_out: tuple[str, ...] = ()


def train(
    model: Trained,
    data: Data,
    recipe: Recipe,
    folder: Path,
    report: Report,
    *,
    origin: Origin | None = None,
    every_s: float = 120.0,
) -> Point:
    """Train until the recipe's last step and return the last point; goes on from a checkpoint.

    Raises:
        BadInput: the folder's checkpoint is broken, or of another recipe or origin.
    """
    import torch  # noqa: PLC0415 - the extra `train`

    folder.mkdir(parents=True, exist_ok=True)
    optimizer = torch.optim.AdamW(_learning(model), lr=recipe.learning_rate, weight_decay=recipe.decay)
    stamp = made_of(recipe, origin or Origin())
    step, smooth = _resume(model, optimizer, stamp, folder)
    began, first, saved = monotonic(), step, monotonic()
    point = Point(step, recipe.steps, smooth, 0.0, 0.0)
    for step, batch in enumerate(batches(data, recipe, step), step + 1):  # noqa: B020 - goes on counting
        torch.manual_seed(recipe.seed * MANY_STEPS + step)  # so that dropout goes on as it would have
        with fewer_bits(torch, model.device):
            loss = model.loss(batch)
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate * pace(step, recipe)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(_learning(model), 1.0)
        optimizer.step()
        smooth = SMOOTH * smooth + (1 - SMOOTH) * loss.item() if smooth else loss.item()
        if monotonic() - saved >= every_s or step == recipe.steps:
            spent = monotonic() - began
            left = spent / (step - first) * (recipe.steps - step)
            point = Point(step, recipe.steps, round(smooth, 4), round(spent, 1), round(left, 1))
            _save(model, optimizer, stamp, folder, point)
            report(point)
            saved = monotonic()
    return point


def pace(step: int, recipe: Recipe) -> float:
    """Return the share of the learning rate at a step: a linear rise, then a linear fall to nothing."""
    if step < recipe.warmup:
        return step / recipe.warmup
    return max(0.0, (recipe.steps - step) / max(1, recipe.steps - recipe.warmup))


def _learning(model: Trained) -> list[Any]:
    return [weights for weights in model.module.parameters() if weights.requires_grad]


def made_of(recipe: Recipe, origin: Origin) -> dict[str, Any]:
    """Return what must be the same for a training to go on, each under the words that a refusal uses."""
    told = asdict(recipe)
    return {
        "seed": told.pop("seed"),
        "recipe": told,
        "data": origin.data,
        "base": origin.base,
        "documents held out": sorted(origin.held_out),
    }


def refuse_other(folder: Path, stamp: dict[str, Any]) -> None:
    """Raise BadInput where the folder's checkpoint is broken, or made of other things than `stamp` says."""
    _checkpoint(folder, stamp, CPU)


def _save(model: Trained, optimizer: Any, stamp: dict[str, Any], folder: Path, point: Point) -> None:
    import torch  # noqa: PLC0415 - the extra `train`

    state = {
        "made_of": stamp,
        "step": point.step,
        "loss": point.loss,
        "weights": model.module.state_dict(),
        "optimizer": optimizer.state_dict(),
    }
    _put(torch, state, folder / CHECKPOINT)
    with (folder / CURVE).open("ab") as file:
        file.write(msgspec.json.encode(point) + b"\n")


def _put(torch: Any, state: Any, path: Path) -> None:
    """Write beside and move into place."""
    beside = path.with_suffix(".new")
    torch.save(state, beside)
    beside.replace(path)


def _resume(model: Trained, optimizer: Any, stamp: dict[str, Any], folder: Path) -> tuple[int, float]:
    """Return step and loss of the checkpoint after taking its weights; (0, 0) where there is none."""
    state = _checkpoint(folder, stamp, model.device)
    if state is None:
        return 0, 0.0
    model.module.load_state_dict(state["weights"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["step"]), float(state["loss"])


def _checkpoint(folder: Path, stamp: dict[str, Any], device: str) -> dict[str, Any] | None:
    """Return the folder's checkpoint, None where there is none; raises BadInput for one of another stamp."""
    import torch  # noqa: PLC0415 - the extra `train`

    path = folder / CHECKPOINT
    if not path.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True, map_location=device)
        then = {name: state["made_of"].get(name) for name in stamp}
    except Exception as error:  # noqa: BLE001 - torch raises a dozen classes
        message = f"{path} is no checkpoint ({type(error).__name__}); remove it to begin anew."
        raise BadInput(message) from None
    if differing := [name for name, now in stamp.items() if then[name] != now]:
        message = (
            f"{path} was made under another: {', '.join(differing)}. Give what it was made under to go on, "
            "name another folder with --into, or remove the file to begin anew."
        )
        raise BadInput(message)
    return state
