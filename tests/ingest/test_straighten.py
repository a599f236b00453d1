"""Turned scans: the angle is found from the lines, and nothing is turned where nothing tells."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from appliance.ingest.ocr.process import Pixels
from appliance.ingest.ocr.word_boxes import angle_of, turned_back
from appliance.ingest.page import PageContent, box_on


def lines(*, gap: int = 40) -> Pixels:
    """Return a page with bars that are broken like words."""
    pixels = np.full((1400, 1000), 255, dtype=np.uint8)
    for row in range(120, 1280, gap):
        for left in range(100, 880, 60):
            pixels[row : row + 12, left : left + 45] = 20
    return pixels


def turned(pixels: Pixels, angle: float) -> Pixels:
    return np.asarray(Image.fromarray(pixels).rotate(angle, Image.Resampling.BICUBIC, fillcolor=255))


@pytest.mark.parametrize("angle", [-3.0, -1.0, -0.4, 0.3, 1.0, 2.2])
def test_the_angle_of_a_turned_page_is_found(angle: float) -> None:
    assert angle_of(turned(lines(), angle)) == pytest.approx(angle, abs=0.11)


@pytest.mark.parametrize(
    "pixels",
    [
        lines(),
        np.full((1400, 1000), 255, dtype=np.uint8),
        np.full((9, 7), 0, dtype=np.uint8),
        np.random.default_rng(1).integers(0, 255, (1400, 1000)).astype(np.uint8),
    ],
    ids=["straight", "white", "tiny", "noise"],
)
def test_a_page_that_is_straight_or_says_nothing_is_left(pixels: Pixels) -> None:
    assert angle_of(pixels) == 0.0
    assert turned_back(pixels, 0.0) is pixels


def test_a_box_of_a_straightened_page_lies_where_it_is_printed() -> None:
    marked = np.full((1400, 1000), 255, dtype=np.uint8)
    marked[200:212, 800:840] = 0
    page = PageContent(1, 1000, 1400, "", (), (), (), "ocr", turned=2.0)
    box = box_on(page, 800, 200, 840, 212)
    rows, columns = np.nonzero(turned(marked, 2.0) < 128)
    assert (box.x0 + box.x1) / 2 * 1000 == pytest.approx(columns.mean(), abs=1.5)
    assert (box.y0 + box.y1) / 2 * 1400 == pytest.approx(rows.mean(), abs=1.5)
    assert (box.x1 - box.x0) * 1000 == pytest.approx(40, abs=0.1)
