"""Which rows are the head: by look, spans and numbers, and in the misread layers of scans."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from appliance.ingest.geometry import Area
from appliance.ingest.page import Line
from appliance.ingest.tables.grid import make_grid
from appliance.ingest.tables.headers import head_rows
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
        ([["Class", "Load", "Area"], ["1", "2", "3"], ["A", "2.0", "7"]], 0, 2),  # the columns are numbered
        ([["Class", "Load", "Area"], ["(1)", "(2)", "(3)"], ["A", "2.0", "7"]], 0, 2),
        ([["Class", "Load", "Area"], ["1", "2", "4"], ["2", "2.0", "7"]], 0, 1),
    ],
)
def test_head_rows(rows: list[list[str]], bold: int, count: int) -> None:
    assert heads(rows, bold=bold) == count


@pytest.mark.parametrize(
    ("names", "count"),
    [
        (("cpe,10", "cpe,1", "cpe,10", "cpe,1"), 2),  # symbols with their index are no values
        (("M20", "M25", "M20", "M25"), 2),
        (("X0", "XC2 / XC3", "XC4", "XD1/XS1"), 2),  # several names of one column
        (("C12/15", "C20/25", "C25/30", "C100/115"), 2),
        (("S1–S3", "S4", "S5, S6", "S7"), 2),
        (("20", "25", "20", "25"), 1),
        (("mm2", "m2", "mm2", "m2"), 1),  # a unit with its power, to be filled in
        (("2 m", "3 m", "2 m", "3 m"), 1),
    ],
)
def test_names_with_figures_under_a_head_of_several_columns_are_heads(
    names: Sequence[str], count: int
) -> None:
    xs, ys = (60, 120, 180, 240, 300, 360), (100, 120, 140, 160)
    strokes = [across(y, xs[0], xs[-1]) for y in ys]
    strokes += [down(x, 100 if x in (60, 120, 240, 360) else 120, 160) for x in xs]
    lines = [
        row([(62, "Zone"), (145, "A"), (265, "B")], 115),
        row([(62, "h/d"), *((x + 2, name) for x, name in zip(xs[1:], names, strict=False))], 135),
        row([(62, "5"), *((x + 2, "-1,2") for x in xs[1:5])], 155),
    ]
    grid = make_grid(view(lines, strokes), Area(60, 100, 360, 160))
    assert grid is not None
    assert head_rows(grid, ()) == count


@pytest.mark.parametrize(
    ("title", "count"),
    [
        ("Exposure class according to Table 4.1", 3),  # a table that is named is no value
        ("Exposure class by EN 1990", 3),
        ("35", 1),
    ],
)
def test_a_head_that_names_a_table_is_one_still(title: str, count: int) -> None:
    xs, ys = (60, 160, 260, 360), (100, 120, 140, 160, 180)
    strokes = [across(y, 160 if y == 140 else 60, 360) for y in ys]
    strokes += [down(60, 100, 180), down(360, 100, 180), down(160, 120, 180), down(260, 140, 180)]
    lines = [
        row([(62, "Requirement for the cover (mm)")], 115, bold=True),
        row([(62, "Class"), (162, title)], 135),
        row([(162, "X0"), (262, "XC1")], 155),
        row([(62, "S1"), (162, "10"), (262, "15")], 175),
    ]
    grid = make_grid(view(lines, strokes), Area(xs[0], ys[0], xs[-1], ys[-1]))
    assert grid is not None
    assert head_rows(grid, ()) == count


def spanned(rows: Sequence[Sequence[str]]) -> int:
    """Return the head rows of a ruled table of five columns; "<" joins a cell to the one on its left."""
    xs, ys = (60, 160, 250, 340, 430, 520), [100 + 20 * i for i in range(len(rows) + 1)]
    lines: list[Line] = []
    strokes = [across(y, xs[0], xs[-1]) for y in ys] + [down(x, ys[0], ys[-1]) for x in (xs[0], xs[-1])]
    for y, texts in zip(ys, rows, strict=False):
        lines.append(row([(x + 5, t) for x, t in zip(xs, texts, strict=False) if t not in {"", "<"}], y + 15))
        strokes += [down(x, y, y + 20) for x, t in zip(xs[1:], texts[1:], strict=False) if t != "<"]
    grid = make_grid(view(lines, strokes), Area(xs[0], ys[0], xs[-1], ys[-1]))
    assert grid is not None
    return head_rows(grid, ())


VALUES = [["R 30", "200", "210", "220", "230"], ["R 60", "240", "250", "260", "270"]]


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
