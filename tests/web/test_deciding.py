"""The deciding cells of a table as values under their headers, and the frames around them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Box, Cell, Label, Table, TableNote
from appliance.keeping import tables
from appliance.web.answers import deciding
from appliance.web.answers.deciding import Row, Value

GRID = (
    ("", "Rise", "Rise", "Going"),
    ("Stair", "least", "most", "least"),
    ("Private", "150", "220", "220"),
    ("Utility", "150", "190", "250"),
)


def box(row: int, column: int, page: int = 1) -> Box:
    return Box(page, 0.1 + 0.2 * column, 0.1 + 0.05 * row, 0.3 + 0.2 * column, 0.15 + 0.05 * row)


def table(rows: tuple[tuple[str, ...], ...] = GRID, *, second_page_from: int = 99) -> Table:
    cells = tuple(
        Cell(row, column, text, box(row, column, 1 + (column >= second_page_from)), header=row < 2)
        for row, line in enumerate(rows)
        for column, text in enumerate(line)
    )
    return Table(Label(("Table 1",)), "Rise and going", cells, notes=(), boxes=(box(0, 0),))


@pytest.mark.parametrize(
    ("marked", "rows"),
    [
        (
            ((2, 0), (2, 1), (2, 2)),
            (Row("Private", (Value(("Rise", "least"), "150"), Value(("Rise", "most"), "220"))),),
        ),
        (((3, 3),), (Row("Utility", (Value(("Going", "least"), "250"),)),)),
        (((2, 0),), (Row("", (Value(("Stair",), "Private"),)),)),
        (((0, 1), (1, 1)), ()),
        (((9, 9),), ()),
        ((), ()),
    ],
)
def test_a_value_stands_under_its_headers(marked: tuple[tuple[int, int], ...], rows: tuple[Row, ...]) -> None:
    assert deciding.rows(table(), marked) == rows


WIDER = tuple((*row, more) for row, more in zip(GRID, ("Rise", "mean", "185", "170"), strict=True))
RISES = tuple((*row[:3], *row[1:3]) for row in GRID)


@pytest.mark.parametrize(
    ("grid", "columns", "shown", "left_open"),
    [
        (WIDER, (0, 1, 2, 3), 3, ()),
        (WIDER, (2,), 1, ()),
        (WIDER, (0, 1, 2, 3, 4), 0, ("Rise · least", "Rise · most", "Going · least", "Rise · mean")),
        (RISES, (0, 1, 2, 3, 4), 0, ("least", "most")),
    ],
)
def test_a_row_whose_column_is_not_told_is_read_in_its_table(
    grid: tuple[tuple[str, ...], ...], columns: tuple[int, ...], shown: int, left_open: tuple[str, ...]
) -> None:
    marked = tuple((2, column) for column in columns)
    assert sum(len(row.values) for row in deciding.rows(table(grid), marked)) == shown
    assert deciding.columns_open(table(grid), marked) == left_open


def test_a_header_over_two_columns_is_that_of_both() -> None:
    cells = (
        Cell(0, 0, "", box(0, 0), header=True),
        Cell(0, 1, "Load", box(0, 1), column_span=2, header=True),
        Cell(1, 0, "A", box(1, 0)),
        Cell(1, 1, "2.0", box(1, 1)),
        Cell(1, 2, "3.0", box(1, 2)),
    )
    found = deciding.rows(Table(Label(("T",)), "", cells, notes=(), boxes=()), ((1, 1), (1, 2)))
    assert found == (Row("A", (Value(("Load",), "2.0"), Value(("Load",), "3.0"))),)


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (
            ("Dwellings", "External balconies, including those with edges of a roof", "1100 mm"),
            ("Dwellings · External balconies, including those with edges of a roof", ("1100 mm",)),
        ),
        (("3", "Central uplands", "1.30"), ("3 · Central uplands", ("1.30",))),
        (("Windswept", "not allowed", "none"), ("Windswept", ("not allowed", "none"))),
    ],
)
def test_the_words_before_the_first_number_head_the_row(
    line: tuple[str, ...], row: tuple[str, tuple[str, ...]]
) -> None:
    (found,) = deciding.rows(table((("h",) * 3, ("k",) * 3, line)), ((2, 0), (2, 1), (2, 2)))
    assert (found.head, tuple(value.text for value in found.values)) == row


def test_numbers_that_head_a_row_come_with_the_heads_of_their_columns() -> None:
    """Of a first cell over several rows the next one tells the row."""
    lines = (("Flow", "Size", "Fall"), ("< 1", "75", "1:40"), ("", "100", "1:80"))
    cells = tuple(
        Cell(row, column, text, box(row, column), row_span=1 + (text == "< 1"), header=row == 0)
        for row, line in enumerate(lines)
        for column, text in enumerate(line)
        if text
    )
    (found,) = deciding.rows(Table(Label(("T",)), "", cells, notes=(), boxes=()), ((2, 2),))
    assert found == Row("Flow < 1 · Size 100", (Value(("Fall",), "1:80"),))


def test_many_values_and_sentences_are_read_in_the_table_itself() -> None:
    long = (
        ("h", "h"),
        ("h", "h"),
        ("Private", "provide a handrail on each side of every flight of the stair"),
    )
    assert deciding.rows(table(long), ((2, 1),)) == ()
    many = tuple((row, column) for row in (2, 3) for column in (1, 2, 3))
    assert deciding.rows(table(), many)
    wide = (("h",) * 12, ("h",) * 12, tuple(map(str, range(12))))
    assert deciding.rows(table(wide), tuple((2, column) for column in range(12))) == ()


def test_a_row_has_one_frame_and_scattered_cells_their_own() -> None:
    row = deciding.boxes(table(), ((2, 0), (2, 1), (2, 2)))
    assert len(row) == 1
    assert (row[0].x0, round(row[0].x1, 2)) == (0.1, 0.7)
    assert len(deciding.boxes(table(), ((2, 0), (2, 3)))) == 2
    assert len(deciding.boxes(table(), ((2, 1), (3, 1)))) == 2
    assert len(deciding.boxes(table(second_page_from=2), ((2, 1), (2, 2)))) == 2, "no frame over two pages"
    assert deciding.boxes(table(), ((9, 9),)) == ()


def test_a_cell_over_several_rows_makes_no_frame_around_the_rows_beside_it() -> None:
    tall = replace(table().cells[8], row_span=2, box=Box(1, 0.1, 0.2, 0.3, 0.3))
    cells = (*table().cells[:8], tall, *table().cells[9:12], *table().cells[13:])
    found = deciding.boxes(replace(table(), cells=cells), ((2, 0), (2, 1), (2, 2)))
    assert [round(frame.y1 - frame.y0, 2) for frame in found] == [0.05, 0.1]


NOTED = replace(
    table((("", "Fall", "Load, in kN/m²"), ("", "mm", "qk"), ("Drain¹", "18² to 90", "3.0ᵇ"))),
    notes=(
        TableNote("1", "Foul water.", box(3, 0)),
        TableNote("2", "9 mm on long runs.", box(3, 0)),
        TableNote("b", "Not on roofs.", box(3, 0)),
        TableNote("*", "With one WC.", box(3, 0)),
    ),
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("18² to 90", [("18", ""), ("2", "2"), (" to 90", "")]),
        ("3.0ᵇ", [("3.0", ""), ("b", "b")]),
        ("kN/m²", [("kN/m²", "")]),
        ("10⁶", [("10⁶", "")]),
        ("²", [("2", "2")]),
        ("24,0¹)²)", [("24,0", ""), ("1", "1"), ("2", "2")]),
        ("(see ¹)", [("(see ", ""), ("1", "1")]),
        ("1:80*", [("1:80", ""), ("*", "*")]),
        ("1:80†", [("1:80†", "")]),  # no note of the table has this sign
        ("75*²", [("75", ""), ("*", "*"), ("2", "2")]),
        ("", []),
    ],
)
def test_the_mark_of_a_note_is_no_power(text: str, shown: list[tuple[str, str]]) -> None:
    assert [(piece.text, piece.mark) for piece in tables.pieces(text, NOTED)] == shown


@pytest.mark.parametrize(
    ("marked", "notes"),
    [(((2, 1),), ["1", "2"]), (((2, 2),), ["1", "b"]), (((2, 1), (2, 2)), ["1", "2", "b"]), ((), [])],
)
def test_the_notes_of_a_value_are_those_that_it_and_its_heads_bear(
    marked: tuple[tuple[int, int], ...], notes: list[str]
) -> None:
    found = deciding.notes(NOTED, deciding.rows(NOTED, marked))
    assert [note.mark for note in found] == notes
