"""Text in a picture on a page with live text: read or said, and pictures of other things left alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from appliance.core.settings import IngestSettings
from appliance.ingest.ocr.pages import Recognised
from appliance.ingest.ocr.process import Pixels, ReadFailed, ReadLine, ReadWord, Recogniser, Unavailable
from appliance.ingest.ocr.text_in_pictures import with_picture_text
from appliance.ingest.ocr.word_boxes import INK, runs_of
from appliance.ingest.pdf.reader import read
from tests.ingest.made import MUPDF

LIMITS = IngestSettings()
TEXTS = ("1.2 The imposed load shall be 7.5 kN/m2.", "1.3 The snow load shall be 0.9 kN/m2.")
LIVE = ("1.1 The load shall be 2.0 kN and the rest is live text.", "It goes on for one more line of words.")


class Reader(Recogniser):
    """A recogniser that reads one word over all of the picture, or fails."""

    def __init__(self, fails: Exception | None = None, *, blind: bool = False) -> None:
        super().__init__(LIMITS, ("false",))
        self.fails, self.blind, self.seen = fails, blind, 0

    def read(self, pixels: Pixels) -> tuple[ReadLine, ...]:
        self.seen += 1
        if self.fails:
            raise self.fails
        high, wide = pixels.shape
        quad = ((0.0, 0.0), (wide, 0.0), (wide, high / 2), (0.0, high / 2))
        return () if self.blind else (ReadLine(quad, (ReadWord("Load", 0.95, quad),)),)


def _picture(kind: str) -> Any:
    """Return a picture of 450 by 60 points: lines of text, a drawing, a dark area or one word."""
    page = MUPDF.open().new_page(width=450, height=60)
    if kind == "text":
        for at, text in enumerate(TEXTS):
            page.insert_text((10, 20 + 25 * at), text, fontsize=10)
    elif kind == "drawing":
        for at in range(12):
            page.draw_circle((40 + 30 * at, 30), 20)
        page.insert_text((200, 30), "900 mm", fontsize=8)
    elif kind == "dark":
        page.draw_rect(page.rect, color=None, fill=(0.4, 0.4, 0.4))
    else:
        page.insert_text((10, 40), "Logo", fontsize=30)
    return page.get_pixmap(dpi=200)


def _seen(folder: Path, kind: str, layer: str, reader: Reader) -> Recognised:
    """Read a page with live text above a picture, with an invisible text `layer` on it, beside or none."""
    document = MUPDF.open()
    page = document.new_page()
    for at, text in enumerate(LIVE):
        page.insert_text((60, 60 + 15 * at), text, fontsize=10)
    page.insert_image(MUPDF.Rect(60, 110, 510, 170), pixmap=_picture(kind))
    for at, text in enumerate(TEXTS if layer else ()):
        place = (70, 130 + 25 * at) if layer == "on it" else (70, 400 + 25 * at)
        page.insert_text(place, text, fontsize=10, render_mode=3)
    document.save(folder / "made.pdf")
    source = read(folder / "made.pdf", LIMITS)
    return with_picture_text(source, folder / "made.pdf", LIMITS, recogniser=reader)


def test_the_words_of_a_line_that_are_pictures_of_their_own_are_read_as_one(tmp_path: Path) -> None:
    document = MUPDF.open()
    page = document.new_page()
    page.insert_text((60, 60), LIVE[0], fontsize=10)
    line = MUPDF.open().new_page(width=300, height=14)
    line.insert_text((2, 11), "Figure A-1  Examples of shading devices", fontsize=10)
    for x0, x1 in ((0, 56), (57, 300)):
        pixels = line.get_pixmap(dpi=200, clip=(x0, 0, x1, 14))
        page.insert_image(MUPDF.Rect(60 + x0, 110, 60 + x1, 124), pixmap=pixels)
    document.save(tmp_path / "made.pdf")
    reader = Reader()
    found = with_picture_text(
        read(tmp_path / "made.pdf", LIMITS), tmp_path / "made.pdf", LIMITS, recogniser=reader
    )
    assert reader.seen == 1
    assert found.problems[0].box is not None
    assert found.problems[0].box.x0 < 61 / 595


@pytest.mark.parametrize("kind", ["drawing", "dark", "logo"])
def test_what_is_no_text_is_not_read(tmp_path: Path, kind: str) -> None:
    reader = Reader()
    found = _seen(tmp_path, kind, "", reader)
    assert (reader.seen, found.problems) == (0, ())
    assert len(found.source.pages[0].pictures) == 1


def test_the_layer_over_a_picture_is_its_text_and_doubtful(tmp_path: Path) -> None:
    reader = Reader()
    found = _seen(tmp_path, "text", "on it", reader)
    text = " ".join(word.text for word in found.source.pages[0].words)
    assert text.endswith(" ".join(TEXTS))
    assert reader.seen == 0
    (problem,) = found.problems
    assert problem.doubt
    assert problem.box is not None
    assert problem.box.y0 == pytest.approx(110 / 842, abs=0.01)
    assert problem.box.y1 == pytest.approx(170 / 842, abs=0.01)


def test_a_picture_without_a_layer_is_read(tmp_path: Path) -> None:
    found = _seen(tmp_path, "text", "", Reader())
    word = found.source.pages[0].words[-1]
    assert word.text == "Load"
    assert 60 <= word.x0 < word.x1 <= 510
    assert 110 <= (word.y0 + word.y1) / 2 <= 170
    assert [problem.doubt for problem in found.problems] == [True]


def test_a_layer_beside_the_picture_is_not_its_text(tmp_path: Path) -> None:
    found = _seen(tmp_path, "text", "beside", Reader())
    assert found.source.pages[0].words[-1].text == "Load"
    assert ["Invisible text of page 1" in problem.message for problem in found.problems] == [False, True]


@pytest.mark.parametrize(
    ("reader", "said"),
    [
        (Reader(ReadFailed("It hung.")), "was not read. It hung."),
        (Reader(Unavailable("Install it.")), "was not read. Install it."),
        (Reader(blind=True), "Nothing could be read in it."),
    ],
    ids=["fails", "not installed", "reads nothing"],
)
def test_a_picture_that_cannot_be_read_is_said_with_its_box(
    tmp_path: Path, reader: Reader, said: str
) -> None:
    found = _seen(tmp_path, "text", "", reader)
    (problem,) = found.problems
    assert said in problem.message
    assert problem.box is not None
    assert len(found.source.pages[0].pictures) == 1


def test_invisible_words_that_the_page_shows_too_are_not_told(tmp_path: Path) -> None:
    document = MUPDF.open()
    page = document.new_page()
    page.insert_text((60, 60), "Approved rules, edition 2013")
    page.insert_text((60, 800), "rules, 2013", render_mode=3)
    document.save(tmp_path / "made.pdf")
    source = read(tmp_path / "made.pdf", LIMITS)
    assert source.pages[0].hidden
    assert with_picture_text(source, tmp_path / "made.pdf", LIMITS).problems == ()
    other = replace(source.pages[0], words=())
    changed = replace(source, pages=(other,))
    assert len(with_picture_text(changed, tmp_path / "made.pdf", LIMITS).problems) == 1


@pytest.mark.parametrize(
    ("caption", "seen"),
    [
        ("Figure 3 - How to choose the class", 0),
        ("FIG. 3.1 Classes", 0),
        ("see also what Figure 3 shows", 1),
        ("Figures are drawn to scale", 1),
    ],
)
def test_the_lettering_of_a_captioned_figure_is_no_text_of_the_clause(
    tmp_path: Path, caption: str, seen: int
) -> None:
    document = MUPDF.open()
    page = document.new_page()
    page.insert_text((60, 60), LIVE[0], fontsize=10)
    page.insert_image(MUPDF.Rect(60, 110, 510, 170), pixmap=_picture("text"))
    page.insert_text((90, 186), caption, fontsize=10)
    document.save(tmp_path / "made.pdf")
    reader = Reader()
    source = read(tmp_path / "made.pdf", LIMITS)
    found = with_picture_text(
        source, tmp_path / "made.pdf", LIMITS, names={"figure", "fig"}, recogniser=reader
    )
    assert reader.seen == seen
    assert len(found.problems) == 1  # that it was read with doubt, or that it was not read
    assert found.problems[0].box is not None
    assert (len(found.source.pages[0].words) > len(source.pages[0].words)) == bool(seen)


class NumberReader(Recogniser):
    """A recogniser that reads one text in each row of ink, all of its width."""

    def __init__(self, *texts: str) -> None:
        super().__init__(LIMITS, ("false",))
        self.texts, self.rows = texts, 0

    def read(self, pixels: Pixels) -> tuple[ReadLine, ...]:
        rows = runs_of(np.asarray((pixels < INK).any(axis=1)))
        self.rows += len(rows)
        wide = float(pixels.shape[1])
        quads = (((0.0, top), (wide, top), (wide, end), (0.0, end)) for top, end in rows)
        said = zip(self.texts, quads, strict=False)
        return tuple(ReadLine(quad, (ReadWord(text, 0.95, quad),)) for text, quad in said)


def _numbered(folder: Path, reader: NumberReader, *, wide: float) -> Recognised:
    """Read a page of which each paragraph has a small picture of a number before its first line."""
    document = MUPDF.open()
    page = document.new_page()
    for at, number in enumerate(("2.1", "2.2", "2.3")):
        image = MUPDF.open().new_page(width=wide, height=9)
        image.insert_text((1, 8), number, fontsize=9)
        page.insert_image(
            MUPDF.Rect(60, 101 + 50 * at, 60 + wide, 110 + 50 * at), pixmap=image.get_pixmap(dpi=200)
        )
        page.insert_text(
            (86, 110 + 50 * at), "Doors shall open in the way of escape", fontname="hebo", fontsize=10
        )
        page.insert_text((60, 125 + 50 * at), "and be of wood, as the rest of the wall.", fontsize=10)
    document.save(folder / "made.pdf")
    return with_picture_text(
        read(folder / "made.pdf", LIMITS), folder / "made.pdf", LIMITS, recogniser=reader
    )


def test_numbers_of_lines_that_are_pictures_are_words_in_the_type_of_their_lines(tmp_path: Path) -> None:
    reader = NumberReader("2.1", "2.2", "?")
    found = _numbered(tmp_path, reader, wide=20.0)
    assert reader.rows == 3, "the lines that begin between the pictures are not read with them"
    (page,) = found.source.pages
    read = [word for word in page.words if round(word.x0) == 60 and word.text[0].isdigit()]
    assert [(word.text, round(word.y0), word.bold, word.size) for word in read] == [
        ("2.1", 101, True, 10.0),
        ("2.2", 151, True, 10.0),
    ]
    assert [problem.doubt for problem in found.problems] == [True]


def test_icons_before_lines_are_not_read(tmp_path: Path) -> None:
    reader = NumberReader("0", "0", "0")
    assert _numbered(tmp_path, reader, wide=9.0).problems == ()
    assert reader.rows == 0


def test_a_logo_in_the_head_of_each_page_is_no_number(tmp_path: Path) -> None:
    document = MUPDF.open()
    for _ in range(4):
        page = document.new_page()
        image = MUPDF.open().new_page(width=20, height=9)
        image.insert_text((1, 8), "No 1", fontsize=8)
        page.insert_image(MUPDF.Rect(60, 30, 80, 39), pixmap=image.get_pixmap(dpi=200))
        page.insert_text((60, 100), LIVE[0], fontsize=10)
    path, reader = tmp_path / "made.pdf", NumberReader("1")
    document.save(path)
    assert with_picture_text(read(path, LIMITS), path, LIMITS, recogniser=reader).problems == ()
    assert reader.rows == 0
