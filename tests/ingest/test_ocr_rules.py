"""The ink of letters told from that of rules: what is measured of a line in a narrow row of a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pymupdf

from appliance.ingest.ocr.process import Corners, Pixels, ReadLine, ReadWord
from appliance.ingest.ocr.word_boxes import lines_in
from tests.ingest.made import MUPDF


def drawn(path: Path, text: str, *, step: float) -> tuple[Pixels, float]:
    """Return a page with one word between rules so far apart, and its scale."""
    document = MUPDF.open()
    page = document.new_page(width=200, height=100)
    page.insert_text((30, 50), text, fontsize=10)
    for y in (50 - step + 5, 55):
        page.draw_line((20, y), (180, y))
    for x in (25, 175):
        page.draw_line((x, 5), (x, 95))  # other rows stand over and under it
    document.save(path)
    shown = page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    return np.frombuffer(shown.samples, dtype=np.uint8).reshape(shown.height, shown.width), 72 / 200


def line(box: tuple[float, float, float, float], text: str, scale: float) -> ReadLine:
    x0, y0, x1, y1 = (value / scale for value in box)
    corners: Corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return ReadLine(corners, (ReadWord(text, 1.0, corners),))


def test_a_line_of_dashes_is_still_a_word(tmp_path: Path) -> None:
    pixels, scale = drawn(tmp_path / "a.pdf", "", step=16)
    ((found,),) = lines_in([line((40, 53, 120, 57), "____", scale)], pixels, scale)
    assert found[0].text == "____"
