"""Recipes (every number of a training in one value) and the record beside what was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from appliance.core.decoding import convert
from appliance.core.errors import BadInput
from appliance.core.files import data_folder, shipped
from appliance.training.examples import Data

AUTO, CUDA, CPU = "auto", "cuda", "cpu"
DEVICES = (AUTO, CUDA, CPU)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How an embedder is trained.

    Lengths are tokens; the work is counted in `steps` of `batch` questions, each
    with one right and `wrong` wrong passages. `frozen` counts the encoder's layers from below that stay
    as they are; `soup` is the share of the trained weights in what is kept, the rest is the base
    (Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR 2022).
    """

    steps: int
    batch: int
    wrong: int
    learning_rate: float
    warmup: int
    frozen: int
    question_tokens: int
    passage_tokens: int
    temperature: float
    soup: float
    seed: int
    decay: float = 0.01


def load_recipe(name: str) -> Recipe:
    """Return the recipe of that name; raises BadInput where there is none or it is broken."""
    recipes = shipped("training/recipes")
    if name not in recipes:
        raise BadInput(f"There is no recipe {name}; there are {', '.join(sorted(recipes))}.")
    try:
        return convert(recipes[name], Recipe)
    except msgspec.ValidationError as error:
        raise BadInput(f"{data_folder() / 'training' / 'recipes.toml'}, [{name}]: {error}.") from None


RECORD = "training.json"


def write_record(
    folder: Path,
    data: Data,
    *,
    base: str,
    recipe: Mapping[str, Any],
    curve: Sequence[tuple[int, float]],
    figures: Mapping[str, Any],
    held_out: Sequence[str],
    device: str,
) -> Path:
    """Write the record into the folder and return its path."""
    record = {
        "schema": 1,
        "base": base,
        "data": sources_of(data),
        "held_out": sorted(held_out),
        "recipe": recipe,
        "device": device,
        "figures": figures,
        "curve": [[step, loss] for step, loss in curve],
    }
    path = folder / RECORD
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")
    return path


def sources_of(data: Data) -> list[dict[str, Any]]:
    """Return each source with its licence, its documents and its number of examples."""
    counted = Counter((one.source, one.licence) for one in data.examples)
    return [
        {
            "source": source,
            "licence": licence,
            "examples": count,
            "documents": sorted(
                frozenset[str]().union(*(one.documents for one in data.examples if one.source == source))
                - {""}
            ),
        }
        for (source, licence), count in sorted(counted.items())
    ]
