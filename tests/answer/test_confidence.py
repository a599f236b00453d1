"""Confidence is lowered by everything that speaks against an answer, and says what that is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.confidence import confidence
from appliance.evidence import Channel, Confidence, Evidence, Statement
from tests.answer.builders import place, query

SAID = Statement("The riser height is 150 mm.", (1,), confirmed=True)
GOOD = Evidence(query("riser height"), (place(),), (), (), (), 0.97, {})


def level(evidence: Evidence = GOOD, said: Statement = SAID, status: str = "in force") -> Confidence:
    return confidence(evidence, [said], [status])


def test_nothing_against_is_high() -> None:
    assert level().level == "high"


@pytest.mark.parametrize(
    ("relevance", "found_by", "said", "status", "words", "expected"),
    [
        (0.90, ("lexical", "dense"), SAID, "in force", "partly met", "medium"),
        (0.60, ("lexical", "dense"), SAID, "in force", "partly met", "low"),
        (0.97, ("dense",), SAID, "in force", "only one kind of search", "medium"),
        (0.97, ("exact",), SAID, "in force", "", "high"),
        (
            0.97,
            ("lexical", "dense"),
            replace(SAID, text="Doors open."),
            "in force",
            "0% of the words",
            "medium",
        ),
        (0.97, ("lexical", "dense"), replace(SAID, confirmed=False), "in force", "not confirmed", "medium"),
        (0.97, ("lexical", "dense"), SAID, "withdrawn", "withdrawn", "medium"),
        (0.90, ("dense",), replace(SAID, confirmed=False), "superseded", "superseded", "low"),
    ],
)
def test_what_speaks_against_an_answer_lowers_it(
    relevance: float, found_by: tuple[Channel, ...], said: Statement, status: str, words: str, expected: str
) -> None:
    first = replace(place(), found_by=found_by)
    found = level(replace(GOOD, relevance=relevance, hits=(first,)), said, status)
    assert found.level == expected
    assert words in "; ".join(found.reasons)


def test_what_the_question_names_and_the_documents_lack_is_said() -> None:
    found = level(
        replace(GOOD, query=replace(GOOD.query, unreadable="The documents loaded have no clause 99.9(4)."))
    )
    assert found.level == "medium"
    assert any("99.9(4)" in reason for reason in found.reasons)


def test_no_statement_is_low() -> None:
    assert confidence(GOOD, [], []).level == "low"
