"""What stands in a table at the head or foot of a page, told from running heads by its columns.

Rules of this module: pure geometry in points; nothing is judged by its words. A table is told by an upright
rule with cells on both its sides: one that reaches into the text, or stands so on few pages. The partings of
a title block end near the edge at the same place on many pages, the sides of a frame have cells on one side
only: what they hold is none. Without upright rules a table is told by rows that stand close
under one another in the same columns, from the text up to the edge. A line close over a table is its caption.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from appliance.ingest.edge_rows import rows_in_columns
from appliance.ingest.lines import Segment
from appliance.ingest.page import PageContent
from appliance.ingest.rules import JOIN, Area, Rule, Ruling, ruling

Part = tuple[PageContent, Sequence[Segment]]
Place = tuple[float, float, float]  # x, top and bottom of a parting, in steps

SHORTEST = 6.0  # points: a parting is at least as long, and has cells as wide on both its sides
STEP = 3.0  # points: what counts as one place
FAR = 0.15  # of the height: how far into the text the columns of a table go on
CLOSE = 2.5  # type sizes of the table: white between it and its caption
MOST = 1_000  # rules of one direction on a page; with more it is a drawing
NEXT = 0.6  # type sizes of white between the lines of a caption


@dataclass(frozen=True, slots=True)
class _Parting:
    """An upright rule with cells on both its sides, the area of the cells, and the levels of their rules."""

    rule: Rule
    area: Area
    levels: tuple[float, ...]

    @property
    def place(self) -> Place:
        return (self.rule.at // STEP, self.rule.start // STEP, self.rule.end // STEP)


def in_tables(parts: Sequence[Part], edge: float, many: int) -> set[tuple[int, int]]:
    """Return (part index, segment index) of the segments in a table, or over it as its caption.

    `edge` is the share of the height where heads and feet stand; what stands at one place on so `many`
    pages is furniture of the pages.
    """
    rules = [ruling(page.strokes) if pieces else Ruling((), (), ()) for page, pieces in parts]
    partings = [tuple(_partings(one)) for one in rules]
    often = _often(parts, partings, many)
    found: set[tuple[int, int]] = set()
    for part, (page, pieces) in enumerate(parts):
        inside = (edge * page.height, (1 - edge) * page.height)
        tables: list[Area] = []
        blocks: list[Area] = []
        for one in partings[part]:
            table = one.place not in often or _goes_on(one, inside, page.height)
            (tables if table else blocks).append(one.area)
        held = _held(pieces, tables, blocks) | rows_in_columns(page, pieces, rules[part].horizontal, edge)
        found |= {(part, at) for at in held}
    return found


def _partings(rules: Ruling) -> Iterator[_Parting]:
    if max(len(rules.vertical), len(rules.horizontal)) > MOST:
        return
    for upright in rules.vertical:
        if upright.length < SHORTEST:
            continue
        first = bisect_left(rules.horizontal, upright.start - JOIN, key=lambda rule: rule.at)
        last = bisect_left(rules.horizontal, upright.end + JOIN, key=lambda rule: rule.at)
        across = [
            rule
            for rule in rules.horizontal[first:last]
            if rule.start < upright.at - SHORTEST and rule.end > upright.at + SHORTEST
        ]
        levels = tuple(rule.at for rule in across)
        if len(levels) > 1 and levels[-1] - levels[0] >= SHORTEST:
            x0, x1 = min(rule.start for rule in across), max(rule.end for rule in across)
            yield _Parting(upright, Area(x0, upright.start, x1, upright.end), levels)


def _often(parts: Sequence[Part], partings: Sequence[Sequence[_Parting]], many: int) -> frozenset[Place]:
    """Return the places at which partings stand on many pages."""
    pages: dict[Place, set[int]] = defaultdict(set)
    for (page, _), found in zip(parts, partings, strict=True):
        for one in found:
            pages[one.place].add(page.number)
    return frozenset(
        place
        for place in pages
        if len(set().union(*(pages[other] for other in _around(place) if other in pages))) >= many
    )


def _around(place: Place) -> Iterator[Place]:
    for steps in product((-1, 0, 1), repeat=3):
        yield (place[0] + steps[0], place[1] + steps[1], place[2] + steps[2])


def _goes_on(parting: _Parting, inside: tuple[float, float], height: float) -> bool:
    """Tell whether the columns go on well into the text, with rules of rows across them there."""
    reach = min(parting.rule.end, inside[1]) - max(parting.rule.start, inside[0])
    return reach >= FAR * height and sum(inside[0] < level < inside[1] for level in parting.levels) > 1


def _held(pieces: Sequence[Segment], tables: Sequence[Area], blocks: Sequence[Area]) -> set[int]:
    """Return the segments that stand in the tables, and the lines of their captions."""
    if not tables:
        return set()
    found = {at for at, piece in enumerate(pieces) if _stands_in(piece, tables)}
    free = [at for at, piece in enumerate(pieces) if at not in found and not _stands_in(piece, blocks)]
    size = max((pieces[at].size for at in found), default=0.0)
    under = [(table.x0, table.x1, table.y0, CLOSE) for table in tables]
    for at in sorted(free, key=lambda at: -pieces[at].y1):
        piece = pieces[at]
        for x0, x1, top, white in under:
            if piece.x0 < x1 and piece.x1 > x0 and -STEP < top - piece.y1 <= white * min(piece.size, size):
                found.add(at)
                under.append((piece.x0, piece.x1, piece.y0, NEXT))
                break
    return found


def _stands_in(piece: Segment, areas: Sequence[Area]) -> bool:
    x, y = (piece.x0 + piece.x1) / 2, (piece.y0 + piece.y1) / 2
    return any(area.holds(x, y) for area in areas)
