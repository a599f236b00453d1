"""From what is given to a folder of examples: the order of the makers and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.core.errors import BadInput
from appliance.core.settings import Settings
from appliance.models.catalogue import load_embedder, load_reranker
from appliance.models.late_interaction import LateInteraction
from appliance.store.read import open_library
from appliance.training.examples import Writer, refuse_unknown
from appliance.training.sources import (
    Progress,
    add_asked,
    add_pra,
    add_structure,
    add_tatqa,
    read_asked,
    usable,
)

PRA = ("pra-xref-passages.jsonl", "pra-xref-questions.jsonl")


@dataclass(frozen=True, slots=True)
class Plan:
    """Where examples go, which documents give none, and what is said of the library's own."""

    into: Path
    held_out: tuple[str, ...] = ()
    licence: str = ""
    source: str = "asked"
    most: int = 400


def from_library(
    plan: Plan,
    library: Path,
    settings: Settings,
    questions: Sequence[Path],
    *,
    structure: bool,
    progress: Progress,
) -> Mapping[str, int]:
    """Make examples of a library's documents and return how many questions were left out, by why.

    Raises:
        BadInput: no licence is named, or a file holds no questions. ModelMissing: with the mending command.
    """
    if not plan.licence:
        message = "Name the licence under which these documents may be trained on, with --licence."
        raise BadInput(message)
    embedder = load_embedder(settings.models)
    reranker = load_reranker(settings.models, embedder) or LateInteraction(embedder)
    writer = Writer(plan.into)
    with open_library(library) as store:
        there = [info.id for info in store.documents()]
        refuse_unknown(plan.held_out, there)
        writer.refuse(plan.held_out)
        open_to_use = [name for name in there if name not in plan.held_out]
        asked, unusable = usable(read_asked(_files(questions)), there, plan.held_out)
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
        if structure:
            add_structure(
                writer,
                store,
                embedder,
                open_to_use,
                licence=plan.licence,
                most=plan.most,
                progress=progress,
            )
    return Counter(unusable) + Counter(lost)


def from_others(
    plan: Plan, settings: Settings, pra: Path | None, tatqa: Path | None, progress: Progress
) -> None:
    """Make examples of question sets of other fields; raises BadInput where a file is broken."""
    writer = Writer(plan.into)
    writer.refuse(plan.held_out)
    if tatqa:
        add_tatqa(writer, tatqa, progress)
    if pra:
        add_pra(writer, load_embedder(settings.models), pra / PRA[0], pra / PRA[1], progress)


def _files(paths: Sequence[Path]) -> list[Path]:
    return [file for path in paths for file in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]
