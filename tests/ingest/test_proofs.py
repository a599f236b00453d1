"""Signs without a meaning in the file told by their drawing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from appliance.ingest.page import PageContent
from appliance.ingest.pdf.reader import read
from appliance.ingest.pdf.signs import shape_of
from appliance.ingest.pdf.words import UNKNOWN
from tests.ingest.made import LIMITS, MUPDF


def _page(folder: Path, text: str, reads: dict[str, str], font: str = "helv", turn: int = 0) -> PageContent:
    """Return a page whose embedded font draws the text and says that signs read as others ("" for none)."""
    document = MUPDF.open()
    page = document.new_page()
    page.insert_font(fontname="Own", fontbuffer=MUPDF.Font(font).buffer)
    page.insert_text((70, 100), text, fontname="Own", fontsize=11)
    page.set_rotation(turn)
    (number,) = (entry[0] for entry in page.get_fonts() if entry[4] == "Own")
    stream = int(document.xref_get_key(number, "ToUnicode")[1].split()[0])
    lies = "".join(
        f"<{MUPDF.Font(font).has_glyph(ord(drawn)):04x}> <{ord(read_as or UNKNOWN):04x}>\n"
        for drawn, read_as in reads.items()
    )
    before, _, after = document.xref_stream(stream).decode().rpartition("endcmap")
    rows = f"{len(reads)} beginbfchar\n{lies}endbfchar\n" if reads else ""
    document.update_stream(stream, f"{before}{rows}endcmap{after}".encode())
    document.save(folder / "a.pdf")
    return read(folder / "a.pdf", LIMITS).pages[0]


def _text(page: PageContent) -> str:
    return " ".join(word.text for word in page.words)


@pytest.mark.parametrize("font", ["helv", "hebo"])
@pytest.mark.parametrize("drawn", ["×", "≤", "≥", "±", "÷"])
def test_signs_without_a_meaning_are_read_as_they_are_drawn(tmp_path: Path, drawn: str, font: str) -> None:
    page = _page(tmp_path, f"load 7 {drawn} 5 kN", {drawn: ""}, font)
    assert (_text(page), page.problems) == (f"load 7 {drawn} 5 kN", ())


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_signs_of_turned_pages_are_put_right(tmp_path: Path, turn: int) -> None:
    page = _page(tmp_path, "7 ≤ 5", {"≤": ""}, turn=turn)
    assert sorted(word.text for word in page.words) == ["5", "7", "≤"]


@pytest.mark.parametrize("drawn", ["A", "9", "7", "q"])
def test_figures_and_letters_are_never_guessed(tmp_path: Path, drawn: str) -> None:
    assert _text(_page(tmp_path, f"value {drawn} m", {drawn: ""})) == f"value {UNKNOWN} m"


@pytest.mark.parametrize("font", ["helv", "hebo", "heit", "tiro", "tibo", "tiit", "cour"])
def test_honest_fonts_are_left_alone(tmp_path: Path, font: str) -> None:
    text = "0 1 2 3 4 5 6 7 8 9 + − ± × ÷ = < > ≤ ≥ ≠ ≈ ° ² ³ ½ ¼ ¾ % £ # $ ~ ^ \\ · µ"
    page = _page(tmp_path, text, {}, font)
    assert (_text(page), page.problems) == (text, ())


def test_a_glyph_without_ink_is_a_space(tmp_path: Path) -> None:
    page = _page(tmp_path, "5 kN", {" ": ""})
    assert _text(page) == "5 kN"


def test_a_drawing_without_ink_has_no_shape() -> None:
    assert shape_of(np.zeros((4, 4), dtype=np.uint8), 0, 160) is None


@pytest.mark.corpus
def test_the_signs_of_a_calculation_are_read(corpus: Path) -> None:
    pages = read(corpus / "AD-G.pdf", LIMITS).pages
    words = [word.text for page in pages for word in page.words]
    assert not [word for word in words if UNKNOWN in word]
    texts = [" ".join(word.text for word in page.words) for page in pages[37:46]]
    assert "(T ≤ 30" in texts[1]
    assert "÷ (220 ×" in texts[0]
    assert "× 5.60" in texts[6]
