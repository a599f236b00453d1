"""The cited part of each page as one picture, with the place boxed as it is on the screen.

Rules of this module: it reads page images and writes pictures; nothing but the frame is drawn on them, the
same as on the screen (`frames.py`).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from appliance.document import Box
from appliance.frames import frames

MARK = (194, 65, 12)  # the colour of a cited place on the page
AIR = 0.03  # of the page, around what is shown
LEAST_WIDTH, LEAST_HEIGHT = 0.7, 0.09  # of the page
MOST_HEIGHT = 0.6  # of the page; a longer place is cut, its end is on the page
SPOT = 0.004  # of the page: a place without width or height is still shown, as a spot
QUALITY = 72


def crops(boxes: Sequence[Box], image_of: Callable[[int], Path | None]) -> tuple[tuple[int, bytes], ...]:
    """Return each page of the boxes that has an image, by number, cut to what they frame, as JPEG."""
    found = ((page, crop(boxes, image_of, page)) for page in sorted({box.page for box in boxes}))
    return tuple((page, picture) for page, picture in found if picture is not None)


def crop(boxes: Sequence[Box], image_of: Callable[[int], Path | None], page: int = 0) -> bytes | None:
    """Return one page of the boxes (the first for 0) cut to what they frame, as JPEG; None without image."""
    page = page or min((box.page for box in boxes), default=0)
    path = image_of(page) if page else None
    framed = frames(_sized(box) for box in boxes if box.page == page)
    if path is None or not path.is_file() or not framed:
        return None
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    left, top, right, bottom = _shown(framed)
    pen = ImageDraw.Draw(picture)
    width, height = picture.size
    for frame in framed:
        edges = (frame.x0 * width, frame.y0 * height, frame.x1 * width, frame.y1 * height)
        pen.rectangle(edges, outline=MARK, width=max(1, round(width / 600)))
    cut = picture.crop(
        (round(left * width), round(top * height), round(right * width), round(bottom * height))
    )
    file = io.BytesIO()
    cut.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


def _sized(box: Box) -> Box:
    """Return a box that can be seen."""
    return Box(box.page, box.x0, box.y0, max(box.x1, box.x0 + SPOT), max(box.y1, box.y0 + SPOT))


def _shown(framed: Sequence[Box]) -> tuple[float, float, float, float]:
    """Return the part of the page to show, as fractions: wide enough to read, not higher than needed."""
    left, right = _grown(min(f.x0 for f in framed) - AIR, max(f.x1 for f in framed) + AIR, LEAST_WIDTH)
    top, bottom = _grown(min(f.y0 for f in framed) - AIR, max(f.y1 for f in framed) + AIR, LEAST_HEIGHT)
    return left, top, right, min(bottom, top + MOST_HEIGHT)


def _grown(low: float, high: float, least: float) -> tuple[float, float]:
    grow = max(0.0, least - (high - low)) / 2
    low, high = low - grow, high + grow
    if low < 0:
        low, high = 0.0, high - low
    if high > 1:
        low, high = max(0.0, low - (high - 1)), 1.0
    return low, high
