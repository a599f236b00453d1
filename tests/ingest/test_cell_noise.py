"""Values of scanned tables that are no clean numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from appliance.core.document import Document, Page, Problem, Table, TableNote
from appliance.ingest.tables.doubts import CELL_NOISE_NAMED as NAMED
from appliance.ingest.tables.doubts import broken_cells, clean, doubtful_cells
from tests.factories import box, document
from tests.test_lookup import grid

DENSITIES = grid(
    [["Material", "Density"], ["tile", ",0"], ["slate", "28,0"], ["chalk", "22,0"], ["clay", "]0,0"]]
)


@pytest.mark.parametrize(
    "text",
    [
        ",0", "12 , ° to 14 , °", "]0,0", "1,5 toW", "2,0 to", "to 7,5", "to", "+O,B", "3,Oto~",
        "Sk = 0,1402 - 0,1 + ~ 501", "] 3,7", ">])2)", "3,0 to:L.Q", "16,01)", "Wt04,0", "O", "l,5",
        "4,0 kN }", "1,0 ~", "S.O", "11/2", "33/4 m",
    ],
)  # fmt: skip
def test_a_broken_value_is_not_clean(text: str) -> None:
    assert not clean(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "- -", "0,7", "24.0", "1 200", "1,200.5", "19,0 to 23,0", "> 30,0", "<= 5", "(0,5)", "+0,8",
        "-1.2", "9,0 to 10,0 1)2)", "24,0¹)2)", "12,0ᵃ", "0,2 x 0,2", "0,2x0,2", "150 mm", "150mm", "5 %",
        "30 °", "30°", "25 to 27", "see EN 771-3", "See Annex B", "up to 3,0", "no limit", "C16", "HC1",
        "Qk = 20 kN", "2,0 kN/m2", "1:20", "± 0,2", "4,0 or 5,0", "4.3.1", "1/2", "3/4", "12/24",
    ],
)  # fmt: skip
def test_whole_numbers_words_units_labels_and_marks_are_clean(text: str) -> None:
    assert clean(text)


@pytest.mark.parametrize(
    ("table", "broken"),
    [
        (DENSITIES, [",0", "]0,0"]),
        (grid([["Name", "Remark"], ["a", "see ]below"], ["b", "as ~ before"]]), []),  # no values: words
        (grid([["x", "h"], *([[f"r{i}", f"{i},8"] for i in range(6)]), ["r", "7"]]), ["7"]),
        (grid([["x", "h"], *([[f"r{i}", f"{i}"] for i in range(6)]), ["r", "7,5"]]), []),  # whole as a rule
        (grid([["x", "h"], ["r]", "1,0"], ["s~", "2,0"]]), []),  # labels are no values
        (grid([["x", "h"], ["r", "is 11/2 times as high as wide"]]), ["is 11/2 times as high as wide"]),
        (grid([], headers=0), []),
    ],
)
def test_only_columns_of_values_are_looked_at(table: Table, broken: list[str]) -> None:
    assert [cell.text for cell in broken_cells(table)] == broken


def scanned(table: Table, trust: Literal["digital", "ocr"] = "ocr") -> Document:
    return replace(document(), tables=(table,), pages=(Page(1, 600, 800, trust=trust),))


def test_a_doubtful_cell_is_a_doubt_with_its_words_and_box_on_scanned_pages_only() -> None:
    found = list(doubtful_cells(scanned(DENSITIES)))
    assert [(p.doubt, p.box) for p in found] == [(True, c.box) for c in broken_cells(DENSITIES)]
    assert "“,0” in Table 1.1 on page 1 was read with doubt" in found[0].message
    assert not list(doubtful_cells(scanned(DENSITIES, "digital")))


def test_what_is_already_told_is_not_told_again() -> None:
    first, second = broken_cells(DENSITIES)
    known = [Problem("“,0” on page 1 was read with doubt", 1, first.box, doubt=True)]
    assert [p.box for p in doubtful_cells(scanned(DENSITIES), known)] == [second.box]


def test_many_doubtful_cells_of_a_page_doubt_the_page() -> None:
    table = grid([["x", "h"], *([f"r{i}", f"{i},Q"] for i in range(NAMED + 5))])
    found = list(doubtful_cells(scanned(table)))
    assert len(found) == NAMED + 1
    assert found[-1].doubt
    assert found[-1].box is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("NOTE 3 For category C5 the load may be from}J1 kN/m to 5,0.", ["from}J1"]),
        ("NOTE 2 It may be 0,8 to L.Q kN/m.", ["L.Q"]),
        ("NOTE 1 It may be 0,2 to 1,0 ~", ["~"]),
        ("NOTE See Section 4, and A.1 (2).", []),
    ],
)
def test_a_note_with_a_sign_of_no_value_is_doubtful(text: str, words: list[str]) -> None:
    table = grid([["x", "h"], ["r", "1"]], notes=(TableNote("", text, box()),))
    assert [p.message.split("”")[0][1:] for p in doubtful_cells(scanned(table))] == words
