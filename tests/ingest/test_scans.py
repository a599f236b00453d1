"""Rules found in the pixels of a scan: long and thin, straight or a little turned; letters give none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
import pytest

from appliance.ingest.ocr.scans import MANY, Pixels, strokes_in, with_scanned_rules
from appliance.ingest.page import PageContent, Source

MUPDF: Any = pymupdf
SCALE = 0.5  # points per pixel


def paper() -> Pixels:
    return np.full((800, 1200), 255, dtype=np.uint8)


def test_rules_across_and_down_are_found_where_they_are() -> None:
    pixels = paper()
    pixels[100:103, 200:800] = 0
    pixels[100:400, 200:203] = 40
    found = strokes_in(pixels, SCALE)
    assert [(s.x0, s.y0, s.x1, s.y1) for s in found] == [
        pytest.approx((100, 50.75, 400, 50.75), abs=1),
        pytest.approx((100.75, 50, 100.75, 200), abs=1),
    ]


def test_a_turned_scan_gives_one_rule() -> None:
    pixels = paper()
    for x in range(200, 1000):
        y = 100 + (x - 200) // 120
        pixels[y : y + 2, x] = 0
    assert [(s.x0, s.x1) for s in strokes_in(pixels, SCALE)] == [pytest.approx((100, 500), abs=3)]


def test_a_hairline_that_drifts_between_two_rows_is_one_rule() -> None:
    pixels = paper()
    for x in range(200, 1000):  # 0.6 of a pixel thick, climbing two rows: nowhere black
        share = (x - 200) / 400 % 1
        row = 100 + (x - 200) // 400
        pixels[row, x] = 255 - round(150 * (1 - share))
        pixels[row + 1, x] = 255 - round(150 * share)
    found = strokes_in(pixels, SCALE)
    assert [(round(s.x0), round(s.x1)) for s in found] == [pytest.approx((100, 500), abs=25)]


@pytest.mark.parametrize("ink", ["letters", "block", "grey"])
def test_what_is_no_rule_gives_none(ink: str) -> None:
    pixels = paper()
    if ink == "letters":
        pixels[100:120, 200:1000:9] = 0
    elif ink == "block":
        pixels[100:200, 200:600] = 0
    else:
        pixels[100:103, 200:800] = 200
    assert strokes_in(pixels, SCALE) == ()


def test_hatching_gives_none() -> None:
    pixels = paper()
    pixels[0 : 3 * MANY + 60 : 3, 100:1100] = 0
    assert strokes_in(pixels, SCALE) == ()


@pytest.mark.parametrize(("trust", "rules"), [("ocr", True), ("digital", False)])
def test_only_scanned_pages_are_looked_at(trust: Any, rules: bool, tmp_path: Path) -> None:
    document = MUPDF.open()
    page = document.new_page(width=600, height=400)
    page.draw_line((100, 50), (500, 50), width=1.5)
    document.save(tmp_path / "a.pdf")
    content = PageContent(1, 600, 400, "", (), (), (), trust)
    found = with_scanned_rules(Source("", "", (content,), ()), tmp_path / "a.pdf")
    assert [(round(s.x0), round(s.y0)) for s in found.pages[0].strokes] == ([(100, 50)] if rules else [])


def test_a_faded_hairline_is_a_rule_between_clear_ones() -> None:
    """A pale line counts only where it begins and ends on clear rules."""
    page = np.full((400, 600), 255, dtype=np.uint8)
    for y in (50, 150, 250):
        page[y : y + 2, 50:550] = 0
    for x in (50, 548):
        page[50:252, x : x + 2] = 0
    page[50:252, 300] = 215  # between the first and the last
    page[150:220, 400] = 215  # ends nowhere
    upright = {round(s.x0) for s in strokes_in(page, 0.5) if s.x0 == s.x1}
    assert upright == {26, 150, 274}
