"""What a benchmark measured, on which machine, in alternating rounds."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape as plot_escape
from pathlib import Path
from typing import Any, Literal

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table as Grid

from appliance.evaluation.metrics import percentile

_CPU_INFO = Path("/proc/cpuinfo")
_MEMORY_INFO = Path("/proc/meminfo")


@dataclass(frozen=True, slots=True)
class Machine:
    """Processor, usable cores, memory in GiB, system and interpreter; load is the mean of one minute."""

    processor: str
    cores: int
    memory_gib: float
    system: str
    python: str
    load: float

    def __str__(self) -> str:
        return (
            f"{self.processor}, {self.cores} cores, {self.memory_gib:.0f} GiB, {self.system}, "
            f"Python {self.python}, load {self.load:.1f} at the start"
        )


def this_machine() -> Machine:
    """Return the machine that the program runs on."""
    return Machine(
        processor=_field(_CPU_INFO, "model name") or platform.processor() or platform.machine(),
        cores=usable_cores(),
        memory_gib=round(_memory_kib() / 2**20, 1),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        load=round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0,
    )


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory_kib() -> int:
    value = _field(_MEMORY_INFO, "MemTotal").split()
    return int(value[0]) if value and value[0].isdigit() else 0


def _field(path: Path, name: str) -> str:
    """Return the value of the first "name : value" line, "" where the system has no such file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    pairs = (line.partition(":") for line in lines)
    return next((value.strip() for key, _, value in pairs if key.strip() == name), "")


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds of each round, by the processor and by the clock."""

    processor: list[float] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)

    def p(self, share: float) -> float:
        """Return a percentile of the processor's milliseconds."""
        return percentile(self.processor, share)

    @property
    def said(self) -> str:
        """Return the times by the clock."""
        return f"{percentile(self.clock, 0.5):.2f} ms by the clock"


def in_turn(ways: Mapping[str, Callable[[int], object]], rounds: int) -> dict[str, Spent]:
    """Return what each way took, given the number of the round."""
    spent = {name: Spent() for name in ways}
    for work in ways.values():
        work(0)
    for number in range(rounds):
        for name, work in ways.items():
            clock, processor = time.perf_counter(), time.process_time()
            work(number)
            spent[name].processor.append((time.process_time() - processor) * 1000)
            spent[name].clock.append((time.perf_counter() - clock) * 1000)
    return spent


_ROW = 54
_TOP = 44
_LEFT = 250
_WIDTH = 360
_TOTAL = 760
_OURS, _PEER, _TARGET, _INK = "#1f6f8b", "#b8b8b8", "#c0392b", "#222222"


@dataclass(frozen=True, slots=True)
class Bar:
    """One figure; None where there is no peer or no target. `better` is "higher" or "lower"."""

    name: str
    unit: str
    ours: float
    peer: float | None
    peer_name: str
    target: float | None
    better: str


def bars_svg(title: str, bars: Sequence[Bar]) -> str:
    """Return an SVG drawing of the bars, readable on light and dark ground."""
    height = _TOP + _ROW * len(bars) + 12
    frame = f'viewBox="0 0 {_TOTAL} {height}" font-family="sans-serif" font-size="13"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame} role="img" aria-label="{plot_escape(title)}">',
        f'<rect width="{_TOTAL}" height="{height}" fill="#ffffff"/>',
        _text(12, 24, title, weight="bold"),
    ]
    for number, bar in enumerate(bars):
        parts += _row(bar, _TOP + number * _ROW)
    return "\n".join([*parts, "</svg>", ""])


def _row(bar: Bar, y: int) -> list[str]:
    top = max(value for value in (bar.ours, bar.peer, bar.target, 1e-12) if value is not None)
    parts = [
        _text(12, y + 14, bar.name),
        _text(12, y + 30, f"{bar.unit}, {bar.better} is better", size=11),
        *_bar(y, bar.ours / top, _OURS, f"{number(bar.ours)} ours"),
    ]
    if bar.peer is not None:
        parts += _bar(y + 20, bar.peer / top, _PEER, f"{number(bar.peer)} {bar.peer_name}")
    if bar.target is not None:
        x = _LEFT + _WIDTH * bar.target / top
        parts.append(
            f'<line x1="{x:.1f}" y1="{y}" x2="{x:.1f}" y2="{y + 38}" stroke="{_TARGET}" stroke-width="2">'
            f"<title>target {number(bar.target)}</title></line>"
        )
    return parts


def _bar(y: int, part: float, colour: str, words: str) -> list[str]:
    width = max(1.0, _WIDTH * part)
    return [
        f'<rect x="{_LEFT}" y="{y + 2}" width="{width:.1f}" height="15" fill="{colour}"/>',
        _text(int(_LEFT + width + 6), y + 14, words, size=11),
    ]


def _text(x: int, y: int, words: str, size: int = 13, weight: str = "normal") -> str:
    style = f'fill="{_INK}" font-size="{size}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {style}>{plot_escape(words)}</text>'


def number(value: float) -> str:
    """Return a number with three significant digits, without an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


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
