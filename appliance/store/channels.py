"""The two searches of the library: by words (BM25) and by vectors (exact scan)."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Literal
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

from appliance.core.errors import BadInput, LibraryUnreadable
from appliance.store.bm25 import Wanted, best, postings_of
from appliance.store.read import Store
from appliance.store.scan import Array, array_of
from appliance.store.values import as_int8
from appliance.text.terms import names, words

Unit = Literal["child", "parent"]
Hits = list[tuple[int, float]]  # chunk id and score, best first

DENSE_LIMIT = (
    100  # nearest by int8, of which the half-precision vectors say the order; vec0 is slower with more
)
VEC0_LIMIT = 4096  # the most that it gives


@dataclass(frozen=True, slots=True)
class ColumnWeights:
    """How much a hit in each column counts in BM25."""

    label: float = 4.0
    title: float = 2.0
    text: float = 1.0
    exact: float = 1.5


class Vocabulary:
    """The index terms of a library with the number of chunks that hold each."""

    def __init__(self, store: Store) -> None:
        rows = store.connections.rows("vocabulary")
        self.chunks: dict[str, int] = {term: count for term, count, _ in rows}
        self.total = max(store.chunk_count, 1)
        self._store = proxy(store)  # a vocabulary is kept beside its store and never keeps it alive

    def share(self, term: str) -> float:
        """Return the share of searched chunks that hold the term."""
        return self.chunks.get(term, 0) / self.total

    @cached_property
    def spellings(self) -> dict[str, int]:
        """Return the words of the library as printed, folded, with the number of chunks that hold each."""
        return dict(self._store.connections.rows("spellings"))


def index_terms(store: Store, text: str) -> tuple[str, ...]:
    """Return the stems of the words of a text, as the index holds them."""
    return tuple(map(store.connections.stem, words(text)))


def name_terms(text: str) -> tuple[str, ...]:
    """Return the names in a text, as the index holds them."""
    return tuple(names(text))


def search_terms(
    store: Store,
    unit: Unit,
    wanted: Sequence[Wanted],
    weights: ColumnWeights,
    limit: int,
    *,
    within: Collection[int] | None = None,
) -> Hits:
    """Return the best chunks by BM25 (higher is better) for any of the things wanted, equal ones by id."""
    if not wanted or limit <= 0:
        return []
    return best(postings_of(store, unit).scores(wanted, asdict(weights)), limit, within)


def search_vectors(
    store: Store,
    vector: NDArray[np.float32],
    limit: int,
    *,
    within: Collection[int] | None = None,
    scan_from: int = sys.maxsize,
) -> Hits:
    """Return the nearest searched chunks by cosine to a unit vector [dimension].

    The nearest by int8 are measured again in half precision, as the library holds them. Equal ones come in
    the order of their ids. From `scan_from` chunks on they are found by the scan.

    Raises:
        LibraryUnreadable: the vector has another dimension than the library's. BadInput: it is no number.
    """
    if not store.dimension or limit <= 0:
        return []
    if vector.shape != (store.dimension,):
        why = f"its vectors have {store.dimension} numbers, that of the question {vector.size}"
        raise LibraryUnreadable(store.path, why)
    if not np.isfinite(vector).all():
        message = "The question's vector is not made of numbers. Check the model: appliance models verify"
        raise BadInput(message)
    scale = float(store.meta["scale"])
    small = as_int8(vector, scale)
    array = array_of(store, scan_from)
    if isinstance(array, Array):
        found = array.nearest(small, DENSE_LIMIT, within)
    else:
        found = _nearest_by_vec0(store, small, DENSE_LIMIT, within)
    return measured_again(vector, *store.pooled(chunk for _, chunk in found))[:limit]


def measured_again(vector: NDArray[np.float32], ids: NDArray[np.int64], rows: NDArray[np.float32]) -> Hits:
    """Return ids with the cosine of their rows [n, d] to a vector [d], best first, equal ones by id."""
    if not len(ids):
        return []
    cosines = rows @ vector
    order = np.lexsort((ids, -cosines))
    return list(zip(ids[order].tolist(), cosines[order].tolist(), strict=True))


def _nearest_by_vec0(
    store: Store, vector: NDArray[np.int8], limit: int, within: Collection[int] | None
) -> list[tuple[float, int]]:
    """Return squared distances and chunks as the scan does.

    Of several that are equally far vec0 keeps any, so it is asked for more until none is cut off.
    """
    values: dict[str, object] = {"vector": vector.tobytes()}
    name = "dense"
    if within is not None:
        name, values["within"] = "dense_within", json.dumps(sorted(within))
    asked = limit + 1
    while True:
        rows = store.connections.rows(name, limit=asked, **values)
        found = sorted((float(round(distance * distance)), chunk) for chunk, distance in rows)
        if len(found) < asked or found[-1][0] > found[limit - 1][0] or asked == VEC0_LIMIT:
            return found[:limit]
        asked = min(asked * 4, VEC0_LIMIT)


def chunks_within(
    store: Store, unit: Unit, documents: Sequence[str] | None, kinds: Sequence[str] | None
) -> frozenset[int] | None:
    """Return the ids that a filter leaves, None where there is no filter; raises UnknownDocument."""
    if not documents and not kinds:
        return None
    positions = json.dumps([store.position(name) for name in documents]) if documents else None
    name = "searched_in" if unit == "child" else "shown_in"
    rows = store.connections.rows(name, documents=positions, kinds=json.dumps(kinds) if kinds else None)
    return frozenset(row[0] for row in rows)


def with_status(store: Store, *, normative: bool) -> frozenset[int]:
    """Return the ids of the searched chunks that stand in normative, or in informative, clauses."""
    rows = store.connections.rows("searched_with_status", normative=int(normative))
    return frozenset(row[0] for row in rows)
