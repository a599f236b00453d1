"""The record of a training, written beside what it made: data, licences, recipe, seed, figures, curve.

Rules of this module: JSON and SVG out, no torch; what is shipped names the record that it came from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from appliance.training.examples import Data

RECORD = "training.json"
PLOT = "curve.svg"
_LEFT, _TOP, _WIDE, _HIGH = 60, 40, 560, 220
_INK, _LINE = "#222222", "#1f6f8b"


def write_record(
    folder: Path,
    data: Data,
    *,
    base: str,
    recipe: Mapping[str, Any],
    curve: Sequence[tuple[int, float]],
    figures: Mapping[str, Any],
    held_out: Sequence[str],
) -> Path:
    """Write record and plot into the folder and return the record's path."""
    record = {
        "schema": 1,
        "base": base,
        "data": sources(data),
        "held_out": sorted(held_out),
        "recipe": recipe,
        "figures": figures,
        "curve": [[step, loss] for step, loss in curve],
    }
    path = folder / RECORD
    path.write_bytes(msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n")
    (folder / PLOT).write_text(curve_svg("Loss over the steps of the training", curve), encoding="utf-8")
    return path


def sources(data: Data) -> list[dict[str, Any]]:
    """Return each source with its licence, its documents and its number of examples."""
    counted = Counter((one.source, one.licence) for one in data.examples)
    return [
        {
            "source": source,
            "licence": licence,
            "examples": count,
            "documents": sorted(
                {one.document for one in data.examples if one.source == source and one.document}
            ),
        }
        for (source, licence), count in sorted(counted.items())
    ]


def curve_svg(title: str, curve: Sequence[tuple[int, float]]) -> str:
    """Return a drawing of the loss over the steps, readable on light and dark ground."""
    steps = [step for step, _ in curve] or [0]
    losses = [loss for _, loss in curve] or [0.0]
    last, top, low = max(*steps, 1), max(losses), min(losses)
    span = max(top - low, 1e-6)
    points = " ".join(
        f"{_LEFT + _WIDE * step / last:.1f},{_TOP + _HIGH * (top - loss) / span:.1f}" for step, loss in curve
    )
    frame = f'viewBox="0 0 {_LEFT + _WIDE + 20} {_TOP + _HIGH + 40}" font-family="sans-serif" font-size="12"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {frame} role="img" aria-label="{escape(title)}">',
            '<rect width="100%" height="100%" fill="#ffffff"/>',
            _text(12, 20, title),
            _text(12, _TOP + 8, f"{top:.2f}"),
            _text(12, _TOP + _HIGH, f"{low:.2f}"),
            _text(_LEFT, _TOP + _HIGH + 24, "0"),
            _text(_LEFT + _WIDE - 60, _TOP + _HIGH + 24, f"{last} steps"),
            f'<polyline points="{points}" fill="none" stroke="{_LINE}" stroke-width="2"/>',
            "</svg>",
            "",
        ]
    )


def _text(x: int, y: int, words: str) -> str:
    return f'<text x="{x}" y="{y}" fill="{_INK}">{escape(words)}</text>'
