"""The quantities that a question states, as the numbers they are."""

from __future__ import annotations

import pytest

from appliance.answer.conflicts import of_sentence
from appliance.answer.statement_support import unsupported
from appliance.retrieval.query.labels import stated
from appliance.tables.ranges import Range, tokens

MINUS = "\u2212"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a thickness of 0,125 m", [0.125]),
        ("a thickness of 0.125 m", [0.125]),
        ("a span of 2,500 mm", [2500.0]),
        ("a span of 2,5 m", [2.5]),
        ("a load of 12 500 N", [12500.0]),
        (f"a temperature of {MINUS}5 °C", [-5.0]),
        ("a temperature of -5 °C", [-5.0]),
        ("a gap of 10 to 15 mm", [10.0, 15.0]),
        ("a gap of 10-15 mm", [10.0, 15.0]),
    ],
)
def test_a_number_is_read_as_printed(text: str, values: list[float]) -> None:
    assert [each.number for each in stated(text)] == values


def test_everyone_reads_the_same_number() -> None:
    for printed in ("0,125", "0.125"):
        (said,) = of_sentence(f"The cover thickness should be {printed} m.", str)
        assert said.values == {0.125}
        assert tokens(f"{printed} m") == (Range(0.125, 0.125, unit="m"),)
    assert unsupported("It is 0.125 m.", ["It is 0,125 m."]) == ()
    assert unsupported("It is 125 m.", ["It is 0,125 m."]) != ()
    (below,) = of_sentence(f"The design temperature should be {MINUS}5 K.", str)
    assert below.values == {-5.0}
