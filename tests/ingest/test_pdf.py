"""Reading words, strokes and pictures; files that are no readable PDF."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from appliance.core.settings import IngestSettings
from appliance.ingest.page import PageContent, box_on
from appliance.ingest.pdf import reader
from appliance.ingest.pdf.reader import STROKES, UnreadablePdf, read
from appliance.ingest.pdf.words import font_codes, line_words, repaired
from tests.ingest.made import BOLD, LIMITS, MUPDF, Print, column, source, write


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
    assert word.way == (360 - rotation) % 360
    box = box_on(page, word.x0, word.y0, word.x1, word.y1)
    centre = {0: (85, 97), 90: (745, 85), 180: (510, 745), 270: (97, 510)}[rotation]
    assert (box.x0 + box.x1) / 2 * page.width == pytest.approx(centre[0], abs=6)
    assert (box.y0 + box.y1) / 2 * page.height == pytest.approx(centre[1], abs=6)


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
        ("Symbol", "\ue123", "\ufffd"),
        ("Times-Roman", "\ue000", "\ufffd"),
        ("Times-Roman", "\U000f0001", "\ufffd"),
        ("Wingdings", "\uf001", "\ufffd"),
        ("Wingdings", "\x9f", "•"),
        ("Times-Roman", "\x93", "“"),
        ("Times-Roman", "\x81", "\ufffd"),
        ("ABCDEF+MSTT31c2ef", "ù", "—"),
        ("ABCDEF+MSTT31c2ef", "▒", "±"),
        ("ABCDEF+MSTT31c2ef", "a", "a"),
        ("Times-Roman", "ù", "ù"),
    ],
)
def test_characters_of_symbolic_fonts_are_unicode(font: str, char: str, meant: str) -> None:
    assert repaired(char, font_codes(font)) == meant


@pytest.mark.parametrize(
    ("font", "bold"), [("Arial-Black", True), ("HelveticaNeue-Heavy", True), ("HelveticaNeue-Medium", False)]
)
def test_a_font_heavier_than_bold_is_bold(tmp_path: Path, font: str, bold: bool) -> None:
    document = MUPDF.open()
    page = document.new_page()
    page.insert_text((70, 100), "Scope")
    document.xref_set_key(page.get_fonts()[0][0], "BaseFont", f"/{font}")
    document.save(tmp_path / "a.pdf")
    assert [word.bold for word in read(tmp_path / "a.pdf", LIMITS).pages[0].words] == [bold]


def _with_encoding(path: Path, differences: str, cmap: bytes = b"") -> Path:
    """Write a page with "a b" whose font names its glyphs and maps them to Unicode by itself."""
    document = MUPDF.open()
    page = document.new_page()
    page.insert_text((70, 100), "a b")
    font = page.get_fonts()[0][0]
    document.xref_set_key(font, "Encoding", f"<</Type/Encoding/Differences[{differences}]>>")
    if cmap:
        stream = document.get_new_xref()
        document.update_object(stream, "<<>>")
        document.update_stream(stream, cmap)
        document.xref_set_key(font, "ToUnicode", f"{stream} 0 R")
    document.save(path)
    return path


CMAP = b"""begincmap
1 begincodespacerange
<00> <FF>
endcodespacerange
2 beginbfchar
<61> <E023>
<62> <0079>
endbfchar
endcmap"""


@pytest.mark.parametrize(
    ("differences", "cmap", "text"),
    [
        ("97/H11349/H11003", b"", "≤ ×"),
        ("97/H11350 98/H99999", b"", "≥ \ufffd"),
        ("97/H11349/H99999", CMAP, "≤ y"),
        ("97/H99999/H99999", CMAP, "\ufffd y"),
        ("97/lessequal/b", b"", "≤ b"),
    ],
)
def test_glyphs_mean_what_their_names_say(tmp_path: Path, differences: str, cmap: bytes, text: str) -> None:
    page = read(_with_encoding(tmp_path / "a.pdf", differences, cmap), LIMITS).pages[0]
    assert " ".join(word.text for word in page.words) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Name\x08" + "\ufffd" * 40, ["Name"]),
        ("a\x08\ufffd 5", ["a", "\ufffd", "5"]),
        ("\ufffd" * 40, ["\ufffd" * 40]),
    ],
    ids=["leader", "sign after an indent", "a font without any meaning"],
)
def test_only_leaders_are_left_out(text: str, words: list[str]) -> None:
    chars = [
        {"c": char, "bbox": (5.0 * i, 0.0, 5.0 * i + 5, 10.0), "origin": (5.0 * i, 8.0)}
        for i, char in enumerate(text)
    ]
    span = {"size": 10.0, "font": "F", "flags": 0, "color": 0, "alpha": 255, "chars": chars}
    found = line_words({"dir": (1.0, 0.0), "spans": [span]}, None)
    assert [word.text for word, _ in found] == words


@pytest.mark.parametrize(
    ("text", "undrawn", "words"),
    [
        ("\u00ad0.5 to \u00ad5", (), ["-0.5", "to", "-5"]),
        ("\u00ad 5", (), ["-", "5"]),
        ("ACI 318\u00ad19", (), ["ACI", "318-19"]),
        ("3.4.1\u00ad1\u00ad2", (), ["3.4.1-1-2"]),
        ("the install\u00ad", (), ["the", "install\u00ad"]),  # the line goes on: a mark of parting
        ("install\u00adation", (7,), ["installation"]),
        ("install\u00ad", (7,), ["install"]),
        ("\u00ad", (0,), []),
        ("A\u20101", (), ["A-1"]),  # hyphens that are named as such
        ("ST\u201140", (), ["ST-40"]),
    ],
)
def test_a_soft_hyphen_that_is_drawn_inside_a_line_is_a_hyphen(
    text: str, undrawn: tuple[int, ...], words: list[str]
) -> None:
    ends = [5.0 * i if i in undrawn else 5.0 * i + 5 for i in range(len(text))]
    chars = [
        {"c": char, "bbox": (5.0 * i, 0.0, end, 10.0), "origin": (5.0 * i, 8.0)}
        for i, (char, end) in enumerate(zip(text, ends, strict=True))
    ]
    span = {"size": 10.0, "font": "F", "flags": 0, "color": 0, "alpha": 255, "chars": chars}
    found = line_words({"dir": (1.0, 0.0), "spans": [span]}, None)
    assert [word.text for word, _ in found] == words


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


def test_bookmarks_in_a_circle_are_damaged_ones(tmp_path: Path) -> None:
    document = MUPDF.open()
    document.new_page()
    document.set_toc([[1, "1 General", 1], [1, "2 Loads", 1]])
    first = document.xref_get_key(document.pdf_catalog(), "Outlines/First")[1]
    document.xref_set_key(int(first.split()[0]), "Next", first)
    document.save(tmp_path / "a.pdf")
    assert [entry.level for entry in read(tmp_path / "a.pdf", LIMITS).outline] == [0]


def test_numbers_of_glyphs_are_no_blanks(tmp_path: Path) -> None:
    """A font without a table of meanings gives control characters, which must not pass for blanks."""
    document = MUPDF.open()
    page = document.new_page()
    page.insert_text((72, 100), "a b c d e", fontname="helv")
    page.clean_contents()
    [content] = page.get_contents()
    codes = re.sub(rb"<[0-9a-fA-F]+>|\([^)]*\)", b"<010278040506>", document.xref_stream(content))
    document.update_stream(content, codes)
    document.save(tmp_path / "a.pdf")
    words = read(tmp_path / "a.pdf", LIMITS).pages[0].words
    assert "\ufffd" in "".join(word.text for word in words)


def _locked(path: Path) -> None:
    document = MUPDF.open()
    document.new_page()
    document.save(path, encryption=MUPDF.PDF_ENCRYPT_AES_256, user_pw="secret", owner_pw="owner")


def _cut(path: Path) -> None:
    data = write(path, [column("first page"), column("second page")]).read_bytes()
    path.write_bytes(data[: data.rindex(b"xref") - 40])


def _lost_table(path: Path) -> None:
    data = write(path, [column("first page"), column("second page")]).read_bytes()
    path.write_bytes(data[: data.rindex(b"startxref")] + b"startxref\n99999999\n%%EOF")


def _lost_page(path: Path) -> None:
    write(path, [column("first page"), column("second page")])
    with MUPDF.open(path) as document:
        document.update_object(document.page_xref(1), "null")
        damaged = document.tobytes()
    path.write_bytes(damaged)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda path: write(path, [column("first page")]), False),
        (_cut, True),
        (_lost_table, True),
        (_lost_page, True),
    ],
    ids=["whole", "cut", "no table of its objects", "no page where one is listed"],
)
def test_a_file_that_had_to_be_repaired_says_so(
    tmp_path: Path, make: Callable[[Path], object], told: bool
) -> None:
    path = tmp_path / "bad.pdf"
    make(path)
    pages = read(path, LIMITS).pages
    assert [word.text for word in pages[0].words] == ["first", "page"]
    said = [problem.message for page in pages for problem in page.problems]
    assert [message.partition(":")[0] for message in said] == (
        ["The file is damaged and was read as far as it could be repaired"] if told else []
    )


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.write_bytes(b""), "empty"),
        (lambda path: path.write_bytes(b"%PDF-1.7\nnothing more"), "damaged|no page"),
        (lambda path: path.write_bytes(b"<html>no pdf</html>" * 40), "not a PDF|no page|damaged"),
        (_locked, "save a copy of it without the password, then build again"),
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


def _drawn(
    folder: Path, content: bytes, box: tuple[float, float, float, float] = (0, 0, 595, 842)
) -> PageContent:
    """Return a page of that size with a word and the content stream."""
    document = MUPDF.open()
    page = document.new_page()
    page.insert_text((70, 100), "Clause")
    stream = page.get_contents()[0]
    document.update_stream(stream, document.xref_stream(stream) + b"\n" + content)
    page.set_mediabox(MUPDF.Rect(*box))
    document.save(folder / "a.pdf")
    return read(folder / "a.pdf", LIMITS).pages[0]


def test_strokes_beyond_the_limit_are_said(tmp_path: Path) -> None:
    page = _drawn(
        tmp_path, b"".join(b"%d 10 m %d 20 l S\n" % (n % 500, n % 500) for n in range(STROKES + 50))
    )
    assert len(page.strokes) == STROKES
    assert [problem.message for problem in page.problems] == [
        "50 lines of the drawings of page 1 were left out: there are too many."
    ]


def test_words_beyond_the_limit_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "WORDS", 3)
    page = source(tmp_path, [Print(70, 100, "one two three four five")]).pages[0]
    assert [word.text for word in page.words] == ["one", "two", "three"]
    assert [problem.page for problem in page.problems if problem.message.startswith("2 words")] == [1]


def test_a_page_with_too_many_characters_is_said_and_the_others_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "SIGNS", 20)
    pages = source(tmp_path, [Print(70, 100, "one two three four five")], [Print(70, 100, "six")]).pages
    assert [[word.text for word in page.words] for page in pages] == [[], ["six"]]
    assert [
        (problem.page, "more than the limit of 20" in problem.message) for problem in pages[0].problems
    ] == [(1, True)]


@pytest.mark.parametrize("error", [RuntimeError, TypeError, KeyError, AttributeError])
def test_a_page_on_which_the_reader_fails_is_said_and_the_others_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    words = reader._words

    def failing(page: Any, *rest: Any) -> Any:
        if page.number == 0:
            raise error(page)
        return words(page, *rest)

    monkeypatch.setattr(reader, "_words", failing)
    pages = source(tmp_path, [Print(70, 100, "one")], [Print(70, 100, "two")]).pages
    assert [[word.text for word in page.words] for page in pages] == [[], ["two"]]
    (problem,) = pages[0].problems
    assert problem.page == 1
    assert problem.message == "Page 1 could not be read."


def test_a_page_of_impossible_size_is_said(tmp_path: Path) -> None:
    page = _drawn(tmp_path, b"", (0, 0, 200_000, 200_000))
    assert (page.trust, page.words) == ("none", ())
    assert [problem.message for problem in page.problems] == [
        "Page 1 could not be read (its size is 200000 by 200000 points)."
    ]


@pytest.mark.parametrize(
    "content", [b"BT 1e38 0 0 1e38 1e38 1e38 Tm ET 1e38 1e38 m 1e39 -1e39 l S", b"nan nan m inf 3 l S"]
)
def test_places_that_are_no_numbers_do_no_harm(tmp_path: Path, content: bytes) -> None:
    page = _drawn(tmp_path, content)
    assert [word.text for word in page.words] == ["Clause"]


@pytest.mark.parametrize(("depth", "cycle", "read_again"), [(5, True, True), (5000, False, False)])
def test_forms_within_forms_end(tmp_path: Path, depth: int, cycle: bool, read_again: bool) -> None:
    document = MUPDF.open()
    page = document.new_page()
    page.insert_text((70, 100), "Clause")
    forms = [document.get_new_xref() for _ in range(depth)]
    for form, inner in zip(forms, [*forms[1:], forms[0] if cycle else 0], strict=True):
        use = f"/X {inner} 0 R" if inner else ""
        document.update_object(
            form, f"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<<{use}>>>>>>"
        )
        document.update_stream(form, b"/X Do" if inner else b"0 0 1 1 re f")
    document.xref_set_key(page.xref, "Resources", f"<</XObject<</X {forms[0]} 0 R>>>>")
    stream = page.get_contents()[0]
    document.update_stream(stream, document.xref_stream(stream) + b" /X Do")
    document.save(tmp_path / "a.pdf")
    (got,) = read(tmp_path / "a.pdf", LIMITS).pages
    assert bool(got.words) is read_again
    assert bool(got.problems) is not read_again


def test_bookmarks_in_a_circle_end(tmp_path: Path) -> None:
    document = MUPDF.open()
    document.new_page().insert_text((70, 100), "Clause")
    root, one, two = (document.get_new_xref() for _ in range(3))
    document.update_object(root, f"<</Type/Outlines/First {one} 0 R/Last {two} 0 R/Count 2>>")
    document.update_object(one, f"<</Title(A)/Parent {root} 0 R/Next {two} 0 R/First {two} 0 R>>")
    document.update_object(two, f"<</Title(B)/Parent {root} 0 R/Next {one} 0 R/First {one} 0 R>>")
    document.xref_set_key(document.pdf_catalog(), "Outlines", f"{root} 0 R")
    document.save(tmp_path / "a.pdf")
    assert [len(page.words) for page in read(tmp_path / "a.pdf", LIMITS).pages] == [1]
