"""Which pictures of a page may hold text, and whether their ink stands in lines of letters.

Rules of this module: pure; pixels and points in. The picture is seen in upright strips, so narrow that a
scan lying askew still shows its lines apart. A line of a strip is a band of rows as high as type, with
white above and below and with several runs of ink as wide as letters beside one another. It is text where
most of the ink that is no rule and no live word stands in such lines: photographs are grey, and the ink of
a drawing stands in its lines, not in its letters.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from appliance.ingest.ocr_words import runs_of
from appliance.ingest.page import PageContent, Stroke, Word
from appliance.ingest.rules import Area

Pixels = npt.NDArray[np.uint8]
Ink = npt.NDArray[np.bool_]

WIDE, HIGH = 80.0, 11.0  # points: a picture with a line of text is no smaller
SHARE = 0.004  # idem, of the page
NEAR = 36.0  # points from a picture to its caption
TILES = 200  # pictures of one page that may be parts of one another; more are a pattern
TOUCH = 2.0  # points between the parts of one picture
INK = 150  # grey value below which a pixel is ink
PAPER, WHITE = 0.6, 200  # of a picture with text is lighter than that
STRIP = 60.0  # points
TYPE = (3.5, 18.0)  # points: height of the letters of a line
LETTER = 12.0  # points: the widest one
LEAST = 20  # letters of a picture with text
IN_LINES = 0.6  # of its ink
BLOT = 1.5  # points around what is no ink of the picture's text


def picture_areas(page: PageContent) -> list[Area]:
    """Return the areas of a page's pictures that are large enough to hold text, parts of one joined."""
    areas = [
        Area(max(0.0, p.x0), max(0.0, p.y0), min(page.width, p.x1), min(page.height, p.y1))
        for p in page.pictures
    ]
    areas = [area for area in areas if area.width > 0 and area.height > 0]
    if len(areas) <= TILES:
        areas = _joined(areas)
    return [area for area in areas if _is_large(area, page)]


def _is_large(area: Area, page: PageContent) -> bool:
    width, height = area.width, area.height
    return width >= WIDE and height >= HIGH and width * height >= SHARE * page.width * page.height


def captioned(page: PageContent, area: Area, names: Collection[str]) -> bool:
    """Tell whether a row of type above or below a picture begins with a word of captions and a number."""
    beside = [word for word in page.words if word.x1 > area.x0 and word.x0 < area.x1]
    near = [w for w in beside if 0 <= w.y0 - area.y1 <= NEAR or 0 <= area.y0 - w.y1 <= NEAR]
    for word in near:
        if word.text.strip(".:").casefold() not in names:
            continue
        row = [other for other in page.words if word.y0 < (other.y0 + other.y1) / 2 < word.y1]
        after = min((other for other in row if other.x0 >= word.x1), key=lambda w: w.x0, default=None)
        begins = all(other is word or other.x0 > word.x0 for other in row)
        if begins and after is not None and any(sign.isdigit() for sign in after.text):
            return True
    return False


def _joined(areas: Sequence[Area]) -> list[Area]:
    """Return the areas with those that touch one another as one."""
    joined: list[Area] = []
    for area in areas:
        one = area
        while near := [other for other in joined if _touch(one, other)]:
            joined = [other for other in joined if other not in near]
            parts = (one, *near)
            one = Area(
                min(part.x0 for part in parts),
                min(part.y0 for part in parts),
                max(part.x1 for part in parts),
                max(part.y1 for part in parts),
            )
        joined.append(one)
    return joined


def _touch(one: Area, other: Area) -> bool:
    return (
        one.x0 - TOUCH <= other.x1
        and other.x0 - TOUCH <= one.x1
        and one.y0 - TOUCH <= other.y1
        and other.y0 - TOUCH <= one.y1
    )


def holds_text(pixels: Pixels, scale: float, live: Sequence[Word], rules: Sequence[Stroke]) -> bool:
    """Tell whether a picture holds lines of text; `scale` is points per pixel, places are from its corner."""
    letters, share = measured(pixels, scale, live, rules)
    return letters >= LEAST and share >= IN_LINES


def measured(
    pixels: Pixels, scale: float, live: Sequence[Word], rules: Sequence[Stroke]
) -> tuple[int, float]:
    """Return how many letters stand in the lines of a picture, and the share of its ink in them."""
    if not pixels.size or float((pixels > WHITE).mean()) < PAPER:
        return 0, 0.0
    ink = np.array(pixels < INK)
    blots: list[Word | Stroke] = [*live, *rules]
    for item in blots:
        rows = slice(max(0, int((item.y0 - BLOT) / scale)), max(0, int((item.y1 + BLOT) / scale) + 1))
        ink[rows, max(0, int((item.x0 - BLOT) / scale)) : max(0, int((item.x1 + BLOT) / scale) + 1)] = False
    width = max(1, round(STRIP / scale))
    told = [_in_strip(ink[:, at : at + width], scale) for at in range(0, ink.shape[1], width)]
    return sum(count for count, _ in told), sum(inked for _, inked in told) / max(1, int(ink.sum()))


def _in_strip(strip: Ink, scale: float) -> tuple[int, int]:
    """Return how many letters stand in the lines of a strip, and how much ink."""
    letters = inked = 0
    for first, last in runs_of(np.asarray(strip.any(axis=1))):
        if not TYPE[0] <= (last - first) * scale <= TYPE[1]:
            continue
        band = strip[first:last]
        signs = runs_of(np.asarray(band.any(axis=0)))
        if all((end - start) * scale <= LETTER for start, end in signs):
            letters += len(signs)
            inked += int(band.sum())
    return letters, inked
