"""Cells by row and column in words, and tables read aloud."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Cell, Label, Table, TableNote
from appliance.tables.lookup import match, table_lookup, words
from appliance.tables.rows import column_headers, header_rows, label_columns, naming, row_sentences, with_unit
from tests.factories import box


def grid(rows: list[list[str]], headers: int = 1, notes: tuple[TableNote, ...] = ()) -> Table:
    """A table from rows of text; "<" joins a cell to the one on its left, "^" to the one above."""
    cells = []
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text in {"<", "^"}:
                continue
            across = next((n for n, t in enumerate(row[c + 1 :], 1) if t != "<"), len(row) - c)
            down = next((n for n, t in enumerate(rows[r + 1 :], 1) if t[c] != "^"), len(rows) - r)
            cells.append(Cell(r, c, text, box(1, r / 50), down, across, header=r < headers))
    return Table(Label(("Table 1.1",)), "Rise and going", tuple(cells), notes, (box(),))


STAIRS = grid(
    [
        ["", "Rise", "<", "Going", "<"],
        ["^", "Minimum (mm)", "Maximum (mm)", "Minimum (mm)", "Maximum (mm)"],
        ["Private stair", "150", "220", "220", "300"],
        ["Utility stair", "150", "190", "250", "400"],
        ["General access stair", "150", "170", "250", "400"],
    ],
    headers=2,
)
SPANNED = grid(
    [
        ["Use", "Width (mm)", "<", "Pitch"],
        ["^", "min", "max", "^"],
        ["Private", "100", "150", "42"],
        ["Public", "199", "<", "33"],
    ],
    headers=2,
)
GROUPED = grid(
    [
        ["Material", "Density kN/m³"],
        ["Concrete", ""],
        ["Normal weight", "24.0"],
        ["Lightweight", "9 to 20"],
        ["Mortar", ""],
        ["Cement mortar", "19 to 23"],
        ["Lime mortar", "12 to 18"],
    ]
)
BARE = grid([["5", "7"], ["6", "8"]], headers=0)


@pytest.mark.parametrize(
    ("table", "row", "column", "value"),
    [
        (STAIRS, "Private stair", "Rise Maximum (mm)", "220"),
        (STAIRS, "private stairs", "maximum rise", "220"),
        (STAIRS, "utilty stair", "min going", "250"),
        (STAIRS, "general access", "rise max", "170"),
        (STAIRS, "maximum rise", "private stair", "220"),  # row and column told the other way round
        (GROUPED, "normal weight concrete", "density", "24.0"),
        (GROUPED, "cement mortar", "", "19 to 23"),
        (GROUPED, "lightweight", "kN/m3", "9 to 20"),
    ],
)
def test_the_cell_that_answers_comes_first(table: Table, row: str, column: str, value: str) -> None:
    found = table_lookup(table, row, column)
    assert found.cells[0].cell.text == value
    assert found.exact


def test_values_of_one_label_are_told_apart_by_the_number_beside_it() -> None:
    made = grid(
        [
            ["Material", "Service class", "Permanent", "Long"],
            ["Solid timber", "1", "0,60", "0,70"],
            ["Solid timber", "2", "0,60", "0,70"],
            ["Solid timber", "3", "0,50", "0,55"],
            ["Boards", "1", "0,30", "0,45"],
        ]
    )
    found = table_lookup(made, "solid timber", "permanent")
    assert [(cell.cell.text, cell.row_headers) for cell in found.cells] == [
        ("0,60", ("Solid timber", "Service class 1")),
        ("0,60", ("Solid timber", "Service class 2")),
        ("0,50", ("Solid timber", "Service class 3")),
    ]
    classes = table_lookup(made, "boards", "service class")
    assert [(cell.cell.text, cell.row_headers) for cell in classes.cells] == [("1", ("Boards",))]


def test_names_under_a_head_of_counts_name_their_rows() -> None:
    table = grid([["Item", "Speed (km/h)", "Radius (m)"], ["Arterial", "40", "70"], ["Local", "50", "60"]])
    assert table_lookup(table, "local", "radius").cells[0].cell.text == "60"
    assert label_columns(table) == 1


@pytest.mark.parametrize(("head", "found"), [("S. No.", "70"), ("Storeys", "60")])
def test_a_column_that_counts_the_rows_names_none_of_them(head: str, found: str) -> None:
    table = grid([[head, "Speed (km/h)", "Radius (m)"], ["30", "40", "70"], ["40", "50", "60"]])
    assert table_lookup(table, "40", "radius").cells[0].cell.text == found


def test_values_are_no_names_of_a_row_where_labels_tell_it() -> None:
    made = grid([["Use", "Load", "Point"], ["Roof", "1", "2"], ["Floor", "1", "2"]])
    assert table_lookup(made, "roof", "point").cells[0].row_headers == ("Roof",)


def test_all_of_a_row_where_no_column_is_named() -> None:
    assert [item.cell.text for item in table_lookup(STAIRS, "utility stair", "").cells] == [
        "150", "190", "250", "400",
    ]  # fmt: skip


def test_nearest_rows_where_nothing_answers_and_never_a_computed_value() -> None:
    found = table_lookup(STAIRS, "utility stair", "noise")
    assert not found.exact
    assert [item.cell.text for item in found.cells] == ["150", "190", "250", "400"]


@pytest.mark.parametrize(
    ("row", "exact"), [("Use 3", True), ("Use 31", False), ("use 5", True), ("Use 41", False)]
)
def test_a_row_of_another_number_is_not_what_was_asked_whatever_stands_beside_it(
    row: str, exact: bool
) -> None:
    uses = grid(
        [["Use", "North", "South"], ["Use 3", "30", "31"], ["Use 4", "20", "41"], ["Use 5", "50", "51"]]
    )
    assert table_lookup(uses, row, "North").exact is exact


def test_no_cell_where_neither_row_nor_column_is_met() -> None:
    found = table_lookup(STAIRS, "escalator", "noise")
    assert not found.exact
    assert found.cells == ()


@pytest.mark.parametrize("table", [grid([]), grid([["only"]]), grid([["Head"]]), grid([[""]], headers=0)])
def test_a_table_of_nothing_answers_nothing_or_its_one_cell(table: Table) -> None:
    found = table_lookup(table, "x", "y")
    assert not found.exact
    assert len(found.cells) <= 1


def test_a_table_without_headers_is_searched_by_its_rows() -> None:
    assert table_lookup(BARE, "6", "").cells[0].cell.text in {"6", "8"}


def test_headers_of_two_rows_are_joined() -> None:
    assert header_rows(STAIRS) == 2
    assert label_columns(STAIRS) == 1
    assert column_headers(STAIRS, 2) == ("Rise", "Maximum (mm)")


def test_rows_read_aloud_with_headers_and_group() -> None:
    said = [text for _, text, _ in row_sentences(STAIRS)]
    assert said[0].startswith("Private stair: Rise, Minimum (mm) 150 mm; Rise, Maximum (mm) 220 mm")
    assert "Concrete, Normal weight: Density kN/m³ 24.0" in [text for _, text, _ in row_sentences(GROUPED)]


@pytest.mark.parametrize(
    ("header", "value", "said"),
    [
        ("Rate (l/s)", "60", "Rate (l/s) 60 l/s"),
        ("Density γ, in kN/m³", "12.0 to 14.0", "Density γ, in kN/m³ 12.0 to 14.0 kN/m³"),
        ("qk [kN/m2]", "2.5", "qk [kN/m2] 2.5 kN/m2"),
        ("U-value W/(m²K)", "0.3", "U-value W/(m²K) 0.3 W/(m²K)"),
        ("Density γ, in kN/m³", "24.0ᵃ,ᵇ", "Density γ, in kN/m³ 24.0ᵃ,ᵇ kN/m³"),
        ("Rate (l/s)", "see note", "Rate (l/s) see note"),
        ("Rate (l/s)", "13 l/s", "Rate (l/s) 13 l/s"),
        ("Rooms (number)", "3", "Rooms (number) 3"),
        ("", "3", "3"),
    ],
)
def test_a_bare_number_takes_the_unit_of_its_header(header: str, value: str, said: str) -> None:
    assert with_unit(header, value) == said


def test_common_words_weigh_less_than_rare_ones() -> None:
    names = ["stair of timber", "stair of steel", "stair of stone"]
    scores = match("steel stair", names)
    assert max(scores) == scores[1]
    assert scores[0] == scores[2] < scores[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Stairs and landings", ["stair", "landing"]),
        ("1,200 mm × 3.5 m²", ["1200", "mm", "3.5", "m2"]),
        ("", []),
        ("−5 °C", ["5", "c"]),
        ("glass", ["glass"]),
        ("Private stair¹,²", ["private", "stair"]),
        ("Roofsᵃ at 5 m²", ["roof", "5", "m2"]),
    ],
)
def test_words_that_can_be_compared(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


def test_a_cell_that_reaches_from_the_row_labels_into_a_column_answers_to_that_column() -> None:
    plain = grid([["Dwelling", "Bedspaces", "Provision"], ["One storey", "2", "Shower"]])
    wide = replace(plain.cells[3], text="No provision is made", column_span=3)
    found = table_lookup(replace(plain, cells=(*plain.cells[:3], wide)), "no provision", "bedspaces")
    assert [item.cell.text for item in found.cells] == ["No provision is made"]
    assert found.cells[0].column_headers == ("Bedspaces",)


RANGES = grid(
    [
        ["Pitch of roof", "μ1", "μ2"],
        ["0° ≤ α ≤ 30°", "0,8", "1,1"],
        ["30° < α < 60°", "0,4", "1,6"],
        ["α ≥ 60°", "0,0", "–"],
    ]
)
STEPS = grid([["Height (m)", "Width (mm)"], ["3", "900"], ["6", "1200"], ["9", "1500"]])
FLUES = grid(
    [
        ["Installation", "Minimum size", ""],
        ["Gas fire", "New flue:", ""],
        ["^", "Rectangular", "90 mm"],
        ["^", "Existing flue: Circular", "125 mm"],
        ["^", "Rectangular", "63 mm"],
    ]
)
STOREYS = grid(
    [
        ["One storey", ""],
        ["Bedspaces", "Provision"],
        ["4", "Shower"],
        ["Two storeys", ""],
        ["Bedspaces", "Provision"],
        ["4", "Bath"],
    ],
    headers=2,
)
FORM = grid([["(a) Rainfall (mm)", ""], ["(b) Daily yield (litres) = [(a) × (c)]/365", ""]], headers=0)


@pytest.mark.parametrize(
    ("table", "row", "column", "value"),
    [
        (RANGES, "40 degrees", "μ1", "0,4"),
        (RANGES, "75°", "μ1", "0,0"),
        (FLUES, "gas fire, existing flue, rectangular", "minimum size", "63 mm"),
        (FLUES, "gas fire, new flue, rectangular", "minimum size", "90 mm"),
        (STOREYS, "one storey, 4 bedspaces", "provision", "Shower"),
        (STOREYS, "two storeys, 4 bedspaces", "provision", "Bath"),
        (FORM, "daily yield (litres)", "formula", "[(a) × (c)]/365"),
    ],
)
def test_words_of_ranges_groups_and_leads(table: Table, row: str, column: str, value: str) -> None:
    assert table_lookup(table, row, column).cells[0].cell.text == value


def test_a_number_between_two_rows_is_never_exact_and_never_interpolated() -> None:
    found = table_lookup(STEPS, "height 5 m", "width")
    assert not found.exact
    assert {item.cell.text for item in found.cells} <= {"900", "1200", "1500"}
    assert table_lookup(STEPS, "height 6 m", "width").exact


@pytest.mark.parametrize(("column", "value"), [("qk", "2.0"), ("Qk", "4.0"), ("Qk [kN]", "4.0")])
def test_a_symbol_is_told_by_its_case_where_both_head_columns(column: str, value: str) -> None:
    loads = grid([["Category", "qk [kN/m2]", "Qk [kN]"], ["A", "2.0", "4.0"], ["B", "3.0", "5.0"]])
    assert table_lookup(loads, "Category A", column).cells[0].cell.text == value


CASES = grid(
    [
        ["", "normal load", "exceptional load"],
        ["case A", "yes", "no"],
        ["case B1", "yes", "yes"],
        ["case B2", "no", "no"],
        ["case B3", "yes as case B2", "yes"],
    ]
)


@pytest.mark.parametrize(
    ("row", "column", "value"),
    [
        ("B2", "exceptional load", "no"),
        ("case B2", "exceptional load", "no"),
        ("exceptional load", "case B2", "no"),  # the other way round
        ("B3", "normal load", "yes as case B2"),
        ("case A", "normal load", "yes"),
    ],
)
def test_the_row_of_a_name_comes_before_a_row_that_mentions_it(row: str, column: str, value: str) -> None:
    found = table_lookup(CASES, row, column)
    assert (found.exact, [one.cell.text for one in found.cells]) == (True, [value])


def test_a_blank_cell_of_the_row_that_was_named_is_not_filled_from_another() -> None:
    table = grid([["", "low", "high"], ["case B2", "1", ""], ["case B3 as B2", "2", "3"]])
    assert not table_lookup(table, "case B2", "high").exact


TWICE = grid([["Wall", "Force Fd/", "Force Fd/"], ["thick", "4 000", "1 500"], ["none", "0", "0"]])


@pytest.mark.parametrize(
    ("row", "column", "exact"),
    [
        ("thick", "Force Fdy", False),  # which of both is meant is not to be told
        ("none", "Force Fd", True),  # both say the same
        ("thick", "", True),  # all of the row was asked for
    ],
)
def test_two_columns_of_one_name_are_never_sure(row: str, column: str, *, exact: bool) -> None:
    found = table_lookup(TWICE, row, column)
    assert (found.exact, any(cell.doubt for cell in found.cells)) == (exact, not exact)


def test_one_head_over_two_columns_is_no_misread_name() -> None:
    table = grid([["Wall", "Force", "<"], ["thick", "4 000", "1 500"]])
    assert not any(cell.doubt for cell in table_lookup(table, "thick", "Force").cells)


def test_what_names_a_cell_are_its_heads_and_labels() -> None:
    table = grid([["Wall", "Force", "<"], ["^", "x", "y"], ["thick", "4 000", "1 500"]], headers=2)
    assert [cell.text for cell in naming(table, table.cells[-1])] == ["Force", "y", "thick"]


@pytest.mark.parametrize(
    ("rows", "row", "column", "value", "exact"),
    [
        ([["Span", "Depth"], ["Not exceeding 5m", "200"]], "not exceeding 5000 mm", "depth", "200", True),
        ([["Span", "Depth"], ["1,5 m", "200"], ["2,5 m", "300"]], "1500 mm", "depth", "200", True),
        ([["Span", "Depth"], ["1.5 m", "200"], ["2.5 m", "300"]], "1,5 m", "depth", "200", True),
        ([["Span", "Depth"], ["5 m", "200"], ["6 m", "300"]], "5001 mm", "depth", "200", False),
        ([["Span (m)", "Depth (mm)"], ["5", "200"], ["6", "300"]], "5000 mm", "depth", "200", True),
        ([["Span (m)", "Depth (mm)"], ["5", "200"], ["6", "300"]], "5 mm", "depth", "200", False),
        ([["Load", "Depth"], ["10 kN/m²", "200"], ["12 kN/m²", "300"]], "10 kPa", "depth", "200", True),
        ([["At", "Depth"], ["20 °C", "200"], ["30 °C", "300"]], "20 K", "depth", "200", False),
        ([["Time", "Depth"], ["90 min", "200"], ["120 min", "300"]], "1.5 h", "depth", "200", True),
    ],
)  # fmt: skip
def test_quantities_of_one_kind_are_met_where_they_are_equal_and_never_by_rounding(
    rows: list[list[str]], row: str, column: str, value: str, *, exact: bool
) -> None:
    found = table_lookup(grid(rows), row, column)
    assert found.exact is exact
    assert not exact or [one.cell.text for one in found.cells] == [value]


def test_cells_that_answer_as_well_and_are_not_shown_are_counted() -> None:
    found = table_lookup(grid([["A", "B"], *([str(n), str(n + 1)] for n in range(7))]), "", "")
    assert (len(found.cells), found.more) == (5, 2)


def test_a_cell_of_several_columns_is_told_with_the_heads_of_each() -> None:
    assert tuple(text for _, text, _ in row_sentences(SPANNED)) == (
        "Private: Width (mm), min 100; Width (mm), max 150; Pitch 42",
        "Public: Width (mm), min, max 199; Pitch 33",
    )


@pytest.mark.parametrize(
    ("codes", "labels"),
    [
        (
            [
                ("N", "P"),
                ("N", "C"),
                ("P", "P"),
                ("N", "N/A"),
                ("P", "C"),
                ("N", "P"),
                ("N", "P"),
                ("P", "C"),
            ],
            1,
        ),
        (
            [
                ("A", "30"),
                ("B", "40"),
                ("C", "50"),
                ("D", "60"),
                ("E", "70"),
                ("F", "80"),
                ("G", "90"),
                ("H", "95"),
            ],
            2,
        ),
    ],
)
def test_letters_that_stand_again_and_again_name_no_row(codes: list[tuple[str, str]], labels: int) -> None:
    rows = [["Use", "Village", "Rural"], *([f"Building of kind {at}", *two] for at, two in enumerate(codes))]
    assert label_columns(grid(rows)) == labels
