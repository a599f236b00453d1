"""The two searches of the library: by words (BM25) and by vectors (exact scan)."""

from __future__ import annotations

import json
import sys
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from appliance.core.errors import BadInput, LibraryUnreadable
from appliance.store.connection import Connections
from appliance.store.read import Store, kept
from appliance.store.rows import as_int8
from appliance.text.terms import words

Unit = Literal["child", "parent"]
Hits = list[tuple[int, float]]  # chunk id and score, best first
Ids = NDArray[np.int64]
Scores = NDArray[np.float64]
Int8s = NDArray[np.int8]
Distances = NDArray[np.float64]
Kernel = Callable[[Int8s, Int8s], Distances]


class Vocabulary:
    """The index terms of a library with the number of chunks that hold each."""

    def __init__(self, store: Store) -> None:
        rows = store.connections.rows("vocabulary")
        self.chunks: dict[str, int] = {term: count for term, count, _ in rows}
        self.total = max(store.chunk_count, 1)
        self._store = store

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


def chunks_within(
    store: Store, unit: Unit, documents: Sequence[str], kinds: Sequence[str] = ()
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


# -- by words: BM25 over whole chunks from the postings of single terms, the same numbers that FTS5 gives

COLUMN_WEIGHTS = {"label": 4.0, "title": 2.0, "text": 1.0, "exact": 1.5}  # of a hit in each
K1, B = 1.2, 0.75  # fixed in FTS5
LEAST_IDF = 1e-6  # of a term that half of the rows hold; FTS5 lets none count against a chunk
CACHE_BYTES = 128 * 2**20  # postings of one library; about ten million
ROWS_AT_ONCE = 100_000  # of the sizes of rows, so that each statement ends well within its time
BLOCK_ROWS = 64  # of scores, of which only the greatest is looked at first


@dataclass(frozen=True, slots=True)
class Wanted:
    """One way to say one idea: terms that a chunk must hold all, in any of the columns."""

    terms: tuple[str, ...]
    columns: tuple[str, ...] = tuple(COLUMN_WEIGHTS)


@dataclass(frozen=True, slots=True)
class Posting:
    """Where a term stands: rows [n] in order, and what it adds to the score of each [n]."""

    rows: NDArray[np.int32]
    adds: Scores


class Postings:
    """The postings of one index of a library that were asked for lately; safe to share between threads."""

    def __init__(self, connections: Connections, unit: str, most: int = CACHE_BYTES) -> None:
        self._connections = connections
        self._unit = unit
        self._most = most
        self._kept: OrderedDict[tuple[str, tuple[str, ...]], Posting] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def of(self, term: str, columns: tuple[str, ...]) -> Posting:
        """Return where the term stands in these columns."""
        key = (term, columns)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = self._read(term, columns)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._size += made.rows.nbytes + made.adds.nbytes
            while self._size > self._most and len(self._kept) > 1:
                oldest = self._kept.popitem(last=False)[1]
                self._size -= oldest.rows.nbytes + oldest.adds.nbytes
        return made

    def scores(self, wanted: Iterable[Wanted]) -> Scores:
        """Return the BM25 score of each row id [greatest id + 1], 0 where nothing wanted stands."""
        total = np.zeros(len(self._norms), dtype=np.float64)
        for item in wanted:
            first, *others = found = [self.of(term, item.columns) for term in item.terms]
            both = first.rows
            for posting in others:
                both = np.intersect1d(both, posting.rows, assume_unique=True)
            for posting in found:
                total[both] += posting.adds[np.searchsorted(posting.rows, both) if others else slice(None)]
        return total

    def _read(self, term: str, columns: tuple[str, ...]) -> Posting:
        weights = {name: weight * (name in columns) for name, weight in COLUMN_WEIGHTS.items()}
        rows, often = _added(self._connections.rows(f"{self._unit}_instances", term=term, **weights))
        if len(rows) and rows[-1] >= len(self._norms):
            raise LibraryUnreadable(self._connections.path, f"{term!r} stands in a row that is not there")
        idf = np.log((len(self._sizes[0]) - len(rows) + 0.5) / (len(rows) + 0.5))
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
    if not len(rows):
        return rows, weights
    if np.any(rows[1:] < rows[:-1]):
        order = np.argsort(rows, kind="stable")
        rows, weights = rows[order], weights[order]
    starts = np.flatnonzero(np.concatenate([[True], rows[1:] != rows[:-1]]))
    return rows[starts], np.add.reduceat(weights, starts)


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


def best(scores: Scores, limit: int, within: Collection[int] | None = None) -> Hits:
    """Return the best rows with a score above 0, equal ones in the order of their ids."""
    blocks = len(scores) // BLOCK_ROWS
    if within is not None:
        rows = np.fromiter(within, dtype=np.int64, count=len(within))
        rows = rows[rows < len(scores)]
        rows = rows[scores[rows] > 0.0]
    elif blocks <= limit:
        rows = np.flatnonzero(scores > 0.0)
    else:  # the greatest of each block are scores of different rows: the last but `limit` of them is a bound
        tops = scores[: blocks * BLOCK_ROWS].reshape(blocks, BLOCK_ROWS).max(axis=1)
        bound = np.partition(tops, blocks - limit)[blocks - limit]
        rows = np.flatnonzero((scores >= bound) & (scores > 0.0))
    order = np.lexsort((rows, -scores[rows]))[:limit]
    return list(zip(rows[order].tolist(), scores[rows[order]].tolist(), strict=True))


@kept
def postings_of(store: Store, unit: str) -> Postings:
    """Return what is kept of one index of a library."""
    return Postings(store.connections, unit)


def search_terms(
    store: Store,
    unit: Unit,
    wanted: Sequence[Wanted],
    limit: int,
    *,
    within: Collection[int] | None = None,
) -> Hits:
    """Return the best chunks by BM25 (higher is better) for any of the things wanted, equal ones by id."""
    if not wanted or limit <= 0:
        return []
    return best(postings_of(store, unit).scores(wanted), limit, within)


# -- by vectors: the nearest by int8 (vec0, or a scan of all in memory), measured again in half precision

DENSE_LIMIT = 100  # nearest by int8, of which the half-precision vectors say the order; vec0 slows with more
VEC0_LIMIT = 4096  # the most that it gives
BLOCK = 32_768  # rows whose distances are looked at together
GROUP = 64  # of them, of which only the least is looked at first
DENSE = 3  # of a range of rows, where more than one in three is wanted, all are scanned and the rest masked


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
    small = as_int8(vector, float(store.meta["scale"]))
    array = array_of(store, scan_from)
    if isinstance(array, Array):
        found = array.nearest(small, DENSE_LIMIT, within)
    else:
        found = _nearest_by_vec0(store, small, DENSE_LIMIT, within)
    return measured_again(vector, *store.pooled(chunk for _, chunk in found))[:limit]


def measured_again(vector: NDArray[np.float32], ids: Ids, rows: NDArray[np.float32]) -> Hits:
    """Return ids with the cosine of their rows [n, d] to a vector [d], best first, equal ones by id."""
    if not len(ids):
        return []
    cosines = rows @ vector
    order = np.lexsort((ids, -cosines))
    return list(zip(ids[order].tolist(), cosines[order].tolist(), strict=True))


def _nearest_by_vec0(
    store: Store, vector: Int8s, limit: int, within: Collection[int] | None
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
        held, least = np.zeros(0, dtype=np.int64), np.zeros(0)
        for positions, distances in self._measured(np.ascontiguousarray(query), within):
            if len(least) == limit:
                near = np.flatnonzero(distances < least[-1])  # an equal one has a greater id
            else:
                near = np.flatnonzero(distances <= _bound(distances, limit))
            held, least = np.append(held, positions[near]), np.append(least, distances[near])
            order = np.argsort(least, kind="stable")[:limit]
            held, least = held[order], least[order]
        return list(zip(least.tolist(), self.ids[held].tolist(), strict=True))

    def _measured(self, query: Int8s, within: Collection[int] | None) -> Iterator[tuple[Ids, Distances]]:
        """Yield positions and their squared distances, block by block, in the order of the ids."""
        first, last = 0, len(self.ids)
        chosen: Ids | None = None
        if within is not None:
            wanted = np.sort(np.fromiter(within, dtype=np.int64, count=len(within)))
            places = np.searchsorted(self.ids, wanted)
            places, wanted = places[places < last], wanted[places < last]
            chosen = places[self.ids[places] == wanted]
            first, last = (int(chosen[0]), int(chosen[-1]) + 1) if len(chosen) else (0, 0)
            if len(chosen) * DENSE < last - first:
                for part in np.array_split(chosen, -(-len(chosen) // BLOCK) or 1):
                    yield part, self.kernel(query, self.rows[part])
                return
        for start in range(first, last, BLOCK):
            stop = min(start + BLOCK, last)
            distances, positions = self.kernel(query, self.rows[start:stop]), np.arange(start, stop)
            if chosen is not None and len(chosen) < last - first:
                positions = chosen[np.searchsorted(chosen, start) : np.searchsorted(chosen, stop)]
                distances = distances[positions - start]
            yield positions, distances


def _bound(distances: Distances, limit: int) -> float:
    """Return a distance within which at least `limit` are, if there are so many.

    The least of each group are distances of different rows, so the last but `limit` of them will do.
    """
    groups = len(distances) // GROUP
    if groups <= limit:
        return np.inf
    least = distances[: groups * GROUP].reshape(groups, GROUP).min(axis=1)
    return float(np.partition(least, limit - 1)[limit - 1])


def load_kernel() -> Kernel:
    """Return the kernel of SimSIMD, which picks the instructions of this processor; raises ImportError."""
    from simsimd import cdist  # noqa: PLC0415 - without it the search goes on with vec0

    def squared(query: Int8s, rows: Int8s) -> Distances:
        if not len(rows):
            return np.zeros(0)
        measured: Distances = np.asarray(cdist(query[None, :], rows, "sqeuclidean"), dtype=np.float64)[0]
        return measured

    return squared


def array_of(store: Store, least: int) -> Array | str:
    """Return the array of a library that has at least so many chunks, or why there is none."""
    if not store.dimension:
        return "the library holds no vectors"
    if store.chunk_count < least:
        return f"{store.chunk_count:,} passages are fewer than {least:,}"
    return _array(store)


@kept
def _array(store: Store) -> Array | str:
    """Return all vectors of the library as the int8 that their half precision rounds to."""
    try:
        kernel = load_kernel()
    except ImportError:
        return "simsimd is not installed"
    ids, rows = [np.zeros(0, dtype=np.int64)], [np.zeros((0, store.dimension), dtype=np.int8)]
    after = -1
    while found := store.connections.rows("pooled_after", after=after, limit=BLOCK):
        numbers, pooled = store.halves(found)
        ids.append(numbers)
        rows.append(as_int8(pooled, float(store.meta["scale"])))
        after = int(numbers[-1])
    return Array(np.concatenate(ids), np.concatenate(rows), kernel)
