"""The search by meaning: the nearest children to the question's vector.

Rules of this module: the question is encoded once and its vectors serve the reranker too.
"""

from __future__ import annotations

from collections.abc import Collection

from appliance.models.protocols import EncodedQuery
from appliance.settings import SearchSettings
from appliance.store.channels import Hits, search_vectors
from appliance.store.read import Store


def dense(
    store: Store, encoded: EncodedQuery | None, settings: SearchSettings, within: Collection[int] | None
) -> Hits:
    """Return the nearest children with their cosine, best first; none without vectors."""
    if encoded is None:
        return []
    return search_vectors(
        store, encoded.pooled, settings.dense_candidates, within=within, scan_from=settings.scan_from
    )
