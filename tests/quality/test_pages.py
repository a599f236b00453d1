"""What makes a page worth a look."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Document, Page, Problem, Table
from appliance.quality.pages import page_reasons, problem_reasons, table_reasons
from tests.factories import clause, document, figure, table

LAST = 10
SOUND = (
    "The characteristic value (see 5.2(3)P) of e.g. user's snow-covered roofs’ loads, kN/m2, is 0.8 mm; "
    "EN 1991-1-4:2005, ‘and/or’ walls¹ … ≥ 30 °C. https://www.example.org/a~b sk,d γQ C25/30 mu1 "
)
BROKEN = "The loa~s on rn0del coIurnns and bui|dings of wal1s that are he|d by fi\\res of loadIng "


def code(text: str = "", page: int = LAST, pages: int = LAST) -> Document:
    made = document([clause("1", text, page=page)] if text else [])
    return replace(made, pages=tuple(Page(number, 595, 842) for number in range(1, pages + 1)))


def kinds(made: Document, page: int = LAST) -> list[str]:
    return [reason.kind for reason in page_reasons(made) if reason.page == page]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SOUND * 3, []),
        (BROKEN * 4, ["misread"]),
        (SOUND * 30 + BROKEN, []),  # a few words of many
        ("loa~s", ["little"]),  # too few words to tell
        ("", ["nothing"]),
    ],
)
def test_words_of_a_page(text: str, found: list[str]) -> None:
    assert kinds(code(text=text)) == found


def test_a_drawing_alone_is_enough_for_a_page() -> None:
    assert kinds(replace(code(), figures=(figure("Figure 1", page=LAST),))) == []


def test_the_first_pages_may_be_empty() -> None:
    assert {reason.page for reason in page_reasons(code(pages=10))} == set(range(3, 11))
    assert min(reason.page for reason in page_reasons(code(pages=400))) == 17


def test_a_page_without_text_is_told_once() -> None:
    silent = replace(code(text=SOUND * 3), pages=(*code().pages[:-1], Page(LAST, 595, 842, trust="none")))
    assert kinds(silent) == ["no text"]
    reported = replace(silent, problems=(Problem("Page 10 has no text, only a picture.", LAST),))
    assert kinds(reported) == []
    assert [(r.kind, r.page) for r in problem_reasons(reported)] == [("no text", LAST)]


def test_problems_keep_their_place() -> None:
    made = replace(code(), problems=(Problem("Lost.", 3), Problem("All of it.")))
    assert [(r.kind, r.page, r.words) for r in problem_reasons(made)] == [
        ("problem", 3, "Lost."), ("problem", 0, "All of it."),
    ]  # fmt: skip


WIDE = [["Zone", "Load"], ["1", "0.4"], ["2", "0.6"]]


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (table("Table 1", WIDE), []),
        (table("Table 1", []), ["Table 1 has a caption and no cells."]),
        (table("Table 1", [["Zone"], ["1"]]), ["Table 1 was read with one column only."]),
        (table("Table 1", [["Zone", "Load"]]), ["Table 1 was read with one row only."]),
        (
            table("Table 1", [["Zone", "Load"], ["1", ""], ["", ""], ["", "2"]]),
            ["Table 1 has 4 empty cells of 6."],
        ),
        (table("Table 1", [["Zone", "Load"], ["1", ""], ["", "2"]]), []),  # too small to tell
        (
            table("Table 1", [["Zone", "", ""], ["1", "2", "3"], ["1", "2", "3"]]),
            ["Table 1 has no heading over 2 of its 3 columns."],
        ),
        (table("Table 1", WIDE, header_rows=0), []),
    ],
)
def test_tables_that_look_misread(made: Table, words: list[str]) -> None:
    assert [reason.words for reason in table_reasons([made])] == words


@pytest.mark.parametrize(("doubts", "told"), [(0, 0), (2, 2), (3, 1), (85, 1)])
def test_many_doubts_of_a_page_are_told_together(doubts: int, told: int) -> None:
    found = [Problem(f"“{n}” was read with doubt.", 2, doubt=True) for n in range(doubts)]
    others = [Problem("A caption without a table.", 2), Problem("In doubt as a whole.", 0, doubt=True)]
    reasons = problem_reasons(replace(code(), problems=(*found, *others)))
    doubtful = [reason for reason in reasons if "read with doubt" in reason.words]
    assert len(doubtful) == told
    assert len(reasons) == told + 2
    if doubts > told:
        assert doubtful[0].words.startswith(f"{doubts} places were read with doubt")
