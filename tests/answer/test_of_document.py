"""Statements of the documents that a question names."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.findings import Finding
from appliance.answer.of_document import asked_documents_first, of_another

from appliance.core.document import Label
from appliance.core.evidence import Channel, Choice, Grounded, Intent, Query
from appliance.library import Library
from tests.answer.builders import finding, query


def of(document: str, text: str, score: float = 0.9, found_by: Channel = "dense") -> Finding:
    one = finding(text, score)
    return replace(one, place=replace(one.place, document=document, found_by=(found_by,)))


def asked(*documents: str, intent: Intent = "value") -> Query:
    return replace(query("how high is a handrail", intent), documents=documents)


HIGH = of("K", "A handrail is 900 mm high.")
OTHER = of("M", "A handrail stands between 850 mm and 1000 mm.", 0.7)
WORDS = of("M", "A handrail is easy to grip.", 0.7)
WEAK = of("M", "A rail is 5 mm high.", 0.3)


@pytest.mark.parametrize(
    ("query", "chosen", "said", "first"),
    [
        pytest.param(asked("M"), (HIGH, OTHER), (HIGH, OTHER), OTHER, id="what is named leads"),
        pytest.param(asked("M"), (HIGH,), (HIGH, OTHER), OTHER, id="where none of it was chosen, too"),
        pytest.param(asked("M"), (HIGH, WORDS), (HIGH, WORDS), HIGH, id="not what gives less"),
        pytest.param(asked("M"), (HIGH,), (HIGH, WEAK), HIGH, id="nor what hardly bears on it"),
        pytest.param(asked("K", "M"), (HIGH, OTHER), (HIGH, OTHER), HIGH, id="one of several leads already"),
        pytest.param(asked(), (HIGH, OTHER), (HIGH, OTHER), HIGH, id="none is named"),
        pytest.param(asked("M", intent="comparison"), (HIGH, OTHER), (), HIGH, id="a comparison is of both"),
        pytest.param(
            asked("M"), (replace(HIGH, place=replace(HIGH.place, found_by=("exact",))), OTHER), (),
            replace(HIGH, place=replace(HIGH.place, found_by=("exact",))), id="a label leads",
        ),
    ],
)  # fmt: skip
def test_a_statement_of_the_document_that_is_named_leads_where_it_gives_as_much(
    query: Query, chosen: tuple[Finding, ...], said: tuple[Finding, ...], first: Finding
) -> None:
    found = asked_documents_first(query, chosen, said)
    assert found[0] == first
    assert {item.text for item in chosen} <= {item.text for item in found}


def test_nothing_comes_of_nothing() -> None:
    assert asked_documents_first(asked("M"), (), (OTHER,)) == ()


CHOICE = Choice("K", Label(("NA.1",)), "clause", "M", Label(("1",)), "clause", "national annex", "words")


@pytest.mark.parametrize(
    ("query", "chosen", "choices", "said"),
    [
        pytest.param(asked("M"), (HIGH, OTHER), (), "The first statement is of K, not of M.", id="another"),
        pytest.param(asked("M", "N"), (HIGH,), (), "The first statement is of K, not of M, N.", id="several"),
        pytest.param(asked("K"), (HIGH,), (), "", id="the one that is named"),
        pytest.param(asked(), (HIGH,), (), "", id="none is named"),
        pytest.param(asked("M"), (), (), "", id="nothing is stated"),
        pytest.param(asked("M"), (HIGH,), (CHOICE,), "", id="the annex of the one that is named"),
        pytest.param(asked("M", intent="reference"), (HIGH,), (), "", id="what refers to it"),
        pytest.param(
            asked("M"), (replace(HIGH, place=replace(HIGH.place, found_by=("exact",))),), (), "", id="a label"
        ),
    ],
)
def test_that_another_document_leads_is_told(
    query: Query, chosen: tuple[Finding, ...], choices: tuple[Choice, ...], said: str
) -> None:
    assert of_another(query, chosen, choices) == said


def test_an_answer_from_another_document_is_never_more_than_low(demo: Library) -> None:
    answer = demo.ask("altitude of the site in DC 1-1")
    assert isinstance(answer, Grounded)
    assert answer.citations[0].document != "DC-1-1"
    assert answer.gap.endswith(", not of DC-1-1.")
    assert answer.confidence.level == "low"
