"""High confidence is for the very thing asked for; a place about another thing does not lead."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.confidence import confidence
from appliance.answer.findings import Finding

from appliance.answer.about import missed, very_thing_first
from appliance.answer.verify import Claim
from appliance.core.evidence import Evidence, Place, Statement
from tests.answer.builders import place, query

PIPES = replace(
    place("table", "Table 2", 1),
    title="Table 2 Branch discharge pipes",
    heading_path=("Drainage", "Pipework"),
)
DRAINS = replace(place("clause", "2.30", 2), title="Gradients for foul drains")
ASKED = query("fall of 100mm drain")


def stated(text: str, where: Place, score: float) -> Finding:
    claims = (Claim(text, (text,)),)
    return Finding(f"{text} Note: on long drain runs.", (), score, where, ((1, 1),), claims=claims)


OTHER = stated("WC outlet: 100 mm, gradient 18 mm fall per metre.", PIPES, 1.0)
VERY = stated("Drains of 100 mm should be laid at 1:40.", DRAINS, 0.9)

ASIDE = "A WC outlet is 100 mm wide (to allow for the bend into the drain)."
BESIDE = replace(OTHER, text=ASIDE, marked=(), claims=())  # a purpose in brackets is not what it is about
LISTED = replace(BESIDE, text="Outlets are 100 mm wide (e.g. a pipe, a trap, a drain and a gully).")
SHORT = replace(BESIDE, text="A WC outlet (drain) is 100 mm wide.")


@pytest.mark.parametrize(
    ("asked", "hits", "first", "expected"),
    [
        ("fall of 100mm drain", (PIPES, DRAINS), OTHER, ("drain",)),  # a note of the table does not count
        ("fall of 100mm drain", (PIPES, DRAINS), VERY, ()),
        ("fall of 100mm drain", (PIPES,), OTHER, ()),  # nothing found keeps the two apart
        ("fall of 100mm pipe", (PIPES, DRAINS), OTHER, ()),
        ("gradient", (PIPES, DRAINS), OTHER, ()),  # what is measured is no thing
        ("", (), OTHER, ()),
        ("fall of 100mm drain", (PIPES, DRAINS), BESIDE, ("drain",)),
        ("fall of 100mm drain", (PIPES, DRAINS), SHORT, ()),
        ("fall of 100mm drain", (PIPES, DRAINS), LISTED, ()),
    ],
)
def test_what_the_first_statement_is_not_about(
    asked: str, hits: tuple[Place, ...], first: Finding, expected: tuple[str, ...]
) -> None:
    assert missed(query(asked), hits, first) == expected


def test_the_very_thing_leads_and_nothing_is_lost() -> None:
    assert very_thing_first(ASKED, (PIPES, DRAINS), (OTHER, VERY)) == (VERY, OTHER)
    assert very_thing_first(ASKED, (PIPES, DRAINS), (VERY, OTHER)) == (VERY, OTHER)
    assert very_thing_first(ASKED, (PIPES, DRAINS), ()) == ()


def test_a_place_that_is_named_by_its_number_leads_all_the_same() -> None:
    named = replace(OTHER, place=replace(PIPES, found_by=("exact",)))
    assert very_thing_first(ASKED, (PIPES, DRAINS), (named, VERY)) == (named, VERY)


@pytest.mark.parametrize("order", [(OTHER, VERY), (VERY, OTHER)])
def test_high_is_not_said_of_another_thing(order: tuple[Finding, ...]) -> None:
    evidence = Evidence(ASKED, (PIPES, DRAINS), (), (), (), 0.97, {})
    statements = [Statement(finding.text, (1,), confirmed=True) for finding in order]
    found = confidence(evidence, order, statements, ["in force"])
    assert found.level == "medium"
    assert found.chance < 0.85
    assert any("does not name “drain”" in reason for reason in found.reasons)
