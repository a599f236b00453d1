"""Many narrow columns of one width, of which some rows name several together: months, and seasons of them.

Rules of this module: pure geometry in points, and only where no upright rule is drawn. Such columns are shown
by a line of the head and one of the body that stand part under part. A row with fewer values, each in the
middle of as many columns as the others, names all of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from appliance.ingest.cells import Row

FEWEST = 6  # columns of values
APART = 0.8  # ems of white between two of them
UNDER = 3.0  # points by which the middles of a head and its value differ
EVEN = 0.25  # of the usual step from column to column, by which one may differ
MIDDLE = 0.2  # of it: a value so near to the middle of its columns

Span = tuple[float, float]


def shown(rows: Sequence[Row], head: float) -> list[float]:
    """Return where the columns part that a line of the head and one of the body show, [] for none."""
    over = [_parts(row) for row in rows if row.base <= head]
    under = [_parts(row) for row in rows if row.base > head]
    for names in over:
        if len(names) > FEWEST and _is_even([_middle(part) for part in names[1:]]):
            values = next((parts for parts in under if _stands_under(parts, names)), None)
            if values:
                return [_between(*pair) for pair in pairwise(zip(names, values, strict=True))]
    return []


def together(row: Row, xs: Sequence[float]) -> set[int]:
    """Return the partings that a row with one value for several columns each runs over; {} for others."""
    values = [part for part in _parts(row) if xs and _middle(part) > xs[0]]
    columns = len(xs)  # of values: the first parting stands behind the labels
    each = columns // len(values) if values else 0
    if columns < FEWEST or len(values) < 2 or each < 2 or each % 2 or columns % len(values):
        return set()
    step = median(after - before for before, after in pairwise(xs))
    starts = range(1, columns + 1, each)
    centres = [xs[start + each // 2 - 1] for start in starts]
    if any(abs(_middle(part) - x) > MIDDLE * step for part, x in zip(values, centres, strict=True)):
        return set()
    return {at for start in starts for at in range(start, start + each - 1)}


def _parts(row: Row) -> list[Span]:
    parts: list[Span] = []
    for word in row.words:
        if parts and word.x0 - parts[-1][1] < APART * row.size:
            parts[-1] = (parts[-1][0], max(parts[-1][1], word.x1))
        else:
            parts.append((word.x0, word.x1))
    return parts


def _middle(part: Span) -> float:
    return (part[0] + part[1]) / 2


def _is_even(middles: Sequence[float]) -> bool:
    steps = [after - before for before, after in pairwise(middles)]
    usual = median(steps)
    return all(abs(step - usual) <= EVEN * usual for step in steps)


def _stands_under(values: Sequence[Span], names: Sequence[Span]) -> bool:
    """Tell whether each value has the middle, or the left, of its name; the label stands anywhere."""
    return len(values) == len(names) and all(
        abs(_middle(value) - _middle(name)) < UNDER or abs(value[0] - name[0]) < UNDER
        for value, name in list(zip(values, names, strict=True))[1:]
    )


def _between(before: tuple[Span, Span], after: tuple[Span, Span]) -> float:
    return (max(part[1] for part in before) + min(part[0] for part in after)) / 2
