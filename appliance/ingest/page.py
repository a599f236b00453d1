"""What is on a page before anyone has understood it: words, strokes and pictures, then lines."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Generic, Literal, Protocol, TypeVar

from appliance.core.document import Box, Problem

Item = TypeVar("Item")
Placed = TypeVar("Placed", "Word", "Stroke", "Picture", "Line")
Rect = tuple[float, float, float, float]  # x0, y0, x1, y1 in points


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
    taken: frozenset[tuple[int, int]] = frozenset()
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
