"""The benchmark: build, search and serve beside a peer and a target, in one run on one machine.

Rules of this module: a part that cannot be measured is a remark, and the others go on; what was
measured names its machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from appliance.errors import ApplianceError
from appliance.evaluation.bench_build import bench_build
from appliance.evaluation.bench_generation import bench_generation
from appliance.evaluation.bench_jobs import bench_jobs
from appliance.evaluation.bench_made import made_library, made_questions
from appliance.evaluation.bench_models import bench_large, bench_models
from appliance.evaluation.bench_scan import bench_recall, bench_scan
from appliance.evaluation.bench_search import bench_search
from appliance.evaluation.bench_serve import bench_serve
from appliance.evaluation.bench_words import bench_words
from appliance.evaluation.injections import bench_injections
from appliance.evaluation.machine import this_machine
from appliance.evaluation.measures import BenchReport, Measure
from appliance.library import Library
from appliance.models.catalogue import load_embedder
from appliance.settings import Settings

BUILD_SECONDS = 300.0
SERVE_QUESTIONS = 20
MADE, MADE_LARGE = 100_000, 1_000_000  # passages
MADE_QUESTIONS = 200
SEARCHED_QUESTIONS = 40
QUERY_SECONDS = 60.0  # for the peers, which are slower than a box may be
Part = tuple[tuple[Measure, ...], tuple[str, ...]]


def run_bench(
    library: Path,
    files: Sequence[Path],
    questions: Sequence[str],
    settings: Settings,
    *,
    seconds: float = BUILD_SECONDS,
    with_peer: bool = True,
    model: Path | None = None,
    work: Path | None = None,
    large: bool = False,
) -> BenchReport:
    """Return all figures; each part is left out where what it needs (PDFs, questions, a model) is not given.

    In the folder `work` a made library of 100,000 passages is kept, of a million too where `large` is set.

    Raises:
        LibraryMissing and the other errors of opening a library: there is nothing to measure.
    """
    machine = this_machine()
    parts: list[Part] = []
    if questions:
        opened = Library.open(library, settings)
        try:
            parts.append(bench_search(opened, questions))
            parts += [*_stages(opened, questions)]
            if model:
                parts += [bench_jobs(opened, questions, model), (bench_injections(opened, questions), ())]
        finally:
            opened.close()
        parts.append(bench_serve(library, questions[:SERVE_QUESTIONS]))
    if files:
        try:
            parts.append(bench_build(files, settings, seconds=seconds, with_peer=with_peer))
        except ApplianceError as error:
            parts.append(((), (f"build: not measured, {error}",)))
    if model:
        parts.append(bench_generation(model))
    if work:
        parts += [*_made(work, settings, large=large)]
    measures = tuple(measure for found, _ in parts for measure in found)
    return BenchReport(machine, measures, tuple(note for _, notes in parts for note in notes))


def _stages(library: Library, questions: Sequence[str]) -> Iterator[Part]:
    """Yield the figures of single stages in a real library."""
    yield bench_models(library, questions)
    yield bench_words(library, questions)
    yield bench_recall(library.store, load_embedder(library.settings.models), questions)


def _made(work: Path, settings: Settings, *, large: bool) -> Iterator[Part]:
    """Yield the figures of scans and of made libraries."""
    yield bench_scan(large=large)
    patient = replace(settings, search=replace(settings.search, query_seconds=QUERY_SECONDS))
    questions = made_questions(MADE_QUESTIONS)
    for passages in (MADE, *([MADE_LARGE] if large else [])):
        try:
            path = made_library(work, passages, load_embedder(settings.models))
            library = Library.open(path, patient)
        except ApplianceError as error:
            yield (), (f"made library of {passages:,}: not measured, {error}",)
            continue
        try:
            yield bench_words(library, questions)
            yield bench_large(library, patient, questions[:SEARCHED_QUESTIONS])
        finally:
            library.close()
        yield bench_serve(path, questions[:SERVE_QUESTIONS], passages=passages)
