"""Reading order of a page: columns told from tables and hanging numbers by their prose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from appliance.ingest.layout.lines import Segment
from appliance.ingest.page import PageContent, Stroke

CLEAR = 0.7  # type sizes: width of a strip between columns, at the least
GAP = 0.45  # type sizes between two lines: more than leading
LEVEL = 0.5  # of the lines behind a gap on a side: so many begin level in a table, in columns by chance
ROWS = 3  # such lines, at the least
LEVEL_SAME = 0.25  # type sizes between two lines that begin level


def is_clear(left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    """Tell whether white space, as wide as between columns, parts the sides."""
    size = median(piece.size for piece in [*left, *right])
    return min(piece.x0 for piece in right) - max(piece.x1 for piece in left) >= CLEAR * size


def is_level(left: Sequence[Segment], right: Sequence[Segment]) -> bool:
    """Tell whether lines behind a gap begin level on both sides, as the rows of a table do."""
    size = median(piece.size for piece in [*left, *right])
    sides = [_starts(side, size) for side in (left, right)]
    together = [y for y in sides[0] if any(abs(y - other) < LEVEL_SAME * size for other in sides[1])]
    return len(together) >= ROWS and len(together) > LEVEL * min(len(side) for side in sides)


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


WIDE = 0.2  # of the page's width: a segment of running text in a column is at least so wide
WORDS = 3  # a segment of running text has at least so many words
PAIRS = 400  # pairs of segments that vote for a gutter; of more, every so many
RULES = 3  # horizontal rules across a gutter that make its run a table
CROSSED = 0.2  # of a page's segments may cross a shared gutter (wide tables, figures)
BAND = 30.0  # points: what is drawn and shorter is no band over a cell
WHOLE = 0.92  # of the text's width: a rule over so much of it parts the page into bands
KNOWN = 2  # lines of running text on each side of a gutter that is proven elsewhere
BESIDE = 3.0  # points from a gutter to the right column, where the left one is wide
FILLS = 3  # lines of text under the end of the right column that fill the left one
FILLED = 0.2  # of the left column's width that such a line may leave white before the gutter
BANDS = 8  # such rules of a page; of more, they are those of a table
SHARED = 0.3  # of the pages: a gutter found on so many is the document's
SAME = 12.0  # points between two gutters that are one


@dataclass(frozen=True, slots=True)
class Block:
    """Segments to be read one below the other; column 0 spans the page."""

    column: int
    pieces: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Gutters:
    """Gutters of a document, x in points: those that its pages share, and those that one page proves."""

    shared: tuple[float, ...] = ()
    proven: tuple[float, ...] = ()


NONE = Gutters()


def gutters_of(pages: Sequence[tuple[PageContent, Sequence[Segment]]]) -> Gutters:
    """Return the gutters that the document's pages share or prove."""
    votes: list[float] = []
    proven: list[float] = []
    for page, pieces in pages:
        x = _best_gutter(pieces, page.width)
        if x is not None and _runs(pieces, x, page, Gutters((x,))):
            votes.append(x)
            proven += [x] if _runs(pieces, x, page, NONE) else []
    found: list[float] = []
    while votes:
        near = max(([v for v in votes if abs(v - x) <= SAME] for x in votes), key=len)
        if len(near) < max(2, SHARED * len(pages) / 2):  # left and right pages may differ
            break
        found.append(sum(near) / len(near))
        votes = [v for v in votes if v not in near]
    return Gutters(tuple(found), tuple(proven))


def reading_order(
    pieces: Sequence[Segment], page: PageContent, gutters: Gutters, column: int = 0
) -> list[Block]:
    """Return the segments as blocks in reading order."""
    x = _best_gutter(pieces, page.width, gutters.shared)
    runs = [] if x is None else _runs(pieces, x, page, gutters)
    if not runs:
        x = _gutter_elsewhere(pieces, gutters)
        runs = (
            [] if x is None else [r for r in _parted(pieces, x, page, trusted=False) if _is_known(r, x, page)]
        )
    if x is None or not runs:
        return [Block(column, tuple(pieces))] if pieces else []
    blocks: list[Block] = []
    rest = sorted(pieces, key=_top)
    for run in runs:
        inside = {id(piece) for piece in run}
        first = min(_top(piece) for piece in run)
        above = [piece for piece in rest if id(piece) not in inside and _top(piece) < first]
        blocks += reading_order(above, page, gutters, column)
        left, right = _sides(run, x)
        blocks += reading_order(left, page, NONE, column * 2 + 1)
        blocks += reading_order(right, page, NONE, column * 2 + 2)
        done = inside | {id(piece) for piece in above}
        rest = [piece for piece in rest if id(piece) not in done]
    return blocks + reading_order(rest, page, gutters, column)


def _sides(run: Sequence[Segment], x: float) -> tuple[list[Segment], list[Segment]]:
    return [piece for piece in run if _middle(piece) < x], [piece for piece in run if _middle(piece) >= x]


def _top(piece: Segment) -> float:
    return piece.y0


def _middle(piece: Segment) -> float:
    return (piece.x0 + piece.x1) / 2


def _prose(piece: Segment, width: float) -> bool:
    return piece.width >= WIDE * width and len(piece.words) >= WORDS


def _best_gutter(pieces: Sequence[Segment], width: float, shared: tuple[float, ...] = ()) -> float | None:
    """Return the x that parts the page: a shared gutter that few segments cross, else its own."""
    fitting = [(_crossings(pieces, x), x) for x in shared if _both_sides(pieces, x)]
    if fitting and min(fitting)[0] <= CROSSED * len(pieces):
        return min(fitting)[1]
    prose = sorted((piece for piece in pieces if _prose(piece, width)), key=_top)
    gaps: list[tuple[float, float]] = []
    for index, one in enumerate(prose):
        for other in prose[index + 1 :]:
            if other.y0 >= one.y1 - 0.2 * one.size:
                break
            left, right = (one, other) if one.x0 < other.x0 else (other, one)
            if right.x0 > left.x1 + 3:
                gaps.append((left.x1, right.x0))
    if not gaps:
        return None
    gaps = gaps[:: 1 + len(gaps) // PAIRS]
    edges = sorted({right for _, right in gaps})
    best = max(edges, key=lambda x: sum(left < x <= right for left, right in gaps))
    inside = [(left, right) for left, right in gaps if left < best <= right]
    edge = max(left for left, _ in inside)
    hung = min((piece.x0 for piece in pieces if edge < piece.x0 < best), default=best)  # numbers in the gap
    ways = ((edge + best) / 2, (edge + hung) / 2, best - BESIDE)  # text further down may be wider
    return min(ways, key=lambda x: _crossings(pieces, x))


def _crossings(pieces: Sequence[Segment], x: float) -> int:
    return sum(piece.x0 < x - 1 and piece.x1 > x + 1 for piece in pieces)


def _both_sides(pieces: Sequence[Segment], x: float) -> bool:
    return any(piece.x1 <= x + 1 for piece in pieces) and any(piece.x0 >= x - 1 for piece in pieces)


def _gutter_elsewhere(pieces: Sequence[Segment], gutters: Gutters) -> float | None:
    """Return the gutter of another page that may part this one: the one that fewest segments cross."""
    others = [x for x in dict.fromkeys(gutters.proven) if _both_sides(pieces, x)]
    return min(others, key=lambda x: _crossings(pieces, x), default=None)


def _runs(pieces: Sequence[Segment], x: float, page: PageContent, gutters: Gutters) -> list[list[Segment]]:
    """Return the runs of segments, top to bottom, that stand in two columns beside x."""
    found = _parted(pieces, x, page, trusted=_is_near(x, gutters.shared))
    return [run for run in found if _is_columns(run, x, page, gutters)]


def _is_near(x: float, known: Sequence[float]) -> bool:
    return any(abs(x - other) <= SAME for other in known)


def _parted(pieces: Sequence[Segment], x: float, page: PageContent, *, trusted: bool) -> list[list[Segment]]:
    """Return the runs of segments, top to bottom, that nothing across x parts."""
    runs: list[list[Segment]] = [[]]
    bands = _bands(pieces, x, page.strokes)
    for piece in sorted(pieces, key=_top):
        while bands and piece.y0 > bands[0] - 0.3 * piece.size:
            bands.pop(0)
            runs.append([])
        if piece.x0 < x - 1 and piece.x1 > x + 1:
            runs.append([])
        else:
            runs[-1].append(piece)
    return [run if trusted else _trimmed(run, x) for run in runs if run]


def _bands(pieces: Sequence[Segment], x: float, strokes: tuple[Stroke, ...]) -> list[float]:
    """Return the heights of the rules that part the page, top to bottom; none where they are a table's."""
    if not pieces:
        return []
    left, right = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    heights = sorted(
        s.y0
        for s in strokes
        if s.y1 - s.y0 < 2
        and s.x0 < x < s.x1
        and min(s.x1, right) - max(s.x0, left) >= WHOLE * (right - left)
    )
    apart = [y for at, y in enumerate(heights) if at == 0 or y - heights[at - 1] > 3]
    return apart if len(apart) <= BANDS else []


def _trimmed(run: list[Segment], x: float) -> list[Segment]:
    """Leave out what stands above or below the side-by-side part, a wide gap apart."""
    sides = [[p for p in run if _middle(p) < x], [p for p in run if _middle(p) >= x]]
    if not all(sides):
        return []
    top = max(min(p.y0 for p in side) for side in sides)
    low = min(max(p.y1 for p in side) for side in sides)
    kept = list(run)
    for side in sides:
        kept = _cut(kept, [p for p in side if p.y1 < top], below=False)
        below = [p for p in side if p.y0 > low]
        if side is not sides[0] or not _fills(below, side, x):
            kept = _cut(kept, below, below=True)
    return kept


def _fills(below: Sequence[Segment], column: Sequence[Segment], x: float) -> bool:
    """Tell whether text under the end of the right column still runs in the left one, up to the gutter."""
    edge = min(piece.x0 for piece in column)
    width = x - edge
    lines = [p for p in below if len(p.words) >= WORDS and p.x0 - edge < p.size and x - p.x1 < FILLED * width]
    return len(lines) >= FILLS


def _cut(run: list[Segment], outside: list[Segment], *, below: bool) -> list[Segment]:
    """Drop the outside segments from the first wide gap on, seen from the side-by-side part."""
    drop: set[int] = set()
    inner = [piece for piece in run if all(piece is not other for other in outside)]
    if not inner:
        return run
    edge = max(p.y1 for p in inner) if below else min(p.y0 for p in inner)
    for piece in sorted(outside, key=_top, reverse=not below):
        gap = piece.y0 - edge if below else edge - piece.y1
        if drop or gap > 0.9 * piece.size:
            drop.add(id(piece))
        edge = piece.y1 if below else piece.y0
    return [piece for piece in run if id(piece) not in drop]


def _is_columns(run: list[Segment], x: float, page: PageContent, gutters: Gutters) -> bool:
    left, right = _sides(run, x)
    if not left or not right:
        return False
    if _is_near(x, gutters.shared):
        return any(_prose(piece, page.width) for piece in run)
    rules = _rules_across(run, x, page.strokes)
    if rules >= RULES:
        return False
    sides = [[piece for piece in side if _prose(piece, page.width)] for side in (left, right)]
    if _is_near(x, gutters.proven) and _is_known(run, x, page):
        return True
    return _is_prose(sides, (left, right)) and len(run) >= 5


def _is_known(run: Sequence[Segment], x: float, page: PageContent) -> bool:
    """Tell whether a run stands in two columns beside a gutter that another one proves."""
    left, right = _sides(run, x)
    prose = [sum(_prose(piece, page.width) for piece in side) for side in (left, right)]
    if min(prose) < KNOWN or not is_clear(left, right) or is_level(left, right):
        return False
    return not _rules_across(run, x, page.strokes) and not _banded(run, x, page.strokes)


def _is_prose(sides: Sequence[Sequence[Segment]], whole: Sequence[Sequence[Segment]]) -> bool:
    """Tell whether running text makes up most of both sides."""
    return all(
        len(prose) >= 2 and 2 * len(prose) >= len(side) * 0.8
        for prose, side in zip(sides, whole, strict=True)
    )


def _banded(run: Sequence[Segment], x: float, strokes: Sequence[Stroke]) -> bool:
    """Tell whether rules or bands begin or end level on both sides of x inside the run, as rows do."""
    top, low = min(piece.y0 for piece in run), max(piece.y1 for piece in run)
    edges = [(s, y) for s in strokes if s.x1 - s.x0 > BAND for y in (s.y0, s.y1) if top < y < low]
    left = {round(y / 2) for s, y in edges if s.x0 < x - 10}
    return any(s.x1 > x + 10 and {round(y / 2) + n for n in (-1, 0, 1)} & left for s, y in edges)


def _rules_across(run: Sequence[Segment], x: float, strokes: tuple[Stroke, ...]) -> int:
    """Count the heights at which a horizontal rule crosses x inside the run."""
    top, low = min(piece.y0 for piece in run), max(piece.y1 for piece in run)
    return len(
        {
            round(s.y0 / 3)
            for s in strokes
            if s.y1 - s.y0 < 2 and s.x0 < x - 10 and s.x1 > x + 10 and top - 5 <= s.y0 <= low + 5
        }
    )
