"""Small libraries and models without weights for the tests of retrieval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from appliance.models.protocols import Candidate, EncodedPassage, EncodedQuery, Floats
from appliance.store.read import Store
from tests.store.libraries import DIMENSION, densities_code, encoded, opened, snow_code, token_vectors


class FakeEmbedder:
    """Texts that share words are near."""

    fingerprint = "fake"
    dimension = DIMENSION
    token_dimension = DIMENSION

    def encode_query(self, text: str) -> EncodedQuery:
        return EncodedQuery(text, encoded(text).pooled, token_vectors(text))

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]:
        return [EncodedPassage(encoded(text).pooled, encoded(text).tokens) for text in texts]


class FakeReranker:
    """Counts the words that question and passage share; remembers what it was shown."""

    name = "fake"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        self.seen += [item.text for item in candidates]
        wanted = set(query.text.lower().split())
        return np.array([len(wanted & set(item.text.lower().split())) for item in candidates], np.float32)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two codes whose clause numbers clash."""
    with opened(
        tmp_path_factory.mktemp("retrieval") / "codes.library", snow_code(), densities_code()
    ) as store:
        yield store


@pytest.fixture
def embedder() -> FakeEmbedder:
    return FakeEmbedder()


@pytest.fixture
def reranker() -> FakeReranker:
    return FakeReranker()
