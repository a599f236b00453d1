"""Where to draw on a page image: boxes joined into frames, and the part worth showing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

from appliance.core.document import Box, PageView
from appliance.core.page_boxes import frames, union, widened

CROP_MARGIN = 0.05  # of the page height, above and below what is cited
CROP_HEIGHT = 0.30  # of the page height, at least
STRIP_MARGIN, STRIP_HEIGHT = 8.0, 90.0  # points around what a strip shows; points of it at most
CROP_WIDTH = 0.46  # of the page width, at least: a column of two fills a phone, its rows can be told apart
WHOLE = Box(0, 0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in points of the page."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class View:
    """One page image with what is drawn on it; `crop` is the part that fits a phone."""

    document: str
    page: int
    printed: str
    trust: str
    width: float
    height: float
    large: str
    phone: str
    strong: tuple[Rect, ...]
    faint: tuple[Rect, ...]
    crop: Rect


def view(
    document: str,
    page: PageView,
    strong: Iterable[Box] = (),
    faint: Iterable[Box] = (),
    *,
    tight: bool = False,
    cells: bool = False,
) -> View:
    """Return a page with the boxes that stand on it; a tight crop shows nothing but what is boxed.

    `cells` tells that the strong ones are cells of a table.
    """
    marked = regions(strong, page.number, cells=cells)
    around = regions(faint, page.number)
    shown = marked or around
    hull = reduce(union, shown, shown[0]) if shown else WHOLE
    return View(
        document=document,
        page=page.number,
        printed=page.printed,
        trust=page.trust,
        width=page.width,
        height=page.height,
        large=page.large,
        phone=page.phone,
        strong=tuple(points(box, page) for box in marked),
        faint=tuple(points(box, page) for box in around),
        crop=points(hull if tight else crop(shown, marked + around), page),
    )


def strip(shown: View) -> View:
    """Return a view whose crop shows little more than what is boxed, from its top."""
    if not shown.strong:
        return shown
    top = max(0.0, min(rect.y for rect in shown.strong) - STRIP_MARGIN)
    end = min(shown.height, max(rect.y + rect.height for rect in shown.strong) + STRIP_MARGIN)
    return replace(shown, crop=replace(shown.crop, y=top, height=min(end - top, STRIP_HEIGHT)))


def regions(boxes: Iterable[Box], page: int, *, cells: bool = False) -> tuple[Box, ...]:
    """Return the frames of the boxes of one page."""
    return frames((box for box in boxes if box.page == page), cells=cells)


def crop(shown: tuple[Box, ...], context: tuple[Box, ...]) -> Box:
    """Return the part of the page that shows `shown`, as wide as its `context`; all without any."""
    if not shown:
        return WHOLE
    wide, high = reduce(union, context), reduce(union, shown)
    x0, x1 = widened(wide.x0 - 0.02, wide.x1 + 0.02, CROP_WIDTH)
    y0, y1 = widened(high.y0 - CROP_MARGIN, high.y1 + CROP_MARGIN, CROP_HEIGHT)
    return Box(shown[0].page, x0, y0, x1, y1)


def points(box: Box, page: PageView | View) -> Rect:
    """Return a box in points of its page."""
    sides = (box.x0 * page.width, box.y0 * page.height)
    size = ((box.x1 - box.x0) * page.width, (box.y1 - box.y0) * page.height)
    return Rect(*(round(value, 1) for value in (*sides, *size)))
