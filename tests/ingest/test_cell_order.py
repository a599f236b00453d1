"""Clauses printed in the rows of tables without a caption are read cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from appliance.core.document import Document
from appliance.ingest.pipeline import read_document
from tests.ingest.made import LIMITS, MUPDF, scheme

WIDTHS = (40, 260, 160)
HEAD = (("Clause",), ("Requirement",), ("Reason",))
PITS = (
    ("2.2",),
    ("Pits shall be at most 1.65 m deep below", "the top of the rail."),
    ("Access of men", "to wheels"),
)
LADDERS = (
    ("2.3",),
    ("Where a pit is long:", "(a) it shall have two ladders; and", "(b) a light."),
    ("Escape",),
)
FLOORS = (("2.1",), ("The floor shall carry 250 kN.",), ("Vehicles",))


def document(path: Path, *pages: Sequence[Sequence[Sequence[str]]]) -> Document:
    """Return the document whose pages hold a heading and a ruled table each."""
    made = MUPDF.open()
    for number, rows in enumerate(pages):
        page = made.new_page(width=595, height=842)
        y = 60.0
        if number == 0:
            page.insert_text((60, 40), "2 Floors and pits", fontsize=14, fontname="hebo")
        for row in rows:
            high, x = 6 + 12 * max(map(len, row)), 60.0
            for width, lines in zip(WIDTHS, row, strict=True):
                page.draw_rect((x, y, x + width, y + high))
                for n, text in enumerate(lines):
                    page.insert_text((x + 4, y + 12 + 12 * n), text, fontsize=9)
                x += width
            y += high
    made.save(path)
    return read_document(path, "x", LIMITS, [scheme("decimal")])


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Document:
    filler = [((f"3.{n}",), (f"Area {n} shall be lit.",), ("Light",)) for n in range(1, 4)]
    return document(tmp_path_factory.mktemp("rows") / "a.pdf", [HEAD, FLOORS, PITS, LADDERS], filler)


def test_heads_are_no_text_and_the_table_over_two_pages_is_one(read: Document) -> None:
    assert not any("Requirement" in c.passage.text or "Requirement" in c.title for c in read.clauses)
    (table,) = read.tables
    assert [box.page for box in table.boxes] == [1, 2]
    assert [cell.text for cell in table.cells if cell.column == 0] == [
        *("Clause", "2.1", "2.2", "2.3"),
        *("3.1", "3.2", "3.3"),
    ]


@pytest.mark.parametrize("number", ["", "2.1 "])
def test_the_heads_of_two_columns_are_no_title(number: str, tmp_path: Path) -> None:
    """But for those with the number of a clause."""
    made = MUPDF.open()
    page = made.new_page(width=595, height=842)
    page.insert_text((60, 60), "2 Lines", fontsize=14, fontname="hebo")
    page.insert_text((60, 90), "The weight of a line shall be taken from the table below.", fontsize=10)
    for at, cells in enumerate(
        ((number + "Voltage of a line", "Weight of a line"), ("200 kV", "700"), ("300 kV", "1300"))
    ):
        for x, text in zip((120, 320), cells, strict=True):
            page.draw_rect((x, 110 + 22 * at, x + 200, 132 + 22 * at))
            page.insert_text((x + 30, 125 + 22 * at), text, fontsize=10, fontname="helv" if at else "hebo")
    page.insert_text((60, 210), "Lines of other voltages shall be left out of account.", fontsize=10)
    made.save(tmp_path / "a.pdf")
    read = read_document(tmp_path / "a.pdf", "x", LIMITS, [scheme("decimal")])
    labels = [str(clause.label) for clause in read.clauses]
    assert (number.strip() in labels) is bool(number)
    (table,) = read.tables
    assert number or table.clause == read.clauses[0].label
