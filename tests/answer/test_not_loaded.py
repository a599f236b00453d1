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


@pytest.mark.parametrize("edition", ["2011", "2024"])
def test_the_edition_that_is_named_answers(demo_library: Path, edition: str) -> None:
    with closing(Library.open(demo_library)) as library:
        answer = library.ask(f"what is the roof shape coefficient for a flat roof in DC 1-3:{edition}")
    assert isinstance(answer, Grounded)
    assert ("2011" in answer.citations[0].document) == (edition == "2011")
