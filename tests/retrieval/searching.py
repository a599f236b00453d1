"""A question put to a library and searched in one step."""

from __future__ import annotations

from appliance.core.evidence import Evidence
from appliance.core.settings import SearchSettings
from appliance.models.protocols import Embedder, Reranker
from appliance.retrieval import search as searching
from appliance.retrieval.search_context import EVERYTHING, Filter
from appliance.store.read import Store


def search(
    store: Store,
    embedder: Embedder | None,
    reranker: Reranker | None,
    question: str,
    settings: SearchSettings,
    *,
    wanted: Filter = EVERYTHING,
    limit: int | None = None,
    keep_stages: bool = False,
) -> Evidence:
    """Return what the question finds."""
    ask = searching.prepare(store, embedder, reranker, question, settings, wanted=wanted)
    return searching.search(ask, limit=limit, keep_stages=keep_stages)
