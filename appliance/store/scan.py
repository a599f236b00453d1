"""The exact scan of int8 vectors in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from appliance.store.read import Store
from appliance.store.values import as_int8

BLOCK = 32_768  # rows whose distances are looked at together
GROUP = 64  # of them, of which only the least is looked at first
DENSE = 3  # of a range of rows, where more than one in three is wanted, all are scanned and the rest masked

Ids = NDArray[np.int64]
Int8s = NDArray[np.int8]
Distances = NDArray[np.float64]
Kernel = Callable[[Int8s, Int8s], Distances]


@dataclass(frozen=True, slots=True)
class Array:
    """The vectors of a library: ids [n] in order, rows [n, dimension], and what measures distances."""

    ids: Ids
    rows: Int8s
    kernel: Kernel

    def nearest(
        self, query: Int8s, limit: int, within: Collection[int] | None = None
    ) -> list[tuple[float, int]]:
        """Return the squared distance and the id of the nearest rows, nearest first, equal ones by id."""
        held = np.zeros(0, dtype=np.int64), np.zeros(0)
        for positions, distances in self._measured(np.ascontiguousarray(query), within):
            if len(held[1]) == limit:
                near = np.flatnonzero(distances < held[1][-1])  # an equal one has a greater id
            else:
                near = np.flatnonzero(distances <= _bound(distances, limit))
            held = _first(np.append(held[0], positions[near]), np.append(held[1], distances[near]), limit)
        return list(zip(held[1].tolist(), self.ids[held[0]].tolist(), strict=True))

    def _measured(self, query: Int8s, within: Collection[int] | None) -> Iterator[tuple[Ids, Distances]]:
        """Yield positions and their squared distances, block by block, in the order of the ids."""
        chosen = None if within is None else self._positions(within)
        first, last = (0, len(self.ids)) if chosen is None else _ends(chosen)
        sparse = chosen is not None and len(chosen) * DENSE < last - first
        if chosen is not None and sparse:
            for part in np.array_split(chosen, -(-len(chosen) // BLOCK) or 1):
                yield part, self.kernel(query, self.rows[part])
            return
        for start in range(first, last, BLOCK):
            stop = min(start + BLOCK, last)
            distances, positions = self.kernel(query, self.rows[start:stop]), np.arange(start, stop)
            if chosen is not None and len(chosen) < last - first:
                mine = chosen[np.searchsorted(chosen, start) : np.searchsorted(chosen, stop)]
                positions, distances = mine, distances[mine - start]
            yield positions, distances

    def _positions(self, within: Collection[int]) -> Ids:
        """Return the positions of the ids that there are, in order."""
        wanted = np.sort(np.fromiter(within, dtype=np.int64, count=len(within)))
        places = np.searchsorted(self.ids, wanted)
        places, wanted = places[places < len(self.ids)], wanted[places < len(self.ids)]
        held: Ids = places[self.ids[places] == wanted]
        return held


def _ends(chosen: Ids) -> tuple[int, int]:
    return (int(chosen[0]), int(chosen[-1]) + 1) if len(chosen) else (0, 0)


def _bound(distances: Distances, limit: int) -> float:
    """Return a distance within which at least `limit` are, if there are so many.

    The least of each group are distances of different rows, so the last but `limit` of them will do.
    """
    groups = len(distances) // GROUP
    if groups <= limit:
        return np.inf
    least = distances[: groups * GROUP].reshape(groups, GROUP).min(axis=1)
    return float(np.partition(least, limit - 1)[limit - 1])


def _first(positions: Ids, distances: Distances, limit: int) -> tuple[Ids, Distances]:
    """Return the least distances in order, equal ones in the order given."""
    order = np.argsort(distances, kind="stable")[:limit]
    return positions[order], distances[order]


def load_kernel() -> Kernel:
    """Return the kernel of SimSIMD, which picks the instructions of this processor; raises ImportError."""
    from simsimd import cdist  # noqa: PLC0415 - without it the search goes on with vec0

    def squared(query: Int8s, rows: Int8s) -> Distances:
        if not len(rows):
            return np.zeros(0)
        measured: Distances = np.asarray(cdist(query[None, :], rows, "sqeuclidean"), dtype=np.float64)[0]
        return measured

    return squared


def read_array(store: Store, kernel: Kernel) -> Array:
    """Return all vectors of the library as the int8 that their half precision rounds to.

    Raises:
        LibraryUnreadable: the file is damaged.
    """
    ids, rows = [np.zeros(0, dtype=np.int64)], [np.zeros((0, store.dimension), dtype=np.int8)]
    after = -1
    while found := store.connections.rows("pooled_after", after=after, limit=BLOCK):
        numbers, pooled = store.halves(found)
        ids.append(numbers)
        rows.append(as_int8(pooled, float(store.meta["scale"])))
        after = int(numbers[-1])
    return Array(np.concatenate(ids), np.concatenate(rows), kernel)


_ARRAYS: WeakKeyDictionary[Store, Array | str] = WeakKeyDictionary()
_LOADING = Lock()  # so that the first questions of several threads read the array once


def array_of(store: Store, least: int) -> Array | str:
    """Return the array of a library that has at least so many chunks, or why there is none."""
    if not store.dimension:
        return "the library holds no vectors"
    if store.chunk_count < least:
        return f"{store.chunk_count:,} passages are fewer than {least:,}"
    with _LOADING:
        if store not in _ARRAYS:
            _ARRAYS[store] = _loaded(store)
        return _ARRAYS[store]


def _loaded(store: Store) -> Array | str:
    try:
        return read_array(store, load_kernel())
    except ImportError:
        return "simsimd is not installed"
