"""Recipes: every number of a training in one value, read from data/training/recipes.toml.

Rules of this module: nothing is decided in code that a recipe could say; an unknown name or field is
a `BadInput` that says what there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import msgspec

from appliance.errors import BadInput
from appliance.paths import data_folder
from appliance.shipped import shipped

Kind = Literal["embedder", "reranker"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is trained.

    Lengths are tokens; the work is counted in `steps` of `batch` questions, each
    with one right and `wrong` wrong passages. `frozen` counts the encoder's layers from below that stay
    as they are; `soup` is the share of the trained weights in what is kept, the rest is the base
    (Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR 2022). `late` and `pooled` weigh
    the two losses of an embedder. `beside` above 0 trains a reader of pairs to stand beside what the
    library's token vectors say: half of its loss is over its logit plus so many times their score.
    With `score` "tokens" it has no logit of its own: MaxSim of the question's tokens over the
    passage's, each having seen the other text, divided by the temperature. `sources` are those that
    are learned from (all where it is empty), at most `most` examples of each but the asked ones.
    The weights of every so many steps are kept (`keep_every`), so that each can be measured.
    """

    kind: Kind
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
    late: float = 1.0
    pooled: float = 1.0
    decay: float = 0.01
    beside: float = 0.0
    score: Literal["logit", "tokens"] = "logit"
    sources: tuple[str, ...] = ()
    most: int = 0
    keep_every: int = 0


def load_recipe(name: str) -> Recipe:
    """Return the recipe of that name; raises BadInput where there is none or it is broken."""
    path = data_folder() / "training" / "recipes.toml"
    recipes = shipped("training/recipes")
    if name not in recipes:
        message = f"There is no recipe {name}; there are {', '.join(sorted(recipes))}."
        raise BadInput(message)
    try:
        return msgspec.convert(recipes[name], Recipe)
    except msgspec.ValidationError as error:
        message = f"{path}, [{name}]: {error}."
        raise BadInput(message) from None
