"""Small open tables in drawings are found by their rules, charts and closed grids are not."""

import pytest

from appliance.ingest.layout.pages import arrange
from appliance.ingest.page import PageContent, PageLayout, Source, Stroke, Word
from appliance.ingest.tables.boxes import open_grids, small_grids
from appliance.ingest.view import views


def down(x: float, top: float, bottom: float) -> Stroke:
    return Stroke(x, top, x, bottom, "line")


def across(y: float, left: float, right: float) -> Stroke:
    return Stroke(left, y, right, y, "line")


OPEN = (across(120, 100, 220), down(140, 105, 180), down(180, 106, 178), across(180, 100, 220))
ROWS = (("h", "T1", "T2"), ("0.2", "13", "4"), ("0.3", "16", "4"), ("0.4", "18", "5"))


def words(rows: tuple[tuple[str, ...], ...] = ROWS) -> tuple[Word, ...]:
    return tuple(
        Word(text, 110 + 40 * column, 108 + 16 * row, 130 + 40 * column, 117 + 16 * row, "F", 9.0)
        for row, line in enumerate(rows)
        for column, text in enumerate(line)
    )


def layout(strokes: tuple[Stroke, ...], said: tuple[Word, ...], trust: str = "ocr") -> PageLayout:
    page = PageContent(1, 600, 800, "", said, strokes, (), trust=trust)  # type: ignore[arg-type]
    return arrange(Source("", "", (page,), ()))[0]


@pytest.mark.parametrize(
    ("strokes", "found"),
    [
        (OPEN, 1),
        ((*OPEN, down(100, 105, 180), down(220, 105, 180)), 0),  # closed at its sides: no open grid
        ((*OPEN, across(150, 100, 220)), 0),  # ruled rows
        (OPEN[:2], 0),  # two columns only
        (tuple(across(100 + 20 * n, 100, 220) for n in range(6)), 0),
        ((), 0),
    ],
)
def test_what_an_open_grid_is(strokes: tuple[Stroke, ...], found: int) -> None:
    (view,) = views(layout(strokes, words()))
    assert len(open_grids(view)) == found


def test_its_cells_are_values() -> None:
    (view,) = views(layout(OPEN, words()))
    ((_, grid),) = small_grids(view)
    assert grid.columns == 3
    assert [word.text for cell in grid.cells for word in cell.words][-3:] == ["0.4", "18", "5"]
    named = tuple(tuple("name" for _ in row) for row in ROWS)
    (view,) = views(layout(OPEN, words(named)))
    assert small_grids(view) == []
