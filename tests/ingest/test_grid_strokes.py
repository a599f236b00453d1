"""Drawings in the cells of a ruled table: their edges part nothing, its rules do."""

from __future__ import annotations

import pytest

from appliance.ingest.geometry import Area, Rule, Ruling
from appliance.ingest.tables.grid import make_grid
from appliance.ingest.tables.rules_mended import without_strokes
from tests.ingest.drawn import lattice, line, view
from tests.ingest.drawn import row as printed

AREA = Area(0, 0, 400, 400)
ACROSS = tuple(Rule(y, 0, 400) for y in (0, 30, 150, 400))
DOWN = (Rule(0, 0, 400), Rule(100, 30, 400), Rule(250, 150, 400), Rule(400, 0, 400))


def box(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    return (Rule(y0, x0, x1), Rule(y1, x0, x1)), (Rule(x0, y0, y1), Rule(x1, y0, y1))


@pytest.mark.parametrize(
    ("across", "down", "left"),
    [
        ((), (), (0, 0)),
        (*box(120, 60, 160, 120), (0, 0)),  # in a cell
        (*box(102, 60, 160, 120), (0, 0)),  # two points off a rule
        ((Rule(60, 240, 290), Rule(65, 240, 290)), (Rule(262, 65, 110), Rule(268, 65, 110)), (1, 0)),  # a web
        ((), (Rule(130, 60, 110),), (0, 0)),  # a dimension line beside it
        ((Rule(90, 130, 180),), (), (1, 0)),  # a line across by itself parts no column
        ((), (Rule(180, 30, 150),), (0, 1)),  # between two rules: a parting of that row
        ((Rule(60, 110, 240),), (Rule(180, 60, 150),), (1, 1)),  # under a head over two columns
        ((Rule(275, 100, 250),), (Rule(180, 275, 400),), (1, 1)),  # between rules that part cells
        ((Rule(90, 0, 60),), (Rule(60, 30, 90),), (1, 1)),  # the corner of a cell
    ],
)
def test_edges_of_drawings_are_left_out(
    across: tuple[Rule, ...], down: tuple[Rule, ...], left: tuple[int, int]
) -> None:
    rules = Ruling(tuple(sorted((*ACROSS, *across))), tuple(sorted((*DOWN, *down))), ())
    found = without_strokes(rules, AREA)
    assert (len(found.horizontal) - len(ACROSS), len(found.vertical) - len(DOWN)) == left
    assert set(ACROSS) <= set(found.horizontal)
    assert set(DOWN) <= set(found.vertical)


def test_without_rules_nothing_is_left_out() -> None:
    assert without_strokes(Ruling((), (), ()), AREA) == Ruling((), (), ())


@pytest.mark.parametrize("off", [-2, 2, 12])
def test_the_values_of_each_column_stay_apart_beside_a_drawing(off: int) -> None:
    xs, ys = (60, 120, 250, 380, 510), (100, 170, 195, 220)
    values = [("Class", "bending", "compression", "both"), ("1", "c/t < 72", "c/t < 33", "c/t < 36")]
    lines = [
        printed([(x + 4, text) for x, text in zip(xs, texts, strict=False)], y + 18)
        for texts, y in zip(values, ys[1:], strict=False)
    ]
    strokes = lattice(xs, ys)
    for x in xs[1:4]:
        left = x + off
        strokes += lattice((left, left + 40), (115, 120)) + lattice((left, left + 40), (150, 155))
        strokes += lattice((left + 18, left + 22), (120, 150))
    grid = make_grid(view([line("c", 140, 140), *lines], strokes), Area(60, 100, 510, 220), captioned=True)
    assert grid is not None
    assert (grid.rows, grid.columns) == (3, 4)
    rows = [[" ".join(w.text for w in c.words) for c in grid.cells if c.row == at] for at in (1, 2)]
    assert rows == [list(texts) for texts in values]
