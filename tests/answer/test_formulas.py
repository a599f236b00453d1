"""A formula leads where a table gives only what it takes, and the question states another input."""

from __future__ import annotations

import pytest

from appliance.core.evidence import Grounded
from appliance.library import Library


def statements(demo: Library, question: str) -> list[str]:
    answer = demo.ask(question)
    assert isinstance(answer, Grounded)
    return [said.text for said in answer.statements]


def test_the_formula_leads_and_the_table_is_said_to_be_an_input(demo: Library) -> None:
    answer = demo.ask("snow load zone 3 at 250 m")
    assert isinstance(answer, Grounded)
    formula, table = answer.statements[:2]
    assert formula.text.startswith("Formula (NA.1) takes the 250 m of the question as an input: ")
    assert formula.confirmed
    assert table.text.startswith("Input to Formula (NA.1): Table NA.2: 3 Central uplands")
    assert {row for row, _ in answer.tables[0].marked} == {3}


@pytest.mark.parametrize(
    "question",
    [
        "snow load zone 3",
        "snow load zone 3 at 250 kg",
        "shape coefficient duopitch roof 40°",
        "zone 3 of 7 items",
    ],
)
def test_no_formula_leads_without_a_number_that_it_takes(demo: Library, question: str) -> None:
    assert not any("as an input" in text or "Input to" in text for text in statements(demo, question))
