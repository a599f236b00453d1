"""How fast the nearest vectors are found, beside numpy and the memory itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from appliance.evaluation.bench.rounds import Measure, Result, in_turn
from appliance.models.protocols import Embedder
from appliance.models.session import hold_blas_to_one_thread
from appliance.store.channels import (
    DENSE_LIMIT,
    Array,
    chunks_within,
    load_kernel,
    measured_again,
    search_vectors,
)
from appliance.store.read import Store
from appliance.store.rows import as_int8

SIZES = (20_000, 200_000)
DIMENSION = 384
LIMIT = 50
ROUNDS = 15
TARGET_MS = {200_000: 8.0}
RECALL = 99.0  # percent
SLACK = 1.5  # times the limit that are as good as the target
MOST_REAL = 60_000  # passages of a library whose float vectors are compared

Floats = NDArray[np.float32]


def bench_scan() -> Result:
    """Return the measures of scanning made vectors, and remarks."""
    hold_blas_to_one_thread()
    try:
        kernel = load_kernel()
    except ImportError:
        return (), ("vectors: not measured, simsimd is not installed",)
    measures = [measure for size in SIZES for measure in _at_size(size, kernel)]
    return tuple(measures), ("vectors: processor time of one core, all ways in turn, made vectors",)


def _at_size(size: int, kernel: Callable[..., NDArray[np.float64]]) -> Iterator[Measure]:
    """Yield the measures at one size: ours beside each peer, the limit, and recall."""
    rows = np.random.default_rng(1).standard_normal((size + ROUNDS, DIMENSION), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows, asked = rows[:size], rows[size:]
    scale = 127.0 / float(np.abs(rows).max())
    small, smaller = as_int8(rows, scale), as_int8(asked, scale)
    array = Array(np.arange(size), small, kernel)
    words = small.reshape(-1).view(np.uint64)
    halves = rows.astype(np.float16)

    def ours(number: int) -> list[int]:
        near = np.array([row for _, row in array.nearest(smaller[number], DENSE_LIMIT)])
        again = measured_again(asked[number], near, halves[near].astype(np.float32))
        return [row for row, _ in again[:LIMIT]]

    ways: dict[str, Callable[[int], object]] = {
        "ours": ours,
        "limit": lambda _: int(words.max()),
        "numpy float32": lambda n: _by_numpy(rows, asked[n]),
    }
    spent = in_turn(ways, ROUNDS)
    middle = {name: one.p(0.5) for name, one in spent.items()}
    wanted = TARGET_MS.get(size)
    beside_memory = Measure(
        *("vectors", f"nearest {LIMIT} of {size:,}", middle["ours"], "ms", "lower"),
        peer=middle["limit"],
        peer_name="reading the bytes",
        target=max(wanted, SLACK * middle["limit"]) if wanted else None,
        note=f"{small.nbytes / middle['limit'] / 1e6:.1f} GB/s is the limit; {spent['ours'].said}",
    )
    yield beside_memory
    numpy = "numpy float32"
    yield replace(beside_memory, peer=middle[numpy], peer_name=numpy, target=None, note="")
    found = [set(ours(number)) for number in range(len(asked))]
    right = [set(_by_numpy(rows, item).tolist()) for item in asked]
    yield _recall(f"recall of {LIMIT} of {size:,}", found, right)


def _by_numpy(rows: Floats, asked: Floats) -> NDArray[np.int64]:
    """Return the rows of the greatest cosine, in any order."""
    cosines = rows @ asked
    return np.argpartition(cosines, len(cosines) - LIMIT)[-LIMIT:]


def _recall(name: str, found: Sequence[set[int]], right: Sequence[set[int]]) -> Measure:
    shares = [len(ours & theirs) / len(theirs) for ours, theirs in zip(found, right, strict=True)]
    return Measure(
        *("vectors", name, 100 * float(np.mean(shares)), "%", "higher"),
        target=RECALL,
        note=f"{np.mean(shares):.4f}, least {min(shares):.2f}, of {len(shares)} questions, beside float32",
    )


def bench_recall(store: Store, embedder: Embedder, questions: Sequence[str]) -> Result:
    """Return how much of what the exact vectors of a library find the search finds, by int8 first."""
    if not store.dimension or store.chunk_count > MOST_REAL:
        return (), ("vectors: recall in the library not measured, it has no vectors or too many",)
    vectors = store.vectors(chunks_within(store, "child", [info.id for info in store.documents()]) or ())
    ids = np.array(list(vectors), dtype=np.int64)
    rows = np.stack([item.pooled for item in vectors.values()]).astype(np.float32)
    limit = min(LIMIT, len(ids))
    found, right = [], []
    for question in questions:
        asked = embedder.encode_query(question).pooled
        order = np.argsort(-(rows @ asked), kind="stable")[:limit]
        right.append(set(ids[order].tolist()))
        found.append({chunk for chunk, _ in search_vectors(store, asked, limit)})
    return (_recall(f"recall of {limit} of {len(ids):,} in the library", found, right),), ()
