"""What is on a page before anyone has understood it: words, strokes and pictures, then lines.

Rules of this module: standard library only; every value is frozen; lengths are points of the page
as a reader sees it (rotation applied), origin at the top left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from appliance.document import Box, Problem

Item = TypeVar("Item")
Placed = TypeVar("Placed", "Word", "Stroke", "Picture")


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
    `problems` say what of the page could not be read, or not surely.
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


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A bookmark of the PDF: a witness of the hierarchy, never its source."""

    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class Source:
    """One PDF as read."""

    sha256: str
    title: str
    pages: tuple[PageContent, ...]
    outline: tuple[OutlineEntry, ...]


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
    if page.turned:
        x0, y0, x1, y1 = _turned_again(page, x0, y0, x1, y1)

    def clip(value: float, size: float) -> float:
        return round(min(max(value / size, 0.0), 1.0), 5)

    return Box(
        page.number,
        clip(x0, page.width),
        clip(y0, page.height),
        clip(x1, page.width),
        clip(y1, page.height),
    )


def upside_up(page: PageContent) -> PageContent:
    """Return a page that stands on its head as one to be read; its boxes stay where it shows them."""

    def flipped(item: Placed) -> Placed:
        x0, x1 = page.width - item.x1, page.width - item.x0
        return replace(item, x0=x0, x1=x1, y0=page.height - item.y1, y1=page.height - item.y0)

    words = tuple(replace(flipped(word), upright=True) for word in page.words)
    return replace(
        page,
        words=words,
        strokes=tuple(flipped(stroke) for stroke in page.strokes),
        pictures=tuple(flipped(picture) for picture in page.pictures),
        turned=180.0,
    )


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
