"""What is on a page before anyone has understood it: words, strokes and pictures, then lines."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from appliance.core.document import Box, Problem

Item = TypeVar("Item")
Placed = TypeVar("Placed", "Word", "Stroke", "Picture")

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
    ink: tuple[tuple[float, float, float, float], ...] = ()


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
        x0, y0, x1, y1 = _turned_again(page, x0, y0, x1, y1)

    def clip(value: float, size: float) -> float:
        return round(min(max(value / size, 0.0), 1.0), 5)

    return Box(
        page.number,
        clip(x0, width),
        clip(y0, height),
        clip(x1, width),
        clip(y1, height),
    )


def whole(page: PageContent) -> Box:
    """Return the box of a whole page: the place of what concerns all of it."""
    return Box(page.number, 0.0, 0.0, 1.0, 1.0)


def place_of(page: PageContent, box: Box) -> tuple[float, float, float, float]:
    """Return the rectangle (points of the page as read) of a box: `box_on` the other way round."""
    if page.turned in QUARTERS:
        x0, y0, x1, y1 = box.x0 * page.height, box.y0 * page.width, box.x1 * page.height, box.y1 * page.width
        return levelled(page.turned, page.height, page.width, (x0, y0, x1, y1))
    x0, y0, x1, y1 = box.x0 * page.width, box.y0 * page.height, box.x1 * page.width, box.y1 * page.height
    return (
        levelled(HALF, page.width, page.height, (x0, y0, x1, y1)) if page.turned == HALF else (x0, y0, x1, y1)
    )


def askew(item: Placed, page: PageContent, angle: float) -> Placed:
    """Return an item of a page that was straightened by these degrees where the page has it."""
    if not angle:
        return item
    x0, y0, x1, y1 = _turned_again(replace(page, turned=angle), item.x0, item.y0, item.x1, item.y1)
    return replace(item, x0=x0, y0=y0, x1=x1, y1=y1)


def levelled(
    way: float, width: float, height: float, rect: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Return a rectangle of a page (as wide, as high) whose text runs `way`, once the text is level."""
    x0, y0, x1, y1 = rect
    if way == HALF:
        return width - x1, height - y1, width - x0, height - y0
    return (height - y1, x0, height - y0, x1) if way == UP else (y0, width - x1, y1, width - x0)


def as_shown(
    way: float, width: float, height: float, rect: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    """Return a rectangle of the levelled text that runs `way` (90 or 270) on a page so wide and high."""
    x0, y0, x1, y1 = rect
    return (y0, height - x1, y1, height - x0) if way == UP else (width - y1, x0, width - y0, x1)


def _turned_again(
    page: PageContent, x0: float, y0: float, x1: float, y1: float
) -> tuple[float, float, float, float]:
    """Return a rectangle of the straightened page where it is printed: as long, around its own middle.

    The rectangle around the turned one would hold its neighbours' lines too.
    """
    angle = math.radians(page.turned)
    dx, dy = (x0 + x1 - page.width) / 2, (y0 + y1 - page.height) / 2
    x = page.width / 2 + dx * math.cos(angle) + dy * math.sin(angle)
    y = page.height / 2 - dx * math.sin(angle) + dy * math.cos(angle)
    across, down = (x1 - x0) / 2, (y1 - y0) / 2
    return x - across, y - down, x + across, y + down
