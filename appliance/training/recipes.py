"""Recipes (every number of a training in one value) and the record beside what was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from appliance.core.errors import BadInput
from appliance.core.files import data_folder, shipped
from appliance.training.examples import Data

Kind = Literal["embedder", "reranker"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is trained.

    Lengths are tokens; the work is counted in `steps` of `batch` questions, each
    with one right and `wrong` wrong passages. `frozen` counts the encoder's layers from below that stay
    as they are; `soup` is the share of the trained weights in what is kept, the rest is the base
    (Wortsman et al., "Robust fine-tuning of zero-shot models", CVPR 2022). `late` and `pooled` weigh
    the two losses of an embedder.
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


RECORD = "training.json"
PLOT = "curve.svg"
_LEFT, _TOP, _WIDE, _HIGH = 60, 40, 560, 220
_INK, _LINES = "#222222", ("#1f6f8b", "#b3541e", "#4a7c2a", "#6b4c9a")


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
    """Write record and plot into the folder and return the record's path."""
    record = {
        "schema": 1,
        "base": base,
        "data": sources(data),
        "held_out": sorted(held_out),
        "recipe": recipe,
        "device": device,
        "figures": figures,
        "curve": [[step, loss] for step, loss in curve],
    }
    path = folder / RECORD
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")
    (folder / PLOT).write_text(curve_svg("Loss over the steps of the training", curve), encoding="utf-8")
    return path


def sources(data: Data) -> list[dict[str, Any]]:
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


def curve_svg(title: str, curve: Sequence[tuple[int, float]]) -> str:
    """Return a drawing of the loss over the steps, readable on light and dark ground."""
    return lines_svg(title, {"": curve})


def lines_svg(title: str, lines: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Return a drawing of values over steps, a line for each name, all on one scale."""
    points = [point for line in lines.values() for point in line] or [(0, 0.0)]
    last, top = max(1, *(step for step, _ in points)), max(value for _, value in points)
    low = min(value for _, value in points)
    frame = f'viewBox="0 0 {_LEFT + _WIDE + 20} {_TOP + _HIGH + 40}" font-family="sans-serif" font-size="12"'
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame} role="img" aria-label="{escape(title)}">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        _text(12, 20, title),
        _text(12, _TOP + 8, f"{top:.2f}"),
        _text(12, _TOP + _HIGH, f"{low:.2f}"),
        _text(_LEFT, _TOP + _HIGH + 24, "0"),
        _text(_LEFT + _WIDE - 60, _TOP + _HIGH + 24, f"{last} steps"),
    ]
    for number, (name, line) in enumerate(lines.items()):
        places = [
            (_LEFT + _WIDE * step / last, _TOP + _HIGH * (top - value) / max(top - low, 1e-6))
            for step, value in line
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        colour = _LINES[number % len(_LINES)]
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if name and places:
            drawn.append(_text(_LEFT + 12, int(places[0][1]) - 6, name))
    return "\n".join([*drawn, "</svg>", ""])


def _text(x: int, y: int, words: str) -> str:
    return f'<text x="{x}" y="{y}" fill="{_INK}">{escape(words)}</text>'
