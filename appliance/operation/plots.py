"""Figures as plots: bars and bands by hour of service, drawn as SVG where the page is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 200, 52, 24, 10
TICKS = 4


@dataclass(frozen=True, slots=True)
class Series:
    """Values by hour under one name; `shade` (a, b, c) is its colour."""

    name: str
    shade: str
    values: tuple[float, ...]


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
    for at, label in _shown(labels):
        x, width = _column(at, len(labels))
        parts.append(
            f'<text x="{x + width / 2:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{escape(label)}</text>'
        )
    return "".join([*parts, *marks, "</svg>"])


def _shown(labels: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield so many labels, with their numbers, that they do not touch."""
    every = -(-len(labels) // 6) or 1
    return ((at, label) for at, label in enumerate(labels) if at % every == every // 2)


def _column(at: int, columns: int) -> tuple[float, float]:
    width = (WIDTH - LEFT) / max(1, columns)
    return LEFT + at * width + 0.1 * width, min(0.8 * width, 40)


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - _tall(value, top)


def _tall(value: float, top: float) -> float:
    return (HEIGHT - BOTTOM - TOP) * value / top
