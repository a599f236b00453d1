"""The cited part of each page as one picture, with the place boxed as it is on the screen.

Rules of this module: it reads page images and writes pictures; nothing but the frame is drawn on them. How
far a frame stands off is measured by what it frames, never by the page: no frame may cross the row beside it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from appliance.document import Box

MARK = (194, 65, 12)  # the colour of a cited place on the page
AIR = 0.03  # of the page, around what is shown
PADDING = 0.004  # of the page, between the words and their frame, at most
OFF, ASIDE = 0.12, 0.35  # of the height of what is framed: above and below it, to its sides
ABOVE = 0.0012  # of the page, above and below it, at most: the next line may be as near as that
LEAST_WIDTH, LEAST_HEIGHT = 0.7, 0.09  # of the page
MOST_HEIGHT = 0.6  # of the page; a longer place is cut, its end is on the page
LINES, SPACED = 0.012, 0.6  # of the page and of the lower box: what is nearer stands in one frame
QUALITY = 72


def crops(boxes: Sequence[Box], image_of: Callable[[int], Path | None]) -> tuple[tuple[int, bytes], ...]:
    """Return each page of the boxes that has an image, by number, cut to what they frame, as JPEG."""
    found = ((page, crop(boxes, image_of, page)) for page in sorted({box.page for box in boxes}))
    return tuple((page, picture) for page, picture in found if picture is not None)


def crop(boxes: Sequence[Box], image_of: Callable[[int], Path | None], page: int = 0) -> bytes | None:
    """Return one page of the boxes (the first for 0) cut to what they frame, as JPEG; None without image."""
    page = page or min((box.page for box in boxes), default=0)
    path = image_of(page) if page else None
    frames = _frames([box for box in boxes if box.page == page])
    if path is None or not path.is_file() or not frames:
        return None
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    left, top, right, bottom = _shown(frames)
    pen = ImageDraw.Draw(picture)
    width, height = picture.size
    for frame in frames:
        edges = (frame.x0 * width, frame.y0 * height, frame.x1 * width, frame.y1 * height)
        pen.rectangle(edges, outline=MARK, width=max(1, round(width / 600)))
    cut = picture.crop(
        (round(left * width), round(top * height), round(right * width), round(bottom * height))
    )
    file = io.BytesIO()
    cut.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


def _frames(boxes: Sequence[Box]) -> list[Box]:
    """Return the frames of boxes: those of neighbouring lines of one column joined, then set off."""
    left = sorted(boxes, key=lambda box: (box.y0, box.x0))
    found: list[Box] = []
    while left:
        frame = left.pop(0)
        low = frame.y1 - frame.y0
        while near := next((box for box in left if _near(frame, box, low)), None):
            left.remove(near)
            low = min(low, near.y1 - near.y0)
            frame = _union(frame, near)
        found.append(_set_off(frame, low))
    return found


def _set_off(frame: Box, low: float) -> Box:
    """Return a frame a little off its words, by the height of the lowest line in it."""
    low = low or LINES
    above, aside = min(ABOVE, OFF * low), min(PADDING, ASIDE * low)
    return Box(
        frame.page,
        max(0.0, frame.x0 - aside),
        max(0.0, frame.y0 - above),
        min(1.0, frame.x1 + aside),
        min(1.0, frame.y1 + above),
    )


def _union(one: Box, other: Box) -> Box:
    return Box(
        one.page,
        min(one.x0, other.x0),
        min(one.y0, other.y0),
        max(one.x1, other.x1),
        max(one.y1, other.y1),
    )


def _near(one: Box, other: Box, low: float) -> bool:
    """Tell whether two boxes are lines of one column, closer than a row that stands between would be high."""
    beside = min(one.x1, other.x1) - max(one.x0, other.x0) > 0
    apart = min(LINES, SPACED * min(low, other.y1 - other.y0))
    return beside and other.y0 - one.y1 <= apart and one.y0 - other.y1 <= apart


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
