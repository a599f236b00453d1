"""Where the columns of a table part: ruled lines first, then gaps of rules, then white space.

Rules of this module: pure geometry in points; a parting is a position x with how it is known, because
a ruled one holds only where its rule is drawn and a white one only where no word crosses it. A head that
stands over several columns closes no gap between them: it is a span.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from appliance.ingest import even_columns
from appliance.ingest.cells import Row
from appliance.ingest.page import Word
from appliance.ingest.rules import Area, Rule, Ruling, covered

EDGE = 4.0  # points from the table's edge within which a rule is its frame
NEAR = 4.0  # points between an end of a vertical rule and the horizontal one that it meets
GAP = 0.8  # ems of white space that part columns
GAP_IN_RULED = 1.8  # ems, where vertical rules part other columns already
SIDE_GAP = (4.0, 40.0)  # points between the pieces of a rule that are drawn column by column
HEADINGS = 0.25  # of the rows may be one wide run over all partings (group headings)
FULL = 0.9  # of the longest rule across: one that parts rows, not the columns under a head
HEAD_ROWS = 3  # printed rows of a head that no rule ends, at the most
CROSSED = 0.12  # of the rows may run across one parting (a value for two columns)


@dataclass(frozen=True, slots=True, order=True)
class Parting:
    """A boundary between two columns; `ruled` tells that a drawn rule makes it."""

    x: float
    ruled: bool


def partings(rules: Ruling, area: Area, rows: Sequence[Row], levels: Sequence[float]) -> list[Parting]:
    """Return the column boundaries inside the area, from left to right."""
    ruled = _ruled(rules, area, levels)
    pieces = [x for x in _between_pieces(rules.horizontal, area) if all(abs(x - r) > EDGE for r in ruled)]
    found = [Parting(x, ruled=True) for x in ruled] + [Parting(x, ruled=False) for x in pieces]
    edges = sorted([area.x0, area.x1, *(p.x for p in found)])
    head = _head_bottom(rules, area, levels)
    even = even_columns.shown(rows, head) if not rules.vertical else []
    if len(even) > len(found):
        return [Parting(x, ruled=False) for x in even]
    for left, right in pairwise(edges):
        found += [Parting(x, ruled=False) for x in _white(rows, left, right, head, inside_ruled=bool(ruled))]
    return sorted(found)


def _ruled(rules: Ruling, area: Area, levels: Sequence[float]) -> list[float]:
    """Return where vertical rules hang between rules; of two that stand together the longer."""
    meets = [area.y0, *levels, area.y1]
    found: list[float] = []
    for rule in sorted(rules.vertical, key=lambda rule: -rule.length):
        if not area.x0 + EDGE < rule.at < area.x1 - EDGE:
            continue
        hangs = all(min(abs(end - y) for y in meets) <= NEAR for end in (rule.start, rule.end))
        if (hangs or rule.length >= 0.5 * area.height) and all(abs(rule.at - x) > EDGE for x in found):
            found.append(rule.at)
    return found


def _between_pieces(horizontal: Sequence[Rule], area: Area) -> list[float]:
    """Return where at least two rules are interrupted at the same place."""
    levels: dict[float, list[Rule]] = {}
    for rule in horizontal:
        levels.setdefault(round(rule.at), []).append(rule)
    gaps: list[tuple[float, float]] = []
    for pieces in levels.values():
        ordered = sorted(pieces, key=lambda r: r.start)
        for before, after in pairwise(ordered):
            gap = after.start - before.end
            if (
                SIDE_GAP[0] <= gap <= SIDE_GAP[1]
                and before.end > area.x0 + EDGE
                and after.start < area.x1 - EDGE
            ):
                gaps.append((before.end, after.start))
    found: list[float] = []
    for start, end in gaps:
        middle = (start + end) / 2
        twins = [g for g in gaps if g[0] < middle < g[1]]
        if len(twins) >= 2 and all(abs(middle - x) > EDGE for x in found):
            found.append(middle)
    return found


def _head_bottom(rules: Ruling, area: Area, levels: Sequence[float]) -> float:
    """Return where the head of the table ends: its first rule of full width, if in the upper half.

    A shorter one stands under a head of several columns, inside the head.
    """
    lengths = [covered(rules.horizontal, y, area.x0, area.x1, NEAR) for y in levels]
    whole = [y for y, length in zip(levels, lengths, strict=True) if length >= FULL * max(lengths)]
    upper = [y for y in (*whole, *levels) if y < area.y0 + 0.5 * area.height]
    return upper[0] if upper else area.y0


def _white(rows: Sequence[Row], left: float, right: float, head: float, *, inside_ruled: bool) -> list[float]:
    """Return the middles of the white gaps between left and right that no body row's words cross."""
    body = [spans for row in rows if row.base > head and (spans := _spans(row, left, right))]
    if not body:
        body = [spans for row in rows if (spans := _spans(row, left, right))]
    if not body:
        return []
    heads = [spans for row in rows if row.base <= head and (spans := _spans(row, left, right))]
    size = median(row.size for row in rows)
    least = (GAP_IN_RULED if inside_ruled else GAP) * size
    start, end = min(s[0][0] for s in body), max(s[-1][1] for s in body)
    found = []
    for a, b in _uncrossed(body, start, end, 0.5 * (right - left)):
        if b - a < least:
            continue
        middle = _clearest(rows, head, a, b)
        both = sum(_parts_at(middle, spans) for spans in body)
        if both == 1 and not inside_ruled:  # one row alone, on lines of its own: the head shows it, too
            both += any(_parts_at(middle, head_spans) for head_spans in heads)
        if both >= min(3 if inside_ruled else 2, len(body)):
            found.append(middle)
    return found


def _parts_at(x: float, spans: Sequence[tuple[float, float]]) -> bool:
    """Tell whether a row has words on both sides of x and none over it."""
    return spans[0][1] <= x <= spans[-1][0] and not any(a < x < b for a, b in spans)


def _clearest(rows: Sequence[Row], head: float, a: float, b: float) -> float:
    """Return the middle of the widest stretch of [a, b] that the fewest words of any row cross.

    A head that stands over the runs on both sides crosses it wherever it is: its words say nothing.
    """
    heads = [(upper, lower) for upper, lower in pairwise(rows) if lower.base < head]
    over = {id(w) for upper, lower in heads for w in _words_over(upper, lower, (a + b) / 2)}
    words = [w for row in rows for w in row.words if w.x1 > a and w.x0 < b and id(w) not in over]
    marks = sorted({a, b, *(x for w in words for x in (w.x0, w.x1) if a < x < b)})
    stretches = [
        (sum(w.x0 < right and w.x1 > left for w in words), left - right, (left + right) / 2)
        for left, right in pairwise(marks)
        if right - left > 1
    ]
    return min(stretches)[2] if stretches else (a + b) / 2


def _words_over(upper: Row, lower: Row, x: float) -> list[Word]:
    """Return the words of the runs of a row that stand over runs on both sides of x in the next."""
    words: list[Word] = []
    for run in upper.fragments:
        under = [m for f in lower.fragments if run.x0 < (m := (f.x0 + f.x1) / 2) < run.x1]
        if under and min(under) < x < max(under):
            words += run.words
    return words


def _spans(row: Row, left: float, right: float) -> list[tuple[float, float]]:
    """Return the stretches of a row that hold words, merged over ordinary spaces."""
    spans: list[tuple[float, float]] = []
    for word in row.words:
        if not left <= (word.x0 + word.x1) / 2 <= right:
            continue
        if spans and word.x0 - spans[-1][1] < 0.6 * row.size:
            spans[-1] = (spans[-1][0], max(spans[-1][1], word.x1))
        else:
            spans.append((word.x0, word.x1))
    return spans


def _uncrossed(
    body: Sequence[list[tuple[float, float]]], start: float, end: float, wide: float
) -> list[tuple[float, float]]:
    """Return the stretches [a, b] that no row covers, but for a few that run across (group headings)."""
    headings = [i for i, spans in enumerate(body) if len(spans) == 1 and spans[0][1] - spans[0][0] > wide]
    passed = set(headings) if len(body) >= 4 and len(headings) <= HEADINGS * len(body) else set()
    passed |= _crossing_heads(body)
    allowed = int(CROSSED * len(body))
    marks = [
        mark
        for i, spans in enumerate(body)
        if i not in passed
        for a, b in spans
        for mark in ((a, 1), (b, -1))
    ]
    free: list[tuple[float, float]] = []
    depth, since = 0, start
    for x, step in sorted(marks, key=lambda mark: (mark[0], -mark[1])):
        if depth <= allowed < depth + step:
            free.append((since, x))
        depth += step
        if depth <= allowed < depth - step:
            since = x
    return [(a, b) for a, b in free if a > start and b < end]


def _crossing_heads(body: Sequence[list[tuple[float, float]]]) -> set[int]:
    """Return the rows from the first on in which a run stands over several runs of the row under it."""
    for i, (upper, lower) in enumerate(pairwise(body[: HEAD_ROWS + 1])):
        middles = [(a + b) / 2 for a, b in lower]
        if len(body) <= i + 2 or not any(sum(a <= x <= b for x in middles) > 1 for a, b in upper):
            return set(range(i))
    return set(range(min(HEAD_ROWS, len(body) - 1)))
