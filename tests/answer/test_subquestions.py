"""Findings for each question in a question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.subquestions import _answering, by_part

from appliance.answer.gates import Gated
from appliance.answer.reading import Judges
from appliance.core.evidence import Evidence, Grounded, Query, SubQuestion
from appliance.library import Library
from appliance.text.quantities import asked_kinds
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


@pytest.mark.parametrize(
    ("part", "searched", "answers"),
    [
        ("may the relief discharge run into a stack?", "", True),  # a yes or no, though "discharge" is a flow
        ("what notice is fixed to the tank", "", True),  # no time of notice
        ("where must they not go?", "where must they not go? (how many vents)", True),
        ("how much discharge may run into a stack?", "", False),
        ("what is the height of the stack", "", False),
        ("how long is it held?", "", False),
    ],
)
def test_a_quantity_is_asked_of_a_part_only_where_it_asks_for_one(
    part: str, searched: str, answers: bool
) -> None:
    sub = SubQuestion(part, searched or part)
    own = replace(query(part), kinds=tuple(sorted(asked_kinds(part))))
    said = [finding("It may run into the stack where this is of metal.", 0.9)]
    assert bool(_answering(Gated(sub, own, ""), query(sub.searched), said, said)) is answers
    assert not _answering(Gated(sub, own, ""), query(sub.searched), [], [])


def test_what_gives_a_measure_that_a_part_speaks_of_stands_first() -> None:
    sub = SubQuestion("What peak flow do I allow for", "What peak flow do I allow for")
    own = replace(query(sub.asked), kinds=("flow",))
    said = [finding("It runs into the sewer.", 0.9), finding("It takes 5.1 litres/sec.", 0.8)]
    assert _answering(Gated(sub, own, ""), query(sub.asked), said, said) == [said[1], said[0]]
    far = [said[0], finding("It takes 5.1 litres/sec.", 0.3)]
    assert _answering(Gated(sub, own, ""), query(sub.asked), far[:1], far) == [far[0]]
