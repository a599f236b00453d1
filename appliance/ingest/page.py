"""What is on a page before anyone has understood it: words, strokes, lines; areas, rules, upright views."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Generic, Literal, Protocol, TypeVar

from appliance.core.document import Box, Problem
from appliance.core.runs import runs

Item = TypeVar("Item")
Placed = TypeVar("Placed", "Word", "Stroke", "Picture", "Line")
Rect = tuple[float, float, float, float]  # x0, y0, x1, y1 in points
Place = tuple[int, int]  # of a line: page number, index in PageLayout.lines


class Rectangle(Protocol):
    """Anything with four sides in points: a word, a line, a picture, a stroke, an area."""

    @property
    def x0(self) -> float: ...
    @property
    def y0(self) -> float: ...
    @property
    def x1(self) -> float: ...
    @property
    def y1(self) -> float: ...


UP, HALF, DOWN = 90.0, 180.0, 270.0  # degrees anticlockwise by which the text of a page may be turned
QUARTERS = (UP, DOWN)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the text layer. `upright` is False for text that runs up or down the page.

    `rise` is -1 for a subscript, 1 for a superscript, else 0. `glued` tells that no space stands
    between it and the word before it (a change of font inside a word).
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    font: str
    size: float
    bold: bool = False
    italic: bool = False
    colour: int = 0
    upright: bool = True
    rise: int = 0
    glued: bool = False
    way: int = 0


@dataclass(frozen=True, slots=True)
class Stroke:
    """A drawn path, as its bounding rectangle. A rule is a stroke with one side under 2 points."""

    x0: float
    y0: float
    x1: float
    y1: float
    kind: Literal["line", "rect", "curve"]
    filled: bool = False
    stroked: bool = True
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Picture:
    """An embedded image as placed on the page."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class PageContent:
    """One page as read; `printed` is the page label of the PDF where it has one.

    `trust` is "ocr" where the text is an invisible layer over a scan or was read from its picture,
    "none" where there is no text. `turned` is by how many degrees (anticlockwise) a scan lay on the
    page before it was straightened: all that is here stands straight, only boxes are turned again.
    After a quarter turn (90, 270) `width` and `height` are those of the page as read, not as shown.
    `problems` say what of the page could not be read, or not surely; `hidden` are words of a digital page
    that are written but not painted: the text of a picture, where one lies below them.
    `ink` are places (x0, y0, x1, y1) of a scan where there was ink of the size of print and no word.
    """

    number: int
    width: float
    height: float
    printed: str
    words: tuple[Word, ...]
    strokes: tuple[Stroke, ...]
    pictures: tuple[Picture, ...]
    trust: Literal["digital", "ocr", "none"] = "digital"
    turned: float = 0.0
    problems: tuple[Problem, ...] = ()
    hidden: tuple[Word, ...] = ()
    ink: tuple[Rect, ...] = ()


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark of the PDF: a witness of the hierarchy, never its source.

    `page` is 0 or less where it names none; `level` is 0 where the bookmarks could not be read at all.
    """

    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class Source:
    """One PDF as read; `heads`: its pages may have running heads, as those of a printed web page have not."""

    sha256: str
    title: str
    pages: tuple[PageContent, ...]
    outline: tuple[OutlineEntry, ...]
    heads: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line of one column: words left to right, `text` with hyphenation as printed."""

    page: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    italic: bool
    column: int
    words: tuple[Word, ...]
    upright: bool = True


@dataclass(frozen=True, slots=True)
class PageLayout:
    """A page with its body lines in reading order.

    `margins` are running heads, page numbers, watermarks and side tabs, kept apart.
    """

    content: PageContent
    lines: tuple[Line, ...]
    margins: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Found(Generic[Item]):
    """Items found, the lines they are made of as (page number, index in PageLayout.lines), problems."""

    items: tuple[Item, ...]
    taken: frozenset[Place] = frozenset()
    problems: tuple[Problem, ...] = ()


def box_on(page: PageContent, x0: float, y0: float, x1: float, y1: float) -> Box:
    """Return the rectangle (points) as a box of that page (fractions, clipped to the page)."""
    width, height = page.width, page.height
    if page.turned in QUARTERS:
        width, height = height, width
        x0, y0, x1, y1 = as_shown(page.turned, width, height, (x0, y0, x1, y1))
    elif page.turned:
        x0, y0, x1, y1 = _turned_again(page, page.turned, (x0, y0, x1, y1))
    parts = (x0 / width, y0 / height, x1 / width, y1 / height)
    return Box(page.number, *(round(min(max(part, 0.0), 1.0), 5) for part in parts))


def box_of(page: PageContent, item: Rectangle) -> Box:
    """Return the place of an item as a box of that page."""
    return box_on(page, item.x0, item.y0, item.x1, item.y1)


def whole(page: PageContent) -> Box:
    """Return the box of a whole page: the place of what concerns all of it."""
    return Box(page.number, 0.0, 0.0, 1.0, 1.0)


def place_of(page: PageContent, box: Box) -> Rect:
    """Return the rectangle (points of the page as read) of a box: `box_on` the other way round."""
    width, height = page.width, page.height
    if page.turned in QUARTERS:
        width, height = height, width
    rect = box.x0 * width, box.y0 * height, box.x1 * width, box.y1 * height
    return levelled(page.turned, width, height, rect) if page.turned in {*QUARTERS, HALF} else rect


def moved(item: Placed, rect: Rect) -> Placed:
    """Return an item at another place."""
    x0, y0, x1, y1 = rect
    return replace(item, x0=x0, y0=y0, x1=x1, y1=y1)


def shifted(item: Placed, right: float, down: float) -> Placed:
    """Return an item so many points farther right and down."""
    return moved(item, (item.x0 + right, item.y0 + down, item.x1 + right, item.y1 + down))


def level(item: Placed, way: float, page: PageContent) -> Placed:
    """Return an item of a page as shown, whose text runs `way`, once the text is level."""
    return moved(item, levelled(way, page.width, page.height, (item.x0, item.y0, item.x1, item.y1)))


def askew(item: Placed, page: PageContent, angle: float) -> Placed:
    """Return an item of a page that was straightened by these degrees where the page has it."""
    return moved(item, _turned_again(page, angle, (item.x0, item.y0, item.x1, item.y1))) if angle else item


def levelled(way: float, width: float, height: float, rect: Rect) -> Rect:
    """Return a rectangle of a page (as wide, as high) whose text runs `way`, once the text is level."""
    x0, y0, x1, y1 = rect
    if way == HALF:
        return width - x1, height - y1, width - x0, height - y0
    return (height - y1, x0, height - y0, x1) if way == UP else (y0, width - x1, y1, width - x0)


def as_shown(way: float, width: float, height: float, rect: Rect) -> Rect:
    """Return a rectangle of the levelled text that runs `way` (90 or 270) on a page so wide and high."""
    return levelled(2 * HALF - way, height, width, rect)


def _turned_again(page: PageContent, degrees: float, rect: Rect) -> Rect:
    """Return a rectangle of the straightened page where it is printed: as long, around its own middle.

    The rectangle around the turned one would hold its neighbours' lines too.
    """
    (x0, y0, x1, y1), angle = rect, math.radians(degrees)
    dx, dy = (x0 + x1 - page.width) / 2, (y0 + y1 - page.height) / 2
    x = page.width / 2 + dx * math.cos(angle) + dy * math.sin(angle)
    y = page.height / 2 - dx * math.sin(angle) + dy * math.cos(angle)
    across, down = (x1 - x0) / 2, (y1 - y0) / 2
    return x - across, y - down, x + across, y + down


THIN = 2.0  # points: a stroke thinner than this is a rule
SHORT = 3.0  # points: a shorter rule is a dot, a tick or a part of a letter
SNAP = 1.6  # points between rules that are the same printed rule
JOIN = 2.5  # points of gap that a joined rule may have
EDGE = 2.0  # points around an area in which rules are its own
WHITE = 0xFFFFFF
FILLS = 400  # on a page: more are a drawing
ALONG = 0.9  # of the lower of two filled cells lies beside the other


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
    cells: list[Area] = []  # filled rectangles
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
            cells += fills[-1:] if stroke.kind == "rect" else ()
        if stroke.stroked and stroke.kind == "rect":
            horizontal += [Rule(y, stroke.x0, stroke.x1) for y in (stroke.y0, stroke.y1)]
            vertical += [Rule(x, stroke.y0, stroke.y1) for x in (stroke.x0, stroke.x1)]
    vertical += _between_cells(cells)
    return Ruling(joined(snapped(horizontal)), joined(snapped(vertical)), tuple(fills))


def _between_cells(cells: Sequence[Area]) -> Iterator[Rule]:
    """Yield where one filled cell ends and another begins beside it: a rule that nothing but white draws."""
    sides = sorted(cells, key=lambda cell: cell.x0) if len(cells) <= FILLS else []
    for at, left in enumerate(sides):
        for right in sides[at + 1 :]:
            if right.x0 - left.x1 >= THIN:
                break
            top, bottom = max(left.y0, right.y0), min(left.y1, right.y1)
            along = bottom - top >= ALONG * min(left.height, right.height)
            if right.x0 - left.x1 > -THIN and along:
                yield Rule((left.x1 + right.x0) / 2, top, bottom)


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
