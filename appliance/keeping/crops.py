"""The cited part of a page as one picture, with the place boxed as it is on the screen.

Rules of this module: it reads page images and writes pictures; nothing but the frame is drawn on them.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from appliance.document import Box

MARK = (194, 65, 12)  # the colour of a cited place on the page
AIR = 0.03  # of the page, around what is shown
PADDING = 0.006  # of the page, between the words and their frame
LEAST_WIDTH, LEAST_HEIGHT = 0.7, 0.09  # of the page
MOST_HEIGHT = 0.6  # of the page; a longer place is cut, its end is on the page
LINES = 0.014  # of the page height: boxes nearer than this stand in one frame
QUALITY = 72


def crop(boxes: Sequence[Box], image_of: Callable[[int], Path | None]) -> bytes | None:
    """Return the first page of the boxes, cut to what they frame, as JPEG; None without an image of it."""
    page = min((box.page for box in boxes), default=0)
    path = image_of(page) if page else None
    if path is None or not path.is_file():
        return None
    frames = _frames([box for box in boxes if box.page == page])
    left, top, right, bottom = _shown(frames)
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    pen = ImageDraw.Draw(picture)
    width, height = picture.size
    for frame in frames:
        edges = (frame.x0 * width, frame.y0 * height, frame.x1 * width, frame.y1 * height)
        pen.rectangle(edges, outline=MARK, width=max(2, round(width / 420)))
    cut = picture.crop(
        (round(left * width), round(top * height), round(right * width), round(bottom * height))
    )
    file = io.BytesIO()
    cut.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


def _frames(boxes: Sequence[Box]) -> list[Box]:
    """Return the boxes padded, those of neighbouring lines of one column joined."""
    found: list[Box] = []
    for box in sorted(boxes, key=lambda item: (item.y0, item.x0)):
        grown = Box(
            box.page,
            max(0.0, box.x0 - PADDING),
            max(0.0, box.y0 - PADDING),
            min(1.0, box.x1 + PADDING),
            min(1.0, box.y1 + PADDING),
        )
        near = next((item for item in found if _near(item, grown)), None)
        if near is None:
            found.append(grown)
            continue
        found[found.index(near)] = Box(
            box.page,
            min(near.x0, grown.x0),
            min(near.y0, grown.y0),
            max(near.x1, grown.x1),
            max(near.y1, grown.y1),
        )
    return found


def _near(one: Box, other: Box) -> bool:
    beside = min(one.x1, other.x1) - max(one.x0, other.x0) > 0
    return beside and other.y0 - one.y1 <= LINES and one.y0 - other.y1 <= LINES


def _shown(frames: Sequence[Box]) -> tuple[float, float, float, float]:
    """Return the part of the page to show, as fractions: wide enough to read, not higher than needed."""
    left, right = _grown(min(f.x0 for f in frames) - AIR, max(f.x1 for f in frames) + AIR, LEAST_WIDTH)
    top, bottom = _grown(min(f.y0 for f in frames) - AIR, max(f.y1 for f in frames) + AIR, LEAST_HEIGHT)
    return left, top, right, min(bottom, top + MOST_HEIGHT)


def _grown(low: float, high: float, least: float) -> tuple[float, float]:
    grow = max(0.0, least - (high - low)) / 2
    low, high = low - grow, high + grow
    if low < 0:
        low, high = 0.0, high - low
    if high > 1:
        low, high = max(0.0, low - (high - 1)), 1.0
    return low, high
