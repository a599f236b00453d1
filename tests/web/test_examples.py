"""Questions to start with are made from whatever is loaded, and offered where they are answered."""

from __future__ import annotations

from dataclasses import replace

from appliance.core.evidence import Grounded
from appliance.library import Library
from appliance.web.answers.examples import DOCUMENTS, MOST, Example, chosen, examples, leads_with
from tests.factories import clause, document, table, term

FULL = document(
    clauses=[
        clause("1", title="General", kind="section"),
        clause("5.3", title="Drift at parapets", kind="clause"),
    ],
    tables=[table("Table 1", [["a"]], title="Shape coefficients of roofs")],
    terms=[term("drift", "snow moved by wind")],
)


def test_examples_stand_in_the_documents() -> None:
    assert [one.question for one in examples([FULL, document()])] == [
        "What is meant by drift?",
        "Shape coefficients of roofs",
        "Drift at parapets",
    ]


def test_nothing_is_offered_twice() -> None:
    found = [one.question for one in examples([FULL, FULL])]
    assert len(found) == len(set(found))


def test_a_question_offered_is_answered_from_its_own_place(demo: Library) -> None:
    offered = chosen(demo)
    made = {
        one.question: one
        for one in examples(map(demo.document, [info.id for info in demo.overview().documents][:DOCUMENTS]))
    }
    assert 1 <= len(offered) <= MOST
    assert all(leads_with(demo.ask(question), made[question]) for question in offered[:2])


def test_an_answer_from_elsewhere_offers_nothing(demo: Library) -> None:
    answer = demo.ask("What is the density of wet snow?")
    assert isinstance(answer, Grounded)
    first = answer.citations[0]
    own = Example("", first.document, first.label)
    assert leads_with(answer, own)
    assert not leads_with(answer, replace(own, document="another"))
    assert not leads_with(replace(answer, gap="Not loaded."), own)
