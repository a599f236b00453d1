"""Pages whose text runs sideways: read in order as turned, boxed where the page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.page import PageLayout, Word, box_on, place_of
from appliance.ingest.pdf.reader import read
from tests.ingest.made import BOLD, LIMITS, MUPDF

ROWS = (
    ("Category", "qk [kN/m^2]", "Qk [kN]"),
    ("A Floors of dwellings", "2,0", "2,5"),
    ("B Offices", "3,0", "4,5"),
    ("C Places of assembly", "5,0", "7,0"),
    ("D Shops", "4,0", "3,6"),
)
COLUMNS = (90, 330, 520, 760)
PROSE = "should be taken into account where the load on the roof is larger than that"


def landscape(rows: Sequence[Sequence[str]] = ROWS, caption: str = "Table 6.2 — Imposed loads") -> Any:
    """Return an open PDF with one landscape page that holds a ruled table under its caption."""
    document = MUPDF.open()
    page = document.new_page(width=842, height=595)
    page.insert_text((330, 80), caption, fontsize=11, fontname=BOLD)
    for at in range(len(rows) + 1):
        page.draw_line((COLUMNS[0], 100 + 30 * at), (COLUMNS[-1], 100 + 30 * at))
    for x in COLUMNS:
        page.draw_line((x, 100), (x, 100 + 30 * len(rows)))
    for at, row in enumerate(rows):
        for x, text in zip(COLUMNS, row, strict=False):
            plain, _, raised = text.partition("^")
            page.insert_text((x + 6, 119 + 30 * at), plain, fontsize=10, fontname=BOLD if not at else "helv")
            if raised:
                end = x + 6 + MUPDF.get_text_length(plain, fontsize=10, fontname=BOLD)
                page.insert_text((end, 115 + 30 * at), raised[0], fontsize=6, fontname=BOLD)
                page.insert_text((end + 4, 119 + 30 * at), raised[1:], fontsize=10, fontname=BOLD)
    for n in range(3):
        page.insert_text((90, 300 + 16 * n), f"({n + 1}) line {n} {PROSE}", fontsize=10)
    return document


def code(path: Path, way: int, *, rotated: bool = False) -> tuple[PageLayout, ...]:
    """Return four portrait pages with running heads, the third with the table turned by `way` degrees.

    `rotated` has the file itself show the sheet turned (/Rotate) instead of its contents.
    """
    document = MUPDF.open()
    for number in range(1, 5):
        page = document.new_page(width=595, height=842)
        page.insert_text((70, 50), "DC 9-9-9:2026 (E)", fontsize=9)
        page.insert_text((290, 810), str(number), fontsize=9)
        if number == 3 and not rotated:
            page.show_pdf_page(page.rect, landscape(), 0, rotate=way)
        elif number != 3:
            for at in range(12):
                page.insert_text((70, 100 + 14 * at), f"page {number} line {at} {PROSE}", fontsize=10)
    if rotated:
        document.delete_page(2)
        document.insert_pdf(landscape(), start_at=2)
        document[2].set_rotation((360 - way) % 360)
    document.save(path)
    return arrange(read(path, LIMITS))


@pytest.mark.parametrize("way", [90, 180, 270])
def test_words_on_their_side_are_read_in_order_and_boxed_where_they_stand(tmp_path: Path, way: int) -> None:
    page = code(tmp_path / "made.pdf", way)[2]
    texts = [line.text for line in page.lines]
    assert texts[0].startswith("Table 6.2")
    assert [text[:3] for text in texts[-3:]] == ["(1)", "(2)", "(3)"]
    assert {line.text for line in page.margins} == {"DC 9-9-9:2026 (E)", "3"}
    caption = page.lines[0]
    box = box_on(page.content, caption.x0, caption.y0, caption.x1, caption.y1)
    source = read(tmp_path / "made.pdf", LIMITS).pages[2]
    drawn = [word for word in source.words if word.way == way and word.text in {"Table", "loads"}]
    assert box.x0 * 595 == pytest.approx(min(word.x0 for word in drawn), abs=0.1)
    assert box.y0 * 842 == pytest.approx(min(word.y0 for word in drawn), abs=0.1)
    assert box.y1 * 842 == pytest.approx(max(word.y1 for word in drawn), abs=0.1)
    back = place_of(page.content, box)
    assert back == pytest.approx((caption.x0, caption.y0, caption.x1, caption.y1), abs=0.05)


def word(text: str, way: int = 0, *, upright: bool = True) -> Word:
    return Word(text, 0, 0, 10, 10, "F", 10, upright=upright, way=way)
