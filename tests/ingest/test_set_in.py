"""Labels that are set in under others, and labels that only begin where their length lets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.ingest.geometry import Area
from appliance.ingest.tables.cells import Row
from appliance.ingest.tables.grid import Grid, GridCell
from appliance.ingest.tables.headers import set_in
from appliance.tables.rows import rows
from tests.ingest.drawn import words
from tests.ingest.paper import LEFT, opened

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


@pytest.mark.parametrize("ends", [True, False], ids=["ended at one place", "centred"])
def test_labels_with_one_end_or_one_middle_are_not_set_in(ends: bool) -> None:
    widths = (50.0, 30.0, 50.0, 30.0)  # of words of so many letters, each half a type size wide
    labels = [(100 - width / (1 if ends else 2), "w" * round(width / 5)) for width in widths]
    assert set_in(_grid(labels), 0) == {}


def test_wind_behind_the_sites_of_snow_is_no_snow(tmp_path: Path) -> None:
    paper = opened()
    lines = [
        ("Imposed loads in buildings", "", ""),
        (" Offices", "0.7", "0.5"),
        (" Shops", "0.7", "0.6"),
        ("Snow loads on buildings", "", ""),
        (" At a high altitude", "0.5", "0.2"),
        (" At a low altitude", "0.4", "0.1"),
        ("Wind loads on buildings", "0.5", "0.2"),
        ("Temperature in buildings", "0.6", "0.5"),
    ]
    y = paper.y
    paper.put("Table 1 Factors for buildings", LEFT, y)
    for n, cells in enumerate([("Action", "First", "Second"), *lines]):
        at = y + 20 + 16 * n
        for x, text in zip((LEFT + 3, 330, 430), cells, strict=True):
            paper.put(text.strip(), x + 9 * text.startswith(" "), at)
        paper.rule(at + 5, 400)
    document = paper.read(tmp_path)
    (table,) = document.tables
    groups = [line.group for line in rows(table)]
    assert groups == ["", *["Imposed loads in buildings"] * 2, "", *["Snow loads on buildings"] * 2, "", ""]
