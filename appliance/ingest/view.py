"""A page as a table or figure finder sees it: upright, with its rules, whatever way it was printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeVar

from appliance.core.document import Box
from appliance.ingest.geometry import Area, Ruling, around, ruling
from appliance.ingest.page import (
    DOWN,
    UP,
    Line,
    PageContent,
    PageLayout,
    Picture,
    Stroke,
    Word,
    as_shown,
    box_on,
    levelled,
)
from appliance.ingest.tables.cells import Row, rows_of

Turn = Literal["none", "up", "down"]
WAYS: dict[Turn, float] = {"up": UP, "down": DOWN}
Placed = TypeVar("Placed", Word, Stroke, Picture, Line)


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
        if not self.lines:
            return Area(0, 0, self.width, self.height)
        lines = [line for _, line in self.lines]
        return around(lines)

    def words_in(self, area: Area) -> list[Word]:
        """Return the words whose centre lies in the area."""
        return [word for word, x, y in self._middles if area.holds(x, y)]

    @cached_property
    def _middles(self) -> tuple[tuple[Word, float, float], ...]:
        return tuple((w, (w.x0 + w.x1) / 2, (w.y0 + w.y1) / 2) for w in self.words)

    def lines_in(self, area: Area, share: float = 0.6) -> list[int]:
        """Return the indexes of the lines most of whose words lie in the area."""
        found = []
        for index, line in self.lines:
            inside = sum(area.holds_middle(w) for w in line.words)
            if inside >= share * len(line.words):
                found.append(index)
        return found

    def box(self, area: Area) -> Box:
        """Return the area as a box of the page as printed."""
        rect = area.x0, area.y0, area.x1, area.y1
        if self.turn != "none":
            rect = as_shown(WAYS[self.turn], self.page.width, self.page.height, rect)
        return box_on(self.page, *rect)


def views(layout: PageLayout) -> tuple[View, ...]:
    """Return the upright view of the page and, where words run up or down, a turned one."""
    level = [(i, line) for i, line in enumerate(layout.lines) if line.upright]
    side = [(i, line) for i, line in enumerate(layout.lines) if not line.upright]
    page = layout.content
    result = []
    if level or not side:
        result.append(View(page, "none", tuple(level), page.strokes, page.pictures, page.width, page.height))
    if side:
        result.append(_turned(page, side, _direction(line for _, line in side)))
    return tuple(result)


def _direction(lines: Iterable[Line]) -> Turn:
    """Tell whether the words run up or down the page, from the order in which they follow."""
    steps = Counter(
        "up" if after.y0 < before.y0 else "down"
        for line in lines
        for before, after in zip(line.words, line.words[1:], strict=False)
        if abs(after.y0 - before.y0) > 1
    )
    return "down" if steps["down"] > steps["up"] else "up"


def _turned(page: PageContent, lines: Sequence[tuple[int, Line]], turn: Turn) -> View:
    """Return the lines and strokes turned so that text that ran up or down reads from left to right."""

    def turned(item: Placed) -> Placed:
        rect = item.x0, item.y0, item.x1, item.y1
        x0, y0, x1, y1 = levelled(WAYS[turn], page.width, page.height, rect)
        return replace(item, x0=x0, y0=y0, x1=x1, y1=y1)

    flat_lines = []
    for index, line in lines:
        words = sorted((replace(turned(word), upright=True) for word in line.words), key=lambda w: w.x0)
        flat_lines.append((index, replace(turned(line), words=tuple(words), upright=True)))
    return View(
        page,
        turn,
        tuple(sorted(flat_lines, key=lambda item: (item[1].y0, item[1].x0))),
        tuple(turned(stroke) for stroke in page.strokes),
        tuple(turned(picture) for picture in page.pictures),
        page.height,
        page.width,
    )
