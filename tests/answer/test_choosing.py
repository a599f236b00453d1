"""Which findings are stated besides the best."""

from __future__ import annotations

from dataclasses import replace

import pytest
from appliance.answer.choosing import choose, defined_places, once
from appliance.answer.findings import Finding

from appliance.core.evidence import Place
from appliance.core.settings import AnswerSettings
from appliance.library import Library
from tests.answer.builders import finding, place, query

SETTINGS = AnswerSettings(statements=3, margin=0.1)
PLACES = [replace(place(label=f"{number}.1", chunk=number), document="DC-1-3") for number in range(1, 6)]


def said(number: int, text: str, score: float) -> Finding:
    return Finding(text, (), score, PLACES[number])


def test_the_first_places_are_heard_though_their_parts_score_low(demo: Library) -> None:
    findings = [said(0, "Low but first.", 0.2), said(4, "High.", 1.0), said(4, "High too.", 0.99)]
    chosen = choose(demo.store, query("anything"), PLACES, findings, SETTINGS)
    assert [item.text for item in chosen] == ["High.", "High too.", "Low but first."]


def test_a_word_that_nothing_stated_speaks_of_brings_its_own_finding(demo: Library) -> None:
    findings = [said(0, f"Gutters number {number}.", 1 - number / 100) for number in range(6)]
    findings += [said(1, "Gutters also.", 0.9), said(2, "Gutters again.", 0.9), said(3, "Disposers.", 0.1)]
    chosen = choose(demo.store, query("gutters disposers"), PLACES, findings, SETTINGS)
    assert "Disposers." in [item.text for item in chosen]


@pytest.mark.parametrize("findings", [[], [said(0, "One.", 0.5)] * 3])
def test_nothing_is_stated_twice(demo: Library, findings: list[Finding]) -> None:
    chosen = choose(demo.store, query("one"), PLACES, findings, SETTINGS)
    assert [item.text for item in chosen] == ["One."][: len(findings)]


def test_no_definition_is_read_where_no_quantity_is_asked_for(demo: Library) -> None:
    shown: list[Place] = list(demo.search("snow load on the ground").hits)
    assert defined_places(demo.store, query("what is it"), shown) == ()


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (["Limits Rooms are dry and warm and well lit", "Rooms are dry and warm and well lit"], 1),
        (["Rooms are dry and warm and well lit", "Limits Rooms are dry and warm and well lit"], 1),
        (["Rooms are  dry", "rooms are dry"], 1),
        (["In lofts, where people sleep, rooms are dry", "rooms are dry"], 2),  # the rest says more
        (["", "Rooms"], 2),
        ([], 0),
    ],
)
def test_what_is_said_with_its_title_is_not_said_again(texts: list[str], kept: int) -> None:
    assert len(once([finding(text, 1.0) for text in texts])) == kept
