"""The benchmark: build, search and serve beside a peer and a target, in one run on one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path

from appliance.core.errors import ApplianceError
from appliance.core.settings import Settings
from appliance.evaluation.bench.build import bench_build
from appliance.evaluation.bench.generation import bench_generation
from appliance.evaluation.bench.lexical_search import bench_words
from appliance.evaluation.bench.measures import BenchReport, Measure, number, this_machine
from appliance.evaluation.bench.models import bench_models
from appliance.evaluation.bench.scan import bench_recall, bench_scan
from appliance.evaluation.bench.search import bench_search
from appliance.evaluation.bench.serving import bench_serve
from appliance.library import Library
from appliance.models.catalogue import load_embedder

BUILD_SECONDS = 300.0
SERVE_QUESTIONS = 20
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
    told: Callable[[str], object] = lambda _: None,
) -> BenchReport:
    """Return all figures; each part is left out where what it needs (PDFs, questions, a model) is not given.

    `told` is given a line as each part begins, and its figures as it ends, whatever becomes of the next.

    Raises:
        LibraryMissing and the other errors of opening a library: there is nothing to measure.
    """
    machine = this_machine()
    parts: list[Part] = []
    steps: list[Iterable[Step]] = []
    if questions:
        steps.append(_asked(library, questions, settings))
    if files:
        build = partial(bench_build, files, settings, seconds=seconds)
        steps.append([("build", build)])
    if model:
        steps.append([("writing", partial(bench_generation, model))])
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


def _asked(library: Path, questions: Sequence[str], settings: Settings) -> Iterator[Step]:
    """Yield what is measured by questions to a real library: whole searches, single stages, serving."""
    with closing(Library.open(library, settings)) as opened:
        yield "search", partial(bench_search, opened, questions)
        yield "models", partial(bench_models, opened, questions)
        yield "words", partial(bench_words, opened, questions)
        embedder = load_embedder(opened.settings.models)
        yield "vectors of the library", partial(bench_recall, opened.store, embedder, questions)
    yield "scans", bench_scan
    yield "serving", partial(bench_serve, library, questions[:SERVE_QUESTIONS])
