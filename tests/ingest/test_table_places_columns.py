"""Captions at the foot of a column whose table begins the next one."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Table
from appliance.ingest.layout.pages import arrange
from appliance.ingest.page import Found
from appliance.ingest.pdf.reader import read
from appliance.ingest.tables.finder import find_tables
from tests.ingest.made import BOLD, LIMITS, MUPDF, scheme
from tests.ingest.test_table_places import FLOORS, cells

NARROW = ("The loads of floors shall be taken from the", "table that follows, and applied to the whole")


def in_columns(path: Path, *, above: bool, under: bool) -> Found[Table]:
    """Return the tables of a page of two columns, a caption at the foot of the first, a grid in the second.

    A line of text may stand `above` the grid, or `under` the caption.
    """
    document = MUPDF.open()
    page = document.new_page(width=595, height=842)
    for x, top in ((60, 60), (310, 130)):
        for at in range(top, 700, 24):
            for line, text in enumerate(NARROW):
                page.insert_text((x, at + 11 * line), text, fontsize=9)
    page.insert_text((60, 726), "Table 1 - Loads of floors", fontsize=9, fontname=BOLD)
    if under:
        page.insert_text((60, 745), NARROW[0], fontsize=9)
    if above:
        page.insert_text((310, 46), NARROW[0], fontsize=9)
    for r, row in enumerate(FLOORS):
        for c, text in enumerate(row):
            page.draw_rect((310 + 110 * c, 52 + 18 * r, 420 + 110 * c, 70 + 18 * r))
            page.insert_text((314 + 110 * c, 64 + 18 * r), text, fontsize=9)
    document.save(path)
    return find_tables(arrange(read(path, LIMITS)), scheme("decimal"))


@pytest.mark.parametrize(("above", "under"), [(True, False), (False, True)])
def test_text_before_the_table_of_the_next_column_parts_them(
    tmp_path: Path, *, above: bool, under: bool
) -> None:
    result = in_columns(tmp_path / "a.pdf", above=above, under=under)
    assert cells(result)["Table 1"] == []
    assert any("Table 1" in problem.message for problem in result.problems)
