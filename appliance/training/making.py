"""From what is given to a folder of examples: the order of the makers and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.core.errors import BadInput
from appliance.core.files import files_in
from appliance.core.settings import Settings
from appliance.evaluation.collection import load_collection
from appliance.models.catalogue import load_embedder, load_reranker
from appliance.models.late_interaction import LateInteraction
from appliance.store.read import open_library
from appliance.training.examples import Writer, refuse_unknown
from appliance.training.sources import (
    Progress,
    add_asked,
    add_collection,
    read_asked,
    usable,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """Where examples go, which documents give none, and what is said of the library's own."""

    into: Path
    held_out: tuple[str, ...] = ()
    licence: str = ""
    source: str = "asked"


def from_library(
    plan: Plan,
    library: Path,
    settings: Settings,
    questions: Sequence[Path],
    progress: Progress,
) -> Mapping[str, int]:
    """Make examples of a library's documents and return how many questions were left out, by why.

    Raises:
        BadInput: no licence is named, or a file holds no questions. ModelMissing: with the mending command.
    """
    _refuse_unlicensed(plan)
    embedder = load_embedder(settings.models)
    reranker = load_reranker(settings.models, embedder) or LateInteraction(embedder)
    writer = Writer(plan.into)
    with open_library(library) as store:
        there = [info.id for info in store.documents()]
        refuse_unknown(plan.held_out, there)
        writer.refuse(plan.held_out)
        open_to_use = [name for name in there if name not in plan.held_out]
        asked, unusable = usable(read_asked(files_in(questions, "*.jsonl")), there, plan.held_out)
        lost = add_asked(
            writer,
            store,
            (embedder, reranker),
            asked,
            settings.search,
            source=plan.source,
            licence=plan.licence,
            progress=progress,
            documents=open_to_use if plan.held_out else (),
        )
    return Counter(unusable) + Counter(lost)


def from_collection(plan: Plan, folder: Path, split: str, settings: Settings, progress: Progress) -> None:
    """Make examples of a BEIR collection of another field; raises BadInput as `from_library`."""
    _refuse_unlicensed(plan)
    found = load_collection(folder, split)
    writer = Writer(plan.into)
    writer.refuse(plan.held_out)
    add_collection(writer, load_embedder(settings.models), found, plan.licence, progress)


def _refuse_unlicensed(plan: Plan) -> None:
    if not plan.licence:
        message = "Name the licence under which these texts may be trained on, with --licence."
        raise BadInput(message)
