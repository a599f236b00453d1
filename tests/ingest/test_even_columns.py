"""Months side by side, and rows with one value for two, four or six of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.ingest.tables.cells import Row
from appliance.ingest.tables.separators import shown, together
from tests.ingest.drawn import words
from tests.ingest.paper import LEFT, TEXT, opened

MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
VALUES = [f"0.{n}" for n in range(60, 72)]
STEP, FIRST = 34.0, 130.0  # points from month to month, the middle of the first
SPANS = {"2 months": 2, "4 months": 4, "6 months": 6}


def _row(y: float, texts: list[tuple[float, str]]) -> Row:
    """Return a line of texts by their middles, letters being half a type size of 10 points wide."""
    return Row(tuple(word for x, text in texts for word in words(text, x - 2.5 * len(text), y)))


def _line(y: float, label: str, values: list[str], each: int = 1) -> Row:
    middles = [FIRST + STEP * (each * n + (each - 1) / 2) for n in range(len(values))]
    return _row(y, [(70, label), *zip(middles, values, strict=True)])


def test_a_head_and_a_row_under_it_show_the_columns() -> None:
    rows = [_line(20, "Month", MONTHS), _line(40, "1", VALUES), _line(60, "2", VALUES[::2], 2)]
    found = shown(rows, 30)
    assert len(found) == 12
    assert all(abs(x - (FIRST - STEP / 2 + STEP * n)) < 1 for n, x in enumerate(found[1:], start=1))


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [_line(20, "Month", MONTHS), _line(60, "2", VALUES[::2], 2)],  # no row with a value for each
        [_line(20, "Month", MONTHS[:4]), _line(40, "1", VALUES[:4])],  # few
        [
            _line(20, "Month", [*MONTHS[:7]]),
            _row(40, [(70, "1"), *((90.0 + 20 * n, "0.5") for n in range(7))]),
        ],
    ],
)
def test_other_lines_show_none(rows: list[Row]) -> None:
    assert shown(rows, 30) == []


@pytest.mark.parametrize(
    ("row", "found"),
    [
        (_line(60, "2", VALUES[::2], 2), {1, 3, 5, 7, 9, 11}),
        (_line(60, "6", VALUES[:2], 6), {*range(1, 6), *range(7, 12)}),
        (_line(60, "3", VALUES[:4], 3), set()),  # could be one of each three alone
        (_line(60, "1", VALUES), set()),
        (_row(60, [(70, "2"), (FIRST, "0.5"), (FIRST + 5 * STEP, "0.6")]), set()),
        (_row(60, [(70, "none")]), set()),
    ],
)
def test_a_value_in_the_middle_of_several_columns_is_that_of_all(row: Row, found: set[int]) -> None:
    assert together(row, [FIRST - STEP / 2 + STEP * n for n in range(12)]) == found


@pytest.mark.parametrize("ruled", [True, False])
def test_the_months_of_a_table_and_its_seasons(ruled: bool, tmp_path: Path) -> None:
    paper = opened()
    top = paper.y
    paper.put("Table 1 - Season factor", LEFT, top)
    paper.rule(top + 5, 460)
    lines = [("Month", MONTHS, 1), ("1 month", VALUES, 1)]
    lines += [(label, VALUES[::each], each) for label, each in SPANS.items()]
    for n, (label, texts, each) in enumerate(lines):
        paper.put(label, LEFT + 3, top + 18 + 17 * n)
        for at, text in enumerate(texts):
            middle = FIRST + STEP * (each * at + (each - 1) / 2)
            paper.put(text, middle - 2.2 * len(text), top + 18 + 17 * n)
        if ruled or n in (0, len(lines) - 1):
            paper.rule(top + 24 + 17 * n, 460)
    paper.y = top + 140
    paper.heading("3", "Verification")
    paper.prose(TEXT)
    (table,) = paper.read(tmp_path).tables
    filled = [cell for cell in table.cells if cell.text and cell.column and cell.row]
    assert len(filled) == 12 + 6 + 3 + 2
    assert {(cell.row, cell.column_span) for cell in filled} == {(1, 1), (2, 2), (3, 4), (4, 6)}
    assert [cell.text for cell in filled if cell.row == 3] == VALUES[::4]
