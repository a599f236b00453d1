"""Areas and boxes: what lies in, over and around what; drawn strokes as straight rules and filled areas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from appliance.core.runs import runs
from appliance.ingest.page import Rectangle, Stroke

THIN = 2.0  # points: a stroke thinner than this is a rule
SHORT = 3.0  # points: a shorter rule is a dot, a tick or a part of a letter
SNAP = 1.6  # points between rules that are the same printed rule
JOIN = 2.5  # points of gap that a joined rule may have
EDGE = 2.0  # points around an area in which rules are its own
WHITE = 0xFFFFFF


@dataclass(frozen=True, slots=True, order=True)
class Rule:
    """A straight rule: `at` is its y (horizontal) or x (vertical), start and end the other axis."""

    at: float
    start: float
    end: float

    @property
    def length(self) -> float:
        """Length in points."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle in points; `colour` where it is a filled area."""

    x0: float
    y0: float
    x1: float
    y1: float
    colour: int = 0

    @property
    def width(self) -> float:
        """Width in points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height in points."""
        return self.y1 - self.y0

    def holds(self, x: float, y: float, slack: float = 0.0) -> bool:
        """Tell whether the point lies inside, give or take the slack."""
        return self.x0 - slack <= x <= self.x1 + slack and self.y0 - slack <= y <= self.y1 + slack

    def holds_middle(self, item: Rectangle, slack: float = 0.0) -> bool:
        """Tell whether the middle of an item lies inside, give or take the slack."""
        return self.holds((item.x0 + item.x1) / 2, (item.y0 + item.y1) / 2, slack)

    def meets(self, other: Rectangle) -> bool:
        """Tell whether the two share some of their area."""
        return self.x0 < other.x1 and self.x1 > other.x0 and self.y0 < other.y1 and self.y1 > other.y0


def around(items: Iterable[Rectangle]) -> Area:
    """Return the smallest area around all items; there must be one."""
    x0, y0, x1, y1 = zip(*((item.x0, item.y0, item.x1, item.y1) for item in items), strict=True)
    return Area(min(x0), min(y0), max(x1), max(y1))


def area_of(item: Rectangle) -> Area:
    """Return the rectangle of an item."""
    return Area(item.x0, item.y0, item.x1, item.y1)


def between_sides(sides: Sequence[Rule], level: float) -> list[Area]:
    """Return the areas between two vertical rules that begin and end less than `level` points apart."""
    return [
        Area(left.at, left.start, right.at, left.end)
        for left in sides
        for right in sides
        if left.at < right.at and abs(left.start - right.start) < level and abs(left.end - right.end) < level
    ]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The rules of a page, horizontal and vertical ones joined and sorted, and its filled areas."""

    horizontal: tuple[Rule, ...]
    vertical: tuple[Rule, ...]
    fills: tuple[Area, ...]

    def within(self, area: Area) -> Ruling:
        """Return what lies inside the area, rules cut at its edges."""

        def cut(
            rules: Sequence[Rule], low: float, high: float, first: float, last: float
        ) -> tuple[Rule, ...]:
            ends = ((r.at, max(r.start, first - EDGE), min(r.end, last + EDGE)) for r in rules)
            inside = ((at, a, b) for at, a, b in ends if low - EDGE <= at <= high + EDGE)
            return tuple(Rule(at, a, b) for at, a, b in inside if b - a >= SHORT)

        return Ruling(
            cut(self.horizontal, area.y0, area.y1, area.x0, area.x1),
            cut(self.vertical, area.x0, area.x1, area.y0, area.y1),
            tuple(fill for fill in self.fills if area.holds_middle(fill)),
        )


def ruling(strokes: Iterable[Stroke]) -> Ruling:
    """Return the rules of the strokes: straight ones, the four edges of frames; and the filled areas."""
    horizontal: list[Rule] = []
    vertical: list[Rule] = []
    fills: list[Area] = []
    for stroke in strokes:
        width, height = stroke.x1 - stroke.x0, stroke.y1 - stroke.y0
        if stroke.filled and not stroke.stroked and stroke.colour == WHITE:
            continue
        if height < THIN or width < THIN:
            if height < THIN and width >= SHORT:
                horizontal.append(Rule((stroke.y0 + stroke.y1) / 2, stroke.x0, stroke.x1))
            elif width < THIN and height >= SHORT:
                vertical.append(Rule((stroke.x0 + stroke.x1) / 2, stroke.y0, stroke.y1))
            continue
        if stroke.filled:
            fills.append(Area(stroke.x0, stroke.y0, stroke.x1, stroke.y1, stroke.colour))
        if stroke.stroked and stroke.kind == "rect":
            horizontal += [Rule(y, stroke.x0, stroke.x1) for y in (stroke.y0, stroke.y1)]
            vertical += [Rule(x, stroke.y0, stroke.y1) for x in (stroke.x0, stroke.x1)]
    return Ruling(joined(snapped(horizontal)), joined(snapped(vertical)), tuple(fills))


def snapped(rules: Sequence[Rule]) -> list[Rule]:
    """Give rules that lie side by side within the snap distance the same position, their mean."""
    result: list[Rule] = []
    for group in runs(sorted(rules), lambda run, rule: rule.at - run[-1].at <= SNAP):
        at = sum(rule.at for rule in group) / len(group)
        result += [Rule(at, rule.start, rule.end) for rule in group]
    return result


def joined(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Join rules of one position that touch, overlap or nearly touch."""
    result: list[Rule] = []
    for rule in sorted(rules):
        last = result[-1] if result else None
        if last is not None and last.at == rule.at and rule.start <= last.end + JOIN:
            result[-1] = Rule(rule.at, last.start, max(last.end, rule.end))
        else:
            result.append(rule)
    return tuple(result)


def covered(rules: Iterable[Rule], at: float, start: float, end: float, slack: float = SNAP) -> float:
    """Return the share 0..1 of [start, end] that rules at this position cover."""
    if end <= start:
        return 0.0
    pieces = (min(r.end, end) - max(r.start, start) for r in rules if abs(r.at - at) <= slack)
    return min(1.0, sum(piece for piece in pieces if piece > 0) / (end - start))
