"""How rare a word is in a library."""

from __future__ import annotations

from math import log

from appliance.retrieval.ask import index_of
from appliance.store.read import Store


def rarity_of(store: Store, word: str) -> float:
    """Return how rare a word is in a library: the logarithm of one over its share."""
    return log(1 + index_of(store).vocabulary.total / (1 + count_of(store, word)))


def count_of(store: Store, word: str) -> int:
    """Return how many places of a library hold a word."""
    return index_of(store).vocabulary.chunks.get(store.connections.stem(word), 0)
