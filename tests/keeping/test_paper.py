"""An answer on paper: Markdown and PDF say the same, and text stays text."""

from __future__ import annotations

import io
import unicodedata
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from PIL import Image

from appliance.answer.candidates import CLAIMS
from appliance.core.document import Box, Cell, Label, Table
from appliance.keeping.answer_card import in_sight, steps
from appliance.keeping.crops import crop, crops
from appliance.keeping.kept import lines
from appliance.keeping.markdown import markdown, plain
from appliance.keeping.paper import Paper, Source, Speech, paper
from appliance.keeping.pdf import pdf
from appliance.site.saved import Kept, KeptCitation, KeptConflict, KeptHeadline, KeptStatement, KeptTable

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


def test_pieces_of_one_item_stand_under_its_mark() -> None:
    tiles = "be of tiles at least 12 mm thick, or of glass; or"
    quotes = {"1": "It shall:", "1a": "be sound or new;", "1b": tiles}
    cited = tuple(
        replace(CITED, n=n, key=key, quote=quote) for n, (key, quote) in enumerate(quotes.items(), 1)
    )
    said = KeptStatement("It shall: … be of tiles at least 12 mm thick, … or", (1, 2, 3), confirmed=True)
    assert steps(replace(KEPT, citations=cited), said) == (
        ("", "It shall:"),
        ("b", "be of tiles at least 12 mm thick, … or"),
    )


def test_markdown_holds_all_that_was_said() -> None:
    text = markdown(made(note="ask the fire officer"))
    for said in (
        r"how \<b\>wide\</b\>",
        "Read as: how wide is a private stair?",
        "confidence high",
        "850 mm wide",
        "**Not confirmed: no number.**\n\nOr so.",
        "DC 1 2024 \\[withdrawn\\], 5.2, page 3 (printed 7)",
        "γM1 = 1.5",
        "ask the fire officer",
        "library ffffffffffff",
        "<http://192.168.1.2/saved/abc>",
    ):
        assert said in text


@pytest.mark.parametrize(
    ("cited", "said"),
    [
        (("2.3(1)", "2.3(1)a", "2.3(1)b"), "In this order:\na) check the site\nb) find the zone"),
        (("10.1", "10.1d(i)", "10.1d(ii)"), "In this order:\nd(i) check the site\nd(ii) find the zone"),
        (("2.3", "2.3.1", "2.3 NOTE"), ""),  # places of their own are no items
        (("2.3(1)", "2.3(1)a", "2.3(1)"), "In this order:\na) check the site\nfind the zone"),
    ],
)
def test_items_of_a_list_stand_on_lines_of_their_own(cited: tuple[str, ...], said: str) -> None:
    pieces = ("In this order:", "check the site", "find the zone")
    sources = tuple(
        replace(CITED, n=n, label=key, key=key, quote=text)
        for n, (key, text) in enumerate(zip(cited, pieces, strict=True), 1)
    )
    claim = KeptStatement(" … ".join(pieces), (1, 2, 3), confirmed=True)
    given = made(replace(KEPT, statements=(claim,), citations=sources, state="found"))
    assert given.words(claim) == (said or claim.text)


def test_claims_stand_on_lines_of_their_own() -> None:
    quotes = ("Wide is 850 mm or more.", "It may be less in a house of one flat.")
    sources = tuple(replace(CITED, n=n, quote=text) for n, text in enumerate(quotes, 1))
    claim = KeptStatement(f"Wide is 850 mm{CLAIMS}It may be less …", (1, 2), confirmed=True)
    given = made(replace(KEPT, statements=(claim,), citations=sources, state="found"))
    assert given.words(claim) == "Wide is 850 mm …\nIt may be less …"


@pytest.mark.parametrize(
    ("lengths", "near"),
    [
        ([50], 1),
        ([50, 30], 2),
        ([50, 10, 10], 1),
        ([10, 10, 20, 1, 1], 3),
        ([10, 10, 20, 1], 4),
        ([9] * 9, 4),
    ],
)
def test_lines_are_in_sight_as_far_as_they_are_short_and_none_alone_is_folded(
    lengths: list[int], near: int
) -> None:
    assert in_sight([("", "… " + "word " * length) for length in lengths]) == near


def test_open_cases_stand_side_by_side_each_with_what_tells_it() -> None:
    cases = (
        KeptHeadline("850", "mm", "A stair", ("In houses",), 1),
        KeptHeadline("1200", "mm", "A stair", ("In halls",), 1),
    )
    open_kept = replace(KEPT, state="found", cases=cases, statements=KEPT.statements[:1])
    said, (printed, _) = markdown(made(open_kept)), read(pdf(made(open_kept)))
    for text in (said, printed):
        told = [text.index(word) for word in ("850 mm", "In houses", "1200 mm", "In halls")]
        assert told == sorted(told)
    assert "### 850" not in said  # none of them is the one value


def test_what_is_left_out_of_an_item_is_marked() -> None:
    quotes = (
        "All of these apply.",
        "Sockets stand between 450 mm and 1200 mm above the floor.",
        "Doors open inwards.",
    )
    sources = tuple(
        replace(CITED, n=n, label=key, key=key, quote=text)
        for n, (key, text) in enumerate(zip(("2.30", "2.30b", "2.30c"), quotes, strict=True), 1)
    )
    told = "All of these apply. … between 450 mm and 1200 mm … Doors open inwards."
    claim = KeptStatement(told, (1, 2, 3), confirmed=True)
    given = made(replace(KEPT, statements=(claim,), citations=sources, state="found"))
    assert given.words(claim) == (
        "All of these apply.\nb) … between 450 mm and 1200 mm …\nc) Doors open inwards."
    )


def read(content: bytes) -> tuple[str, int]:
    with _OPEN(stream=content, filetype="pdf") as document:
        return " ".join(" ".join(page.get_text() for page in document).split()), document.page_count


def test_a_pdf_says_the_same_and_shows_the_place() -> None:
    picture = io.BytesIO()
    Image.new("RGB", (1200, 300), "white").save(picture, "JPEG")
    shown = Paper(
        KEPT, 0.0, (Source((CITED,), ((3, picture.getvalue()),)),), "http://192.168.1.2/saved/abc", "fine"
    )
    content = pdf(shown)
    text, pages = read(content)
    assert pages == 2
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
    text = read(pdf(made(kept)))[0]
    assert "\N{WHITE SQUARE}\N{WHITE SQUARE} load" in text
    assert "lack: Chinese characters (U+4E2D, U+6587)" in text


def test_a_paper_that_lacks_no_sign_says_nothing_of_it() -> None:
    assert "lack" not in read(pdf(made()))[0]


@pytest.mark.parametrize("words", ["שלום עולם אחד", "مقدار الحمل على السقف", "load of שלום עולם here"])
def test_words_from_right_to_left_keep_their_order(words: str) -> None:
    """The reader of the PDF turns them around again: the letters come as they were typed."""
    text = read(pdf(made(Kept(words, "not_found", (), (), "v"))))[0]
    letters = [sign for sign in unicodedata.normalize("NFKC", text) if sign in words and sign != " "]
    assert "".join(words.split()) in "".join(letters)


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
    content = crop(boxes, lambda _: page, 1)
    assert content
    with Image.open(io.BytesIO(content)) as picture:
        assert picture.width >= 0.69 * 600
        assert min(band[0] for band in picture.getextrema()[1:]) < 120, "a frame is drawn"  # type: ignore[index]  # of RGB


def test_a_page_without_an_image_gives_no_picture(tmp_path: Path) -> None:
    assert crop([Box(1, 0.1, 0.1, 0.9, 0.2)], lambda _: None, 1) is None
    assert crop([Box(1, 0.1, 0.1, 0.9, 0.2)], lambda _: tmp_path / "gone.jpg", 1) is None
    assert crop([], lambda _: tmp_path, 1) is None


def cell(row: int, column: int, text: str, rows: int = 1, columns: int = 1, *, head: bool = False) -> Cell:
    return Cell(row, column, text, Box(1, 0.1, 0.1, 0.2, 0.2), rows, columns, head)


LOADS = Table(
    Label(("Table 6.2",)),
    "Loads | floors",
    (
        cell(0, 0, "Category", rows=2, head=True),
        cell(0, 1, "Characteristic load", columns=2, head=True),
        cell(1, 1, "qk", head=True),
        cell(1, 2, "Qk", head=True),
        cell(2, 0, "A"), cell(2, 1, "2.0ᵃ"), cell(2, 2, "2.0"),
        cell(3, 0, "B"), cell(3, 1, "3.0", rows=2), cell(3, 2, "4.5"),
        cell(4, 0, "C"), cell(4, 2, "7.0"),
    ),
    (),
    (),
)  # fmt: skip


def test_each_value_stands_under_all_of_its_own_headers() -> None:
    columns, rows, left = lines(LOADS, [(3, 1), (3, 2)])
    assert columns == ("Category", "Characteristic load › qk", "Characteristic load › Qk")
    assert [row.cells for row in rows] == [("A", "2.0ᵃ", "2.0"), ("B", "3.0", "4.5"), ("C", "3.0", "7.0")]
    assert [row.marked for row in rows] == [(), (1, 2), (1,)]  # the cell over two rows decides in both
    assert left == 0


def test_a_long_table_says_what_is_left_out() -> None:
    head = (cell(0, 0, "n", head=True),)
    long = replace(LOADS, cells=head + tuple(cell(row, 0, str(row)) for row in range(1, 41)))
    _, rows, left = lines(long, [(20, 0)])
    assert [(row.cells, row.skipped) for row in rows] == [(("19",), 18), (("20",), 0), (("21",), 0)]
    assert left == 19
    assert lines(replace(LOADS, cells=()), [(9, 9)]) == ((), (), 0)


def rich() -> Kept:
    columns, rows, left = lines(LOADS, [(3, 1)])
    quotes = {
        1: "B | 3.0 | 4.5",
        2: "Category | Characteristic load | qk | Qk",
        3: "Take 9 kN.",
        4: "Take 8 kN.",
    }
    boxes = (Box(3, 0.1, 0.8, 0.9, 0.9), Box(4, 0.1, 0.1, 0.9, 0.2))
    cited = [replace(CITED, n=n, quote=quote, key=f"k{(n + 1) // 2 * (n if n > 2 else 1)}", boxes=boxes)
             for n, quote in quotes.items()]  # fmt: skip
    said = (
        KeptStatement("Table 6.2\nB | 3.0 | 4.5", (1, 2), confirmed=True),
        KeptStatement("Take 9 kN.", (3,), False, "read with doubt"),
    )
    return replace(
        KEPT,
        statements=said,
        citations=tuple(cited),
        tables=(
            KeptTable(
                "DC 1",
                "Table 6.2",
                "Loads | floors",
                columns,
                rows,
                (1, 2),
                left,
                (),
                (("a", "Not a *roof*."),),
            ),
        ),
        conflicts=(KeptConflict((3, 4), "The later edition decides.", 4),),
        read_with=("DC 1, 7.1 Notes, page 9 (printed 5)",),
    )


def test_an_export_leaves_nothing_of_the_answer_out() -> None:
    """What disagrees, what is read with it, what is in doubt, what no statement cites: in both forms."""
    text, (shown, _) = markdown(made(rich())), read(pdf(made(rich())))
    for said in (
        "Characteristic load › Qk",
        "The documents disagree",
        "The later edition decides.",
        "This side decides.",
        "Read with it",
        "DC 1, 7.1 Notes, page 9 (printed 5)",
        "a) Not a *roof*.",
        "In doubt: read with doubt",
        "Headers, one after the other: ",
        "Found with it, cited by no statement",
        "pages 3, 4",
        "2.0ᵃ",
    ):
        assert said in text.replace("\\", "")
        assert said in shown
    assert "| **B** |" not in text
    assert "| B | **3.0** | 4.5 |" in text
    uncited = text[text.index("Found with it") :]
    assert "Take 8 kN" in uncited
    assert "Take 9 kN" not in uncited


def test_markdown_holds_the_pictures_and_leads_to_each_place() -> None:
    shown = replace(made().sources[0], pictures=((3, b"jpeg"),), address="http://192.168.1.2/d/D/p/3?at=5.2")
    text = markdown(replace(made(), sources=(shown,)))
    assert "<http://192.168.1.2/d/D/p/3?at=5.2>" in text
    for name, start in (
        ("source-1-page-3", "data:image/jpeg;base64,anBlZw=="),
        ("qr-code", "data:image/png"),
    ):
        assert f"][{name}]" in text
        assert f"\n[{name}]: {start}" in text
    assert text.index("Sources") < text.index("\n[qr-code]"), "the words first"


def test_a_picture_is_cut_between_lines(tmp_path: Path) -> None:
    """Lines 12 pixels high, 20 apart, between the rules of a table: no edge goes through one."""
    page, lines = tmp_path / "page.png", Image.new("L", (600, 1000), "white")
    for y in range(0, 1000, 20):
        lines.paste(0, (100, y, 500, y + 12))
    lines.paste(0, (90, 0, 92, 1000))
    lines.save(page)
    for top in range(300, 340, 3):
        shown = crop([Box(1, 0.1, top / 1000, 0.9, (top + 60) / 1000)], lambda _: page, 1)
        assert shown
        with Image.open(io.BytesIO(shown)) as found:
            at = found.width // 2
            middle = found.convert("L").crop((at, 0, at + 1, found.height)).tobytes()
        assert min(middle[0], middle[-1]) > 128


def test_a_line_beside_what_is_cited_is_shown_to_its_end(tmp_path: Path) -> None:
    """A cited line that ends early above one that runs to the margin: the picture cuts neither."""
    page, lines = tmp_path / "page.png", Image.new("L", (1000, 1400), "white")
    lines.paste(0, (150, 400, 450, 412))
    lines.paste(0, (150, 430, 940, 442))
    lines.save(page)
    shown = crop([Box(1, 0.15, 0.285, 0.45, 0.296)], lambda _: page, 1)
    assert shown
    with Image.open(io.BytesIO(shown)) as found:
        edge = found.convert("L").crop((found.width - 5, 0, found.width, found.height))
        assert found.width >= 940 - 150
    assert min(edge.tobytes()) > 128


def test_a_place_over_two_pages_is_shown_on_both(tmp_path: Path) -> None:
    page = tmp_path / "page.png"
    Image.new("RGB", (600, 850), "white").save(page)
    boxes = [Box(4, 0.1, 0.1, 0.9, 0.2), Box(3, 0.1, 0.8, 0.9, 0.9), Box(5, 0.1, 0.1, 0.9, 0.2)]
    assert [number for number, _ in crops(boxes, lambda n: page if n != 5 else None)] == [3, 4]


def test_what_decides_is_framed_in_full_and_what_is_quoted_with_it_faintly(tmp_path: Path) -> None:
    """A table of forty rows, quoted whole: its last row decides, and stays in the picture."""
    page = tmp_path / "page.png"
    Image.new("RGB", (1200, 1700), "white").save(page)
    rows = [Box(1, 0.1, 0.1 + at * 0.02, 0.9, 0.12 + at * 0.02) for at in range(40)]
    content = crop(rows, lambda _: page, 1, rows[-1:])
    assert content
    with Image.open(io.BytesIO(content)) as picture:
        column = [picture.convert("RGB").getpixel((picture.width // 2, y)) for y in range(picture.height)]
    strong = [y for y, sign in enumerate(column) if sign[1] < 130]  # type: ignore[index]  # of RGB
    assert 0.9 * 34 < strong[-1] - strong[0] < 1.2 * 34, "one row of 34 pixels"


def test_no_frame_crosses_the_row_beside_it(tmp_path: Path) -> None:
    """Rows 2 and 4 of a tight table are framed; what is printed in rows 1, 3 and 5 keeps its pixels."""
    page, height = tmp_path / "page.png", 0.0125
    Image.new("RGB", (1200, 1700), "white").save(page)
    tops = [0.5 + at * height for at in range(5)]
    content = crop([Box(1, 0.2, top, 0.8, top + height) for top in (tops[1], tops[3])], lambda _: page, 1)
    assert content
    with Image.open(io.BytesIO(content)) as picture:
        column = [picture.convert("RGB").getpixel((picture.width // 2, y)) for y in range(picture.height)]
    drawn = [y for y, sign in enumerate(column) if sign[2] < 160]  # type: ignore[index]  # of RGB
    groups = 1 + sum(after - before > 3 for before, after in pairwise(drawn))
    assert groups == 4, "two frames of two lines each, the row between them is not framed"
    middle = (drawn[0] + drawn[-1]) // 2
    free = min(abs(y - middle) for y in drawn)
    assert free > 0.3 * height * 1700, "the middle of the row between is free"


GERMAN = Speech(
    "de",
    lambda text, /, **values: f"[{text}]" % values if values else f"[{text}]",
    lambda text: f"<{text}>",
)


def test_words_of_ours_are_said_in_the_language_of_the_paper_and_those_of_the_code_are_not() -> None:
    spoken = paper(replace(KEPT, gap="one part"), 0.0, speech=GERMAN, note="mine")
    for text in (markdown(spoken).replace("\\", ""), read(pdf(spoken))[0]):
        for said in (
            "[Answer], [confidence high]",
            "[Not confirmed]: <no number>",
            "<one part>",
            "[Sources]",
        ):
            assert said in text
        assert QUOTE in text
        assert "[mine]" not in text
        assert "It is 850 mm wide." in text
