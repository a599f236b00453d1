"""Pieces of tables over pages: when the head of a scanned page is that of the page before."""

from __future__ import annotations

from typing import Literal

import pytest

from appliance.core.document import Table
from appliance.ingest.tables.finder import find_tables
from tests.ingest.drawn import across, lattice, layout, line, prose, row
from tests.ingest.made import scheme

XS = (60, 180, 300, 420, 540)
NAMES = ("Angle", "Zone A", "Zone B", "Zone C")
FIRST = ("Roof slope", "Key plan", "b/10 Ie A D", "r' e b")
DRAWN_AGAIN = ("Roof slope", "Key plan", "C A 0 A C ~r", "bl10 I")


def _pages(
    heads: tuple[tuple[str, ...], ...],
    names: tuple[tuple[str, ...], ...],
    trust: Literal["digital", "ocr"] = "ocr",
    again: str = "Table 7.7 - continued",
) -> list[Table]:
    """Return the tables of two pages, each with a head of two rows and three rows of values."""
    layouts = []
    for at, (head, named) in enumerate(zip(heads, names, strict=True)):
        values = [(str(5 * n), f"{n},1", f"{n},2", f"{n},3") for n in range(1 + 3 * at, 4 + 3 * at)]
        entries = [head, named, *values]
        ys = [120.0 + 24 * n for n in range(len(entries) + 1)]
        caption = line(again if at else "Table 7.7 - Pressure coefficients", 200, 100, 12, bold=True)
        lines = [
            row(
                [(x + 4, text) for x, text in zip(XS, entry, strict=False) if text],
                y + 7,
                bold=n < len(entries) - 3,
            )
            for n, (entry, y) in enumerate(zip(entries, ys, strict=False))
        ]
        layouts.append(layout([caption, *lines], lattice(XS, ys), at + 1, trust))
    return list(find_tables(layouts, scheme("eurocode")).items)


@pytest.mark.parametrize(
    ("second", "names", "trust"),
    [
        (DRAWN_AGAIN, NAMES, "digital"),  # what a digital page prints is no misreading
        (DRAWN_AGAIN, ("Angle", "Zone D", "Zone E", "Zone F"), "ocr"),
        (("Wall slope", "Key plan", "b/10 Ie A D", "r' e b I"), NAMES, "ocr"),
        (("Roof slope", "Key plan", "C A 0 A C ~r", "height 5"), NAMES, "ocr"),
        (("Roof slope", "Key plan", "C A 0 A C ~r", "Type b"), NAMES, "ocr"),
        (("Roof slope", "Key plan", "C A 0 A C", "5,0 m"), NAMES, "ocr"),
    ],
    ids=["digital", "other names", "another word", "a word more", "another kind", "another number"],
)
def test_a_head_that_says_something_else_begins_a_part_of_its_own(
    second: tuple[str, ...], names: tuple[str, ...], trust: Literal["digital", "ocr"]
) -> None:
    found = _pages((FIRST, second), (NAMES, names), trust)
    assert [[box.page for box in table.boxes] for table in found] == [[1], [2]]


def test_a_sheet_with_the_same_head_goes_on_and_one_with_another_is_a_part() -> None:
    again = "Table 7.7 (sheet 2 of 2): Pressure coefficients"
    (table,) = _pages((FIRST, FIRST), (NAMES, NAMES), "digital", again)
    assert [box.page for box in table.boxes] == [1, 2]
    parts = _pages((FIRST, DRAWN_AGAIN), (NAMES, ("Angle", "Zone D", "Zone E", "Zone F")), "digital", again)
    assert [str(part.label) for part in parts] == ["Table 7.7", "Table 7.7 (2)"]
    assert {part.title for part in parts} == {"Pressure coefficients"}


HAZARDS = (
    ("1", "Acute toxicity", "Category 1"),
    ("2", "Sensitiser", "Category 2"),
    ("3", "Irritant", "None"),
)
MORE = (("4", "Corrosive", "Category 4"), ("5", "Flammable", "Category 5"), ("6", "Oxidising", "None"))
COLUMNS = (60.0, 150.0, 400.0)


@pytest.mark.parametrize(
    ("again", "pages"),
    [
        (("Item", "Hazard class", "Category"), [1, 2]),
        (("", "Hazard class", "Category"), [1, 2]),  # a word that begins each page, as running heads do
        (("Item", "Hazard class", "Placard"), [1]),
        (("No.", "Substance", "Category"), [1]),
    ],
)
def test_a_table_goes_on_where_the_next_page_begins_with_its_head(
    again: tuple[str, ...], pages: list[int]
) -> None:
    caption = line("Table 8.1 - Hazards", 60, 560, 12, bold=True)
    head = [across(580, 60, 540), across(600, 60, 540)]
    set_on = [
        row(list(zip(COLUMNS, entry, strict=True)), 594 + 22 * at, bold=not at)
        for at, entry in enumerate((("Item", "Hazard class", "Category"), *HAZARDS))
    ]
    there = [
        row([(x, text) for x, text in zip(COLUMNS, entry, strict=True) if text], 74 + 22 * at, bold=not at)
        for at, entry in enumerate((again, *MORE))
    ]
    over = [across(60, 60, 540), across(80, 60, 540)]
    layouts = [
        layout([*prose(60, 30), caption, *set_on], head),
        layout(there, over, number=2),
    ]
    (table, *_) = find_tables(layouts, scheme("decimal")).items
    assert [box.page for box in table.boxes] == pages
    texts = [cell.text for cell in table.cells if not cell.header]
    assert texts == [text for entry in (*HAZARDS, *(MORE if len(pages) > 1 else ())) for text in entry]


@pytest.mark.parametrize("overleaf", [True, False])
def test_a_small_grid_that_begins_a_page_ends_a_table_and_is_none_by_itself(*, overleaf: bool) -> None:
    caption = line("Table 4 - Targets", 60, 600, 12, bold=True)
    first = [row([(66, "Metric"), (306, "Target")], 634)]
    last = [row([(66, "TEDI"), (306, "120")], 75), row([(66, "TEUI"), (306, "225")], 95)]
    rules = lattice((60, 300, 540), (620, 640))
    there = lattice((60, 300, 540), (60, 80, 100))
    layouts = [layout([*prose(60, 30), *([caption, *first] if overleaf else [])], rules if overleaf else ())]
    layouts.append(layout([*last, *prose(300, 20)], there, number=2))
    found = find_tables(layouts, scheme("decimal")).items
    assert [[cell.text for cell in table.cells] for table in found] == (
        [["Metric", "Target", "TEDI", "120", "TEUI", "225"]] if overleaf else []
    )
