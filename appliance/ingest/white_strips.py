"""Two columns told by the white strip between them, where tables and lists hide the prose of a side.

Rules of this module: pure geometry in points. A strip that no segment and no rule crosses, over much of
the page and with running text on both sides, parts columns, whatever tables, formulas and lists stand in
them. Only where the gaps between the lines fall level on both sides may it be a table without rules; such
a strip is in doubt, and what is in doubt is said and never settled in silence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from appliance.ingest.lines import Segment

CLEAR = 0.7  # type sizes: width of a strip between columns, at the least
TALL = 0.28  # of the page's height
LINES, PROSE = 8, 5  # lines, and lines of running text, on each side
GAP = 0.45  # type sizes between two lines: more than leading
LEVEL = 0.5  # of the lines behind a gap on a side: so many begin level in a table, in columns by chance
ROWS = 3  # such lines, at the least
SAME = 0.25  # type sizes between two lines that begin level
NUMBERED = 0.6  # of such lines, each with another number: clauses on both sides
_NUMBER = re.compile(r"[A-Z]{0,3}\d{1,3}(?:\.\d{1,3})+(?![\d,%])")  # "5.3.1", "R5.3.1", "C7.2-Scope"


def is_strip(left: Sequence[Segment], right: Sequence[Segment], height: float) -> bool:
    """Tell whether white space parts the sides over much of a page of that `height`."""
    top = max(min(piece.y0 for piece in side) for side in (left, right))
    low = min(max(piece.y1 for piece in side) for side in (left, right))
    both = all(len(levels(side)) >= LINES for side in (left, right))
    return is_clear(left, right) and low - top >= TALL * height and both


def is_clear(left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    """Tell whether white space, as wide as between columns, parts the sides."""
    size = median(piece.size for piece in [*left, *right])
    return min(piece.x0 for piece in right) - max(piece.x1 for piece in left) >= CLEAR * size


def is_level(left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    """Tell whether lines behind a gap begin level on both sides, as the rows of a table do.

    A commentary beside its code begins level, too, but each side counts its own clauses.
    """
    size = median(piece.size for piece in [*left, *right])
    sides = [_starts(side, size) for side in (left, right)]
    together = [y for y in sides[0] if any(abs(y - other) < SAME * size for other in sides[1])]
    if len(together) < ROWS or len(together) <= LEVEL * min(len(side) for side in sides):
        return False
    return not all(_counts(side, together, size) for side in (left, right))


def _counts(side: Sequence[Segment], starts: Sequence[float], size: float) -> bool:
    """Tell whether most of the lines of a side that begin at these heights open with numbers of clauses."""
    opening: dict[float, Segment] = {}
    for piece in sorted(side, key=lambda p: p.x0, reverse=True):
        opening |= {y: piece for y in starts if abs(piece.y0 - y) < SAME * size}
    numbers = {piece.words[0].text for piece in opening.values() if _NUMBER.match(piece.words[0].text)}
    return len(numbers) >= ROWS and len(numbers) > NUMBERED * len(starts)


def levels(side: Sequence[Segment]) -> list[tuple[float, float]]:
    """Return the lines of one side, downwards, as top and bottom; segments side by side are one."""
    found: list[tuple[float, float]] = []
    for piece in sorted(side, key=lambda p: (p.y0 + p.y1) / 2):
        if found and (piece.y0 + piece.y1) / 2 < found[-1][1]:
            found[-1] = (min(found[-1][0], piece.y0), max(found[-1][1], piece.y1))
        else:
            found.append((piece.y0, piece.y1))
    return found


def _starts(side: Sequence[Segment], size: float) -> list[float]:
    """Return where lines begin over which there is more white space than their leading."""
    lines = levels(side)
    return [other[0] for one, other in pairwise(lines) if other[0] - one[1] > GAP * size]
