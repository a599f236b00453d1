"""Which rows are the head: by look, spans and numbers, and in the misread layers of scans."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from appliance.ingest.page import Area, Line
from appliance.ingest.tables.grid import head_rows, make_grid
from tests.ingest.drawn import across, down, lattice, row, view

XS = (60, 200, 300, 400)


def heads(rows: Sequence[Sequence[str]], *, bold: int = 0) -> int:
    """Return the head rows of a ruled table of these texts, the first `bold` rows of it in bold."""
    ys = [100 + 20 * i for i in range(len(rows) + 1)]
    xs = XS[: len(rows[0]) + 1] if len(rows[0]) < len(XS) else (*XS, 500)
    lines: list[Line] = [
        row([(x + 5, text) for x, text in zip(xs, texts, strict=False) if text], y + 15, bold=i < bold)
        for i, (y, texts) in enumerate(zip(ys, rows, strict=False))
    ]
    grid = make_grid(view(lines, lattice(xs, ys)), Area(xs[0], ys[0], xs[-1], ys[-1]))
    assert grid is not None
    return head_rows(grid, ())


@pytest.mark.parametrize(
    ("rows", "bold", "count"),
    [
        ([["Class", "Load"], ["A", "2.0"]], 0, 1),
        ([["A", "2.0"], ["B", "3.0"]], 0, 0),  # values from the first row on
        ([["A", "2.0"], ["B", "3.0"]], 1, 1),  # but for their type
        ([["Class", "Load"], ["", "(kN)"], ["A", "2.0"]], 0, 2),  # a row of units
        ([["Pitch", "0° ≤ α ≤ 30°", "α ≥ 60°"], ["μ1", "0.8", "0.0"]], 0, 1),
        ([["Regions", ",/111", "1)/1"], ["North", "0,70", "0,50"]], 0, 1),  # ψ0 and ψ1, misread
        ([["Rise", "170 mm", "220 mm"], ["Pitch", "42°", "33°"]], 0, 0),  # each row has a unit of its own
        ([["Depth", "3 m", "5 m"], ["Width", "4 m", "6 m"]], 0, 0),  # a unit is no symbol
        ([["Only", "row"]], 0, 0),
        (
            [["Inches", "Steel", "Copper", "85 brass"], ["1", "7.0", "5.5", "5.1"]],
            0,
            1,
        ),  # one name has a number
        ([["Class", "Load", "Area"], ["1", "2", "3"], ["A", "2.0", "7"]], 0, 2),  # the columns are numbered
        ([["Class", "Load", "Area"], ["(1)", "(2)", "(3)"], ["A", "2.0", "7"]], 0, 2),
        ([["Class", "Load", "Area"], ["1", "2", "4"], ["2", "2.0", "7"]], 0, 1),
    ],
)
def test_head_rows(rows: list[list[str]], bold: int, count: int) -> None:
    assert heads(rows, bold=bold) == count


def spanned(rows: Sequence[Sequence[str]], *, bold: bool = False) -> int:
    """Return the head rows of a ruled table of five columns; "<" joins a cell to the one on its left."""
    xs, ys = (60, 160, 250, 340, 430, 520), [100 + 20 * i for i in range(len(rows) + 1)]
    lines: list[Line] = []
    strokes = [across(y, xs[0], xs[-1]) for y in ys] + [down(x, ys[0], ys[-1]) for x in (xs[0], xs[-1])]
    for y, texts in zip(ys, rows, strict=False):
        lines.append(row([(x + 5, t) for x, t in zip(xs, texts, strict=False) if t not in {"", "<"}], y + 15,
                         bold=bold and y == ys[0]))  # fmt: skip
        strokes += [down(x, y, y + 20) for x, t in zip(xs[1:], texts[1:], strict=False) if t != "<"]
    grid = make_grid(view(lines, strokes), Area(xs[0], ys[0], xs[-1], ys[-1]))
    assert grid is not None
    return head_rows(grid, ())


VALUES = [["R 30", "200", "210", "220", "230"], ["R 60", "240", "250", "260", "270"]]


def test_a_row_in_plain_type_with_its_label_is_no_head() -> None:
    named = [["Protection", "<", "Shore", "Village", "Rural"], ["Dwellings", "N", "P", "P", "P"]]
    assert spanned([*named, *VALUES]) == spanned([*named, *VALUES], bold=True) + 1


@pytest.mark.parametrize(
    ("head", "count"),
    [
        ([["Grade", "Concrete", "<", "<", "<"], ["", "M 15", "M 20", "M 25", "M 40 and above"]], 2),


        ([["Fire", "Exposed", "<", "<", "<"], ["", "a = 0.2", "bw = 0.5", "c = 0.7", "d = 0.9"]], 1),


        ([["Size", "Up to 0.25", "<", "0.25 to 0.5", "<"], ["", "400", "600", "400", "500"]], 1),
        ([["Size", "Up to 0.25", "<", "0.25 to 0.5", "<"], ["A", "400", "600", "400", "600"]], 1),  # a row
        ([["Class", "P2", "<", "P3", "<"], ["Storeys", "1", "more than one", "1", "2"]], 2),
        ([["Class", "P1", "<", "<", "P2"], ["Load", "above 1,200", "600-1,200", "less than 600", "-"]], 2),
    ],
)  # fmt: skip
def test_what_stands_under_a_head_of_several_columns_names_each(head: list[list[str]], count: int) -> None:
    assert spanned([*head, *VALUES]) == count
