"""The benchmark: build, search and serve beside a peer and a target, in one run on one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

from appliance.core.errors import ApplianceError
from appliance.core.settings import Settings
from appliance.evaluation.bench.build import bench_build
from appliance.evaluation.bench.generation import bench_generation, bench_jobs
from appliance.evaluation.bench.lexical_search import bench_words
from appliance.evaluation.bench.made import made_library, made_questions
from appliance.evaluation.bench.measures import BenchReport, Measure, number, this_machine
from appliance.evaluation.bench.models import bench_large, bench_models
from appliance.evaluation.bench.scan import bench_recall, bench_scan
from appliance.evaluation.bench.search import bench_search
from appliance.evaluation.bench.serving import bench_serve
from appliance.library import Library
from appliance.models.catalogue import load_embedder

BUILD_SECONDS = 300.0
SERVE_QUESTIONS = 20
MADE, MADE_LARGE = 100_000, 1_000_000  # passages
MADE_QUESTIONS = 200
SEARCHED_QUESTIONS = 40
QUERY_SECONDS = 60.0  # for the peers, which are slower than a box may be
Part = tuple[tuple[Measure, ...], tuple[str, ...]]
Step = tuple[str, Callable[[], Part]]


def run_bench(
    library: Path,
    files: Sequence[Path],
    questions: Sequence[str],
    settings: Settings,
    *,
    seconds: float = BUILD_SECONDS,
    model: Path | None = None,
    work: Path | None = None,
    large: bool = False,
    told: Callable[[str], object] = lambda _: None,
) -> BenchReport:
    """Return all figures; each part is left out where what it needs (PDFs, questions, a model) is not given.

    In the folder `work` a made library of 100,000 passages is kept, of a million too where `large` is set.
    `told` is given a line as each part begins, and its figures as it ends, whatever becomes of the next.

    Raises:
        LibraryMissing and the other errors of opening a library: there is nothing to measure.
    """
    machine = this_machine()
    parts: list[Part] = []
    steps: list[Iterable[Step]] = []
    if questions:
        steps.append(_asked(library, questions, settings, model))
    if files:
        build = partial(bench_build, files, settings, seconds=seconds)
        steps.append([("build", build)])
    if model:
        steps.append([("writing", partial(bench_generation, model))])
    if work:
        steps.append(_made(work, settings, large=large))
    for name, measured in chain.from_iterable(steps):
        told(f"{name} …")
        try:
            parts.append(measured())
        except ApplianceError as error:
            parts.append(((), (f"{name}: not measured, {error}",)))
        for measure in parts[-1][0]:
            told(f"  {measure.name}: {number(measure.ours)} {measure.unit}")
    measures = tuple(measure for found, _ in parts for measure in found)
    return BenchReport(machine, measures, tuple(note for _, notes in parts for note in notes))


def _asked(library: Path, questions: Sequence[str], settings: Settings, model: Path | None) -> Iterator[Step]:
    """Yield what is measured by questions to a real library: whole searches, single stages, serving."""
    with closing(Library.open(library, settings)) as opened:
        yield "search", partial(bench_search, opened, questions)
        yield "models", partial(bench_models, opened, questions)
        yield "words", partial(bench_words, opened, questions)
        embedder = load_embedder(opened.settings.models)
        yield "vectors of the library", partial(bench_recall, opened.store, embedder, questions)
        if model:
            yield "searches beside writing", partial(bench_jobs, opened, questions, model)
    yield "serving", partial(bench_serve, library, questions[:SERVE_QUESTIONS])


def _made(work: Path, settings: Settings, *, large: bool) -> Iterator[Step]:
    """Yield what is measured of made vectors and in made libraries."""
    yield "scans", partial(bench_scan, large=large)
    patient = replace(settings, search=replace(settings.search, query_seconds=QUERY_SECONDS))
    questions = made_questions(MADE_QUESTIONS)
    for passages in (MADE, *([MADE_LARGE] if large else [])):
        name = f"made library of {passages:,}"
        try:
            path = made_library(work, passages, load_embedder(settings.models))
            library = Library.open(path, patient)
        except ApplianceError as error:
            yield name, partial(_failed, error)
            continue
        with closing(library):
            yield f"words of the {name}", partial(bench_words, library, questions)
            searched = questions[:SEARCHED_QUESTIONS]
            yield f"search of the {name}", partial(bench_large, library, patient, searched)
        asked = questions[:SERVE_QUESTIONS]
        yield f"serving the {name}", partial(bench_serve, path, asked, passages=passages)


def _failed(error: ApplianceError) -> Part:
    raise error
