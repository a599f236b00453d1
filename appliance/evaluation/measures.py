"""What a benchmark measured: one value for each figure, beside its peer and its target.

Rules of this module: pure. A peer is measured in the same run on the same input, or it is absent
with the reason; a ratio is always "times better", above 1 where we are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table as Grid

from appliance.evaluation.machine import Machine
from appliance.evaluation.plot import Bar, bars_svg, number


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure; `peer` is None where there is none, `note` says why or how it was measured."""

    part: Literal["build", "search", "serve", "generate", "vectors", "words", "models"]
    name: str
    ours: float
    unit: str
    better: Literal["higher", "lower"]
    peer: float | None = None
    peer_name: str = ""
    target: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Return how many times better than the peer; None without a peer."""
        if not self.peer or not self.ours:
            return None
        return self.ours / self.peer if self.better == "higher" else self.peer / self.ours

    @property
    def met(self) -> bool | None:
        """Tell whether the target is met; None where there is none."""
        if self.target is None:
            return None
        return self.ours >= self.target if self.better == "higher" else self.ours <= self.target


@dataclass(frozen=True, slots=True)
class BenchReport:
    """All figures of one run on one machine."""

    machine: Machine
    measures: tuple[Measure, ...]
    notes: tuple[str, ...] = ()


def bench_json(report: BenchReport) -> dict[str, Any]:
    """Return the report for programs."""
    return {
        "schema": 1,
        "machine": asdict(report.machine),
        "measures": [asdict(m) | {"ratio": m.ratio, "met": m.met} for m in report.measures],
        "notes": list(report.notes),
    }


def bench_tables(report: BenchReport) -> Iterator[RenderableType]:
    """Yield the report as a table to read."""
    grid = Grid(box=None, pad_edge=False)
    for name in ("part", "figure"):
        grid.add_column(name)
    for name in ("ours", "peer", "times better", "target"):
        grid.add_column(name, justify="right")
    grid.add_column("")
    for measure in report.measures:
        grid.add_row(*_cells(measure))
    yield escape(str(report.machine))
    yield grid
    yield from (escape(note) for note in report.notes)


def bench_svg(report: BenchReport) -> str:
    """Return the figures that have a peer or a target, drawn."""
    chosen = [m for m in report.measures if m.peer is not None or m.target is not None]
    bars = [Bar(m.name, m.unit, m.ours, m.peer, m.peer_name, m.target, m.better) for m in chosen]
    title = f"{report.machine.processor}, {report.machine.cores} cores; the red line is the target"
    return bars_svg(title, bars)


def _cells(measure: Measure) -> tuple[str, ...]:
    unit = f" {measure.unit}"
    sign = "≥" if measure.better == "higher" else "≤"
    met = {True: "met", False: "not met", None: ""}[measure.met]
    return (
        measure.part,
        escape(measure.name),
        number(measure.ours) + unit,
        "–" if measure.peer is None else f"{number(measure.peer)}{unit} ({escape(measure.peer_name)})",
        "–" if measure.ratio is None else f"{measure.ratio:.2f}",
        "–" if measure.target is None else f"{sign} {number(measure.target)}{unit} {met}".rstrip(),
        escape(measure.note),
    )
