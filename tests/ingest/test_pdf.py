"""Reading words, strokes and pictures; files that are no readable PDF."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.ingest.glyphs import font_codes, repaired
from appliance.ingest.pdf import UnreadablePdf, read
from appliance.settings import IngestSettings
from tests.ingest.made import BOLD, LIMITS, MUPDF, Print, source, write


def test_words_know_their_type_and_place(tmp_path: Path) -> None:
    page = source(tmp_path, [Print(70, 100, "Snow loads", 12, BOLD), Print(70, 120, "on roofs")]).pages[0]
    assert [(w.text, w.bold, w.size) for w in page.words] == [
        ("Snow", True, 12.0),
        ("loads", True, 12.0),
        ("on", False, 10.0),
        ("roofs", False, 10.0),
    ]
    first = page.words[0]
    assert first.x0 == pytest.approx(70, abs=1)
    assert first.y0 < 100 < first.y1
    assert page.trust == "digital"


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_places_are_those_of_the_page_as_shown(tmp_path: Path, rotation: int) -> None:
    page = source(tmp_path, [Print(70, 100, "corner")], rotation=rotation).pages[0]
    word = page.words[0]
    assert 0 <= word.x0 < word.x1 <= page.width
    assert 0 <= word.y0 < word.y1 <= page.height
    assert word.upright is (rotation == 0)
    centre = {0: (85, 97), 90: (745, 85), 180: (510, 745), 270: (97, 510)}[rotation]
    assert (word.x0 + word.x1) / 2 == pytest.approx(centre[0], abs=6)
    assert (word.y0 + word.y1) / 2 == pytest.approx(centre[1], abs=6)


def test_raised_and_lowered_pieces_are_glued(tmp_path: Path) -> None:
    document = MUPDF.open()
    page = document.new_page()
    html = "<p style='font-family:sans-serif;font-size:14px'>kN/m<sup>2</sup> s<sub>k</sub></p>"
    page.insert_htmlbox(MUPDF.Rect(50, 50, 300, 100), html)
    document.save(tmp_path / "a.pdf")
    words = read(tmp_path / "a.pdf", LIMITS).pages[0].words
    assert [(w.text, w.rise, w.glued) for w in words] == [
        ("kN/m", 0, False),
        ("2", 1, True),
        ("s", 0, False),
        ("k", -1, True),
    ]


@pytest.mark.parametrize(
    ("font", "char", "meant"),
    [
        ("Symbol", "\uf067", "γ"),
        ("ABCDEF+SymbolMT", "\uf0a3", "≤"),
        ("Symbol", "g", "γ"),
        ("Symbol", "×", "×"),
        ("Times-Roman", "g", "g"),
        ("Times-Roman", "\uf0b3", "≥"),
        ("Wingdings", "\uf0a7", "▪"),
        ("Times-Roman", "\ufb01", "fi"),
        ("Times-Roman", "\u200b", ""),
        ("Symbol", "\ue123", "\ue123"),
    ],
)
def test_characters_of_symbolic_fonts_are_unicode(font: str, char: str, meant: str) -> None:
    assert repaired(char, font_codes(font)) == meant


def test_strokes_are_single_rules_and_rectangles(tmp_path: Path) -> None:
    document = MUPDF.open()
    page = document.new_page()
    shape = page.new_shape()
    shape.draw_line((50, 100), (300, 100))
    shape.draw_line((50, 120), (300, 120))
    shape.finish(width=1, closePath=False)
    shape.draw_rect(MUPDF.Rect(50, 200, 150, 260))
    shape.finish(fill=(1, 0, 0), color=None)
    shape.commit()
    document.save(tmp_path / "a.pdf")
    strokes = read(tmp_path / "a.pdf", LIMITS).pages[0].strokes
    assert [(s.kind, s.y0, s.filled) for s in strokes] == [
        ("line", 100, False),
        ("line", 120, False),
        ("rect", 200, True),
    ]
    assert strokes[2].colour == 0xFF0000


def test_an_invisible_layer_over_a_scan_is_ocr_and_elsewhere_dropped(tmp_path: Path) -> None:
    scan = source(tmp_path, [Print(70, 100, "read by a machine", hidden=True)]).pages[0]
    assert (scan.trust, len(scan.words)) == ("ocr", 4)
    mixed = source(
        tmp_path, [Print(70, 100, "printed text of the page"), Print(70, 300, "ghost", hidden=True)]
    ).pages[0]
    assert (mixed.trust, [w.text for w in mixed.words][-1]) == ("digital", "page")
    empty = source(tmp_path, []).pages[0]
    assert (empty.trust, empty.words) == ("none", ())


def test_bookmarks_and_title(tmp_path: Path) -> None:
    document = MUPDF.open()
    document.new_page()
    document.set_toc([[1, "1  General", 1], [2, "1.1 Scope", 1]])
    document.set_metadata({"title": " EN 1 "})
    document.save(tmp_path / "a.pdf")
    got = read(tmp_path / "a.pdf", LIMITS)
    assert (got.title, [(e.level, e.title, e.page) for e in got.outline]) == (
        "EN 1",
        [(1, "1 General", 1), (2, "1.1 Scope", 1)],
    )


def _locked(path: Path) -> None:
    document = MUPDF.open()
    document.new_page()
    document.save(path, encryption=MUPDF.PDF_ENCRYPT_AES_256, user_pw="secret", owner_pw="owner")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.write_bytes(b""), "empty"),
        (lambda path: path.write_bytes(b"%PDF-1.7\nnothing more"), "damaged|no page"),
        (lambda path: path.write_bytes(b"<html>no pdf</html>" * 40), "not a PDF|no page|damaged"),
        (_locked, "password"),
        (lambda _path: None, "cannot be opened"),
        (lambda path: write(path, [[]] * 3), "3 pages"),
        (lambda path: path.write_bytes(b"x" * (2 * 1024 * 1024)), "2 MiB"),
    ],
    ids=["empty", "cut", "html", "locked", "missing", "long", "big"],
)
def test_what_is_no_readable_pdf_says_why(
    tmp_path: Path, make: Callable[[Path], object], reason: str
) -> None:
    path = tmp_path / "bad.pdf"
    make(path)
    with pytest.raises(UnreadablePdf, match=reason):
        read(path, IngestSettings(pages=2, file_mib=1))


def test_printed_page_numbers_are_those_of_the_reader(demo_pdfs: Path) -> None:
    pages = read(demo_pdfs / "DC-1-3-2011.pdf", IngestSettings()).pages
    assert [page.printed for page in pages] == ["", "ii", "iii", "iv", "1", "2", "3"]
