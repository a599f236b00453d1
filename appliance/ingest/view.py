"""A page as a table or figure finder sees it: upright, with its rules, whatever way it was printed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Literal

from appliance.core.document import Box
from appliance.ingest.page import (
    DOWN,
    UP,
    Area,
    Line,
    PageContent,
    PageLayout,
    Picture,
    Ruling,
    Stroke,
    Word,
    around,
    as_shown,
    box_on,
    level,
    ruling,
)
from appliance.ingest.tables.cells import Row, rows_of

Turn = Literal["none", "up", "down"]
WAYS: dict[Turn, float] = {"up": UP, "down": DOWN}


@dataclass(frozen=True)
class View:
    """The lines of one reading direction with all strokes, in points of the page as turned."""

    page: PageContent
    turn: Turn
    lines: tuple[tuple[int, Line], ...]
    strokes: tuple[Stroke, ...]
    pictures: tuple[Picture, ...]
    width: float
    height: float

    @cached_property
    def ruling(self) -> Ruling:
        """The rules and filled areas."""
        return ruling(self.strokes)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words of the lines."""
        return tuple(word for _, line in self.lines for word in line.words)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The words of the whole page as baselines, across its columns."""
        return tuple(rows_of(self.words))

    @cached_property
    def body(self) -> Area:
        """The area that the lines cover."""
        return around(line for _, line in self.lines) if self.lines else Area(0, 0, self.width, self.height)

    def words_in(self, area: Area) -> list[Word]:
        """Return the words whose centre lies in the area."""
        return [word for word, x, y in self._middles if area.holds(x, y)]

    @cached_property
    def _middles(self) -> tuple[tuple[Word, float, float], ...]:
        return tuple((w, (w.x0 + w.x1) / 2, (w.y0 + w.y1) / 2) for w in self.words)

    def lines_in(self, area: Area) -> list[int]:
        """Return the indexes of the lines most of whose words lie in the area."""
        return [
            index
            for index, line in self.lines
            if sum(area.holds_middle(word) for word in line.words) >= 0.6 * len(line.words)
        ]

    def box(self, area: Area) -> Box:
        """Return the area as a box of the page as printed."""
        rect = area.x0, area.y0, area.x1, area.y1
        if self.turn != "none":
            rect = as_shown(WAYS[self.turn], self.page.width, self.page.height, rect)
        return box_on(self.page, *rect)


def views(layout: PageLayout) -> tuple[View, ...]:
    """Return the upright view of the page and, where words run up or down, a turned one."""
    upright = [(i, line) for i, line in enumerate(layout.lines) if line.upright]
    side = [(i, line) for i, line in enumerate(layout.lines) if not line.upright]
    page = layout.content
    result = []
    if upright or not side:
        result.append(
            View(page, "none", tuple(upright), page.strokes, page.pictures, page.width, page.height)
        )
    if side:
        steps = Counter(  # whether the words run up or down the page, by the order in which they follow
            "up" if after.y0 < before.y0 else "down"
            for _, line in side
            for before, after in pairwise(line.words)
            if abs(after.y0 - before.y0) > 1
        )
        turn: Turn = "down" if steps["down"] > steps["up"] else "up"
        way = WAYS[turn]
        flat_lines = []
        for index, line in side:
            words = sorted(
                (replace(level(word, way, page), upright=True) for word in line.words), key=lambda w: w.x0
            )
            flat_lines.append((index, replace(level(line, way, page), words=tuple(words), upright=True)))
        flat_lines.sort(key=lambda item: (item[1].y0, item[1].x0))
        strokes = tuple(level(stroke, way, page) for stroke in page.strokes)
        pictures = tuple(level(picture, way, page) for picture in page.pictures)
        result.append(View(page, turn, tuple(flat_lines), strokes, pictures, page.height, page.width))
    return tuple(result)
