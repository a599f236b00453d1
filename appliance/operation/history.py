"""The figures of a site put together for reading: by hour of service, by stage, in all; its plots as SVG."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from appliance.operation.meter import OUTCOMES, WHOLE, quantile
from appliance.site.figures import Figure

HOURS = 48  # of service shown in the plots
EARLIEST = 1_767_225_600  # 2026-01-01; a clock before it is wrong
TIME = "time "
TOKENS = "tokens per second"
JOBS = {"jobs done": "written", "jobs cancelled": "given up", "jobs failed": "failed"}
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 200, 52, 24, 10
TICKS = 4
SHADES = dict(zip(OUTCOMES, "abc", strict=True))


Say = Callable[[str], str]  # gives words of ours in the language of the reader


@dataclass(frozen=True, slots=True)
class Stage:
    """How long a stage took: how often, the median, 95 in 100, and the longest, in ms."""

    name: str
    count: int
    half: float
    most_of: float
    longest: float


@dataclass(frozen=True, slots=True)
class Series:
    """Values by hour under one name; `shade` (a, b, c) is its colour."""

    name: str
    shade: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing with its title, and the shades and names of its series where there are several."""

    title: str
    drawing: str
    legend: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """What the page of figures shows; `tokens` are those that the language model writes a second, half.

    `hours` are those of service in which something was counted, each from the start of the box: the last of
    every one of the `starts` may be a part of an hour.
    """

    totals: dict[str, int]
    not_found_share: float
    stages: tuple[Stage, ...]
    plots: tuple[Plot, ...]
    hours: int
    tokens: float = 0.0
    starts: int = 1


def together(kept: Sequence[Figure], present: Sequence[Figure]) -> tuple[Figure, ...]:
    """Return the rows that were written with those still in memory in their place."""
    rows = {(row.boot, row.hour, row.name): row for row in (*kept, *present)}
    return tuple(rows.values())


def history(rows: Sequence[Figure], say: Say = str) -> History:
    """Return the figures of all rows, with plots of the last hours of service; `say` gives their words."""
    totals: dict[str, int] = {}
    for row in rows:
        if not row.name.startswith(TIME):
            totals[row.name] = totals.get(row.name, 0) + row.count
    asked = sum(totals.get(name, 0) for name in OUTCOMES)
    hours = list(dict.fromkeys((row.boot, row.hour) for row in rows))
    timed = dict.fromkeys(row.name for row in rows if row.name.startswith(TIME))
    stages = sorted((_stage(name, rows) for name in timed), key=lambda stage: -stage.most_of)
    return History(
        totals=totals,
        not_found_share=totals.get("not found", 0) / asked if asked else 0.0,
        stages=tuple(stages),
        plots=tuple(_plots(rows, hours[-HOURS:], say)) if rows else (),
        hours=len(hours),
        tokens=_stage(TOKENS, rows).half if TOKENS in totals else 0.0,
        starts=len({boot for boot, _ in hours}),
    )


def _stage(name: str, rows: Sequence[Figure]) -> Stage:
    mine = [row for row in rows if row.name == name]
    summed = tuple(map(sum, zip(*(row.buckets for row in mine), strict=True)))
    longest = max(row.most for row in mine)
    half, most_of = (min(quantile(summed, share), longest) for share in (0.5, 0.95))
    return Stage(name.removeprefix(TIME), sum(row.count for row in mine), half, most_of, longest)


def _plots(rows: Sequence[Figure], hours: Sequence[tuple[str, int]], say: Say) -> list[Plot]:
    known = {(row.boot, row.hour, row.name): row for row in rows}
    labels = [label(next(row for row in rows if (row.boot, row.hour) == hour), hour) for hour in hours]

    def values(name: str, of: Callable[[Figure], float]) -> tuple[float, ...]:
        return tuple(of(row) if (row := known.get((*hour, name))) else 0.0 for hour in hours)

    def within(share: float) -> tuple[float, ...]:
        return values(TIME + WHOLE, lambda row: round(min(quantile(row.buckets, share), row.most)))

    def counted(name: str, said: str, shade: str) -> Series:
        return Series(say(said), shade, values(name, lambda row: float(row.count)))

    def barred(title: str, label: str, *series: Series) -> Plot:
        legend = tuple((item.shade, item.name) for item in series) if len(series) > 1 else ()
        return Plot(title, bars(label, labels, series), legend)

    asked = [counted(name, name, SHADES[name]) for name in OUTCOMES]
    half, most_of = say("half within"), say("95 of 100 within")
    took = [Series(half, "a", within(0.5)), Series(most_of, "b", within(0.95))]
    drawn = lines(say("Time of an answer by hour"), labels, took, "ms", say("nothing measured"))
    waited = Series(say("requests that waited at once"), "c", values("queue", lambda row: row.most))
    plots = [
        barred(say("Questions"), say("Questions by hour"), *asked),
        Plot(say("Time of an answer, ms"), drawn, (("a", half), ("b", most_of))),
        barred(say("Longest queue"), say("Longest queue by hour"), waited),
    ]
    if any(row.name in JOBS for row in rows):
        written = [
            counted(name, said, shade) for (name, said), shade in zip(JOBS.items(), "abc", strict=True)
        ]
        held = values("jobs waiting", lambda row: row.most)
        longest = Series(say("answers that waited at once"), "c", held)
        plots += [
            barred(say("Answers of the language model"), say("Answers written by hour"), *written),
            barred(say("Longest queue of the model"), say("Answers that waited by hour"), longest),
        ]
    return plots


def label(row: Figure, hour: tuple[str, int]) -> str:
    """Return what an hour of service is called: by the clock where that can be right, else by its number."""
    if row.at < EARLIEST:
        return f"hour {hour[1] + 1}"
    return time.strftime("%d %b %H h", time.gmtime(row.at))


def bars(title: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Return a plot of bars, those of one hour on top of each other."""
    heights = [sum(item.values[at] for item in series) for at in range(len(labels))]
    top = nice(max(heights, default=0.0))
    marks: list[str] = []
    for at, label in enumerate(labels):
        below = 0.0
        for item in series:
            value = item.values[at]
            x, width = _column(at, len(labels))
            height = _tall(value, top)
            y = _y(below + value, top)
            if value:
                marks.append(
                    f'<rect class="{item.shade}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                    f'height="{height:.1f}"><title>{escape(f"{label}: {value:g} {item.name}")}</title></rect>'
                )
            below += value
    said = "; ".join(f"{sum(item.values):g} {item.name}" for item in series)
    return _framed(title, said, labels, top, marks)


def lines(title: str, labels: Sequence[str], series: Sequence[Series], unit: str, none: str) -> str:
    """Return a plot of lines; 0 means that nothing was measured in that hour, and `none` says so of all."""
    top = nice(max((value for item in series for value in item.values), default=0.0))
    marks = [mark for item in series for mark in _line(item, labels, top, unit)]
    last = [(item.name, [value for value in item.values if value]) for item in series]
    said = "; ".join(f"{name} {values[-1]:g} {unit}" for name, values in last if values)
    return _framed(title, said or none, labels, top, marks)


def _line(item: Series, labels: Sequence[str], top: float, unit: str) -> Iterator[str]:
    points = []
    for at, value in enumerate(item.values):
        if value:
            x, width = _column(at, len(labels))
            points.append((x + width / 2, _y(value, top), f"{labels[at]}: {item.name} {value:g} {unit}"))
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    yield f'<polyline class="{item.shade}" points="{way}"/>'
    for x, y, words in points:
        place = f'class="{item.shade}" cx="{x:.1f}" cy="{y:.1f}" r="3"'
        yield f"<circle {place}><title>{escape(words)}</title></circle>"


def nice(most: float) -> float:
    """Return the round number at or above a value that an axis ends at."""
    if most <= 0:
        return float(TICKS)
    step = 1.0
    while step * 10 * TICKS < most:
        step *= 10
    return next(TICKS * step * times for times in (1, 2, 5, 10) if TICKS * step * times >= most)


def _framed(title: str, said: str, labels: Sequence[str], top: float, marks: Sequence[str]) -> str:
    named = f'role="img" aria-label="{escape(f"{title}: {said}")}"'
    parts = [f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" {named}>']
    for tick in range(TICKS + 1):
        y, value = _y(top * tick / TICKS, top), top * tick / TICKS
        parts += [
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>',
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>',
        ]
    every = -(-len(labels) // 6) or 1  # so many labels that they do not touch
    for at, label in list(enumerate(labels))[every // 2 :: every]:
        x, width = _column(at, len(labels))
        parts.append(
            f'<text x="{x + width / 2:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(label)}</text>'
        )
    return "".join([*parts, *marks, "</svg>"])


def _column(at: int, columns: int) -> tuple[float, float]:
    width = (WIDTH - LEFT) / max(1, columns)
    return LEFT + at * width + 0.1 * width, min(0.8 * width, 40)


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - _tall(value, top)


def _tall(value: float, top: float) -> float:
    return (HEIGHT - BOTTOM - TOP) * value / top
