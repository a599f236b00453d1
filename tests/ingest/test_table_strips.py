"""Rows beside a cell that spans them, and heads of groups, in tables with level rules set like text.

Each is made as a PDF and read whole: what a table loses is found among the clauses.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from appliance.core.document import Document
from appliance.ingest.geometry import Area, Rule, Ruling
from appliance.ingest.tables.strips import Open, bound, rest_of
from tests.ingest.drawn import row, view
from tests.ingest.paper import LEAD, LEFT, RIGHT, TEXT, Paper, labels, opened, rows_read

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
LIMITED = (
    ("Part", "Class", "Value", "Remark"),
    (
        (
            "Roof",
            "H",
            "0,4",
            "Not for access but for repair and what goes with it, each in its season and place",
        ),
        (
            None,
            None,
            "0,6",
            "With access to plant, where the plant is named in the design and stands on its own feet",
        ),
        ("Floor", "B", "3,0", "Offices"),
        (
            None,
            "C",
            "5,0",
            "Halls in which people stand close together and may move in step, sport among them",
        ),
    ),
    (60, 50, 60, 300),
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
BARRIERS = (
    ("Category of loaded area", "Sub-category", "Examples", "Load"),
    (
        (
            "A",
            "(i)",
            (
                "All areas within or serving one single dwelling and its stairs and landings but not its "
                "balconies and the edges of roofs that are there"
            ),
            "0.36",
        ),
        (None, "(ii)", "Other residential areas, that is houses of many people and their balconies", "0.74"),
        (
            "B and C1",
            "(iii)",
            "Areas not susceptible to overcrowding in offices and also in institutions",
            "0.7",
        ),
        (None, "(iv)", "Light access stairs and gangways of a small width", "0.22"),
        (None, "(v)", "Restaurants and cafes", "1.5"),
    ),
    (80, 66, 230, 60),
)
SPOTS = (
    ("Occupancy", "Uniform", "Concentrated"),
    (
        ("1. Assembly areas", "", ""),
        (" Fixed seats, fastened", "60", "-"),
        (" Follow spot, projections and control rooms and all of the passages and steps there", "50", "-"),
        (" Lobbies", "100", "-"),
        ("2. Dining rooms and restaurants", "100", "-"),
    ),
    (300, 90, 80),
)
BEHIND: dict[str, tuple[str, ...]] = {
    "prose": (TEXT,),
    "one line": ("The values of this table apply to the parts that are named in the first clause.",),
    "list": tuple(f"{sign}) the values of the {what}" for sign, what in zip("abcd", "NQVM", strict=True)),
    "clauses": tuple(f"2.{n} Parts of the structure shall hold" for n in range(1, 6)),
    "heading": ("2.1 Loads on the parts",),
    "note": ("NOTE The classes may be combined where the surfaces of a part are exposed in several ways.",),
}
FORMS: dict[str, Any] = {"categories": CATEGORIES, "limited": LIMITED, "classes": CLASSES}


def printed(form: Any) -> list[tuple[str, ...]]:
    """Return the rows of a form as they are read: a cell over rows once, in the first of them."""
    return [
        (texts,) if isinstance(texts, str) else tuple(text for text in texts if text is not None)
        for texts in form[1]
    ]


def filled(document: Document, at: int = 0) -> list[tuple[str, ...]]:
    return [tuple(text for text in texts if text) for texts in rows_read(document, at)[1:]]


@pytest.mark.parametrize("name", FORMS)
def test_rows_beside_a_spanning_cell_and_heads_of_groups_are_rows(name: str, tmp_path: Path) -> None:
    paper = opened()
    paper.table("Table 1 - Values for the design", FORMS[name], "rows")
    paper.heading("3", "Verification")
    paper.prose(TEXT)
    document = paper.read(tmp_path)
    assert filled(document) == printed(FORMS[name])
    assert labels(document) == ["1", "2", "3"]
    assert len(document.clauses) == 3
    assert not document.problems


def test_a_head_and_a_cell_that_fill_their_columns_end_where_the_next_begin(tmp_path: Path) -> None:
    paper = opened()
    paper.table("Table 1 - Loads on barriers", BARRIERS, "rows")
    paper.heading("3", "Verification")
    paper.prose(TEXT)
    document = paper.read(tmp_path)
    assert filled(document) == printed(BARRIERS)
    assert len(document.clauses) == 3


def test_a_label_set_in_goes_on_under_itself(tmp_path: Path) -> None:
    paper = opened()
    paper.table("Table 1 - Loads on floors", SPOTS, "rows")
    paper.heading("3", "Verification")
    paper.prose(TEXT)
    document = paper.read(tmp_path)
    assert filled(document) == [tuple(text.strip() for text in row if text) for row in printed(SPOTS)]
    assert len(document.clauses) == 3


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


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("behind", BEHIND)
def test_what_stands_behind_is_text(behind: str, name: str, tmp_path: Path) -> None:
    paper = opened()
    paper.table("Table 1 - Values for the design", FORMS[name], "rows")
    for text in BEHIND[behind]:
        paper.prose(text, white=2)
    paper.heading("3", "Verification")
    paper.prose(TEXT)
    document = paper.read(tmp_path)
    assert filled(document) == printed(FORMS[name])
    said = " ".join(f"{clause.label} {clause.passage.text}" for clause in document.clauses)
    said += " ".join(note.text for note in document.tables[0].notes)
    assert all(text.rpartition(" ")[2] in said for text in BEHIND[behind])


@pytest.mark.parametrize("first", FORMS)
@pytest.mark.parametrize("second", FORMS)
def test_a_table_right_below_is_another(first: str, second: str, tmp_path: Path) -> None:
    paper = Paper()
    paper.table("Table 1 - Values for the design", FORMS[first], "rows")
    paper.table("Table 2 - Further values", FORMS[second], "rows")
    document = paper.read(tmp_path)
    assert [str(table.label) for table in document.tables][:2] == ["Table 1", "Table 2"]
    assert filled(document) == printed(FORMS[first])
    assert filled(document, 1) == printed(FORMS[second])


@pytest.mark.parametrize("behind", ["prose", "clauses"])
def test_text_between_rules_of_one_width_is_no_row(behind: str, tmp_path: Path) -> None:
    paper = opened()
    paper.table("Table 1 - Values for the design", CLASSES, "rows")
    for text in BEHIND[behind]:
        paper.prose(text, white=2)
    paper.rule(paper.y - LEAD + 4, RIGHT - LEFT)
    paper.y += LEAD
    paper.prose(TEXT)
    document = paper.read(tmp_path)
    assert filled(document) == printed(CLASSES)
    assert sum(clause.passage.text.count("with the values of the annex") for clause in document.clauses) > 4


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


ENDED = Area(60, 90, 460, 140)


def page(*texts: tuple[tuple[float, str], ...], ends: tuple[float, float] = (60, 460)) -> Any:
    """Return a page with a table of two rows from 90 to 140, lines under it, and a rule under them."""
    rows = [((64, "Class"), (200, "Value")), ((64, "A"), (200, "2,0 kN")), *texts]
    made = view([row(parts, 110 + 20 * n) for n, parts in enumerate(rows)])
    below = 120 + 20 * len(rows)
    rules = [Rule(y, 60, 460) for y in (92, 115, 140)] + [Rule(below, *ends)]
    made.__dict__["ruling"] = Ruling(tuple(rules), (), ())
    return made


@pytest.mark.parametrize(
    ("texts", "ends", "told"),
    [
        ((((64, "one line of text over columns of it"),), ((64, "B"), (200, "3,0 kN"))), (60, 460), True),
        ((((64, "B"), (200, "3,0 kN")),), (60, 300), False),  # a rule of another table
        ((((64, "text that goes on"),), ((64, "and goes on"),)), (60, 460), False),
        ((((64, "A"), (150, "2,0 kN"), (320, "4")),), (60, 460), False),  # in other columns
        ((), (60, 460), False),
    ],
)
def test_rows_under_the_end_of_a_table_are_told(texts: Any, ends: tuple[float, float], *, told: bool) -> None:
    rest = rest_of(page(*texts, ends=ends), ENDED, 800)
    assert (rest is not None) is told
    if rest is not None:
        assert (rest.y0, rest.x0, rest.x1) == (140, 60, 460)
    assert rest_of(page(*texts, ends=ends), ENDED, 145) is None  # a caption stands there
