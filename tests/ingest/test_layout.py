"""Lines, columns, reading order and margins."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.ingest.layout.change_marks import without_change_marks
from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.page import box_on
from tests.ingest.made import BOLD, PLAIN, Print, column, layouts, source

WORDS = "should be taken into account where the load on the roof is larger than that"


def _texts(folder: Path, *pages: list[Print]) -> list[list[str]]:
    return [[line.text for line in page.lines] for page in layouts(folder, *pages)]


def _prose(x: float, name: str, rows: int, *, y: float = 100, size: float = 9) -> list[Print]:
    return [Print(x, y + 12 * n, f"{name}{n} {WORDS[:38]}", size) for n in range(rows)]


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    page = _prose(50, "left", 12) + _prose(310, "right", 12)
    got = _texts(tmp_path, page)[0]
    assert [text.split()[0] for text in got] == [f"left{n}" for n in range(12)] + [
        f"right{n}" for n in range(12)
    ]


def test_a_heading_across_both_columns_parts_them(tmp_path: Path) -> None:
    title = [Print(50, 300, "A heading that runs across both of the columns of the page", 16, BOLD)]
    page = (
        _prose(50, "a", 8)
        + _prose(310, "b", 8)
        + title
        + _prose(50, "c", 8, y=340)
        + _prose(310, "d", 8, y=340)
    )
    got = [text.split()[0] for text in _texts(tmp_path, page)[0]]
    assert got == [f"a{n}" for n in range(8)] + [f"b{n}" for n in range(8)] + ["A"] + [
        f"c{n}" for n in range(8)
    ] + [f"d{n}" for n in range(8)]


def test_numbers_a_raised_step_away_stay_in_their_line(tmp_path: Path) -> None:
    page = [Print(70, 100, "area of 25 m"), Print(132, 96, "2", 6), Print(138, 100, "or more")]
    lines = layouts(tmp_path, page)[0].lines
    assert [line.text for line in lines] == ["area of 25 m 2 or more"]
    assert [word.rise for word in lines[0].words if word.text == "2"] == [1]


def test_heads_feet_and_page_numbers_go_to_the_margins(tmp_path: Path) -> None:
    pages = []
    for n in range(6):
        body = column(*[f"line {n}.{m} {WORDS}" for m in range(20)])
        head = [Print(70 if n % 2 else 400, 40, "Chapter one" if n < 3 else "Chapter two", 8)]
        pages.append([*head, *body, Print(70, 810, "Code 17:2024", 8), Print(500, 810, str(n + 3), 8)])
    for n, page in enumerate(layouts(tmp_path, *pages)):
        assert len(page.lines) == 20
        assert sorted(m.text for m in page.margins)[:2] == [
            str(n + 3),
            f"Chapter {'one' if n < 3 else 'two'}",
        ]


def test_the_caption_of_a_table_is_no_head_where_those_of_another_are_repeated(tmp_path: Path) -> None:
    captions = [f"Table {7 if n == 5 else 3}.1 (continued)" for n in range(8)]
    pages = [
        [Print(200, 40, caption, 9), *column(*[f"line {n}.{m} {WORDS}" for m in range(20)])]
        for n, caption in enumerate(captions)
    ]
    kept = [page.lines[0].text for page in layouts(tmp_path, *pages) if page.lines[0].text in captions]
    assert kept == ["Table 7.1 (continued)"]


@pytest.mark.parametrize("foot", ["Page {n}", "Page {n} of 4", "16-{n}"])
def test_a_foot_that_counts_the_pages_of_a_short_document_is_margin(tmp_path: Path, foot: str) -> None:
    pages = [
        [
            *column(*[f"{n} {m} {WORDS}" for m in range(8)]),
            Print(70 + 300 * (n % 2), 790, foot.format(n=n), 9),
        ]
        for n in range(17, 21)
    ]
    for n, page in enumerate(layouts(tmp_path, *pages)):
        assert [line.text for line in page.margins] == [foot.format(n=n + 17)]


def test_what_stands_near_an_edge_once_stays_text(tmp_path: Path) -> None:
    pages = [
        [*column(*[f"{n} {WORDS}"] * 5), Print(70, 60, f"Only on page {n}: {WORDS[n:30]}")] for n in range(5)
    ]
    assert all(len(page.lines) == 6 for page in layouts(tmp_path, *pages))


def test_text_at_the_height_of_heads_stays_text(tmp_path: Path) -> None:
    heads = [[Print(70, 40, f"Part {'one' if n < 4 else 'two'}", 10)] for n in range(8)]
    texts = [column(f"Opening {n}{n * 'x'}", *[WORDS] * 20, y=26) for n in range(3)]
    pages = [[*head, *column(*[WORDS] * 20)] for head in heads] + texts
    assert all(page.lines[0].text.startswith("Opening") for page in layouts(tmp_path, *pages)[8:])


def test_watermarks_leave_the_text_they_cross(tmp_path: Path) -> None:
    pages = [
        [*column(*[f"{n} {m} {WORDS}" for m in range(8)]), Print(150, 137, "LICENSED COPY", 40)]
        for n in range(5)
    ]
    for page in layouts(tmp_path, *pages):
        assert "LICENSED COPY" in [line.text for line in page.margins]
        assert len(page.lines) == 8


def test_text_printed_several_times_at_one_place_is_read_once(tmp_path: Path) -> None:
    page = [Print(70 + shift, 100, "Extract of the law") for shift in (0, 0.3, 0.6)]
    assert _texts(tmp_path, page) == [["Extract of the law"]]


def test_sideways_text_is_kept_apart_from_lines(tmp_path: Path) -> None:
    page = [
        *column("first line of text", "second line of text"),
        Print(500, 400, "along the edge", rotate=90),
    ]
    lines = layouts(tmp_path, page)[0].lines
    assert [(line.text, line.upright) for line in lines] == [
        ("first line of text", True),
        ("second line of text", True),
        ("along the edge", False),
    ]


def test_an_empty_page_has_no_lines(tmp_path: Path) -> None:
    assert _texts(tmp_path, [], column("text")) == [[], ["text"]]


def test_a_page_of_very_many_words_is_read(tmp_path: Path) -> None:
    page = [Print(20 + 11 * (n % 50), 20 + 4 * (n // 50), ".", 3) for n in range(10_000)]
    assert sum(len(line.words) for line in layouts(tmp_path, page)[0].lines) == 10_000


def test_a_page_on_its_head_is_read_and_boxed_where_it_shows(tmp_path: Path) -> None:
    rows = [f"row {m} of {WORDS}" for m in range(8)]
    (page,) = layouts(tmp_path, column(*rows), rotation=180)
    assert [line.text for line in page.lines] == rows
    first = page.lines[0]
    box = box_on(page.content, first.x0, first.y0, first.x1, first.y1)
    assert box.y0 < 1 - 114 / 842 + 0.01 < box.y1 + 0.02  # printed at y = 114, shown from below
    assert box.x1 == pytest.approx(1 - 70 / 595, abs=0.01)


@pytest.mark.parametrize("font", [PLAIN, BOLD])
def test_bold_by_overprint_is_read_once(tmp_path: Path, font: str) -> None:
    page = [Print(70, 100, "5.3 Heavy words", 12), Print(70.5, 100, "5.3 Heavy words", 12, font)]
    assert _texts(tmp_path, page) == [["5.3 Heavy words"]]


def test_a_commentary_beside_its_code_is_a_column_of_its_own(tmp_path: Path) -> None:
    page = []
    for clause in range(6):
        for x, name, lines in ((50, "5", 2 + clause % 3), (310, "R5", 2 + (clause + 1) % 3)):
            texts = [
                f"{name}.{clause} the action on a barrier",
                *["of a walkway is what its users put"] * lines,
            ]
            page += [Print(x, 100 + 78 * clause + 13 * at, text) for at, text in enumerate(texts)]
    opened = [text.split()[0] for text in _texts(tmp_path, page)[0] if text[-7:] == "barrier"]
    assert opened == [f"{name}.{clause}" for name in ("5", "R5") for clause in range(6)]


@pytest.mark.parametrize(
    ("mark", "hang", "opening", "left"),
    [("N", 10, "5.{}", False), ("N", 0, "5.{}", True), ("-", 10, "5.{}", True), ("N", 10, "and", True)],
)
def test_marks_of_changes_before_numbers_are_left_out(
    tmp_path: Path, mark: str, hang: float, opening: str, *, left: bool
) -> None:
    """A letter that does not hang out of the text, a dash, and what stands before words, stay."""
    page: list[Print] = []
    for n in range(6):
        opened = Print(60 - hang, 100 + 36 * n, opening.format(n), 9, BOLD)
        page += [Print(50 - hang, 100 + 36 * n, mark, 9, BOLD), opened]
        page += [Print(80, 100 + 36 * n, WORDS[:30], 9), Print(50, 112 + 36 * n, WORDS[:40], 9)]
    (got,) = arrange(without_change_marks(source(tmp_path, page)))
    lines = [line.text for line in got.lines if line.text.startswith((f"{mark} ", "5.", "and"))]
    assert len(lines) == 6
    assert all(text.startswith(f"{mark} ") == left for text in lines)


def test_the_head_of_a_table_that_begins_each_page_stays_text(tmp_path: Path) -> None:
    """It runs on into its columns; a running head of three parts stands over white."""
    pages = []
    for number in range(1, 5):
        head = [(x, 50.0, text) for x, text in ((70, "By-law 12"), (260, "Zones"), (450, "Edition 3"))]
        table = [(x, 80.0, text) for x, text in ((260, "Shore"), (350, "Village"), (450, "Rural"))]
        table += [
            (x, 91.0 + 11 * at, text)
            for at in range(30)
            for x, text in ((70, f"Use {number} {at}"), (260, "Y"), (350, "N"), (450, "C"))
        ]
        pages.append([Print(*one) for one in (*head, *table)])
    assert [text[0] for text in _texts(tmp_path, *pages)] == ["Shore Village Rural"] * 4


def test_a_head_of_three_parts_right_over_a_line_of_text_is_margin(tmp_path: Path) -> None:
    parts = ((70, "By-law 12"), (260, "Zones"), (450, "Edition 3"))
    pages = [
        [*(Print(x, 80, text) for x, text in parts), *_prose(70, f"page {n} ", 20, y=91, size=10)]
        for n in range(1, 5)
    ]
    assert [text[0].split()[0] for text in _texts(tmp_path, *pages)] == ["page"] * 4
