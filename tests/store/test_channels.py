"""The two searches: what they find, and what user text can do to them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.errors import UnknownDocument
from appliance.store.channels import (
    COLUMN_WEIGHTS,
    Vocabulary,
    Wanted,
    chunks_within,
    index_terms,
    search_terms,
    search_vectors,
)
from appliance.store.read import Store
from appliance.text.terms import names
from tests.store.libraries import densities_code, encoded, opened


def labels(store: Store, hits: list[tuple[int, float]]) -> list[str]:
    return [f"{item.document} {item.chunk.label}" for item in store.chunks(chunk for chunk, _ in hits)]


def any_of(terms: Iterable[str], columns: tuple[str, ...] = tuple(COLUMN_WEIGHTS)) -> list[Wanted]:
    """Return what is wanted for any of the terms in any of the columns."""
    return [Wanted((term,), columns) for term in terms]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("drifting", "DC-1-3 5.3"),  # stemmed
        ("CAFE", "DC-1-1 5.3"),
        ("mu1", "DC-1-3 5.3.2(7)P"),
        ("hay", "DC-1-1 5.2"),
    ],
)
def test_words_find_their_clause(library: Store, text: str, expected: str) -> None:
    hits = search_terms(library, "child", any_of(index_terms(library, text)), 5)
    assert expected in labels(library, hits)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5.3.2(7)", "DC-1-3 5.3.2(7)P"),
        ("150kg/m²", "DC-1-3 5.3.2(7)P"),
        ("11 kN/m3", "DC-1-1 5.3"),
        ("Tabie 5,1", "DC-1-3 Table 5.1"),
    ],
)
def test_names_find_their_place(library: Store, text: str, expected: str) -> None:
    wanted = any_of(names(text), ("label", "exact"))
    assert labels(library, search_terms(library, "parent", wanted, 1)) == [expected]


@given(st.text(min_size=1, max_size=40))
def test_no_text_is_syntax(library: Store, text: str) -> None:
    search_terms(library, "child", any_of([text]), 3)
    search_terms(library, "child", any_of([*index_terms(library, text), *names(text), "x"]), 3)


def test_nothing_asked_finds_nothing(library: Store) -> None:
    assert search_terms(library, "child", [], 5) == []
    assert search_terms(library, "child", any_of(["snow"]), 0) == []


def test_a_passage_is_nearest_to_itself(library: Store) -> None:
    for chunk in library.document("DC-1-1").chunks[1:2]:
        text = "Snow loads > Farm products\n" + chunk.passage.text
        hits = search_vectors(library, encoded(text).pooled, 3)
        assert labels(library, hits)[0] == "DC-1-1 5.2"
        assert hits[0][1] == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(
    ("documents", "kinds", "expected"), [(["DC-1-1"], [], {"DC-1-1"}), ([], ["figure"], {"DC-1-3"})]
)
def test_filters_hold_for_both_searches(
    library: Store, documents: list[str], kinds: list[str], expected: set[str]
) -> None:
    within = chunks_within(library, "child", documents, kinds)
    near = search_vectors(library, encoded("snow load").pooled, 50, within=within)
    worded = search_terms(library, "child", any_of(index_terms(library, "loads")), 50, within=within)
    found = {item.document for item in library.chunks(chunk for chunk, _ in (*near, *worded))}
    assert found == expected


def test_an_unknown_document_cannot_filter(library: Store) -> None:
    with pytest.raises(UnknownDocument):
        chunks_within(library, "child", ["none"], [])


def test_a_library_without_vectors_has_no_neighbours(tmp_path: Path) -> None:
    with opened(tmp_path / "a", densities_code(), vectors=False) as store:
        assert store.dimension == 0
        assert search_vectors(store, encoded("hay").pooled, 5) == []
        assert store.vectors(range(1000)) == {}
        assert search_terms(store, "child", any_of(index_terms(store, "hay")), 5)


def test_spellings_are_words_as_printed(library: Store) -> None:
    vocabulary = Vocabulary(library)
    assert "drifted" in vocabulary.spellings
    assert "drift" in vocabulary.chunks
    assert not any(word.isdigit() for word in vocabulary.spellings)
