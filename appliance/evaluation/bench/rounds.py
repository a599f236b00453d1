"""What a benchmark measured, on which machine, in alternating rounds."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

from appliance.evaluation.questions import percentile


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
    """Return the machine that the program runs on; "" and 0 where the system does not tell."""

    def told(path: Path, name: str) -> str:
        """Return the value of the first "name : value" line."""
        with suppress(OSError):
            pairs = (line.partition(":") for line in path.read_text(encoding="utf-8").splitlines())
            return next((value.strip() for key, _, value in pairs if key.strip() == name), "")
        return ""

    memory_kib = told(Path("/proc/meminfo"), "MemTotal").partition(" ")[0] or "0"
    return Machine(
        processor=told(Path("/proc/cpuinfo"), "model name") or platform.processor() or platform.machine(),
        cores=len(os.sched_getaffinity(0)),
        memory_gib=round(int(memory_kib) / 2**20, 1),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        load=round(os.getloadavg()[0], 1),
    )


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


Result = tuple[tuple[Measure, ...], tuple[str, ...]]  # of one part: its figures, and remarks


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


_HEAD = ("part", "figure", "ours", "peer", "times better", "target")
_NONE = "–"


def bench_markdown(report: BenchReport, day: date) -> str:
    """Return the whole report as Markdown."""
    lines = [_HEAD, ["---"] * len(_HEAD), *_lines(report.measures)]
    table = "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
    parts = [f"Measured on {day.day} {day:%B %Y}: {report.machine}.", table]
    if report.notes:
        parts.append("\n".join(f"- {note}" for note in report.notes))
    return "\n\n".join(parts) + "\n"


def _lines(measures: Sequence[Measure]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each figure, those of one figure's peers together."""
    for part, name in dict.fromkeys((one.part, one.name) for one in measures):
        same = [one for one in measures if (one.part, one.name) == (part, name)]
        first, unit = same[0], f" {same[0].unit}"
        beside = [one for one in same if one.peer is not None]
        sign = "≥" if first.better == "higher" else "≤"
        aims = [
            f"{sign} {one.target:,g} {one.unit} {'met' if one.met else 'not met'}"
            for one in same
            if one.target is not None
        ]
        yield (
            part,
            f"{name} ({first.note})" if first.note else name,
            number(first.ours) + unit,
            "; ".join(f"{number(one.peer or 0.0)}{unit} ({one.peer_name})" for one in beside) or _NONE,
            "; ".join(f"{one.ratio:.2f}" for one in beside if one.ratio is not None) or _NONE,
            aims[0] if aims else _NONE,
        )
