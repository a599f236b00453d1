"""Drawn paths, as MuPDF lists them, to strokes.

Rules of this module: pure (plain dictionaries in, values out); one stroke for a filled shape, one for
each line or rectangle of an outline; what has no place (a coordinate that is no number) or is one too
many is counted, so that it can be said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from appliance.ingest.page import Stroke
from appliance.ingest.words import Matrix, turned

STROKES = 20_000  # of one page that are kept; a drawing with more is a picture, not a table

Box = tuple[float, float, float, float]


def strokes_of(paths: Iterable[dict[str, Any]], turn: Matrix | None) -> tuple[tuple[Stroke, ...], int]:
    """Return the first strokes of a page, and how many were left out."""
    kept: list[Stroke] = []
    lost = 0
    for path in paths:
        if path["type"] not in {"f", "s", "fs"}:
            continue
        for stroke in _path_strokes(path, turn):
            if len(kept) < STROKES and math.isfinite(stroke.x0 + stroke.y0 + stroke.x1 + stroke.y1):
                kept.append(stroke)
            else:
                lost += 1
    return tuple(kept), lost


def _path_strokes(path: dict[str, Any], turn: Matrix | None) -> Iterator[Stroke]:
    """Yield one stroke for a filled shape; for an outline one for each line or rectangle in it."""
    filled, stroked = "f" in path["type"], "s" in path["type"]
    colour = _colour(path.get("fill" if filled else "color"))
    curves: list[tuple[float, float]] = []
    if not stroked:
        plain = all(item[0] in {"l", "re", "qu"} for item in path["items"]) and len(path["items"]) <= 5
        yield _stroke(path["rect"], "rect" if plain else "curve", turn, (filled, stroked, colour))
        return
    for item in path["items"]:
        if item[0] == "l":
            (ax, ay), (bx, by) = item[1], item[2]
            box = (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
            yield _stroke(box, "line", turn, (filled, stroked, colour))
        elif item[0] == "re":
            yield _stroke(item[1], "rect", turn, (filled, stroked, colour))
        else:
            curves.extend(item[1:] if item[0] == "c" else item[1])
    if curves:
        xs, ys = [point[0] for point in curves], [point[1] for point in curves]
        yield _stroke((min(xs), min(ys), max(xs), max(ys)), "curve", turn, (filled, stroked, colour))


def _stroke(box: Box, kind: Any, turn: Matrix | None, ink: tuple[bool, bool, int]) -> Stroke:
    x0, y0, x1, y1 = turned(box, turn) if turn else box
    return Stroke(x0, y0, x1, y1, kind, *ink)


def _colour(parts: tuple[float, ...] | None) -> int:
    red, green, blue = (min(255, max(0, round(part * 255))) for part in (parts or (0, 0, 0)))
    return red << 16 | green << 8 | blue
