"""Cells over several columns that hold a value of each are told; one value for several columns is not."""

from __future__ import annotations

import pytest

from appliance.ingest.geometry import Area
from appliance.ingest.tables.cells import rows_of
from appliance.ingest.tables.doubts import lumped_cells, lumped_problems
from appliance.ingest.tables.grid import Grid, GridCell
from tests.ingest.drawn import row, view

XS = (60.0, 160.0, 260.0, 360.0)


def grid(texts: tuple[tuple[float, str], ...], span: int = 2) -> Grid:
    heads = [
        GridCell(0, at, 1, 1, tuple(rows_of(row([(x + 4, "n 1")], 110).words)), Area(x, 100, x + 100, 120))
        for at, x in enumerate(XS[:-1])
    ]
    lines = tuple(rows_of(row(texts, 130).words)) if texts else ()
    return Grid((*heads, GridCell(1, 1, 1, span, lines, Area(160, 120, 160 + 100 * span, 140))), 2, 3)


@pytest.mark.parametrize(
    ("texts", "span", "told"),
    [
        (((164, "c/t < 33"), (264, "c/t < 36")), 2, True),
        (((164, "33"), (264, "none")), 2, False),  # one figure
        (((230, "33 to 36 mm"),), 2, False),  # one run over both
        (((164, "33"), (215, "36")), 2, False),  # in one column
        (((164, "c/t < 33"), (200, "c/t < 36")), 1, False),  # a cell of one column
        ((), 2, False),
    ],
)
def test_values_of_several_columns_in_one_cell_are_told(
    texts: tuple[tuple[float, str], ...], span: int, *, told: bool
) -> None:
    made = grid(texts, span)
    assert bool(list(lumped_cells(made, 1))) is told
    assert not list(lumped_cells(made, 2))  # heads may stand so


def test_the_problem_is_a_doubt_in_the_box_of_the_cell() -> None:
    (problem,) = lumped_problems(
        view([row([(60, "x")], 50)]), grid(((164, "c/t < 33"), (264, "c/t < 36"))), 1, "Table 5.2"
    )
    assert problem.doubt
    assert problem.box is not None
    assert problem.message.startswith("“c/t < 33 c/t < 36” in Table 5.2 on page 1 holds several values")
