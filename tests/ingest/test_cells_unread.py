"""Cells of scanned tables that hold no words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Literal

import pytest

from appliance.core.document import Document, Page, Table
from appliance.ingest.tables.doubts import CELLS_UNREAD_LEAST as LEAST
from appliance.ingest.tables.doubts import NONE, Words, noise_of, unread, unread_cells
from tests.factories import document
from tests.test_lookup import grid

RULED = grid(
    [
        ["Action", "Variation !", "Origin"],
        ["Soil le'I", "Pt:llllct", "Direct"],
        ["Earth", "I", "Indirect"],
        ["Wind", "equip- Modelled", "Direct"],
    ]
)
CLEAN = grid([["Action", "Origin"], ["Soil movement", "Direct"], ["Earth pressure", "Indirect"]])


def scanned(table: Table, trust: Literal["digital", "ocr"] = "ocr") -> Document:
    return replace(document(tables=(table,)), pages=(Page(1, 600, 800, trust=trust),))


@pytest.mark.parametrize(
    "text",
    [
        "IIUVe'1", "le'I", "Pt:llllctllt:llll", "dllUl", "vanaole / :i-dental", "! Direct",
        "tolerance | free", "I I Direct", "Non-permanent equip- Modelled as",
        "Moveable heavy ma-", "Force Fd/", "Force Fd/ [kN]",
        ".L::tt...", "~", "'~_~!DDerature",
    ],
)  # fmt: skip
def test_what_recognition_made_of_rules_and_cut_words_is_no_print(text: str) -> None:
    table = grid([["Head", "Other"], [text, "Direct"]])
    assert unread(table.cells[2], table.cells, NONE)


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "Permanent / variable", "acci-dental", "sawdust and plywood", "EN 1991-1-1",
        "• design rules",
        "kN/m2", "cpe,10", "CsCd", "Fdx", "i) first", "low- and high-rise", "waterproofed¹⁾",
        "“Limit”", "don't", "1,5 to 2,0",
    ],
)  # fmt: skip
def test_words_symbols_labels_and_items_are_print(text: str) -> None:
    table = grid([["Head", "Other"], [text, "Direct"]])
    assert not unread(table.cells[2], table.cells, NONE)


def test_a_lone_letter_is_a_name_among_numerals_and_a_speck_among_words() -> None:
    named = grid([["Terrain", "z"], ["I", "1"], ["II", "2"], ["III", "5"]])
    specks = grid([["Remark", "z"], ["L", "1"], ["Direct", "2"], ["Static", "5"], ["Variable", "4"]])
    assert not unread(named.cells[2], named.cells, NONE)
    assert unread(specks.cells[2], specks.cells, NONE) == ["L"]


def test_what_the_document_says_more_than_once_is_a_word_of_it() -> None:
    table = grid([["Rock", "Density"], ["wacke", "27"]])
    assert unread(table.cells[2], table.cells, NONE)
    assert not unread(table.cells[2], table.cells, Words(Counter({"wacke": 2}), frozenset()))


def test_a_table_with_many_such_cells_is_doubtful_as_a_whole() -> None:
    (problem,) = unread_cells(scanned(RULED))
    assert problem.doubt
    assert problem.box == RULED.boxes[0]
    assert "“" not in problem.message  # whatever is quoted out of it is meant


def test_few_cells_are_doubts_each_with_its_box() -> None:
    table = grid([["Wall", "Force Fd/"], ["thick", "4 000"], ["thin", "1 500"]])
    (problem,) = unread_cells(scanned(table))
    assert (problem.doubt, problem.box) == (True, table.cells[1].box)
    assert LEAST > 1


@pytest.mark.parametrize(
    ("table", "trust"), [(RULED, "digital"), (CLEAN, "ocr"), (grid([], headers=0), "ocr")]
)
def test_digital_and_clean_tables_are_not_doubted(table: Table, trust: Literal["digital", "ocr"]) -> None:
    assert not list(unread_cells(scanned(table, trust)))


def test_the_noise_of_a_reading_is_the_share_of_what_is_no_print() -> None:
    assert noise_of(["Static", "!", "I", "Direct"]) == pytest.approx(0.5)
    assert noise_of([]) == 0
