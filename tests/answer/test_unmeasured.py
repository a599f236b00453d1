"""Whether the first statement gives what is measured of what is asked about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from appliance.answer.unmeasured import unmeasured

from appliance.core.evidence import Concept, Intent
from appliance.store.read import Store
from tests.answer.builders import finding, query
from tests.factories import clause, document, term
from tests.store.libraries import chunked, opened

UNNAMED = "The first statement does not name “going”."
OTHER = "The first statement gives a value of another thing than asked about."


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = document(clauses=(clause("1.1", "Stairs."),), terms=(term("Going", "The depth of a tread."),))
    with opened(Path(tmp_path_factory.mktemp("unmeasured")) / "a", chunked(made)) as opened_store:
        yield opened_store


@pytest.mark.parametrize(
    ("question", "kinds", "text", "expected"),
    [
        ("smallest going of a stair", "length", "Flights of a stair are at least 900 mm wide.", UNNAMED),
        ("smallest going of a stair", "length", "The going of a stair is at least 220 mm.", ""),
        ("what height do gates go at", "length", "Gates are 900 mm high.", ""),  # another form of the word
        ("height of a gate", "length", "Gates open outwards.", "(length)"),
        ("height of a gate", "length", "Every gate is light. A path is 900 mm high.", OTHER),
        ("height of a gate", "length", "A gate is 900 mm high.", ""),
        ("height of a gate", "length", "A gate has the following: it is green. It is 900 mm high.", ""),
        ("minimum height of a gate", "length", "Every gate is light. The path is a minimum of 9 m.", OTHER),
        ("height of a gate", "length", "No number.", "(length)"),
        ("height and colour of a gate, which?", "length", "No number.", ""),  # two things are asked for
        ("is a gate high", "length", "No number.", ""),
        ("height of a gate", "", "No number.", ""),  # of no known kind
    ],
)
def test_a_statement_without_what_is_measured_is_told(
    store: Store, question: str, kinds: str, text: str, expected: str
) -> None:
    asked = query(question, "general" if question.startswith("is") else "value")
    asked = replace(asked, kinds=tuple(kinds.split()))
    said = unmeasured(store, asked, finding(text, 1.0))
    assert said == expected if expected != "(length)" else said.endswith("(length).")


@pytest.mark.parametrize(("intent", "told"), [("general", True), ("value", True), ("location", False)])
def test_a_row_of_keywords_asks_for_a_value_too(store: Store, intent: Intent, told: bool) -> None:
    asked = replace(query("gate clear height", intent), kinds=("length",))
    assert bool(unmeasured(store, asked, finding("A gate opens outwards.", 1.0))) == told


def test_the_heading_names_the_thing_and_a_row_is_not_read(store: Store) -> None:
    asked = replace(query("height of a gate", "value"), kinds=("length",))
    item = finding("It is 900 mm high.", 1.0)
    assert unmeasured(store, asked, item) == OTHER
    assert unmeasured(store, asked, replace(item, place=replace(item.place, title="Gates"))) == ""
    assert unmeasured(store, asked, replace(item, marked=((1, 1),))) == ""


@pytest.mark.parametrize(
    ("title", "path", "told"),
    [
        ("Landings", ("Section 2 Dwellings", "Landings"), True),  # another name of houses, far above
        ("Landings", ("Section 2 Houses", "Landings"), False),
        ("Approach to dwellings", ("Approach to dwellings",), False),
        ("Landings", ("Approach to dwellings",), False),
    ],
)
def test_a_heading_far_above_names_the_thing_by_its_own_word_alone(
    store: Store, title: str, path: tuple[str, ...], told: bool
) -> None:
    idea = Concept("houses", ("dwelling",))
    asked = replace(query("minimum distance between houses", "value"), kinds=("length",), concepts=(idea,))
    said = finding("A landing is a minimum of 1500 mm long.", 1.0)
    first = replace(said, place=replace(said.place, title=title, heading_path=path))
    assert (unmeasured(store, asked, first) == OTHER) is told
