"""The deciding cells of a table: the frames around them, the columns they leave open, the marks of notes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.core.document import Box, Cell, Label, Table
from appliance.keeping.kept import marks_in
from appliance.web.reading import tables as deciding

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


WIDER = tuple((*row, more) for row, more in zip(GRID, ("Rise", "mean", "185", "170"), strict=True))
RISES = tuple((*row[:3], *row[1:3]) for row in GRID)


@pytest.mark.parametrize(
    ("grid", "columns", "left_open"),
    [
        (WIDER, (0, 1, 2, 3), ()),
        (WIDER, (2,), ()),
        (WIDER, (0, 1, 2, 3, 4), ("Rise · least", "Rise · most", "Going · least", "Rise · mean")),
        (RISES, (0, 1, 2, 3, 4), ("least", "most")),
    ],
)
def test_a_row_whose_column_is_not_told_is_read_in_its_table(
    grid: tuple[tuple[str, ...], ...], columns: tuple[int, ...], left_open: tuple[str, ...]
) -> None:
    marked = tuple((2, column) for column in columns)
    assert deciding.columns_open(table(grid), marked) == left_open


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


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("18² to 90", ["2"]),
        ("3.0ᵇ", ["b"]),
        ("kN/m²", []),
        ("10⁶", []),
        ("²", ["2"]),
        ("24,0¹)²)", ["1", "2"]),
        ("(see ¹)", ["1"]),
        ("1:80*", ["*"]),
        ("1:80†", []),  # no note of the table has this sign
        ("75*²", ["*", "2"]),
        ("", []),
    ],
)
def test_the_mark_of_a_note_is_no_power(text: str, marks: list[str]) -> None:
    assert list(marks_in(text, {"1", "2", "b", "*"})) == marks
