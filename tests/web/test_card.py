"""The card of real answers: what is listed stands by items, what is a formula as its page prints it."""

from __future__ import annotations

from appliance.core.evidence import Grounded
from appliance.library import Library
from appliance.web.answers.card import Card, card_of
from appliance.web.answers.cited_places import of_citations


def carded(demo: Library, question: str) -> Card:
    answer = demo.ask(question)
    assert isinstance(answer, Grounded)
    return card_of(demo, answer, of_citations(demo, answer))


def test_steps_are_said_one_by_one_under_their_printed_marks(demo: Library) -> None:
    first = carded(demo, "how do I work out the snow load on a roof step by step").proofs[0]
    assert [mark for mark, _ in first.steps if mark] == list("abcdefgh")


def test_a_formula_is_its_picture_and_its_signs_are_not_repeated_as_text(demo: Library) -> None:
    first = carded(demo, "formula for combination of actions for persistent situations").proofs[0]
    assert {str(item.formula.label) for item in first.formulas if item.formula} >= {"(6.5a)"}
    assert all(item.view for item in first.formulas)
    assert "γ" not in first.statement.text
