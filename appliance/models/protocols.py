"""The models as the rest of the appliance sees them.

Rules of this module: numpy and the standard library only; shapes and units in every docstring.
Adapters (`onnx.py`, ...) satisfy these Protocols; tests pass small fakes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Int8s = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class EncodedQuery:
    """A question as vectors: `pooled` [dimension] of unit length, `tokens` [n, token_dimension] unit rows."""

    text: str
    pooled: Floats
    tokens: Floats


@dataclass(frozen=True, slots=True)
class EncodedPassage:
    """A passage as vectors.

    `pooled` is [dimension] of unit length; `tokens` is [n, bytes] int8, one packed row for each token:
    the store keeps them as they are, and only the reranker over the same embedder reads them.
    """

    pooled: Floats
    tokens: Int8s


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a reranker may look at: the indexed text and, where the library holds them, its token vectors."""

    text: str
    tokens: Int8s | None


class Embedder(Protocol):
    """Text to vectors. `fingerprint` changes whenever its vectors would."""

    @property
    def fingerprint(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def token_dimension(self) -> int: ...

    def encode_query(self, text: str) -> EncodedQuery: ...

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]: ...


class Reranker(Protocol):
    """Question and candidates to scores [len(candidates)], higher is better, any scale."""

    @property
    def name(self) -> str: ...

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats: ...
