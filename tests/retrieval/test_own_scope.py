"""A question of what a document that it names covers as a whole is told from one about something in it."""

from __future__ import annotations

import pytest

from appliance.core.evidence import Grounded
from appliance.library import Library
from appliance.retrieval.follow.scope import asks_own_scope, asks_what_applies, chunks_of_scope

SCOPES = {"DC-0": "1.1", "DC-1-1": "1.1", "DC-1-3": "1.1", "DC-1-3-NA": "NA.1"}


@pytest.mark.parametrize(
    ("question", "side"),
    [
        ("What does DC 1-1 cover?", "covered"),
        ("DC 1-3 scope", "covered"),
        ("scope of DC 0", "covered"),
        ("what is DC 0 about", "covered"),
        ("Does DC 1-3 apply?", "covered"),
        ("What falls under DC 1-3?", "covered"),
        ("what comes under DC 1-3", "covered"),
        ("Which topics does DC 1-3 deal with?", "covered"),
        ("what's in DC 1-3?", "covered"),
        ("What is in DC 1-3?", "covered"),
        ("what is the density in DC 1-3", ""),
        ("what falls outside DC 1-3", "left out"),
        ("fall in DC 1-3", ""),
        ("what is not covered by DC 1-3?", "left out"),
        ("What doesn't DC 1-3 cover?", "left out"),
        ("What is outside the scope of DC 1-1?", "left out"),
        ("What does DC 1-3 cover and what not?", "left out"),
        ("Does DC 1-3 cover avalanches?", ""),
        ("What does 5.3 of DC 1-3 cover?", ""),
        ("scope of Annex B of DC 1-3", ""),
        ("what is not covered?", ""),
        ("What cover does concrete need?", ""),
        ("scope of DC 9-9", ""),
        ("DC 1-3", ""),
        ("snow density in DC 1-3", ""),
    ],
)
def test_what_is_asked_of_a_document_as_a_whole(demo: Library, question: str, side: str) -> None:
    assert asks_own_scope(demo.store, demo.search(question).query) == side


@pytest.mark.parametrize(("document", "label"), SCOPES.items())
def test_the_scope_of_a_whole_document_is_its_first(demo: Library, document: str, label: str) -> None:
    shown = demo.store.chunks(chunks_of_scope(demo.store, document))
    assert shown
    assert all(str(item.chunk.label).startswith((label, "1")) for item in shown), [
        i.chunk.label for i in shown
    ]


@pytest.mark.parametrize("question", ["What is DC 0 about?", "what does DC 0 cover and what not?"])
def test_the_scope_leads_the_places(demo: Library, question: str) -> None:
    first = demo.search(question).hits[0]
    assert (first.document, str(first.label)) == ("DC-0", "1.1")


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Does DC 1-3 apply to a church?", True),
        ("does the DC 0 apply to bridges", True),
        ("is a church exempt from DC 1-3", True),
        ("Does the snow load in DC 1-3 apply to a church?", False),
        ("Does the code apply to a church?", False),
        ("What does DC 1-3 require?", False),
    ],
)
def test_whether_a_document_covers_a_thing(demo: Library, question: str, asks: bool) -> None:
    assert asks_what_applies(demo.store, demo.search(question).query) is asks


def test_whether_a_document_covers_a_thing_is_told_from_its_scope(demo: Library) -> None:
    answer = demo.ask("Does DC 1-3 apply to a submarine?")  # no place bears on it
    assert isinstance(answer, Grounded)
    first = answer.citations[answer.statements[0].citations[0] - 1]
    assert (first.document, str(first.label)[:3]) == ("DC-1-3", "1.1")
