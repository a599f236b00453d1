"""A document that is asked and not loaded is told before all else; what it covers is not found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.answer.lacking import of_absent
from appliance.core.evidence import Grounded, Intent, NotFound
from appliance.library import Library
from tests.answer.builders import query

SAID = "EN 1992-1-1 is not loaded."
NAMING = "Cover is given in EN 1992-1-1."


@pytest.mark.parametrize(
    ("asked", "intent", "documents", "text", "said"),
    [
        ("cover according to EN 1992-1-1", "general", (), "The cover is thick.", True),
        ("what cover in EN 1992-1-1", "value", (), NAMING, True),
        ("EN 1992-1-1 cover", "general", (), "The cover is thick.", True),
        ("sprinklers to EN 1992-1-1", "general", (), NAMING, False),  # the thing is made to it
        ("sprinklers to EN 1992-1-1", "general", (), "", True),
        ("what refers to EN 1992-1-1", "reference", (), "The cover is thick.", False),
        ("EN 1992-1-1 in DC 0", "general", ("DC-0",), "The cover is thick.", False),
        ("cover in DC 0", "general", ("DC-0",), "The cover is thick.", False),
        ("cover", "general", (), "The cover is thick.", False),
    ],
)
def test_what_is_asked_of_a_document_that_is_not_loaded(
    demo: Library, asked: str, intent: Intent, documents: tuple[str, ...], text: str, said: bool
) -> None:
    found = [text] if text else []
    told = of_absent(demo.store, replace(query(asked, intent), documents=documents), found)
    assert told == (SAID if said else "")


@pytest.mark.parametrize(
    "question",
    ["scope of EN 1992-1-1", "What does EC2 cover?", "what is in EN 1990", "what is BS 9251 about?"],
)
def test_what_it_covers_is_not_found(demo: Library, question: str) -> None:
    answer = demo.ask(question)
    assert isinstance(answer, NotFound)
    assert answer.reasons == (answer.evidence.query.unreadable,)
    assert answer.reasons[0].endswith("is not loaded.")


def test_what_others_say_is_never_more_than_low(demo: Library) -> None:
    answer = demo.ask("snow load according to EN 1991-1-3")
    assert isinstance(answer, Grounded)
    assert answer.gap == "EN 1991-1-3 is not loaded."
    assert answer.confidence.level == "low"
    assert answer.confidence.reasons[0] == answer.gap
