# ruff: noqa: INP001, T201 - a script that prints
"""Train a head with each source of data and each step of the recipe on and off, and measure them all.

    python scripts/compare_heads.py run DATA --judged NAME=FOLDER --judged ... --into FILE.jsonl
    python scripts/compare_heads.py table FILE.jsonl

DATA and the judged folders are examples as `appliance train data` writes them; data/training/ablation.toml
says what is compared, `--only NAME` which of its lines. `run` goes on where it ended: a head that stands in
FILE is not trained again. `table` prints Markdown, the mean over the seeds with half the distance between the
least and the greatest. A judged folder is measured as `appliance train measure` does: a fixed list of
candidates, ordered by the head alone.
`--every 4` learns from every fourth example alone. A line with a `teacher` learns from that model's scores
too, which are kept in DATA/teacher. Needs the extra `train`.
"""

from __future__ import annotations

import argparse
import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from appliance import building
from appliance.core.files import data_folder
from appliance.core.settings import Settings
from appliance.models.catalogue import load_embedder
from appliance.models.protocols import Embedder, Floats
from appliance.training.batches import TOGETHER, Rows, rows_of
from appliance.training.examples import Data, Example, read
from appliance.training.heads import HeadRecipe, train_head
from appliance.training.measure import worth
from appliance.training.running import VECTORS, lessons_of, scores_of
from appliance.training.teacher import FOLDER, Lessons, open_teacher
from appliance.training.torch_models import CPU

SHOWN = ("mrr", "map_10", "recall_10", "complete_10")
PLAIN = "plain MaxSim"
OTHERS = 20  # wrong places drawn from other questions


@dataclass(frozen=True, slots=True)
class Variant:
    """One line of the table."""

    name: str
    sources: list[str] | str
    left_out: list[str] = field(default_factory=list)
    most: int = 0
    wrong: str = "mined"
    ceiling: float = 0.0
    seeds: list[int] = field(default_factory=lambda: [1])
    recipe: dict[str, Any] = field(default_factory=dict)
    teacher: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What one head is worth on each judged set."""

    name: str
    seed: int
    examples: int
    worth: dict[str, dict[str, float]]


def variants() -> list[Variant]:
    """Return the lines that data/training/ablation.toml asks for."""
    given = tomllib.loads((data_folder() / "training" / "ablation.toml").read_text(encoding="utf-8"))
    return msgspec.convert([given["defaults"] | one for one in given["variants"]], list[Variant])


def chosen(data: Data, variant: Variant, near: Mapping[str, Floats], asked: Mapping[str, Floats]) -> Data:
    """Return the examples that a variant learns from, with the wrong places that it allows."""
    named = {one.source for one in data.examples} if variant.sources == "all" else set(variant.sources)
    kept = data.chosen(named - set(variant.left_out), variant.most, seed=1).examples if named else ()
    dice = random.Random(1)  # noqa: S311 - no secret
    if variant.wrong == "others":
        kept = tuple(replace(one, wrong=_of_others(one, kept, dice)) for one in kept)
    if variant.ceiling:
        kept = tuple(replace(one, wrong=_far(one, variant.ceiling, near, asked)) for one in kept)
    return replace(data, examples=kept)


def _of_others(example: Example, examples: Sequence[Example], dice: random.Random) -> tuple[Any, ...]:
    """Return right places of other questions that are not right ones of this."""
    drawn = dice.sample(examples, min(OTHERS, len(examples)))
    return tuple(one.right[0] for one in drawn if one.right[0] not in example.right)


def _far(
    example: Example, ceiling: float, near: Mapping[str, Floats], asked: Mapping[str, Floats]
) -> tuple[Any, ...]:
    """Return the wrong places none of whose parts comes too near to the question (NV-Retriever, 2024)."""
    question = asked[example.question]

    def cosine(parts: Sequence[str]) -> float:
        return max(float(near[part] @ question) for part in parts)

    most = ceiling * max(cosine(parts) for parts in example.right)
    return tuple(parts for parts in example.wrong if cosine(parts) <= most)


def pooled(data: Data, embedder: Embedder, folder: Path) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Return the pooled vectors of passages by id, as kept with the rows, and those of the questions."""
    names = list(data.passages)
    found: dict[str, Floats] = {}
    for first in range(0, len(names), TOGETHER):
        part = names[first : first + TOGETHER]
        texts = [data.passages[name] for name in part]
        kept = building.load(folder / VECTORS, embedder.fingerprint, texts) or embedder.encode_passages(texts)
        found |= {name: one.pooled for name, one in zip(part, kept, strict=True)}
    return found, {one.question: embedder.encode_query(one.question).pooled for one in data.examples}


def wanted(only: Sequence[str]) -> list[Variant]:
    """Return the lines of those names, plain MaxSim among them, all where none is named."""
    lines = [Variant(PLAIN, []), *variants()]
    unknown = set(only) - {one.name for one in lines}
    if unknown:
        message = f"No line has the name {', '.join(sorted(unknown))}."
        raise SystemExit(message)
    return [one for one in lines if not only or one.name in only]


def run(
    folder: Path,
    judged: Mapping[str, Path],
    libraries: Sequence[Path],
    into: Path,
    *,
    only: Sequence[str],
    every: int = 1,
) -> None:
    """Train and measure what FILE does not hold yet."""
    embedder = load_embedder(Settings().models)
    data, lines = read(folder), wanted(only)
    data = replace(data, examples=data.examples[::every])
    rows = rows_of(data, embedder, libraries, folder / VECTORS, _quiet)
    sets = {name: read(path) for name, path in judged.items()}
    judged_rows = {
        name: rows_of(held, embedder, libraries, judged[name] / VECTORS, _quiet)
        for name, held in sets.items()
    }
    near, asked = ({}, {}) if not any(one.ceiling for one in lines) else pooled(data, embedder, folder)
    done = {(one.name, one.seed) for one in _results(into)} if into.exists() else set()
    for variant in lines:
        seeds = [seed for seed in variant.seeds if (variant.name, seed) not in done]
        examples = chosen(data, variant, near, asked).examples if seeds else ()
        lessons = (
            _lessons(variant, replace(data, examples=examples), rows, embedder, folder) if seeds else None
        )
        for seed in seeds:
            recipe = HeadRecipe(**{**variant.recipe, "seed": seed, **_tuples(variant.recipe)})
            head = (
                train_head(
                    examples, rows, embedder.fingerprint, recipe, lambda _: None, device=CPU, lessons=lessons
                )
                if examples
                else None
            )
            found = {
                name: asdict(worth(held.examples, judged_rows[name], head)) for name, held in sets.items()
            }
            result = Result(variant.name, seed, len(examples), found)
            with into.open("ab") as file:
                file.write(msgspec.json.encode(result) + b"\n")
            print(variant.name, seed, len(examples), found, flush=True)


def _lessons(variant: Variant, data: Data, rows: Rows, embedder: Embedder, folder: Path) -> Lessons | None:
    """Return what the teacher of a line says, beside the settings' reranker."""
    if not variant.teacher:
        return None
    settings = Settings()
    teacher = open_teacher(variant.teacher, settings.models, threads=1)
    base = scores_of(settings, embedder, rows, data)
    return lessons_of(teacher, data, rows, base=base, folder=folder / FOLDER, progress=_quiet)


def _tuples(recipe: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) for key, value in recipe.items() if isinstance(value, list)}


def _quiet(_done: int, _total: int) -> None:
    """Say nothing of how far it is."""


def _results(path: Path) -> list[Result]:
    return [msgspec.json.decode(line, type=Result) for line in path.read_bytes().splitlines()]


def table(path: Path) -> None:
    """Print the lines of FILE, those of one variant together."""
    results = _results(path)
    sets = list(results[0].worth)
    heads = [f"{name} {figure}" for name in sets for figure in SHOWN]
    print(f"| head | examples | seeds | {' | '.join(heads)} |")
    print("|---" * (3 + len(heads)) + "|")
    for name in dict.fromkeys(one.name for one in results):
        mine = [one for one in results if one.name == name]
        cells = [_cell([one.worth[place][figure] for one in mine]) for place in sets for figure in SHOWN]
        print(f"| {name} | {mine[0].examples:,} | {len(mine)} | {' | '.join(cells)} |")


def _cell(values: Sequence[float]) -> str:
    spread = f" ± {(max(values) - min(values)) / 2:.3f}" if len(values) > 1 else ""
    return f"{np.mean(values):.3f}{spread}"


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("data", type=Path)
    running.add_argument("--judged", action="append", required=True, metavar="NAME=FOLDER")
    running.add_argument(
        "--library", action="append", default=[], type=Path, help="vectors are taken from it"
    )
    running.add_argument("--into", type=Path, required=True)
    running.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="a line; may be repeated"
    )
    printing = commands.add_parser("table")
    printing.add_argument("file", type=Path)
    running.add_argument(
        "--every", type=int, default=1, metavar="N", help="every Nth example is learned from"
    )
    asked = parser.parse_args()
    if asked.command == "table":
        table(asked.file)
        return
    judged = {name: Path(path) for name, _, path in (one.partition("=") for one in asked.judged)}
    run(asked.data, judged, asked.library, asked.into, only=asked.only, every=asked.every)


if __name__ == "__main__":
    main()
