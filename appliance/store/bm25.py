"""BM25 over whole chunks from the postings of single terms, the same numbers that FTS5 gives."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from appliance.core.errors import LibraryUnreadable
from appliance.store.connection import Connections
from appliance.store.read import Store

COLUMNS = ("label", "title", "text", "exact")
K1, B = 1.2, 0.75  # fixed in FTS5
LEAST_IDF = 1e-6  # of a term that half of the rows hold; FTS5 lets none count against a chunk
CACHE_BYTES = 128 * 2**20  # postings of one library; about ten million
ROWS_AT_ONCE = 100_000  # of the sizes of rows, so that each statement ends well within its time
_BLOCK = 64

Ids = NDArray[np.int64]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One way to say one idea: terms that a chunk must hold all, in any of the columns ({} for all)."""

    terms: tuple[str, ...]
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Posting:
    """Where a term stands: rows [n] in order, and what it adds to the score of each [n]."""

    rows: NDArray[np.int32]
    adds: Scores

    @property
    def size(self) -> int:
        """Return the bytes that it takes."""
        return int(self.rows.nbytes + self.adds.nbytes)


class Postings:
    """The postings of one index of a library that were asked for lately; safe to share between threads."""

    def __init__(self, connections: Connections, unit: str, most: int = CACHE_BYTES) -> None:
        self._connections = connections
        self._unit = unit
        self._most = most
        self._kept: OrderedDict[tuple[object, ...], Posting] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def of(self, term: str, weights: Mapping[str, float]) -> Posting:
        """Return where the term stands in the columns that have a weight."""
        key = (term, *sorted(weights.items()))
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = self._read(term, weights)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._size += made.size
            while self._size > self._most and len(self._kept) > 1:
                self._size -= self._kept.popitem(last=False)[1].size
        return made

    def scores(self, wanted: Iterable[Wanted], weights: Mapping[str, float]) -> Scores:
        """Return the BM25 score of each row id [greatest id + 1], 0 where nothing wanted stands."""
        total = np.zeros(len(self._norms), dtype=np.float64)
        for item in wanted:
            chosen = {name: weights[name] for name in item.columns or weights}
            found = [self.of(term, chosen) for term in item.terms]
            both = _rows_of_all(found)
            for posting in found:
                places = slice(None) if len(found) == 1 else np.searchsorted(posting.rows, both)
                total[both] += posting.adds[places]
        return total

    def _read(self, term: str, weights: Mapping[str, float]) -> Posting:
        columns = {name: weights.get(name, 0.0) for name in COLUMNS}
        found = self._connections.rows(f"{self._unit}_instances", term=term, **columns)
        rows, often = _added(found)
        if len(rows) and rows[-1] >= len(self._norms):
            raise LibraryUnreadable(self._connections.path, f"{term!r} stands in a row that is not there")
        idf = np.log((self._count - len(rows) + 0.5) / (len(rows) + 0.5))
        if idf <= 0.0:
            idf = LEAST_IDF
        return Posting(rows, idf * ((often * (K1 + 1.0)) / (often + self._norms[rows])))

    @cached_property
    def _sizes(self) -> tuple[Ids, Scores]:
        """Return the ids of all rows and how many terms each holds."""
        ids, sizes = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
        after = -1
        while found := self._connections.rows(f"{self._unit}_sizes", after=after, limit=ROWS_AT_ONCE):
            ids.append(np.array([row for row, _ in found], dtype=np.int64))
            sizes.append(_sums([packed for _, packed in found]))
            after = int(ids[-1][-1])
        return np.concatenate(ids), np.concatenate(sizes)

    @cached_property
    def _count(self) -> int:
        return len(self._sizes[0])

    @cached_property
    def _norms(self) -> Scores:
        """Return, by row id, what the length of a row does to the weight of its terms."""
        ids, sizes = self._sizes
        norms = np.zeros(int(ids[-1]) + 1 if len(ids) else 0)
        norms[ids] = K1 * (1 - B + B * sizes / (sizes.sum() / max(len(ids), 1)))
        return norms


def _added(found: Sequence[tuple[int, float]]) -> tuple[NDArray[np.int32], Scores]:
    """Return the rows, in order, that (row, weight) pairs name, and the sum of the weights of each, if any.

    FTS5 adds the weights up in the order of the text too, and halves and whole numbers add exactly.
    """
    rows = np.fromiter((row for row, _ in found), dtype=np.int32, count=len(found))
    weights = np.fromiter((weight for _, weight in found), dtype=np.float64, count=len(found))
    rows, weights = rows[weights > 0], weights[weights > 0]
    if len(rows) and np.any(rows[1:] < rows[:-1]):
        order = np.argsort(rows, kind="stable")
        rows, weights = rows[order], weights[order]
    starts = (
        np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]])) if len(rows) else np.zeros(0, int)
    )
    return rows[starts], np.add.reduceat(weights, starts) if len(starts) else np.zeros(0)


def _rows_of_all(found: Sequence[Posting]) -> NDArray[np.int32]:
    """Return the rows that stand in every posting."""
    both = found[0].rows
    for posting in found[1:]:
        both = np.intersect1d(both, posting.rows, assume_unique=True)
    return both


def _sums(packed: Sequence[bytes]) -> Scores:
    """Return the sum of each record of variable-length integers (SQLite's: seven bits a byte, high first)."""
    data = np.frombuffer(b"".join(packed), dtype=np.uint8)
    ends = np.flatnonzero(data < 128)
    starts = np.concatenate([[0], ends[:-1] + 1])
    values = np.zeros(len(ends), dtype=np.int64)
    for place in range(int((ends - starts).max(initial=0)) + 1):
        inside = starts + place <= ends
        values[inside] = values[inside] << 7 | (data[(starts + place)[inside]] & 127)
    lengths = np.fromiter(map(len, packed), dtype=np.int64, count=len(packed))
    owner = np.repeat(np.arange(len(packed)), lengths)[ends]
    return np.bincount(owner, weights=values, minlength=len(packed)).astype(np.float64)


def best(scores: Scores, limit: int, within: Collection[int] | None = None) -> list[tuple[int, float]]:
    """Return the best rows with a score above 0, equal ones in the order of their ids."""
    if within is None:
        rows = _above(scores, limit)
    else:
        rows = np.fromiter(within, dtype=np.int64, count=len(within))
        rows = rows[rows < len(scores)]
    rows = rows[scores[rows] > 0.0]
    order = np.lexsort((rows, -scores[rows]))[:limit]
    return list(zip(rows[order].tolist(), scores[rows[order]].tolist(), strict=True))


def _above(scores: Scores, limit: int) -> Ids:
    """Return the rows that may be among the best: no score below them can.

    The greatest of each block are scores of different rows, so the last but `limit` of them is a bound.
    """
    blocks = len(scores) // _BLOCK
    if blocks <= limit:
        return np.flatnonzero(scores > 0.0)
    tops = scores[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
    bound = np.partition(tops, blocks - limit)[blocks - limit]
    return np.flatnonzero((scores >= bound) & (scores > 0.0))


_KEPT: WeakKeyDictionary[Store, dict[str, Postings]] = WeakKeyDictionary()
_OPENING = Lock()


def postings_of(store: Store, unit: str) -> Postings:
    """Return what is kept of one index of a library."""
    with _OPENING:
        units = _KEPT.setdefault(store, {})
        if unit not in units:
            units[unit] = Postings(store.connections, unit)
        return units[unit]
