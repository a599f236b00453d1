"""The nearest children to a question that is met in two ways."""

from __future__ import annotations

import pytest

from appliance.core.settings import SearchSettings
from appliance.retrieval.channels.gather import dense
from appliance.store.read import Store
from tests.retrieval.conftest import FakeEmbedder

SETTINGS = SearchSettings()


@pytest.mark.parametrize("other", ["stored hay", "overhanging snow at the eaves", "nothing of the kind"])
def test_each_way_to_ask_keeps_what_it_finds_at_its_better_cosine(library: Store, other: str) -> None:
    encode = FakeEmbedder().encode_query
    one, two = encode("snow load of a roof"), encode(other)
    apart = [dict(dense(library, (way,), SETTINGS, None)) for way in (one, two)]
    both = dense(library, (one, two), SETTINGS, None)
    assert dict(both) == {
        chunk: max(found.get(chunk, -1.0) for found in apart) for chunk in {**apart[0], **apart[1]}
    }
    assert [cosine for _, cosine in both] == sorted((cosine for _, cosine in both), reverse=True)


def test_a_question_without_vectors_finds_nothing(library: Store) -> None:
    assert dense(library, (None, None), SETTINGS, None) == []


def test_a_way_that_is_missing_changes_nothing(library: Store) -> None:
    one = FakeEmbedder().encode_query("snow load of a roof")
    assert dense(library, (one, None), SETTINGS, None) == dense(library, (one,), SETTINGS, None)
