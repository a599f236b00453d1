"""The dense channel: the nearest children to the question's vectors."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from appliance.core.mechanisms import mechanism
from appliance.core.settings import SearchSettings
from appliance.models.protocols import EncodedQuery
from appliance.store.channels import Hits, search_vectors
from appliance.store.read import Store


@mechanism("channels.dense", "The search by meaning.", without=lambda *_: [])
def dense(
    store: Store,
    encoded: Iterable[EncodedQuery | None],
    settings: SearchSettings,
    within: Collection[int] | None,
) -> Hits:
    """Return the children nearest to any of the vectors with their cosine, best first; none without."""
    best: dict[int, float] = {}
    for one in encoded:
        if one is not None:
            found = search_vectors(
                store, one.pooled, settings.dense_candidates, within=within, scan_from=settings.scan_from
            )
            for chunk, cosine in found:
                best[chunk] = max(cosine, best.get(chunk, -1.0))
    return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))
