"""Columns end at a rule drawn over the whole width of the text."""

from __future__ import annotations

from appliance.ingest.layout.pages import arrange
from appliance.ingest.page import PageContent, Source, Stroke, Word
from tests.ingest.drawn import words

LEFT, RIGHT, END = 60.0, 310.0, 540.0
PROSE = "words that fill a line of one of the two columns"


def _order(*rules: float) -> list[str]:
    """Return the first words of the lines of a page of two bands of two columns."""
    found: list[Word] = []
    for band, top in (("upper", 100.0), ("lower", 260.0)):
        for side, x in (("left", LEFT), ("right", RIGHT)):
            for row in range(6):
                found += words(f"{band} {side} {PROSE}", x, top + 14 * row, 8.0)
    strokes = tuple(Stroke(LEFT, y, END, y + 1, "line") for y in rules)
    page = PageContent(1, 595, 842, "1", tuple(found), strokes, ())
    lines = arrange(Source("", "", (page,), ()))[0].lines
    names = [" ".join(line.text.split()[:2]) for line in lines]
    return list(dict.fromkeys(names))


def test_a_rule_over_the_whole_width_ends_the_columns_above_it() -> None:
    assert _order(220.0) == ["upper left", "upper right", "lower left", "lower right"]


def test_columns_go_on_where_no_rule_parts_them() -> None:
    assert _order() == ["upper left", "lower left", "upper right", "lower right"]


def test_the_rules_of_a_table_part_nothing() -> None:
    many = [90.0 + 12 * row for row in range(20)]
    assert _order(*many)[0] == "upper left"
