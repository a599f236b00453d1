"""References as answers: what refers to a place, and what it refers to."""

from __future__ import annotations

from appliance.core.evidence import Grounded
from appliance.library import Library


def cited(answer: object) -> list[tuple[str, str]]:
    assert isinstance(answer, Grounded)
    by_number = {citation.n: citation for citation in answer.citations}
    return [(str(by_number[statement.citations[0]].label), statement.text) for statement in answer.statements]


def test_what_refers_to_a_table_is_stated_first_each_under_its_own_label(demo: Library) -> None:
    answer = demo.ask("Which clauses refer to Table 5.1 of DC 1-3?")
    assert isinstance(answer, Grounded)
    assert answer.evidence.scope is not None
    listed = {str(item.label) for item in answer.evidence.scope.items}
    stated = cited(answer)[: len(listed)]
    assert {label for label, _ in stated} == listed
    assert all("Table 5.1" in text for _, text in stated)
    assert all(statement.confirmed for statement in answer.statements[: len(listed)])


def test_what_a_clause_refers_to_is_stated_with_the_sentence_that_leads_there(demo: Library) -> None:
    answer = demo.ask("What does clause 5.2 of DC 1-3 refer to?")
    assert isinstance(answer, Grounded)
    assert answer.evidence.scope is not None
    targets = {str(item.label) for item in answer.evidence.scope.items}
    assert targets
    assert targets <= {label for label, _ in cited(answer)} | {
        label for label in targets if any(label in text for _, text in cited(answer))
    }


def test_other_questions_state_no_references(demo: Library) -> None:
    answer = demo.ask("What density does normal concrete have?")
    assert isinstance(answer, Grounded)
    assert answer.evidence.scope is None
