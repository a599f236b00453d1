"""Editions of a question that the library does not hold, and words that were put right, are said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.answer.lacking import of_edition, respelt
from appliance.core.evidence import Grounded
from appliance.library import Library
from appliance.retrieval.query.documents import years
from appliance.store.read import Store
from tests.answer.builders import query
from tests.factories import clause, document
from tests.store.libraries import chunked, opened

TEXT = (
    "Doors swing out. A fire escape door needs no guard. Stairways of 2 m take a hand rail. "
    "A fan moves 25 l/s. Show the plan."
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = chunked(document(clauses=(clause("1.1", TEXT),)))
    with opened(Path(tmp_path_factory.mktemp("not_loaded")) / "a", made) as opened_store:
        yield opened_store


def test_a_word_that_was_put_right_is_said() -> None:
    said = list(respelt(replace(query("torque on mars"), spelt="torque on marks")))
    assert said == ["“mars” was read as “marks”"]


@pytest.mark.parametrize(
    ("asked", "sure"),
    [
        ("stairs in the 2011 edition", False),
        ("stairs in the 2024 edition", True),
        ("stairs built in 2011", True),  # a mere year
    ],
)
def test_a_document_of_another_edition_is_told(store: Store, asked: str, sure: bool) -> None:
    info = store.documents()[0]
    year = max(years(info), default="")
    asked = asked.replace("2024", year)
    assert (of_edition(store, query(asked), info.id) == "") == sure


FLAT = "what is the roof shape coefficient for a flat roof"


@pytest.mark.parametrize(
    ("asked", "before", "document"),
    [
        (f"{FLAT} in DC 1-3:2011", "", "DC-1-3-2011"),
        (f"{FLAT} in DC 1-3:2024", "", "DC-1-3"),
        ("and in the 2011 edition?", FLAT, "DC-1-3-2011"),
        ("und im Schulflur?", "Welche Nutzlast gilt im Büro?", "DC-1-1"),  # both put into English
    ],
)
def test_the_document_and_edition_that_are_named_answer(
    demo_library: Path, asked: str, before: str, document: str
) -> None:
    with closing(Library.open(demo_library)) as library:
        answer = library.ask(asked, after=before)
    assert isinstance(answer, Grounded)
    assert answer.citations[0].document == document
    assert "Nutzlast" not in answer.evidence.query.text
