"""Findings for each question in a question."""

from __future__ import annotations

from appliance.answer.reading import Judges
from appliance.answer.subquestions import by_part
from appliance.evidence import Evidence, Grounded, Query
from appliance.library import Library
from tests.answer.builders import finding, query


def asking(asked: Query) -> Evidence:
    return Evidence(asked, (), (), (), (), 0.9, {})


def test_a_question_of_one_part_is_left_alone(demo: Library) -> None:
    chosen = (finding("Doors open.", 1.0),)
    assert by_part(demo.store, asking(query("doors")), [], chosen, Judges(None, None), gates=()) == (
        chosen,
        (),
    )


def test_a_part_that_no_place_answers_is_told(demo: Library) -> None:
    answer = demo.ask("Do I need snow loading and what does a lawyer earn?")
    assert isinstance(answer, Grounded)
    snow, pay = answer.parts
    assert snow.statements
    assert (snow.why, pay.statements) == ("", ())
    assert "speaks of" in pay.why


def test_every_part_points_at_statements_of_the_answer(demo: Library) -> None:
    answer = demo.ask("Do I need snow loading? What steps would I take to check this?")
    assert isinstance(answer, Grounded)
    assert len(answer.parts) == len(answer.evidence.query.parts) == 2
    for part in answer.parts:
        assert all(0 <= at < len(answer.statements) for at in part.statements)
    assert any(part.statements for part in answer.parts)


def test_parts_are_answered_in_the_order_in_which_they_are_asked(demo: Library) -> None:
    answer = demo.ask(
        "Do I need to apply snow loading onto my structure? What steps would I need to take to check this "
        "and what part of the code should I refer to?"
    )
    assert isinstance(answer, Grounded)
    first = [part.statements[0] for part in answer.parts if part.statements]
    assert first == sorted(first)
    assert first[0] == 0


def test_a_part_that_asks_for_the_way_has_the_clause_that_decides_and_what_it_takes(demo: Library) -> None:
    answer = demo.ask("Do I need to apply snow loading? What steps would I need to take to check this?")
    assert isinstance(answer, Grounded)
    (steps,) = (part for part in answer.parts if part.asked.startswith("What steps"))
    said = [answer.statements[at] for at in steps.statements]
    assert any(answer.citations[one.citations[0] - 1].label.key.startswith("2.3") for one in said)
    (listed,) = (one for one in said if " takes: " in one.text)
    assert {"Table 5.1", "Table 5.2", "4.1"} <= {str(answer.citations[n - 1].label) for n in listed.citations}
    assert listed.confirmed
