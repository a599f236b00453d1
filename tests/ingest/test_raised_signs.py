"""Values in running text as they are printed: powers stay raised, fractions whole, marks of notes apart."""

from __future__ import annotations

import pytest

from appliance.ingest.formulas.text import with_fractions
from appliance.ingest.page import Stroke, Word
from tests.ingest.drawn import words

LINE = "the width of members shall not be more than"


def _fraction(over: str, under: str, line: str = LINE, bar: float = 97.0) -> list[Word]:
    return [*words(line, 70, 100), *words(over, 268, bar - 2, 7), *words(under, 268, bar + 8, 7)]


@pytest.mark.parametrize(
    ("page", "strokes", "last"),
    [
        (_fraction("L", "250"), [(267, 97, 280)], "L/250"),
        (_fraction("a b", "c"), [(267, 97, 280)], "(a b)/c"),
        (_fraction("L", "250"), [], "250"),  # no bar
        (_fraction("L", "250", line="h ="), [(267, 97, 280)], "250"),  # a formula that stands alone
        (_fraction("L", "250 mm and more"), [(267, 97, 280)], "more"),  # reaches over the bar
        ([*words(LINE, 70, 100), *words("of", 250, 112)], [(250, 101.5, 275)], "of"),  # underlined
    ],
)
def test_a_fraction_in_running_text_is_one_word(
    page: list[Word], strokes: list[tuple[float, float, float]], last: str
) -> None:
    bars = [Stroke(x0, y, x1, y, "line") for x0, y, x1 in strokes]
    assert with_fractions(page, bars)[-1].text == last
