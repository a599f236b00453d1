"""Captions at the foot of a page, over and under tables: no values of another table, never in silence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from appliance.core.document import Table
from appliance.ingest.layout.reading_order import arrange
from appliance.ingest.page import Found, Line
from appliance.ingest.pdf.reader import read
from appliance.ingest.tables.finder import find_tables
from tests.ingest import drawn
from tests.ingest.made import BOLD, LIMITS, MUPDF, scheme

ROOFS = (("Roof", "kN/m2"), ("flat", "1.0"), ("steep", "2.0"))
FLOORS = (("Floor", "kN/m2"), ("office", "3.0"), ("store", "7.5"))
PROSE = "The loads of floors shall be those of the table, for every floor of a building"
Item = tuple[float, str | Sequence[Sequence[str]]]


def found(path: Path, *pages: Sequence[Item]) -> Found[Table]:
    """Return the tables of pages that hold captions ("Table ..."), lines of text, notes (".") and grids."""
    document = MUPDF.open()
    for items in pages:
        page = document.new_page(width=595, height=842)
        for y, item in items:
            if isinstance(item, str):
                size, font = 7.5 if item.startswith(".") else 10, "helv"
                x, font = (200, BOLD) if item.startswith("Table") else (70, font)
                page.insert_text((x, y), item.lstrip("."), fontsize=size, fontname=font)
                continue
            for r, row in enumerate(item):
                for c, text in enumerate(row):
                    last = (
                        max(map(len, item)) if c + 1 == len(row) else c + 1
                    )  # a short row ends the table, too
                    page.draw_rect((70 + 200 * c, y + 22 * r, 70 + 200 * last, y + 22 * r + 22))
                    page.insert_text((76 + 200 * c, y + 15 + 22 * r), text, fontsize=10)
    document.save(path)
    return find_tables(arrange(read(path, LIMITS)), scheme("decimal"))


def cells(result: Found[Table]) -> dict[str, list[str]]:
    return {str(table.label): [cell.text for cell in table.cells] for table in result.items}


def flat(rows: Sequence[Sequence[str]]) -> list[str]:
    return [text for row in rows for text in row]


HEAD: list[Item] = [(60, "1 Loads"), (85, PROSE), (100, PROSE)]
BOTH = {"Table 1": flat(ROOFS), "Table 2": flat(FLOORS)}


@pytest.mark.parametrize(
    "first",
    [
        [(620, "Table 1 - Loads of roofs"), (630, ROOFS), (715, "Table 2 - Loads of floors")],
        [(120, "Table 1 - Loads of roofs"), (130, ROOFS), (240, PROSE), (780, "Table 2 - Loads of floors")],
        [
            (600, "Table 1 - Loads of roofs"),
            (610, ROOFS),
            (688, PROSE),
            (704, "Table 2 - Loads of floors"),
            (790, ".1 For floors built before 2019 see the code of that year."),
        ],
    ],
    ids=["right under a table", "at the foot", "with a footnote of the page"],
)
def test_a_caption_at_the_foot_takes_the_table_overleaf(tmp_path: Path, first: list[Item]) -> None:
    result = found(tmp_path / "a.pdf", [*HEAD, *first], [(60, FLOORS), (190, PROSE)])
    assert cells(result) == BOTH
    assert [box.page for box in result.items[1].boxes] == [1, 2]
    assert not result.problems


@pytest.mark.parametrize(
    "second",
    [
        [(60, PROSE), (90, FLOORS)],
        [(50, "Table 3 - Loads of stairs"), (60, FLOORS)],
        [(60, PROSE), (75, PROSE)],
    ],
    ids=["text before the table", "a table with a caption of its own", "no table"],
)
def test_a_caption_without_a_table_is_told(tmp_path: Path, second: list[Item]) -> None:
    first = [*HEAD, (620, "Table 1 - Loads of roofs"), (630, ROOFS), (715, "Table 2 - Loads of floors")]
    result = found(tmp_path / "a.pdf", first, second)
    assert cells(result)["Table 1"] == flat(ROOFS)
    assert cells(result)["Table 2"] == []
    (problem,) = result.problems
    assert "Table 2" in problem.message
    assert problem.page == 1
    assert problem.box is not None


def test_a_table_over_its_caption_where_no_other_caption_owns_it(tmp_path: Path) -> None:
    rows = (("Kind of roof", "kN/m2"), ("flat roofs", "1.0"), ("steep roofs", "2.0"))
    page = [*HEAD, (130, rows), (210, "Table 1 - Loads of roofs"), (240, PROSE)]
    assert cells(found(tmp_path / "a.pdf", page)) == {"Table 1": flat(rows)}


@pytest.mark.parametrize(
    ("between", "title"),
    [
        (["rooms and by the year"], "Loads of floors by the use of rooms and by the year"),
        (["rooms, by the year", "and by the storey"],
         "Loads of floors by the use of rooms, by the year and by the storey"),
        (["The values hold for all floors of a building."], "Loads of floors by the use of"),  # a sentence
        (["one", "two", "three", "four"], "Loads of floors by the use of"),  # too many lines for a title
        ([], "Loads of floors by the use of"),
    ],
)  # fmt: skip
def test_a_title_goes_on_to_the_rule_of_its_table(tmp_path: Path, between: list[str], title: str) -> None:
    document = MUPDF.open()
    page = document.new_page(width=595, height=842)
    for y in range(500, 740, 15):
        page.insert_text((70, y), PROSE, fontsize=10)
    page.insert_text((70, 100), "Table 1 - Loads of floors by the use of", fontsize=10)
    for at, line in enumerate(between):
        page.insert_text((70, 116 + 16 * at), line, fontsize=10)
    top = 116 + 16 * len(between) - 4
    for r, row in enumerate(FLOORS):
        for c, text in enumerate(row):
            page.draw_rect((70 + 200 * c, top + 22 * r, 270 + 200 * c, top + 22 * r + 22))
            page.insert_text((76 + 200 * c, top + 15 + 22 * r), text, fontsize=10)
    document.save(tmp_path / "long.pdf")
    result = find_tables(arrange(read(tmp_path / "long.pdf", LIMITS)), scheme("decimal"))
    (first, *_) = result.items
    assert first.title == title
    assert sorted(text for texts in cells(result).values() for text in texts) == sorted(flat(FLOORS))


@pytest.mark.parametrize("under", [True, False])
def test_captions_under_tables_without_rules_leave_what_stands_below_them(*, under: bool) -> None:
    rows = (
        ("Roof", "snow", "wind"),
        ("flat", "1.0", "0.5"),
        ("steep", "2.0", "0.7"),
        ("glass", "3.0", "0.9"),
    )
    table = [
        drawn.row(list(zip((120.0, 260.0, 380.0), one, strict=True)), 170 + 15 * at)
        for at, one in enumerate(rows)
    ]
    y = 240 if under else 145
    clauses = [drawn.row([(60, f"A2.1.{at}"), (130, PROSE[:60])], 280 + 15 * at) for at in (1, 2, 3)]
    around = [*drawn.prose(100), *table, *clauses, *drawn.prose(360)]
    pages = [
        drawn.layout([*around, drawn.line(f"Table {at}: Loads", 200, y, bold=True)], number=at)
        for at in (1, 2)
    ]
    result = find_tables(pages, scheme("decimal"))
    assert cells(result) == {f"Table {at}": flat(rows) for at in (1, 2)}


WIDTHS = (
    ("Occupancy", "Load", "Width"),
    ("Group A", "30", "900"),
    ("Group B", "40", "1000"),
    ("Group C", "50", "1200"),
)
TITLE = "WIDTHS OF CORRIDORS AND OF ALL THE DOORS THAT LEAD TO THEM"


def _in_lines(rows: Sequence[Sequence[str]], y: float) -> list[Line]:
    edges = (120.0, 260.0, 380.0)
    return [drawn.row(list(zip(edges, one, strict=True)), y + 15 * at) for at, one in enumerate(rows)]


@pytest.mark.parametrize("overleaf", [False, True])
def test_a_bold_title_and_heads_in_lines_stand_over_a_table_without_rules(*, overleaf: bool) -> None:
    caption = [drawn.line("TABLE 7", 270, 600, bold=True), drawn.line(TITLE, 120, 615, bold=True)]
    heads = [drawn.line(text, 300, 60 + 14 * at) for at, text in enumerate(("Required", "(hours)", "of use"))]
    rows = _in_lines(WIDTHS, 104)
    if overleaf:
        pages = [drawn.layout([*drawn.prose(100), *caption]), drawn.layout(rows, number=2)]
    else:
        over = [drawn.line("TABLE 7", 270, 30, bold=True), drawn.line(TITLE, 120, 45, bold=True)]
        pages = [drawn.layout([*over, *heads, *rows, *drawn.prose(300)])]
    (table,) = find_tables(pages, scheme("decimal")).items
    body = flat(WIDTHS[1:])
    assert [cell.text for cell in table.cells if cell.text in body] == body


def test_a_grid_under_the_title_of_a_caption_is_its_table(tmp_path: Path) -> None:
    document = MUPDF.open()
    page = document.new_page(width=595, height=842)
    for y in range(500, 740, 15):
        page.insert_text((70, y), PROSE, fontsize=10)
    page.insert_text((250, 100), "TABLE 7", fontsize=12, fontname=BOLD)
    page.insert_text((95, 120), TITLE, fontsize=10, fontname=BOLD)
    for r, row in enumerate(WIDTHS):
        for c, text in enumerate(row):
            page.draw_rect((70 + 130 * c, 160 + 40 * r, 200 + 130 * c, 200 + 40 * r))
            page.insert_text((76 + 130 * c, 185 + 40 * r), text, fontsize=10)
    document.save(tmp_path / "grid.pdf")
    result = find_tables(arrange(read(tmp_path / "grid.pdf", LIMITS)), scheme("decimal"))
    assert cells(result) == {"Table 7": flat(WIDTHS)}


@pytest.mark.parametrize("letters", [True, False])
def test_what_stands_over_a_grid_is_no_table_of_its_caption(tmp_path: Path, *, letters: bool) -> None:
    """Letters of a drawing stand between caption and grid, or the rule over the first row is not drawn."""
    document = MUPDF.open()
    page = document.new_page(width=595, height=842)
    for y in range(560, 740, 15):
        page.insert_text((70, y), PROSE, fontsize=10)
    page.insert_text((250, 100), "TABLE 7", fontsize=12, fontname=BOLD)
    for y, x, text in ((118, 150, "C"), (118, 260, "D"), (132, 150, "E"), (132, 260, "F")) if letters else ():
        page.insert_text((x, y), text, fontsize=10)
    top, step = (230, 40) if letters else (130, 60)
    for r, row in enumerate(WIDTHS):
        for c, text in enumerate(row):
            x, y = 70 + 130 * c, top + step * r
            for side in (x, x + 130):
                page.draw_line((side, y), (side, y + step))
            for level in (y, y + step) if letters or r else (y + step,):
                page.draw_line((x, level), (x + 130, level))
            page.insert_text((x + 6, y + 25), text, fontsize=10)
            if not r:  # the heads in two lines
                page.insert_text((x + 6, y + 12), "of all", fontsize=10)
    document.save(tmp_path / "over.pdf")
    result = find_tables(arrange(read(tmp_path / "over.pdf", LIMITS)), scheme("decimal"))
    found_cells = cells(result)["Table 7"]
    assert [text for text in found_cells if text in flat(WIDTHS)][-9:] == flat(WIDTHS[1:])


SPANS = [("Distance", "Height")] + [
    one
    for at in range(4)
    for one in (
        (f"From {at} ft to less than {at + 1} ft", f"{at} (25 mm)"),
        ("of the wall of a room",),
        ("of any kind",),
    )
]


def test_indented_second_lines_of_labels_stand_between_the_rules_of_a_table() -> None:
    lines = [
        drawn.row([(60 if len(one) > 1 else 70, one[0]), *((260, text) for text in one[1:])], 114 + 14 * at)
        for at, one in enumerate(SPANS)
    ]
    caption = drawn.line("Table 5 - Obstructions", 60, 90, bold=True)
    note = drawn.line("Note: see Figure 5.", 60, 310, 8)
    rules = [drawn.across(y, 60, 320) for y in (100, 118, 292)]
    drawing = [drawn.across(340, 60, 200), drawn.band(90, 340, 160, 440)]  # right under the note
    page = drawn.layout([caption, *lines, note, *drawn.prose(500)], [*rules, *drawing])
    (table,) = find_tables([page], scheme("decimal")).items
    assert [cell.text for cell in table.cells if cell.column == 1] == [
        one[1] for one in SPANS if len(one) > 1
    ]
    assert table.boxes[0].y1 * 800 < 340


@pytest.mark.parametrize("centred", [True, False])
def test_a_title_under_a_caption_at_the_foot_of_a_page_is_not_its_table(*, centred: bool) -> None:
    caption = [
        drawn.line("TABLE 7", 270, 700, bold=True),
        drawn.line("FIRE FLOW OF HALLS", 243 if centred else 60, 730, bold=True),
    ]
    pages = [drawn.layout([*drawn.prose(60, 40), *caption]), drawn.layout(_in_lines(WIDTHS, 60), number=2)]
    (table, *_) = find_tables(pages, scheme("decimal")).items
    assert ([cell.text for cell in table.cells] == flat(WIDTHS)) is centred
    assert (table.title == "FIRE FLOW OF HALLS") is centred
