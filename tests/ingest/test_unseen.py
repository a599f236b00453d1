"""Text that nobody sees on its page is not read as text of the code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from appliance.core.settings import IngestSettings
from appliance.ingest.pdf.reader import read
from tests.ingest.made import MUPDF

WHITE, BLUE, BLACK = (1, 1, 1), (0, 0, 0.6), (0, 0, 0)


@pytest.mark.parametrize(
    ("colour", "size", "ground", "read_as"),
    [
        (BLACK, 10, None, "Seen Other text"),
        (WHITE, 10, None, "Seen"),
        (WHITE, 10, WHITE, "Seen"),
        (WHITE, 10, BLUE, "Seen Other text"),
        (BLACK, 0.8, None, "Seen"),
        (BLACK, 4, None, "Seen Other text"),
    ],
    ids=["print", "white", "white on white", "white on blue", "too small", "small"],
)
def test_text_that_nobody_sees_is_left_out_and_said(
    tmp_path: Path,
    colour: tuple[float, ...],
    size: float,
    ground: tuple[float, ...] | None,
    read_as: str,
) -> None:
    made = MUPDF.open()
    page = made.new_page(width=600, height=800)
    if ground:
        page.draw_rect((90, 180, 300, 220), color=None, fill=ground)
    page.insert_text((100, 100), "Seen")
    page.insert_text((100, 200), "Other text", fontsize=size, color=colour)
    made.save(tmp_path / "made.pdf")
    (found,) = read(tmp_path / "made.pdf", IngestSettings()).pages
    assert " ".join(word.text for word in found.words) == read_as
    said = [problem for problem in found.problems if "Hidden text of page 1" in problem.message]
    assert len(said) == (read_as == "Seen")
    for problem in said:
        assert problem.box
        assert problem.box.x0 == pytest.approx(1 / 6, abs=0.01)
        assert problem.box.y1 == pytest.approx(1 / 4, abs=0.01)


def _covering(page: Any, how: str, folder: Path) -> None:
    """Paint over the text at (100, 200), or almost."""
    place = MUPDF.Rect(90, 185, 300, 210)
    if how in {"white", "black"}:
        page.draw_rect(place, color=None, fill=WHITE if how == "white" else BLACK)
    elif how == "shine":
        page.draw_rect(place, color=None, fill=(1, 1, 0), fill_opacity=0.4)
    elif how == "beside":
        page.draw_rect(MUPDF.Rect(90, 220, 300, 240), color=None, fill=WHITE)
    elif how == "frame":
        page.draw_rect(place, color=BLACK, fill=None)
    else:
        scan = MUPDF.open().new_page(width=place.width, height=place.height)
        if how == "scan":
            scan.insert_text((10, 15), "Other text")
        scan.get_pixmap(dpi=150).save(folder / "scan.png")
        page.insert_image(place, filename=folder / "scan.png")


@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize(
    ("how", "read_as"),
    [
        ("white", "Seen"),
        ("black", "Seen"),
        ("picture", "Seen"),
        ("scan", "Seen Other text"),
        ("shine", "Seen Other text"),
        ("beside", "Seen Other text"),
        ("frame", "Seen Other text"),
    ],
)
def test_text_that_is_painted_over_is_left_out_and_said(
    tmp_path: Path, how: str, read_as: str, rotation: int
) -> None:
    made = MUPDF.open()
    page = made.new_page(width=600, height=800)
    page.insert_text((100, 100), "Seen")
    page.insert_text((100, 200), "Other text")
    _covering(page, how, tmp_path)
    page.set_rotation(rotation)
    made.save(tmp_path / "made.pdf")
    (found,) = read(tmp_path / "made.pdf", IngestSettings()).pages
    assert " ".join(word.text for word in found.words) == read_as
    assert sum("Hidden text of page 1" in p.message for p in found.problems) == (read_as == "Seen")


def test_the_invisible_text_of_a_scan_is_kept_below_its_picture(tmp_path: Path) -> None:
    made = MUPDF.open()
    page = made.new_page(width=600, height=800)
    page.insert_text((100, 200), "Recognised text", render_mode=3)
    _covering(page, "picture", tmp_path)
    made.save(tmp_path / "made.pdf")
    (found,) = read(tmp_path / "made.pdf", IngestSettings()).pages
    assert (found.trust, len(found.words)) == ("ocr", 2)


@pytest.mark.parametrize(
    ("x", "text", "read_as", "beyond"),
    [
        (100, "at least 5.0 kN", "at least 5.0 kN", 0),
        (530, "at least 5.0 kN", "at least", 2),
        (700, "Printed on Monday", "", 0),
    ],
    ids=["on the page", "over its edge", "a mark of the printer"],
)
def test_a_line_that_runs_over_the_edge_of_its_page_is_said(
    tmp_path: Path, x: float, text: str, read_as: str, beyond: int
) -> None:
    made = MUPDF.open()
    made.new_page(width=567, height=800).insert_text((x, 100), text)
    made.save(tmp_path / "made.pdf")
    (found,) = read(tmp_path / "made.pdf", IngestSettings()).pages
    assert " ".join(word.text for word in found.words) == read_as
    said = [problem for problem in found.problems if "run over its edge" in problem.message]
    assert [f"({beyond} words)" in problem.message for problem in said] == [True] * bool(beyond)
    assert all(problem.doubt and problem.box for problem in said)
