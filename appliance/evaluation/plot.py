"""Measured figures as a small SVG: one bar for us, one for the peer, a mark at the target.

Rules of this module: pure text out, no library; a row has its own scale, since seconds, pages and
megabytes share none; colours carry no meaning that the words do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

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
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame} role="img" aria-label="{escape(title)}">',
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
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'


def number(value: float) -> str:
    """Return a number with three significant digits, without an exponent."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
