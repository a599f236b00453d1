# ruff: noqa: INP001, T201 - a script that prints
"""Measure the weights that a training of an embedder kept, step by step and mixed with those it began from.

    python scripts/compare_embedders.py run TRAINED --judged NAME=FOLDER --judged ... --into FILE.jsonl
    python scripts/compare_embedders.py table FILE.jsonl
    python scripts/compare_embedders.py plot FILE.jsonl INTO.svg

TRAINED is a folder that `appliance train embedder` filled under a recipe with `keep_every`, begun from an
exported model (its float weights stand in TRAINED/base; name others with --base). The judged folders are
examples as `appliance train data` writes them: a fixed list of candidates, ordered by the cosine of pooled
vectors alone and by MaxSim alone, in float32 with all dimensions. `--every` takes every so many questions,
`--parts` so many parts of each place, `--soup` are the shares of the last weights mixed with the base. `run`
goes on where it ended. Layers that the recipe froze are run once for all. Needs the extra `train`.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from appliance.models.late_interaction import LENGTH_COST
from appliance.training.examples import Data, Example, read
from appliance.training.loop import CHECKPOINT, KEPT
from appliance.training.measure import mean_worth, ranks_by
from appliance.training.recipes import Recipe, lines_svg
from appliance.training.running import BASE
from appliance.training.torch_models import CPU, open_model, silent_tokens

SHOWN = ("mrr", "map_10", "recall_10", "complete_10")
WAYS = ("pooled", "late")
WINDOW = 256  # tokens, as the model that ships reads
TOGETHER = 32


@dataclass(frozen=True, slots=True)
class Result:
    """What the weights of one step, or a mixture, are worth by each way on each judged set."""

    step: int
    soup: float
    worth: dict[str, dict[str, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class Text:
    """A text after the frozen layers: hidden rows [tokens, d], and which of them late interaction counts."""

    hidden: Any
    counted: Any


def halves(model: Any, recipe: Recipe, texts: Sequence[str], limit: int) -> dict[str, Text]:
    """Return every text after the frozen layers; those of one length run together, without padding."""
    silent, found = silent_tokens(model.tokenizer), {}
    given = model.tokenizer(list(texts), truncation=True, max_length=limit)["input_ids"]
    for places in _alike([len(one) for one in given]):
        ids = torch.tensor([given[place] for place in places])
        hidden = model.module.embeddings(input_ids=ids)
        for layer in model.module.encoder.layer[: recipe.frozen]:
            hidden = _through(layer, hidden)
        for place, one, row in zip(places, hidden, ids, strict=True):
            found[texts[place]] = Text(one.half(), ~silent[row])
    return found


def vectors(model: Any, recipe: Recipe, texts: Mapping[str, Text]) -> dict[str, tuple[Any, Any]]:
    """Return the unit pooled vector and the unit rows that count of every text, through the upper layers."""
    names, found = list(texts), {}
    for places in _alike([len(texts[name].hidden) for name in names]):
        hidden = torch.stack([texts[names[place]].hidden for place in places]).float()
        for layer in model.module.encoder.layer[recipe.frozen :]:
            hidden = _through(layer, hidden)
        pooled = torch.nn.functional.normalize(hidden.mean(1), dim=-1)
        rows = torch.nn.functional.normalize(hidden, dim=-1)
        for place, one, all_rows in zip(places, pooled, rows, strict=True):
            found[names[place]] = one, all_rows[texts[names[place]].counted].half()
    return found


def cut(example: Example, parts: int) -> Example:
    """Return the example with so many parts of each place, those that the search met first."""
    right, wrong = (tuple(place[:parts] for place in places) for places in (example.right, example.wrong))
    return replace(example, right=right, wrong=wrong)


def _through(layer: Any, hidden: Any) -> Any:
    output = layer(hidden)
    return output[0] if isinstance(output, tuple) else output


def _alike(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the places of texts of one length, so many at once."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for place, length in enumerate(lengths):
        by_length[length].append(place)
    for places in by_length.values():
        yield from (places[first : first + TOGETHER] for first in range(0, len(places), TOGETHER))


def judged_by(way: str, asked: tuple[Any, Any], passage: tuple[Any, Any]) -> float:
    """Return the score of a passage: the cosine of pooled vectors, or MaxSim less the cost of length."""
    if way == "pooled":
        return float(asked[0] @ passage[0])
    rows = passage[1].float()
    best = (asked[1].float() @ rows.T).amax(1).mean() if len(rows) and len(asked[1]) else torch.tensor(0.0)
    return float(best) - LENGTH_COST * float(np.log1p(len(rows)))


def worth_of(data: Data, asked: Mapping[str, Any], passages: Mapping[str, Any], way: str) -> dict[str, float]:
    """Return the means over the questions of one set by one way; a place is as good as its best part."""
    ranks = []
    for one in data.examples:
        scores = [
            max(judged_by(way, asked[one.question], passages[data.passages[part]]) for part in place)
            for place in (*one.right, *one.wrong)
        ]
        ranks.append(ranks_by(np.array(scores, dtype=np.float32), len(one.right)))
    return asdict(mean_worth(ranks))


def states(folder: Path, base: Mapping[str, Any], soups: Sequence[float]) -> Iterator[tuple[int, float, Any]]:
    """Yield step, share of the trained weights, weights: the base, each step kept, mixtures of the last."""
    yield 0, 1.0, base
    kept = sorted(folder.glob(f"{KEPT}*.pt"))
    for path in kept:
        yield int(path.stem.removeprefix(KEPT)), 1.0, torch.load(path, weights_only=True)
    if kept:
        last, step = torch.load(kept[-1], weights_only=True), int(kept[-1].stem.removeprefix(KEPT))
        for soup in soups:
            mixed = {
                name: base[name] + soup * (one - base[name]) if one.is_floating_point() else one
                for name, one in last.items()
            }
            yield step, soup, mixed


def run(asked: argparse.Namespace) -> None:
    """Measure what FILE does not hold yet."""
    state = torch.load(asked.trained / CHECKPOINT, weights_only=True)
    recipe = Recipe(**state["made_of"]["recipe"], seed=state["made_of"]["seed"])
    model: Any = open_model(asked.base or asked.trained / BASE, recipe, asked.threads, CPU)
    model.module.eval()
    base = {name: one.clone() for name, one in model.module.state_dict().items()}
    sets = {}
    for name, _, path in (one.partition("=") for one in asked.judged):
        data = read(Path(path))
        sets[name] = Data(
            tuple(cut(one, asked.parts) for one in data.examples[:: asked.every]), data.passages
        )
    wanted = {
        data.passages[part]: None
        for data in sets.values()
        for one in data.examples
        for place in (*one.right, *one.wrong)
        for part in place
    }
    questions = {one.question: None for data in sets.values() for one in data.examples}
    lower = halves(model, recipe, list(wanted), WINDOW), halves(model, recipe, list(questions), WINDOW)
    print(len(questions), "questions,", len(wanted), "passages", flush=True)
    done = {(one.step, one.soup) for one in results(asked.into)} if asked.into.exists() else set()
    for step, soup, weights in states(asked.trained, base, asked.soup):
        if (step, soup) in done:
            continue
        model.module.load_state_dict(weights)
        passages, said = (vectors(model, recipe, texts) for texts in lower)
        worth = {
            name: {way: worth_of(data, said, passages, way) for way in WAYS} for name, data in sets.items()
        }
        with asked.into.open("ab") as file:
            file.write(msgspec.json.encode(Result(step, soup, worth)) + b"\n")
        print(step, soup, worth, flush=True)


def results(path: Path) -> list[Result]:
    """Return what was measured."""
    return [msgspec.json.decode(line, type=Result) for line in path.read_bytes().splitlines()]


def table(path: Path) -> None:
    """Print a line for each weights and way."""
    found = results(path)
    sets = list(found[0].worth)
    print(f"| steps | mixed | by | {' | '.join(f'{name} {figure}' for name in sets for figure in SHOWN)} |")
    print("|---" * (3 + len(sets) * len(SHOWN)) + "|")
    for way in WAYS:
        for one in found:
            cells = " | ".join(f"{one.worth[name][way][figure]:.3f}" for name in sets for figure in SHOWN)
            print(f"| {one.step} | {'' if one.soup == 1 else one.soup} | {way} | {cells} |")


def plot(path: Path, into: Path) -> None:
    """Draw MAP@10 over the steps, a line for each set and way."""
    whole = sorted((one for one in results(path) if one.soup == 1), key=lambda one: one.step)
    lines = {
        f"{name}, {way}": [(one.step, one.worth[name][way]["map_10"]) for one in whole]
        for name in whole[0].worth
        for way in WAYS
    }
    into.write_text(lines_svg("MAP@10 over the steps of the embedder", lines), encoding="utf-8")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run")
    running.add_argument("trained", type=Path)
    running.add_argument("--base", type=Path)
    running.add_argument("--judged", action="append", required=True, metavar="NAME=FOLDER")
    running.add_argument("--into", type=Path, required=True)
    running.add_argument("--every", type=int, default=1)
    running.add_argument("--parts", type=int, default=8)
    running.add_argument("--soup", type=float, nargs="*", default=[0.25, 0.5, 0.75])
    running.add_argument("--threads", type=int, default=1)
    for name in ("table", "plot"):
        commands.add_parser(name).add_argument("file", type=Path)
    commands.choices["plot"].add_argument("into", type=Path)
    asked = parser.parse_args()
    if asked.command == "run":
        with torch.inference_mode():
            run(asked)
    elif asked.command == "table":
        table(asked.file)
    else:
        plot(asked.file, asked.into)


if __name__ == "__main__":
    main()
