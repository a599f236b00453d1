"""The benchmark: build, search and serve beside a peer and a target, in one run on one machine.

Rules of this module: a part that cannot be measured is a remark, and the others go on; what was
measured names its machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from appliance.errors import ApplianceError
from appliance.evaluation.bench_build import bench_build
from appliance.evaluation.bench_generation import bench_generation
from appliance.evaluation.bench_search import bench_search
from appliance.evaluation.bench_serve import bench_serve
from appliance.evaluation.machine import this_machine
from appliance.evaluation.measures import BenchReport, Measure
from appliance.library import Library
from appliance.settings import Settings

BUILD_SECONDS = 300.0
SERVE_QUESTIONS = 20


def run_bench(
    library: Path,
    files: Sequence[Path],
    questions: Sequence[str],
    settings: Settings,
    *,
    seconds: float = BUILD_SECONDS,
    with_peer: bool = True,
    model: Path | None = None,
) -> BenchReport:
    """Return all figures; each part is left out where what it needs (PDFs, questions, a model) is not given.

    Raises:
        LibraryMissing and the other errors of opening a library: there is nothing to measure.
    """
    machine = this_machine()
    parts: list[tuple[tuple[Measure, ...], tuple[str, ...]]] = []
    if questions:
        opened = Library.open(library, settings)
        try:
            parts.append(bench_search(opened, questions))
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
    measures = tuple(measure for found, _ in parts for measure in found)
    return BenchReport(machine, measures, tuple(note for _, notes in parts for note in notes))
