"""A question about a thing that no document names is told apart from one that names it in passing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from appliance.answer.unspoken import unspoken
from appliance.evidence import Concept
from appliance.store.read import Store
from tests.answer.builders import query
from tests.factories import clause, document
from tests.store.libraries import chunked, opened

DOOR = Concept("fire door", ("fire doorset", "fd30"))
TEXT = "Doors swing out. A fire escape door needs no guard. Stairways of 2 m take a hand rail."


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = chunked(document(clauses=(clause("1.1", TEXT),)))
    with opened(Path(tmp_path_factory.mktemp("unspoken")) / "a", made) as opened_store:
        yield opened_store


@pytest.mark.parametrize(
    ("ideas", "asked", "missing"),
    [
        ((DOOR,), "fire door rating", "fire door"),  # both words stand there, apart
        ((DOOR,), "width of the stairway beside a fire door", ""),  # in passing
        ((Concept("fire escape", ()),), "fire escape", ""),
        ((Concept("banister", ("hand rail",)),), "banister height", ""),  # by another name
        ((Concept("Stairway", ()),), "stairway", ""),  # in another form
        ((Concept("sprinkler", ("fd30",)),), "sprinkler spacing", "sprinkler"),
        ((Concept("hand rail", ()), DOOR), "hand rail fire door", "fire door"),
        ((), "moat depth", ""),  # no name that the vocabularies know
    ],
)
def test_what_is_named_nowhere_is_said(
    store: Store, ideas: tuple[Concept, ...], asked: str, missing: str
) -> None:
    said = unspoken(store, replace(query(asked), concepts=ideas))
    assert said == (f"No document loaded speaks of “{missing}”." if missing else "")
