"""Tables over several pages: joined once, head printed again dropped, a box on every page."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.core.document import Table
from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.pdf.reader import read
from appliance.ingest.tables.finder import find_tables
from tests.ingest.made import BOLD, LIMITS, MUPDF, scheme

HEAD = ("Zone", "Load", "Remark")
CAPTION = "Table 4.1 — Snow loads"
PROSE = "should be taken into account where the load on the roof is larger than that"
COLUMNS = (70, 180, 300, 520)
WIDER = (70, 240, 400, 520)


def rows(first: int, last: int) -> list[tuple[str, ...]]:
    return [(f"Zone {n}", f"{n},5", f"remark {n}") for n in range(first, last + 1)]


def tables(
    path: Path,
    *pages: tuple[str, list[tuple[str, ...]], str],
    columns: tuple[tuple[int, ...], ...] = (),
    start: int = 130,
) -> list[Table]:
    """Return the tables of pages that each hold a line above, a ruled table and a line below."""
    document = MUPDF.open()
    for number, (above, entries, below) in enumerate(pages):
        page = document.new_page(width=595, height=842)
        page.insert_text((70, 45), "DC 9-9-9:2026 (E)", fontsize=9)
        xs = columns[number] if columns else COLUMNS
        if above:
            bold = above.startswith("Table")
            page.insert_text((70, start - 12), above, fontsize=11, fontname=BOLD if bold else "helv")
        for at in range(len(entries) + 1):
            page.draw_line((xs[0], start + 20 * at), (xs[-1], start + 20 * at))
        for x in xs if entries else ():
            page.draw_line((x, start), (x, start + 20 * len(entries)))
        for at, row in enumerate(entries):
            for x, text in zip(xs, row, strict=False):
                font = BOLD if row == HEAD else "helv"
                page.insert_text((x + 5, start + 14 + 20 * at), text, fontsize=10, fontname=font)
        if below:
            page.insert_text((70, start + 40 + 20 * len(entries)), below, fontsize=10)
    document.save(path)
    return list(find_tables(arrange(read(path, LIMITS)), scheme("eurocode")).items)


@pytest.mark.parametrize(
    "again",
    [
        "Table 4.1 (continued)",
        "Table 4.1 — Snow loads (continued)",
        "Table 4.1 (continued from page 1)",
        "Table 4.1 — continued from the previous page",
        "Table 4.1 — Snow loads",
        "",
    ],
)
@pytest.mark.parametrize("repeated", [True, False], ids=["head again", "no head"])
def test_a_table_over_three_pages_is_one(tmp_path: Path, again: str, repeated: bool) -> None:
    head = [HEAD] if repeated else []
    found = tables(
        tmp_path / "made.pdf",
        (CAPTION, [HEAD, *rows(1, 5)], ""),
        (again, [*head, *rows(6, 9)], ""),
        (again, [*head, *rows(10, 12)], ""),
    )
    assert [str(table.label) for table in found] == ["Table 4.1"]
    (table,) = found
    assert table.title == "Snow loads"
    assert [box.page for box in table.boxes] == [1, 2, 3]
    entries = [c.text for c in sorted(table.cells, key=lambda c: c.row) if c.column == 0]
    assert entries == ["Zone", *(f"Zone {n}" for n in range(1, 13))]
    assert {c.row for c in table.cells if c.header} == {0}
    assert next(c.box.page for c in table.cells if c.text == "10,5") == 3


@pytest.mark.parametrize(
    ("below", "above", "columns", "head"),
    [
        (PROSE, "", (COLUMNS, COLUMNS), HEAD),
        ("", f"(2) {PROSE}", (COLUMNS, COLUMNS), HEAD),
        ("", "", (COLUMNS, WIDER), ("Terrain", "Height", "Remark")),
        ("", "", (COLUMNS, WIDER), ("1", "2", "3")),
        ("", "Table 4.2 — Wind loads", (COLUMNS, COLUMNS), HEAD),
        ("", "Table 4.2 — Wind loads (continued)", (COLUMNS, COLUMNS), HEAD),
    ],
    ids=[
        "text between",
        "text above",
        "other columns",
        "other columns without names",
        "caption of its own",
        "another one goes on",
    ],
)
def test_other_grids_at_the_top_of_a_page_stay_apart(
    tmp_path: Path, below: str, above: str, columns: tuple[tuple[int, ...], ...], head: tuple[str, ...]
) -> None:
    found = tables(
        tmp_path / "made.pdf",
        (CAPTION, [HEAD, *rows(1, 5)], below),
        (above, [head, *rows(6, 9)], ""),
        columns=columns,
    )
    assert [[box.page for box in table.boxes] for table in found] == [[1], [2]]
    assert str(found[0].label) == "Table 4.1"
