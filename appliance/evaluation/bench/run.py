"""The benchmark: build, search and serve beside a peer and a target, in one run on one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from appliance.core.errors import ApplianceError
from appliance.core.settings import Settings
from appliance.evaluation.bench.build import bench_build
from appliance.evaluation.bench.generation import bench_generation
from appliance.evaluation.bench.models import bench_models
from appliance.evaluation.bench.rounds import BenchReport, Measure, Result, number, this_machine
from appliance.evaluation.bench.search import bench_search, bench_words
from appliance.evaluation.bench.startup_and_memory import bench_serve
from appliance.evaluation.bench.vector_scan import bench_recall, bench_scan
from appliance.library import Library
from appliance.models.catalogue import load_embedder

BUILD_SECONDS = 300.0
SERVE_QUESTIONS = 20


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

    def parts() -> Iterator[tuple[str, Callable[[], Result]]]:
        if questions:
            with closing(Library.open(library, settings)) as opened:
                yield "search", partial(bench_search, opened, questions)
                yield "models", partial(bench_models, opened, questions)
                yield "words", partial(bench_words, opened, questions)
                embedder = load_embedder(opened.settings.models)
                yield "vectors of the library", partial(bench_recall, opened.store, embedder, questions)
            yield "scans", bench_scan
            yield "serving", partial(bench_serve, library, questions[:SERVE_QUESTIONS])
        if files:
            yield "build", partial(bench_build, files, settings, seconds=seconds)
        if model:
            yield "writing", partial(bench_generation, model)

    machine = this_machine()
    measures: list[Measure] = []
    notes: list[str] = []
    for name, measured in parts():
        told(f"{name} …")
        try:
            found, remarks = measured()
        except ApplianceError as error:
            found, remarks = (), (f"{name}: not measured, {error}",)
        measures += found
        notes += remarks
        for measure in found:
            told(f"  {measure.name}: {number(measure.ours)} {measure.unit}")
    return BenchReport(machine, tuple(measures), tuple(notes))
