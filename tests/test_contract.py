"""The JSON of formulas: what was read with doubt says so, what is sure does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.contract.documents import clause_json, document_json
from appliance.core.document import Box, ClauseView, Formula, Label, Problem
from appliance.core.evidence import Decided
from tests.factories import clause, document

PLACE, ELSEWHERE = Box(1, 0.1, 0.1, 0.9, 0.2), Box(1, 0.1, 0.5, 0.9, 0.6)


@pytest.mark.parametrize(
    ("problems", "doubt"),
    [
        ((Problem("Read with doubt.", 1, PLACE, doubt=True),), "Read with doubt."),
        ((Problem("Not marked.", 1, PLACE),), ""),
        ((Problem("Elsewhere.", 1, ELSEWHERE, doubt=True),), ""),
        ((Problem("Without a place.", 1, doubt=True),), ""),
        ((), ""),
    ],
)
def test_a_formula_read_with_doubt_says_so(problems: tuple[Problem, ...], doubt: str) -> None:
    formula = Formula(Label(("(1.1)",)), "s = ]", "where s is", (PLACE,), Label(("1.1",)))
    whole = replace(document(), formulas=(formula,), problems=problems)
    assert [item["doubt"] for item in document_json(whole)["formulas"]] == [doubt]
    view = ClauseView(clause("1.1"), (), (), (), (), None, None, (), (), (formula,))
    printed = clause_json(view, Decided(), problems)["formulas"]
    assert [(item["label"], item["text"], item["doubt"]) for item in printed] == [("(1.1)", "s = ]", doubt)]
