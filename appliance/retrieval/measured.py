"""Places that hold a quantity of the kind asked for, where none of those that are shown does.

Rules of this module: pure. A question for a value is not answered by places that speak of its subject alone;
where all that would be shown do no more, the first ones behind them that hold such a quantity have seats
behind the first places. Elsewhere nothing moves, and nothing is ever left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from appliance.evidence import FOR_A_VALUE, Query
from appliance.quantity import kinds_in
from appliance.retrieval.seats import FIRST_SEAT
from appliance.store.values import StoredChunk

SEATS = 2
COUNT = "count"  # any number is one


def with_measured(
    query: Query, chunks: Mapping[int, StoredChunk], ranked: Sequence[int], shown: int
) -> list[int]:
    """Return the ranking, what holds a quantity asked for among the first `shown` where there is any."""
    wanted = frozenset(query.kinds) - {COUNT}
    if not wanted or query.intent not in FOR_A_VALUE:
        return list(ranked)
    if any(_holds(wanted, chunks[chunk]) for chunk in ranked[:shown]):
        return list(ranked)
    found = [chunk for chunk in ranked[shown:] if _holds(wanted, chunks[chunk])][:SEATS]
    rest = [chunk for chunk in ranked if chunk not in found]
    return [*rest[:FIRST_SEAT], *found, *rest[FIRST_SEAT:]]


def _holds(wanted: frozenset[str], item: StoredChunk) -> bool:
    return bool(wanted & kinds_in(item.chunk.passage.text))
