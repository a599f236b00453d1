"""Drawings found in the pixels of a scan: ink that is no writing and hangs together."""

from __future__ import annotations

import numpy as np
import pytest

from appliance.ingest.ocr.scans import ScannedDrawingsPixels as Pixels
from appliance.ingest.ocr.scans import drawings_in
from appliance.ingest.page import Word

SCALE = 0.5  # points per pixel


def paper() -> Pixels:
    return np.full((1600, 1200), 255, dtype=np.uint8)


def word(x0: float, y0: float, x1: float, y1: float) -> Word:
    return Word("word", x0, y0, x1, y1, "F", 10.0)


def frame(pixels: Pixels, x0: int, y0: int, x1: int, y1: int) -> None:
    """Draw a rectangle, in points."""
    left, top, right, bottom = (round(value / SCALE) for value in (x0, y0, x1, y1))
    pixels[top:bottom, [left, right]] = 0
    pixels[[top, bottom], left : right + 1] = 0


def test_a_drawing_is_found_where_it_is() -> None:
    pixels = paper()
    frame(pixels, 100, 200, 300, 280)
    (found,) = drawings_in(pixels, (), SCALE)
    assert (found.x0, found.y0, found.x1, found.y1) == pytest.approx((100, 200, 300, 280), abs=4)


def test_words_are_no_drawing_and_what_is_left_of_it_still_is() -> None:
    pixels = paper()
    frame(pixels, 100, 200, 300, 280)
    for top in range(400, 600, 12):
        pixels[2 * top : 2 * top + 16, 200:900:3] = 0
    lines = [word(98, top - 1, 452, top + 9) for top in range(400, 600, 12)]
    label = word(180, 190, 220, 210)
    (found,) = drawings_in(pixels, [*lines, label], SCALE)
    assert (found.y0, found.y1) == pytest.approx((200, 280), abs=4)


def test_parts_that_nearly_touch_are_one_drawing_and_others_two() -> None:
    pixels = paper()
    frame(pixels, 100, 200, 200, 260)
    frame(pixels, 206, 200, 300, 260)
    frame(pixels, 340, 200, 440, 260)
    assert sorted(round(found.x0 / 10) for found in drawings_in(pixels, (), SCALE)) == [10, 34]


@pytest.mark.parametrize(
    "area",
    [
        (100, 200, 130, 215),  # a letter or a sign
        (100, 200, 500, 205),  # a rule
        (2, 100, 16, 700),  # the shadow of the sheet's edge
        (100, 2, 500, 20),
    ],
)
def test_what_is_no_drawing(area: tuple[int, int, int, int]) -> None:
    pixels = paper()
    x0, y0, x1, y1 = (2 * value for value in area)
    pixels[y0:y1, x0:x1] = 0
    assert drawings_in(pixels, (), SCALE) == ()


def test_blank_black_and_tiny_pages() -> None:
    assert drawings_in(paper(), (), SCALE) == ()
    assert len(drawings_in(np.zeros((400, 300), dtype=np.uint8), (), SCALE)) == 1
    assert drawings_in(np.zeros((3, 3), dtype=np.uint8), (), SCALE) == ()
