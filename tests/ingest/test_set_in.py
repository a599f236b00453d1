"""Labels that are set in under others, and labels that only begin where their length lets them."""

from __future__ import annotations

import pytest

from appliance.ingest.page import Area
from appliance.ingest.tables.cells import Row
from appliance.ingest.tables.grid import Grid, GridCell, set_in
from tests.ingest.drawn import words

AREA = Area(50, 0, 300, 400)


def _grid(labels: list[tuple[float, str]]) -> Grid:
    lines = [Row(tuple(words(text, x, 20.0 * n))) for n, (x, text) in enumerate(labels)]
    cells = [GridCell(n, 0, 1, 1, (line,), AREA) for n, line in enumerate(lines)]
    return Grid(tuple(cells), len(cells), 2)


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ([(60, "Head"), (60, "Snow"), (68, "High"), (68.4, "Lower"), (60, "Wind")], {2, 3}),
        ([(60, "Head"), (60, "Traffic"), (60, "- Cars"), (67, "Lorries"), (60, "Wind")], {2, 3}),
        ([(60, "Head"), (60, "Snow"), (60, "High"), (60, "Wind")], set()),
        ([(60, "Head"), (60, "Snow"), (60, "Wind"), (68, "High")], set()),  # one alone tells nothing
        ([(60, "Head"), (60, "Snow"), (65, "A"), (70, "B"), (75, "C"), (60, "Wind")], set()),
        ([(60, "Head"), (60, "Snow"), (150, "A"), (150, "B"), (60, "Wind")], set()),  # too far
        ([(60, "Head"), (60, "Angle"), (65, "5"), (60, "10"), (65, "6"), (60, "12")], set()),
        ([], set()),
    ],
)
def test_labels_that_several_lines_begin_further_in_are_set_in(
    labels: list[tuple[float, str]], found: set[int]
) -> None:
    assert set(set_in(_grid(labels), 1)) == found
