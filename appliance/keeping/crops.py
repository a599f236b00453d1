"""The cited part of each page as one picture, with the place boxed as it is on the screen."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from appliance.core.document import Box
from appliance.core.page_boxes import frames, widened

MARK = (194, 65, 12)  # the colour of a cited place on the page
FAINT = (230, 160, 60)  # of what is quoted with it
AIR = 0.03  # of the page, around what is shown
LEAST_WIDTH, LEAST_HEIGHT = 0.7, 0.09  # of the page
MOST_HEIGHT = 0.6  # of the page; a longer place is cut, its end is on the page
SPOT = 0.004  # of the page: a place without width or height is still shown, as a spot
LINE = 0.025  # of the page: as far as a cut may move to stand between two lines
NEAR = 1  # rows of pixels on each side of a cut that are as empty
DARK = 190  # of 255: what is darker is print
STRIPES = 64  # of a page, each of a share of print of its own
QUALITY = 72


def crops(
    boxes: Sequence[Box], image_of: Callable[[int], Path | None], focus: Sequence[Box] = ()
) -> tuple[tuple[int, bytes], ...]:
    """Return each page of the boxes that has an image, by number, cut to what they frame, as JPEG."""
    found = ((page, crop(boxes, image_of, page, focus)) for page in sorted({box.page for box in boxes}))
    return tuple((page, picture) for page, picture in found if picture is not None)


def crop(
    boxes: Sequence[Box], image_of: Callable[[int], Path | None], page: int, focus: Sequence[Box] = ()
) -> bytes | None:
    """Return one page of the boxes cut to what they frame, as JPEG; None without image.

    `focus` are those that decide; where they stand on the page, the others are framed faintly.
    """
    path = image_of(page)
    around = frames((_sized(box) for box in boxes if box.page == page), cells=True)
    strong = frames((_sized(box) for box in focus if box.page == page), cells=True) or around
    if path is None or not path.is_file() or not around:
        return None
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    ink = _ink(picture)
    if strong is not around:
        _frame(picture, around, FAINT, 1)
    _frame(picture, strong, MARK, max(1, round(picture.width / 600)))
    width, height = picture.size
    left, top, right, bottom = _shown((*around, *strong), strong)
    top, bottom = _between(ink, round(top * height), -1), _between(ink, round(bottom * height), 1)
    printed = _dark(picture.crop((0, top, width, bottom))).getbbox()
    lines = printed or (width, 0, 0, 0)  # in full: no word is cut
    first, last = (round(edge * width) for edge in (left, right))
    air = round(AIR * width)
    sides = max(0, min(first, lines[0] - air)), min(width, max(last, lines[2] + air))
    cut = picture.crop((sides[0], top, sides[1], bottom))
    file = io.BytesIO()
    cut.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()


def _ink(picture: Image.Image) -> tuple[int, ...]:
    """Return how much of each row of pixels is print, finely enough for the foot of one letter."""
    shares = _dark(picture).resize((STRIPES, picture.height), Image.Resampling.BOX).tobytes()
    return tuple(sum(shares[at : at + STRIPES]) for at in range(0, len(shares), STRIPES))


def _dark(picture: Image.Image) -> Image.Image:
    return picture.convert("L").point([255 * (grey < DARK) for grey in range(256)])


def _between(ink: Sequence[int], cut: int, way: int) -> int:
    """Return where to cut so that no line of text is halved: the first of the emptiest rows farther out.

    The rules of a table stand in each of its rows, so that none of these is quite empty.
    """
    far = min(max(0, cut + way * round(LINE * len(ink))), len(ink))
    return min(
        range(cut, far, way),
        key=lambda row: max(ink[max(0, row - NEAR) : row + NEAR + 1], default=0),
        default=cut,
    )


def _sized(box: Box) -> Box:
    """Return a box that can be seen."""
    return Box(box.page, box.x0, box.y0, max(box.x1, box.x0 + SPOT), max(box.y1, box.y0 + SPOT))


def _frame(picture: Image.Image, framed: Sequence[Box], colour: tuple[int, int, int], wide: int) -> None:
    """Draw frames, the line half inside and half outside of each edge."""
    pen = ImageDraw.Draw(picture)
    across, down = picture.size
    half = (wide - 1) // 2
    for frame in framed:
        x0, y0 = round(frame.x0 * across) - half, round(frame.y0 * down) - half
        x1, y1 = round(frame.x1 * across) + half, round(frame.y1 * down) + half
        pen.rectangle((x0, y0, x1, y1), outline=colour, width=wide)


def _shown(framed: Sequence[Box], strong: Sequence[Box]) -> tuple[float, float, float, float]:
    """Return the part of the page to show, as fractions: wide enough to read, not higher than needed."""
    left, right = widened(min(f.x0 for f in framed) - AIR, max(f.x1 for f in framed) + AIR, LEAST_WIDTH)
    top, bottom = widened(min(f.y0 for f in framed) - AIR, max(f.y1 for f in framed) + AIR, LEAST_HEIGHT)
    if bottom - top > MOST_HEIGHT:  # what decides stays in the picture
        top = max(top, min(min(f.y0 for f in strong) - AIR, max(f.y1 for f in strong) + AIR - MOST_HEIGHT))
    return left, top, right, min(bottom, top + MOST_HEIGHT)
