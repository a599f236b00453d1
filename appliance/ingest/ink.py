"""The drawn parts of a page as areas: strokes and pictures that lie together.

Rules of this module: pure; rules of tables, bands behind captions, underlines and the ground of the
page are no drawing; parts within a small distance are one drawing. Work is bounded: parts are first
put on a coarse grid, so that a map of twenty thousand strokes costs no more than its squares.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.ingest.rules import THIN, WHITE, Area
from appliance.ingest.view import View

SQUARE = 8.0  # points: side of a square of the coarse grid
GROUND = 0.75  # of the page: a bigger part is its ground
LEAST = 14.0  # points: a smaller drawing is a sign in the text


def ink_of(view: View, captions: Sequence[Area], tables: Sequence[Area]) -> tuple[Area, ...]:
    """Return the areas of the drawings on the page."""
    body = view.body
    parts = []
    for item in (*view.strokes, *view.pictures):
        area = Area(item.x0, item.y0, item.x1, item.y1)
        if area.y1 < body.y0 - 40 or area.y0 > body.y1 + 40 or area.width > 0.95 * view.width:
            continue
        if area.width * area.height > GROUND * view.width * view.height or getattr(item, "colour", 0) == WHITE:
            continue
        if any(_same(area, c) or _holds(c, area) for c in captions) or any(_holds(t, area) for t in tables):
            continue
        parts.append(area)
    return tuple(a for a in _clusters(parts) if max(a.width, a.height) >= LEAST and not _is_rule(a))


def _is_rule(area: Area) -> bool:
    return min(area.width, area.height) < THIN


def _same(one: Area, other: Area) -> bool:
    sides = ((one.x0, other.x0), (one.y0, other.y0), (one.x1, other.x1), (one.y1, other.y1))
    return all(abs(a - b) < 3 for a, b in sides)


def _holds(outer: Area, inner: Area) -> bool:
    return (
        outer.x0 - 3 <= inner.x0 and inner.x1 <= outer.x1 + 3 and outer.y0 - 3 <= inner.y0 and inner.y1 <= outer.y1 + 3
    )


def _clusters(parts: Sequence[Area]) -> list[Area]:
    """Return the parts joined where their squares touch."""
    squares: dict[tuple[int, int], list[int]] = {}
    for number, part in enumerate(parts):
        for square in _rim(part):
            squares.setdefault(square, []).append(number)
    parent = list(range(len(parts)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for (x, y), numbers in squares.items():
        for beside in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1), (x - 1, y + 1)):
            for other in squares.get(beside, ())[:1]:
                parent[root(other)] = root(numbers[0])
        for number in numbers[1:]:
            parent[root(number)] = root(numbers[0])
    groups: dict[int, list[Area]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(root(number), []).append(part)
    return [
        Area(min(a.x0 for a in g), min(a.y0 for a in g), max(a.x1 for a in g), max(a.y1 for a in g))
        for g in groups.values()
    ]


def _rim(part: Area) -> set[tuple[int, int]]:
    """Return the squares that the outline of the part's rectangle lies on."""
    x0, y0, x1, y1 = (int(v // SQUARE) for v in (part.x0, part.y0, part.x1, part.y1))
    across = {(x, y) for x in range(x0, x1 + 1) for y in (y0, y1)}
    return across | {(x, y) for y in range(y0, y1 + 1) for x in (x0, x1)}
