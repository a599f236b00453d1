"""Page images: two sizes, named by content, whole, and small enough for a phone."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from PIL import Image

from appliance.core.settings import ImageSettings
from appliance.ingest.pdf.rendering import TALLEST, count_pages, render

MUPDF: Any = pymupdf
SETTINGS = ImageSettings(large_width_px=400, phone_width_px=200)


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    """Four pages: upright, landscape by rotation, one that is all picture, and a very tall one."""
    document = MUPDF.open()
    document.new_page(width=300, height=400).insert_text((40, 60), "Table 6.1")
    turned = document.new_page(width=300, height=400)
    turned.insert_text((40, 60), "Table 6.2")
    turned.set_rotation(90)
    scan = MUPDF.Pixmap(MUPDF.csGRAY, MUPDF.IRect(0, 0, 600, 800))
    scan.clear_with(200)
    document.new_page(width=300, height=400).insert_image(MUPDF.Rect(0, 0, 300, 400), pixmap=scan)
    document.new_page(width=100, height=14_000)
    document.save(tmp_path / "a.pdf")
    return tmp_path / "a.pdf"


def test_pages_are_drawn_as_a_reader_sees_them(pdf: Path, tmp_path: Path) -> None:
    images = render(pdf, SETTINGS, tmp_path / "images").images
    assert [(i.page, i.width, i.height) for i in images[:3]] == [(1, 400, 534), (2, 400, 300), (3, 400, 534)]
    assert images[3].height <= SETTINGS.large_width_px * TALLEST
    for image in images:
        with Image.open(tmp_path / "images" / image.phone) as phone:
            assert phone.width <= SETTINGS.phone_width_px
            assert phone.format == "WEBP"


def test_files_are_named_by_their_content_and_written_once(pdf: Path, tmp_path: Path) -> None:
    first = render(pdf, SETTINGS, tmp_path / "images")
    files = sorted((tmp_path / "images").iterdir())
    assert all(hashlib.sha256(f.read_bytes()).hexdigest() == f.stem for f in files)
    times = [f.stat().st_mtime_ns for f in files]
    assert render(pdf, SETTINGS, tmp_path / "images") == first
    assert [f.stat().st_mtime_ns for f in sorted((tmp_path / "images").iterdir())] == times


def test_a_page_that_cannot_be_drawn_is_left_out(pdf: Path, tmp_path: Path) -> None:
    with MUPDF.open(pdf) as document:
        document.xref_set_key(document.page_xref(2), "MediaBox", "(no box)")
        document.xref_set_key(document.page_xref(2), "Contents", "99999 0 R")
        document.save(tmp_path / "b.pdf")
    drawn = render(tmp_path / "b.pdf", SETTINGS, tmp_path / "images")
    assert {1, 2, 4} <= {image.page for image in drawn.images}
    assert {problem.page for problem in drawn.problems if "is damaged" in problem.message} == {3}


def test_a_page_on_which_the_drawing_fails_costs_that_page_alone(
    pdf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = MUPDF.Page.get_displaylist

    def failing(page: Any) -> Any:
        if page.number == 1:
            message = "no dictionary"
            raise TypeError(message)
        return drawing(page)

    monkeypatch.setattr(MUPDF.Page, "get_displaylist", failing)
    assert [image.page for image in render(pdf, SETTINGS, tmp_path / "images").images] == [1, 3, 4]


def _cut_short(document: Any, xref: int) -> None:
    raw = document.xref_stream_raw(xref)
    document.update_stream(xref, raw[: len(raw) // 3], compress=False)
    document.xref_set_key(xref, "Filter", "/FlateDecode")


def _scrambled(document: Any, xref: int) -> None:
    document.update_stream(xref, b"no data" * 20, compress=False)
    document.xref_set_key(xref, "Filter", "/FlateDecode")


@pytest.mark.parametrize("damage", [_cut_short, _scrambled])
@pytest.mark.parametrize("part", ["text", "picture"])
def test_damage_of_a_page_is_told_of_that_page(
    tmp_path: Path, damage: Callable[[Any, int], None], part: str
) -> None:
    document = MUPDF.open()
    for number in range(3):
        scan = MUPDF.Pixmap(MUPDF.csGRAY, 60, 80, random.Random(number).randbytes(4800), 0)
        page = document.new_page(width=300, height=400)
        page.insert_image(MUPDF.Rect(0, 200, 300, 400), pixmap=scan)
        for line in range(20):
            page.insert_text((40, 20 + 9 * line), f"The width of stair {line} is {900 + 7 * line} mm.")
    document.save(tmp_path / "whole.pdf", deflate=True)
    with MUPDF.open(tmp_path / "whole.pdf") as document:
        page = document[1]
        damage(document, page.get_images()[0][0] if part == "picture" else page.get_contents()[-1])
        document.save(tmp_path / "damaged.pdf")
    assert not render(tmp_path / "whole.pdf", SETTINGS, tmp_path / "images").problems
    drawn = render(tmp_path / "damaged.pdf", SETTINGS, tmp_path / "images")
    assert [problem.page for problem in drawn.problems] == [2]
    assert len(drawn.images) == 3


def test_pages_are_counted_and_no_file_counts_none(pdf: Path, tmp_path: Path) -> None:
    (tmp_path / "c.pdf").write_bytes(b"not a PDF")
    assert (count_pages(pdf), count_pages(tmp_path / "c.pdf"), count_pages(tmp_path / "d.pdf")) == (4, 0, 0)


@pytest.mark.corpus
def test_a_phone_image_of_a_real_page_is_under_200_kb(tmp_path: Path, corpus: Path) -> None:
    with MUPDF.open(corpus / "AD-H.pdf") as document:
        document.select([19, 20, 33])
        document.save(tmp_path / "h.pdf")
    for image in render(tmp_path / "h.pdf", ImageSettings(), tmp_path / "images").images:
        assert (tmp_path / "images" / image.phone).stat().st_size < 200_000
