"""Rows beside a cell that spans them, and heads of groups, in tables with level rules set like text.

Each is made as a PDF and read whole: what a table loses is found among the clauses.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from appliance.core.document import Document
from appliance.ingest.geometry import Area, Rule, Ruling
from appliance.ingest.tables.strips import Open, bound
from tests.ingest.drawn import row, view
from tests.ingest.paper import TEXT, labels, opened, rows_read

CATEGORIES = (
    ("Category of loaded area", "Class", "Example"),
    (
        (
            "A Areas for domestic and residential activities",
            "A1",
            (
                "All usages within dwelling units that are self-contained, one that is occupied by a "
                "family and one in a building for students with a secure door and not more than six rooms "
                "and an internal corridor. Communal areas, kitchens among them, in blocks of flats with "
                "limited use. For communal areas in other blocks of flats, see the classes below"
            ),
        ),
        (None, "A2", "Bedrooms and dormitories except those over this"),
        (None, "A3", "Bedrooms in hotels and motels, wards, toilet areas"),
        (
            None,
            "A4",
            (
                "Balconies in dwelling units for one family and communal areas in blocks of flats with "
                "limited use, and those of hostels, guest houses and residential clubs that are not named "
                "elsewhere in this table or in that which gives the values"
            ),
        ),
        ("B Office areas", "B1", "General use other than in the next"),
        (None, "B2", "At or below the level of the ground"),
        ("C Areas with tables", "C1", "Dining rooms and lounges, cafes and restaurants"),
        (None, "C2", "Reading rooms with no book storage"),
    ),
    (130, 70, 270),
)
CLASSES = (
    ("Class", "Description of the class", "Informative examples that apply in the country"),
    (
        "No risk of corrosion or attack (X0 class)",
        (
            "X0",
            "For concrete without reinforcement or embedded metal where there is no significant attack",
            (
                "Surfaces inside structures without reinforcement. Concrete completely buried in soil of the "
                "first class with a gradient not greater than five. Concrete permanently under water that is "
                "not aggressive. Surfaces in wet and dry conditions without abrasion or freezing"
            ),
        ),
        (
            "Corrosion induced by carbonation (XC classes) where concrete that contains reinforcement or "
            "other metal is exposed to air and moisture"
        ),
        (
            "XC1",
            "Dry or permanently wet",
            "Surfaces inside enclosed structures except areas of high humidity, and surfaces under water",
        ),
        ("XC2", "Wet, rarely dry", "Concrete completely buried in soil of the first class"),
        "Corrosion induced by chlorides other than those from sea water (XD classes)",
        (
            "XD1",
            "Moderate humidity",
            (
                "Surfaces exposed to airborne chlorides. Parts of bridges more than ten metres from a road. "
                "Parts of structures exposed to occasional or slight conditions of chlorides"
            ),
        ),
        ("XD3", "Cyclic wet and dry", "Walls and structures within ten metres of a road; slabs of car parks"),
    ),
    (75, 130, 270),
)


def printed(form: Any) -> list[tuple[str, ...]]:
    """Return the rows of a form as they are read: a cell over rows once, in the first of them."""
    return [
        (texts,) if isinstance(texts, str) else tuple(text for text in texts if text is not None)
        for texts in form[1]
    ]


def filled(document: Document, at: int = 0) -> list[tuple[str, ...]]:
    return [tuple(text for text in texts if text) for texts in rows_read(document, at)[1:]]


def test_a_cell_beside_rows_spans_them(tmp_path: Path) -> None:
    paper = opened()
    paper.table("Table 1 - Values for the design", CATEGORIES, "rows")
    document = paper.read(tmp_path)
    spans = [(cell.row, cell.row_span) for cell in document.tables[0].cells if cell.column == 0]
    assert spans == [(0, 1), (1, 4), (5, 2), (7, 2)]


def test_heads_of_groups_without_rules_are_rows(tmp_path: Path) -> None:
    paper = opened()
    paper.table("Table 1 - Values for the design", CLASSES, "half")
    paper.heading("3", "Verification")
    paper.prose(TEXT)
    document = paper.read(tmp_path)
    assert filled(document) == printed(CLASSES)
    assert len(document.clauses) == 3


def test_heads_of_groups_and_spanning_cells_go_on_over_pages(tmp_path: Path) -> None:
    heads, rows, widths = CLASSES
    paper = opened("CODE 7-2:2031")
    paper.table("Table 1 - Classes for the design", (heads, rows * 5, widths), "rows")
    paper.heading("3", "Verification")
    document = paper.read(tmp_path)
    assert len(document.tables) == 1
    assert filled(document) == printed(CLASSES) * 5
    assert labels(document) == ["1", "2", "3"]


def test_a_table_that_may_go_on_is_told_in_the_box_of_what_follows(tmp_path: Path) -> None:
    heads, rows, widths = CLASSES
    paper = opened()
    form = (heads, (*rows[:2], " ".join([TEXT] * 3), *rows[2:]), widths)
    paper.table("Table 1 - Classes for the design", form, "rows")
    document = paper.read(tmp_path)
    (problem,) = document.problems
    assert problem.message == "Table 1 on page 1 may go on below: see on the page what stands under it."
    assert problem.box is not None
    assert problem.box.y0 > 0.3
    assert not problem.doubt


def test_a_head_of_a_group_may_stand_in_the_middle() -> None:
    rows = [[(64, "Class"), (200, "Value")], [(219, "Walls of all parts")], [(64, "A"), (200, "2,0 kN")]]
    made = view([row(parts, 110 + 20 * n) for n, parts in enumerate(rows)])
    made.__dict__["ruling"] = Ruling(tuple(Rule(y, 60, 460) for y in (92, 115, 135, 155)), (), ())
    table = Open(made, Area(60, 90, 460, 800))
    assert bound(table, Area(60, 115, 460, 135), lambda strip: strip.y0 == 135)
    beside = view(
        [
            row([(x + 20 if y == 1 else x, text) for x, text in parts], 110 + 20 * y)
            for y, parts in enumerate(rows)
        ]
    )
    beside.__dict__["ruling"] = made.ruling
    assert not bound(replace(table, view=beside), Area(60, 115, 460, 135), lambda _: True)


def page(*texts: tuple[tuple[float, str], ...], ends: tuple[float, float] = (60, 460)) -> Any:
    """Return a page with a table of two rows from 90 to 140, lines under it, and a rule under them."""
    rows = [((64, "Class"), (200, "Value")), ((64, "A"), (200, "2,0 kN")), *texts]
    made = view([row(parts, 110 + 20 * n) for n, parts in enumerate(rows)])
    below = 120 + 20 * len(rows)
    rules = [Rule(y, 60, 460) for y in (92, 115, 140)] + [Rule(below, *ends)]
    made.__dict__["ruling"] = Ruling(tuple(rules), (), ())
    return made
