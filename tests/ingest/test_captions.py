"""Captions told apart from references to them."""

from __future__ import annotations

import pytest

from appliance.ingest.page import Line, Stroke, views
from appliance.ingest.structure.captions import find_captions, match
from tests.ingest.drawn import band, lattice, layout, line, prose, row, view

WORDS = {"table": ("Table", "Tableau"), "figure": ("Figure", "Diagram"), "continued": ("continued", "cont.")}


@pytest.mark.parametrize(
    ("text", "label", "title"),
    [
        ("Table 6.1 — Categories of use", "Table 6.1", "Categories of use"),
        ("Table 1.1 Rise and going", "Table 1.1", "Rise and going"),
        ("Table A2.1: Consumption calculator", "Table A2.1", "Consumption calculator"),
        ("Table NA.1 – National choices", "Table NA.1", "National choices"),
        ("Table 7.4a - Duopitch roofs", "Table 7.4a", "Duopitch roofs"),
        ("Diagram 3.1 Guarding design", "Diagram 3.1", "Guarding design"),
        ("TABLE IV. Assessments", "Table IV", "Assessments"),
        ("Table A-II: Tasks", "Table A-II", "Tasks"),
        ("Diagram i The relationship", "Diagram i", "The relationship"),
        ("Figure C.1. European regions", "Figure C.1", "European regions"),
        ("Table 5.2(A) Walls", "Table 5.2(A)", "Walls"),
        ("Table 7.2.2.2.1.1(a) New Stairs", "Table 7.2.2.2.1.1(a)", "New Stairs"),
        ("Table 307.1(1) Hazards", "Table 307.1(1)", "Hazards"),
        ("Table A-4.1.6.16.(6)(c) Drifts", "Table A-4.1.6.16.(6)(c)", "Drifts"),
        ("Table 5.2(A): Walls", "Table 5.2(A)", "Walls"),
        ("Table 1.2A(b) – Walls", "Table 1.2A(b)", "Walls"),
        ("Table 5.2(A) (continued)", "Table 5.2(A)", ""),
        ("Table NA.A1.2 (A) – Design values", "Table NA.A1.2(A)", "Design values"),
        ("Table NA.A1.2 (B)", "Table NA.A1.2(B)", ""),
        ("Table A.NA.1 Partial factors", "Table A.NA.1", "Partial factors"),
        ("Tableau 4.3(NA) — Valeurs", "Tableau 4.3(NA)", "Valeurs"),
        ("Table 9.10.14.4.-A", "Table 9.10.14.4.-A", ""),
        ("Table 9.10.14.4.-B Stairs", "Table 9.10.14.4.-B", "Stairs"),
        ("Table 16-A—Uniform loads", "Table 16-A", "Uniform loads"),
        ("Table 16-Annual loads", "Table 16", "Annual loads"),
        ("Table C2D2: Type of construction", "Table C2D2", "Type of construction"),
        ("Table S5C11a: FRL of walls", "Table S5C11a", "FRL of walls"),
        ("Table § 6-19C(7) Loads on guards", "Table § 6-19C(7)", "Loads on guards"),
        ("Table to Diagram 34 Location of outlets", "Table to Diagram 34", "Location of outlets"),
    ],
)
def test_a_caption_gives_label_and_title(text: str, label: str, title: str) -> None:
    found = find_captions([view([line(text, 60, 100, 12, bold=True), *prose(160)])], WORDS)
    assert [(c.label, c.title) for c in found] == [(label, title)]


@pytest.mark.parametrize(
    "text",
    [
        "Tables 3 and 4",
        "Tabled motions 3",
        "Table of contents",
        "table 3 gives",
        "The Table 3",
        "Figures",
        "Table",
    ],
)
def test_what_is_no_caption_word_and_number_is_none(text: str) -> None:
    assert match(text, WORDS) is None


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Table 3.1.3.1. is repealed and the following is put in its place", 0),
        ("Table 3.1.3.1. Fire separations of occupancies", 1),
        ("Table 3.1.3.1: fire separations of occupancies", 1),
    ],
)
def test_a_full_stop_behind_the_number_of_a_sentence_is_no_sign_of_a_caption(text: str, count: int) -> None:
    found = find_captions([view([line(text, 60, 100, 10, bold=True), *prose(160)])], WORDS)
    assert len(found) == count


@pytest.mark.parametrize(("bold", "label_twice"), [(True, False), (False, True)])
def test_an_unsure_line_in_other_type_than_a_caption_with_its_label_is_none(
    *, bold: bool, label_twice: bool
) -> None:
    said = line("Table 4 Loads of parts that are used there and then", 60, 100, 10)
    caption = line("Table 4 Loads of parts", 60, 300, 10, bold=bold)
    found = find_captions([view([said, *prose(160), caption, *prose(340)])], WORDS)
    assert (len(found) == 2) == label_twice


@pytest.mark.parametrize("strokes", [[], [band(55, 85, 300, 130)]])
def test_a_title_runs_over_lines_of_its_look_or_in_its_band(strokes: list[Stroke]) -> None:
    lines = [
        line("Table 6 Recommended minimum", 60, 100, 12, bold=True),
        line("gradients", 100, 114, 12, bold=True),
    ]
    found = find_captions([view([*lines, line("Peak flow", 60, 140, 8), *prose(200)], strokes)], WORDS)
    assert [(c.title, c.lines) for c in found] == [("Recommended minimum gradients", (0, 1))]


@pytest.mark.parametrize(
    ("under", "goes_on"),
    [
        ([(100, "4.2"), (150, "ALUMINIUM")], False),
        ([(100, "4.2 Aluminium")], False),
        ([(100, "A.3.1"), (150, "of")], False),  # set apart
        ([(100, "2.5 m wide")], True),
        ([(100, "Use"), (130, "Load"), (170, "Area")], False),  # heads of columns close together
        ([(100, "B2 and more")], True),
    ],
)
def test_a_heading_under_a_caption_is_no_title(under: list[tuple[float, str]], *, goes_on: bool) -> None:
    lines = [line("Figure 6 Least depth of", 60, 100, 12, bold=True), row(under, 114, 12, bold=True)]
    (caption,) = find_captions([view([*lines, *prose(200)])], WORDS)
    assert (caption.title != "Least depth of") == goes_on


def _annex(cell: str, *, bold: bool = False, beside: str = "2.4.2.4 (1)") -> list[Line]:
    """Return the rows of a table of decisions whose second row has the cell in its second column."""
    return [
        row([(65, "Subclause"), (205, "Recommended"), (345, "Decision")], 120, bold=True),
        row([(65, beside), (345, "Use these values.")], 145),
        row([(205, cell)], 145, bold=bold),
        row([(65, "3.1.6 (1)P"), (205, "1.0"), (345, "Use 0.85.")], 170),
        *prose(220),
    ]


GRID = lattice([60, 200, 340, 480], [105, 130, 155, 180])


@pytest.mark.parametrize(
    ("lines", "strokes", "labels"),
    [
        # open rows, in bold type: nothing says that it is a cell
        (_annex("Table 2.1N", bold=True), [], ["Table 2.1N"]),
        # a caption in the first row of its own table, beside its title
        (
            [row([(65, "Table 3")], 120, bold=True), row([(205, "Values of actions")], 120), *prose(220)],
            GRID,
            ["Table 3"],
        ),
        # captions of drawings side by side
        (
            [row([(65, "Figure 1")], 145, bold=True), row([(205, "Figure 2")], 145, bold=True), *prose(220)],
            GRID,
            ["Figure 1", "Figure 2"],
        ),
        # a frame around caption and table: no words beside it
        (
            [row([(65, "Table 3")], 145, bold=True), *prose(220)],
            lattice([60, 480], [105, 130, 155, 180]),
            ["Table 3"],
        ),
        # a grid in the other column of the page
        (
            [row([(65, "Table 3")], 145, bold=True), row([(345, "Values")], 145), *prose(220)],
            [*lattice([60, 200], [105, 130, 155]), *lattice([340, 480], [105, 130, 155])],
            ["Table 3"],
        ),
    ],
)
def test_a_caption_in_rules_is_one_still(lines: list[Line], strokes: list[Stroke], labels: list[str]) -> None:
    assert [c.label for c in find_captions([view(lines, strokes)], WORDS)] == labels


@pytest.mark.parametrize(
    ("title", "second", "bold"),
    [
        ("Densities", "Table A.1 (continued)", True),
        ("Densities", "Table A.1 – Densities", True),
        ("Densities", "Table A.1—continued", False),  # what goes on looks much more like a caption
    ],
)
def test_the_same_caption_on_the_next_page_goes_on(title: str, second: str, *, bold: bool) -> None:
    over = [] if bold else prose(60, 3)
    first = line(f"Table A.1 – {title}", 60, 100, 12 if bold else 10, bold=bold)
    pages = [
        views(layout([*over, first, *prose(112 if over else 200)], number=1))[0],
        views(layout([line(second, 60, 100, 12, bold=True), *prose(200)], number=2))[0],
    ]
    assert [c.continued for c in find_captions(pages, WORDS)] == [False, True]


@pytest.mark.parametrize(("other", "labels"), [("Table 1 – Loads", ["Table 1"]), ("x", ["A.2 Table"])])
def test_a_document_has_the_word_of_its_captions_on_one_side_of_their_number(
    other: str, labels: list[str]
) -> None:
    lines = [
        line(other, 60, 100, 12, bold=True),
        *prose(160),
        line("A.2 Table examples", 60, 300, 12, bold=True),
    ]
    assert [c.label for c in find_captions([view([*lines, *prose(330)])], WORDS)] == labels


def test_no_entry_of_a_list_of_tables_is_a_caption_where_its_page_number_stands_close() -> None:
    entries = [row([(60, f"Table 5.{n} - Walls"), (400, str(20 + n))], 120 + 40 * n) for n in (1, 2, 3)]
    close = line("Table 5.4 - Requirements for the envelope 24", 60, 320)
    assert find_captions([view([*entries, close])], WORDS) == ()


def test_a_label_alone_is_a_caption_with_the_title_beside_it_or_over_the_rules_of_its_table() -> None:
    beside = [
        line("Loads for the various zones", 200, 96),
        line("Table L1.1.", 60, 100),
        line("of wind.", 200, 104),
    ]
    strokes = [Stroke(50, y, 400, y, "line") for y in (84, 108, 130, 160)]
    found = find_captions([view([*prose(40, 2), *beside, *prose(300)], strokes)], WORDS)
    assert [(c.label, c.title) for c in found] == [("Table L1.1", "Loads for the various zones of wind")]
    alone = [*prose(40, 2), line("Table 1", 60, 100), *prose(300)]
    assert [c.label for c in find_captions([view(alone, strokes[1:])], WORDS)] == ["Table 1"]
    assert not find_captions([view(alone)], WORDS)
