"""A clause that points to a table for its values is stated with the row of it that fits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.findings import Finding, Quote
from appliance.answer.pointed import with_tables

from appliance.core.document import Label
from appliance.core.evidence import Intent
from tests.answer.builders import box, finding, place, query

POINTS = "Ce should be taken as 1,0. The recommended values are given in Table 5.1 below."
ASIDE = "Ce should be taken as 1,0, see also Table 5.1."
OTHER = finding("A roof may be flat.", 0.6)


def clause(text: str, score: float = 0.7) -> Finding:
    return replace(finding(text, score), quotes=(Quote("C", Label(("5.2",)), 1, (box(),), text),))


def row(text: str, score: float, label: str = "Table 5.1", document: str = "C") -> Finding:
    made = replace(finding(text, score), marked=((1, 1),), rows=(text,))
    return replace(made, place=replace(place("table", label), document=document))


LOW, HIGH = row("Sheltered: Ce 1,2", 0.4), row("Windswept: Ce 0,8", 0.2)


def texts(asked: str, chosen: list[Finding], said: list[Finding], intent: Intent = "value") -> list[str]:
    return [one.text for one in with_tables(query(asked, intent), chosen, said)]


@pytest.mark.parametrize(
    ("asked", "chosen", "said", "expected"),
    [
        ("coefficient", [clause(POINTS), OTHER], [LOW, HIGH], [POINTS, LOW.text, OTHER.text]),
        ("coefficient sheltered", [clause(POINTS), OTHER], [LOW, HIGH], [LOW.text, POINTS, OTHER.text]),
        (
            "coefficient",
            [clause(POINTS), OTHER, HIGH],
            [LOW, HIGH],
            [POINTS, LOW.text, OTHER.text, HIGH.text],
        ),
        ("coefficient", [clause(POINTS), OTHER, LOW], [LOW], [POINTS, LOW.text, OTHER.text]),
        ("coefficient sheltered", [clause(POINTS)], [replace(LOW, unsure="no row")], [POINTS, LOW.text]),
        ("coefficient", [LOW, clause(POINTS)], [LOW, HIGH], [LOW.text, POINTS]),
        ("coefficient", [clause(ASIDE), OTHER], [LOW], [ASIDE, OTHER.text]),
        ("coefficient", [clause(POINTS)], [row("Normal: 2", 0.9, "Table 5.10")], [POINTS]),
        ("coefficient", [clause(POINTS)], [row("Normal: 2", 0.9, document="D")], [POINTS]),
        ("coefficient", [OTHER, OTHER, OTHER, clause(POINTS)], [LOW], [OTHER.text] * 3 + [POINTS]),
        ("coefficient", [], [LOW], []),
    ],
)
def test_the_table_is_stated_with_the_clause(
    asked: str, chosen: list[Finding], said: list[Finding], expected: list[str]
) -> None:
    assert texts(asked, chosen, said) == expected


def test_a_question_for_no_value_moves_nothing() -> None:
    assert texts("coefficient", [clause(POINTS)], [LOW], "definition") == [POINTS]


def test_a_row_that_its_clause_points_to_fits_no_worse() -> None:
    first = with_tables(query("sheltered", "value"), [clause(POINTS)], [LOW])[0]
    assert first.score == 0.7
