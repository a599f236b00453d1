"""Text that nobody sees on its page is not read as text of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.ingest.pdf import read
from appliance.settings import IngestSettings
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
