"""The figures of a benchmark as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from appliance.evaluation.bench.measures import BenchReport, Measure, number

_SCAN = re.compile(r"nearest \d+ of ([\d,]+)")
_HEAD = ("part", "figure", "ours", "peer", "times better", "target")
_NONE = "–"


def bench_markdown(report: BenchReport, day: date) -> str:
    """Return the whole report as Markdown."""
    scans = [one for one in report.measures if one.part == "vectors" and _SCAN.fullmatch(one.name)]
    others = [one for one in report.measures if one not in scans]
    parts = [f"Measured on {day.day} {day:%B %Y}: {report.machine}.", _table(_HEAD, _lines(others))]
    if scans:
        parts.append(_scans(scans))
    if report.notes:
        parts.append("\n".join(f"- {note}" for note in report.notes))
    return "\n\n".join(parts) + "\n"


def _lines(measures: Iterable[Measure]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each figure, those of one figure's peers together."""
    together: dict[tuple[str, str], list[Measure]] = {}
    for one in measures:
        together.setdefault((one.part, one.name), []).append(one)
    for (part, name), same in together.items():
        first, unit = same[0], f" {same[0].unit}"
        beside = [one for one in same if one.peer is not None]
        aim = next((one for one in same if one.target is not None), first)
        yield (
            part,
            f"{name} ({first.note})" if first.note else name,
            number(first.ours) + unit,
            "; ".join(f"{number(one.peer or 0.0)}{unit} ({one.peer_name})" for one in beside) or _NONE,
            "; ".join(f"{one.ratio:.2f}" for one in beside if one.ratio is not None) or _NONE,
            _aim(aim),
        )


def _aim(measure: Measure) -> str:
    if measure.target is None:
        return _NONE
    sign = "≥" if measure.better == "higher" else "≤"
    return f"{sign} {measure.target:,g} {measure.unit} {'met' if measure.met else 'not met'}"


def _scans(scans: Sequence[Measure]) -> str:
    """Return the table of scans: a size a line, a way a column, and the target of ours."""
    sizes: dict[str, dict[str, str]] = {}
    for one in scans:
        found = _SCAN.fullmatch(one.name)
        row = sizes.setdefault(found[1] if found else one.name, {"ours": f"{number(one.ours)} {one.unit}"})
        row[one.peer_name] = f"{number(one.peer or 0.0)} {one.unit}"
        if one.target is not None:
            row["target"] = _aim(one)
    ways = list(dict.fromkeys(way for row in sizes.values() for way in row if way != "target"))
    columns = ("vectors", *ways, "target")
    return _table(
        columns, [(size, *(row.get(way, _NONE) for way in columns[1:])) for size, row in sizes.items()]
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
