"""An answer on paper: Markdown and PDF say the same, and text stays text."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from PIL import Image

from appliance.document import Box
from appliance.keeping.crops import crop, crops
from appliance.keeping.markdown import markdown, plain
from appliance.keeping.paper import Paper, Source, paper
from appliance.keeping.pdf import pdf
from appliance.site.saved import Kept, KeptCitation, KeptStatement

_OPEN: Any = pymupdf.open  # it carries no types
QUOTE = "The width shall be ≥ 850 mm; γM1 = 1.5, see *) and [2]."
CITED = KeptCitation(
    1, "D", "DC 1", "2024", "withdrawn", "5.2", "5.2", 3, "7", (Box(3, 0.2, 0.3, 0.8, 0.32),), QUOTE
)
KEPT = Kept(
    "how <b>wide</b> is a *stair*?",
    "answer",
    (
        KeptStatement("It is 850 mm wide.", (1,), confirmed=True),
        KeptStatement("Or so.", (), False, "no number"),
    ),
    (CITED,),
    "f" * 64,
    resolved="how wide is a private stair?",
    confidence="high",
    searched=("D", "E"),
    program="0.1",
)


def made(kept: Kept = KEPT, note: str = "") -> Paper:
    return paper(kept, 1_790_000_000.0, address="http://192.168.1.2/saved/abc", note=note)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a *b* _c_ `d`", r"a \*b\* \_c\_ \`d\`"),
        ("<script>x</script>", r"\<script\>x\</script\>"),
        ("# heading", r"\# heading"),
        ("- item\n1. item\n> said", "\\- item\n1\\. item\n\\> said"),
        ("1.5 m", "1.5 m"),
        ("[a](javascript:x)", r"\[a\](javascript:x)"),
        ("&lt;", r"\&lt;"),
    ],
)
def test_no_sign_of_a_text_is_markup(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_markdown_holds_all_that_was_said() -> None:
    text = markdown(made(note="ask the fire officer"))
    for said in (
        r"how \<b\>wide\</b\>",
        "Read as: how wide is a private stair?",
        "confidence high",
        "850 mm wide",
        "**Not confirmed: no number.** Or so.",
        "DC 1 2024 \\[withdrawn\\], 5.2, page 3 (printed 7)",
        "γM1 = 1.5",
        "ask the fire officer",
        "library ffffffffffff",
        "<http://192.168.1.2/saved/abc>",
    ):
        assert said in text


def read(content: bytes) -> tuple[str, int]:
    with _OPEN(stream=content, filetype="pdf") as document:
        return " ".join(" ".join(page.get_text() for page in document).split()), document.page_count


def test_a_pdf_says_the_same_and_shows_the_place() -> None:
    picture = io.BytesIO()
    Image.new("RGB", (1200, 300), "white").save(picture, "JPEG")
    shown = Paper(KEPT, 0.0, (Source((CITED,), ((3, picture.getvalue()),)),), "http://192.168.1.2/saved/abc", "fine")
    content = pdf(shown)
    text, pages = read(content)
    assert pages == 1
    for said in (
        "how <b>wide</b> is a *stair*?",
        QUOTE,
        "Not confirmed: no number",
        "[withdrawn], 5.2",
        "fine",
    ):
        assert said in text
    with _OPEN(stream=content, filetype="pdf") as document:
        assert len(document[0].get_images()) == 2  # the picture and the QR code


@pytest.mark.parametrize(
    "question",
    ["", "عرض الدرج 850", "x" * 4000, "a\u202eb\x00c\ufeff", "中文", "\n\n\n", "word " * 3000],
)
def test_any_question_makes_a_pdf(question: str) -> None:
    kept = Kept(question, "not_found", (), (), "v", reasons=("nothing bears on it",))
    text, pages = read(pdf(made(kept)))
    assert "nothing bears on it" in text
    assert pages >= 1


def test_a_sign_that_the_fonts_lack_is_missed_and_not_dropped() -> None:
    kept = Kept("中文 load", "not_found", (), (), "v")
    assert "\N{WHITE SQUARE}\N{WHITE SQUARE} load" in read(pdf(made(kept)))[0]


@pytest.mark.parametrize(
    "boxes",
    [
        [Box(1, 0.1, 0.1, 0.9, 0.12)],
        [Box(1, 0.0, 0.0, 1.0, 1.0)],
        [Box(1, 0.5, 0.99, 0.5, 0.99)],
        [Box(1, 0.1, 0.1, 0.2, 0.12), Box(1, 0.6, 0.8, 0.9, 0.9)],
    ],
)
def test_a_crop_frames_what_is_cited(tmp_path: Path, boxes: list[Box]) -> None:
    page = tmp_path / "page.png"
    Image.new("RGB", (600, 850), "white").save(page)
    content = crop(boxes, lambda _: page)
    assert content
    with Image.open(io.BytesIO(content)) as picture:
        assert picture.width >= 0.69 * 600
        assert min(band[0] for band in picture.getextrema()[1:]) < 120, "a frame is drawn"  # type: ignore[index]  # of RGB


def test_a_page_without_an_image_gives_no_picture(tmp_path: Path) -> None:
    assert crop([Box(1, 0.1, 0.1, 0.9, 0.2)], lambda _: None) is None
    assert crop([Box(1, 0.1, 0.1, 0.9, 0.2)], lambda _: tmp_path / "gone.jpg") is None
    assert crop([], lambda _: tmp_path) is None
