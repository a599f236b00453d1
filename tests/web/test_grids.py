"""Tables as rows: spans, headers, holes of broken grids, and excerpts that count what they leave out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from appliance.core.document import Box, Cell, Label, Table
from appliance.tables.rows import header_rows
from appliance.web.reading.tables import Grid, excerpt, whole

BOX = Box(1, 0.1, 0.1, 0.2, 0.2)


def table(*cells: tuple[int, int, str] | tuple[int, int, str, int, int], header: int = 1) -> Table:
    """Cells as (row, column, text[, row span, column span]); the first rows are header."""
    made = [
        Cell(item[0], item[1], item[2], BOX, *(item[3:] or (1, 1)), header=item[0] < header) for item in cells
    ]
    return Table(Label(("T",)), "", tuple(made), (), (BOX,))


def tall(rows: int) -> Table:
    return table(*((row, column, f"{row}.{column}") for row in range(rows) for column in range(2)))


def texts(grid: Grid) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in (*grid.header, *grid.body)]


@pytest.mark.parametrize(
    ("made", "header", "shown"),
    [
        (table(), 0, []),
        (table((0, 0, "a"), (0, 1, "b"), (1, 0, "c"), (1, 1, "d")), 1, [["a", "b"], ["c", "d"]]),
        (table((0, 0, "a", 1, 2), (1, 0, "c"), (1, 1, "d")), 1, [["a"], ["c", "d"]]),
        (table((0, 0, "a", 2, 1), (0, 1, "b"), (1, 1, "d")), 1, [["a", "b"], ["d"]]),
        (table((0, 0, "a"), (2, 1, "z")), 2, [["a", ""], ["", ""], ["", "z"]]),
        (
            table((0, 0, "a", 1, 2), (0, 1, "under a span"), (1, 0, "c")),
            1,
            [["a", "under a span"], ["c", ""]],
        ),
        (table((0, 0, "only"), header=1), 1, [["only"]]),
        (table((0, 0, "no header"), header=0), 0, [["no header"]]),
    ],
    ids=["empty", "plain", "wide header", "tall cell", "holes", "overlap", "only header", "no header"],
)
def test_no_text_of_a_grid_is_lost(made: Table, header: int, shown: list[list[str]]) -> None:
    assert header_rows(made) == header
    assert texts(whole(made)) == shown
    assert {cell.text for cell in made.cells} <= {text for row in shown for text in row}


def test_a_row_knows_the_heading_of_its_group() -> None:
    made = table(
        (0, 0, "Use"),
        (0, 1, "Class"),
        (1, 0, "Attics"),
        (2, 0, "- voids"),
        (2, 1, "B"),
        (3, 0, "Saunas"),
        (3, 1, "D"),
    )
    assert [row.under for row in whole(made).body] == [None, 1, None]


def test_of_long_sentences_the_deciding_row_stands_alone() -> None:
    made = table((0, 0, "Tank"), *((row, 0, f"{row} " + "protect it " * 60) for row in range(1, 5)))
    shown = excerpt(made, [(3, 0)])
    assert [row.cells[0].text[:2] for row in shown.body] == ["3 "]
    assert (shown.body[0].skipped, shown.skipped) == (2, 1)
    assert len(excerpt(made, []).body) == 4


@pytest.mark.parametrize(
    ("rows", "marked", "left_out"),
    [
        (10, [(4, 1)], [0]),  # short: whole
        (40, [], [0]),  # nothing decides: whole
        (40, [(20, 1)], [18, 18]),
        (40, [(1, 1)], [0, 37]),
        (40, [(39, 0)], [37, 0]),
        (40, [(10, 0), (11, 1)], [8, 27]),
        (40, [(10, 0), (30, 1)], [8, 17, 8]),
        (40, [(99, 0)], [0]),  # a mark outside the table marks nothing
    ],
)
def test_an_excerpt_shows_deciding_rows_and_counts_the_rest(
    rows: int, marked: Sequence[tuple[int, int]], left_out: list[int]
) -> None:
    grid = excerpt(tall(rows), marked)
    counted = [row.skipped for row in grid.body if row.skipped] + [grid.skipped]
    assert sum(counted) + len(grid.body) == rows - 1
    assert [number for number in counted if number] == [number for number in left_out if number]
    assert grid.whole == (not any(left_out))
    assert {cell.text for row in grid.body for cell in row.cells if cell.marked} == {
        f"{row}.{column}" for row, column in marked if row < rows
    }


def test_an_excerpt_repeats_a_cell_that_spans_rows_left_out() -> None:
    cells = [(row, 1, f"v{row}") for row in range(1, 30)]
    made = table((0, 0, "name"), (0, 1, "value"), (1, 0, "timber", 29, 1), *cells)
    rows = [[cell.text for cell in row.cells] for row in excerpt(made, [(20, 1)]).body]
    assert rows == [["timber", "v19"], ["timber", "v20"], ["timber", "v21"]]


def test_a_mark_anywhere_in_a_spanning_cell_marks_it() -> None:
    made = table((0, 0, "h"), (0, 1, "h"), (1, 0, "wide", 1, 2), (2, 0, "x"), (2, 1, "y"))
    assert [cell.marked for cell in whole(made, [(1, 1)]).body[0].cells] == [True]


def test_a_table_of_thousands_of_rows_is_shown() -> None:
    assert len(whole(tall(5_000)).body) == 4_999
