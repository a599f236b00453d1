"""The ink of letters told from that of rules: what is measured of a line in a narrow row of a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pymupdf
import pytest

from appliance.ingest.ocr.process import Corners, Pixels, ReadLine, ReadWord
from appliance.ingest.ocr.recognise import OcrRulesInk as Ink
from appliance.ingest.ocr.recognise import without_rules, words_in
from tests.ingest.made import MUPDF

SCALE = 0.5  # points to the pixel


def blank() -> Ink:
    return np.zeros((200, 400), dtype=np.bool_)


@pytest.mark.parametrize(
    ("rows", "columns", "left"),
    [
        (slice(50, 52), slice(0, 400), False),  # a rule across the page
        (slice(0, 200), slice(50, 53), False),  # down the page
        (slice(50, 52), slice(0, 40), True),  # a dash
        (slice(50, 90), slice(0, 400), True),  # a filled band
        (slice(0, 40), slice(50, 53), True),  # the stroke of a letter
        (slice(0, 200), slice(0, 400), True),  # all dark
    ],
)
def test_thin_long_runs_are_rules(rows: slice, columns: slice, left: bool) -> None:
    dark = blank()
    dark[rows, columns] = True
    assert without_rules(dark, SCALE).any() == left


def test_what_crosses_a_rule_stays() -> None:
    dark = blank()
    dark[50:52] = True
    dark[30:80, 100:110] = True
    left = without_rules(dark, SCALE)
    assert left[30:49, 100:110].all()
    assert left[54:80, 100:110].all()
    assert not left[:, 200].any()


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 500), (500, 3)])
def test_pictures_of_no_size_do_no_harm(shape: tuple[int, int]) -> None:
    assert without_rules(np.ones(shape, dtype=np.bool_), SCALE).shape == shape


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


@pytest.mark.parametrize("step", [14.0, 16.0, 30.0])
@pytest.mark.parametrize("text", ["Zone", "1,5", "gap"])
def test_a_line_in_a_narrow_row_is_as_high_as_its_letters(tmp_path: Path, text: str, step: float) -> None:
    pixels, scale = drawn(tmp_path / "a.pdf", text, step=step)
    ((word, _),) = words_in([line((24, 40, 60, 57), text, scale)], pixels, scale)
    assert word.size == pytest.approx(10, abs=1.5)
    assert (word.y0, word.y1) == pytest.approx((41, 52), abs=2.5)
    assert word.x0 == pytest.approx(30.5, abs=1)


def test_a_line_of_dashes_is_still_a_word(tmp_path: Path) -> None:
    pixels, scale = drawn(tmp_path / "a.pdf", "", step=16)
    (found,) = words_in([line((40, 53, 120, 57), "____", scale)], pixels, scale)
    assert found[0].text == "____"
