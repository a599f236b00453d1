"""Which rows are the head: by look, spans and numbers, and in the misread layers of scans."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from appliance.ingest.grid import make_grid
from appliance.ingest.page import Line
from appliance.ingest.rules import Area
from appliance.ingest.table_heads import head_rows
from tests.ingest.drawn import lattice, row, view

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
        ([["Pitch", "0° S; a s; 30°", "30° < a< 60°", "a?: 60°"], ["Jil", "0,8", "0,4", "0,0"]], 0, 1),
        ([["Regions", ",/111", "1)/1"], ["North", "0,70", "0,50"]], 0, 1),  # ψ0 and ψ1, misread
        ([["Rise", "170 mm", "220 mm"], ["Pitch", "42°", "33°"]], 0, 0),  # each row has a unit of its own
        ([["Depth", "3 m", "5 m"], ["Width", "4 m", "6 m"]], 0, 0),  # a unit is no symbol
        ([["Only", "row"]], 0, 0),
    ],
)
def test_head_rows(rows: list[list[str]], bold: int, count: int) -> None:
    assert heads(rows, bold=bold) == count
