"""A library of any size to measure speed with: made words, made vectors, the file that is served."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from appliance.core.document import Box, Chunk, Document, Label, Page, Passage
from appliance.models.late_interaction import PER_BYTE
from appliance.models.protocols import Embedder
from appliance.store.write import LibraryMeta, Vectors, write_library, writer_version

IN_DOCUMENT = 2_000  # passages
CHILDREN = 4  # of one shown place
WORDS = 60  # of a passage
KNOWN_WORDS = 40_000
CENTRES = 400
TOKEN_ROWS = 24
AT_ONCE = 50_000  # vectors
RECIPE = "1"  # changed with anything above
_PARTS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "pl")
_VOWELS = ("a", "e", "i", "o", "u", "ea")

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class MadeVectors:
    """The vectors of one made passage."""

    pooled: Floats
    tokens: NDArray[np.int8]


@cache
def vocabulary() -> tuple[str, ...]:
    """Return made words, the commonest first and short."""
    syllables = [first + vowel for first in _PARTS for vowel in _VOWELS]
    count = len(syllables)
    return tuple(
        syllables[n % count] + (syllables[n // count % count] if n >= count else "") + (n // count**2) * "x"
        for n in range(KNOWN_WORDS)
    )


@cache
def _likely() -> NDArray[np.float64]:
    """Return how likely a word is one of the first n [KNOWN_WORDS] (Zipf and Mandelbrot)."""
    weights = 1.0 / (np.arange(KNOWN_WORDS) + 2.7) ** 1.07
    return np.cumsum(weights / weights.sum())


def made_text(chance: np.random.Generator, words: int) -> str:
    """Return so many words as they come in running text."""
    known = vocabulary()
    places = np.minimum(np.searchsorted(_likely(), chance.random(words)), KNOWN_WORDS - 1)
    return " ".join(known[place] for place in places.tolist())


def made_questions(count: int, seed: int = 1) -> list[str]:
    """Return questions of eight to twelve words of running text."""
    chance = np.random.default_rng(seed)
    return [made_text(chance, int(chance.integers(8, 13))) for _ in range(count)]


def made_vectors(count: int, dimension: int, seed: int = 0) -> Floats:
    """Return unit vectors [count, dimension] in clusters, each direction less spread than the one before."""
    spread = (np.arange(1, dimension + 1) ** -0.4).astype(np.float32)
    centres = np.random.default_rng(7).normal(size=(CENTRES, dimension)).astype(np.float32)
    chance = np.random.default_rng((seed, dimension))
    made = np.empty((count, dimension), dtype=np.float32)
    for start in range(0, count, AT_ONCE):
        rows = chance.standard_normal((min(AT_ONCE, count - start), dimension), dtype=np.float32)
        rows += 0.7 * centres[chance.integers(0, CENTRES, len(rows))]
        rows = np.asarray((rows * spread) @ _turn(dimension), dtype=np.float32)
        made[start : start + len(rows)] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return made


@cache
def _turn(dimension: int) -> Floats:
    """Return a rotation [dimension, dimension] that spreads the clusters over all numbers."""
    drawn = np.random.default_rng(8).normal(size=(dimension, dimension))
    turn: Floats = np.linalg.qr(drawn)[0].astype(np.float32)
    return turn


class MadeDocuments(Sequence[Document]):
    """The documents of a library of so many searched passages."""

    def __init__(self, searched: int) -> None:
        self._sizes = [min(IN_DOCUMENT, searched - start) for start in range(0, searched, IN_DOCUMENT)]
        self._made = lru_cache(1)(self._make)

    def __len__(self) -> int:
        return len(self._sizes)

    @overload
    def __getitem__(self, number: int) -> Document: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Document]: ...
    def __getitem__(self, number: int | slice) -> Document | Sequence[Document]:
        if isinstance(number, slice):
            return [self._made(n) for n in range(*number.indices(len(self)))]
        if number >= len(self):
            raise IndexError(number)
        return self._made(number % len(self))

    def _make(self, number: int) -> Document:
        chance = np.random.default_rng((2, number))
        chunks: list[Chunk] = []
        for first in range(0, self._sizes[number], CHILDREN):
            children = range(min(CHILDREN, self._sizes[number] - first))
            chunks += _family(chance, first // CHILDREN, len(children), len(chunks))
        return Document(
            f"made-{number}", f"MADE {number}", made_text(chance, 3), "2026", "unknown", "en", "", "",
            (Page(1, 595.0, 842.0),), chunks=tuple(chunks),
        )  # fmt: skip


def _family(chance: np.random.Generator, number: int, children: int, position: int) -> Iterator[Chunk]:
    """Yield a shown place and its searched passages."""
    label = Label((str(number // 20 + 1), str(number % 20 + 1)))
    title, texts = made_text(chance, 4), [made_text(chance, WORDS) for _ in range(children)]
    boxes = (Box(1, 50.0, 50.0, 500.0, 500.0),)
    yield Chunk(label, (label,), "clause", title, (), Passage("\n".join(texts)), boxes)
    for text in texts:
        yield Chunk(label, (label,), "clause", title, (), Passage(text), boxes, parent=position)


class _VectorsOf(Mapping[str, Sequence[MadeVectors]]):
    """The vectors of each document, made when they are looked at."""

    def __init__(self, sizes: Mapping[str, int], dimension: int, token_bytes: int) -> None:
        self._sizes = sizes
        self._dimension = dimension
        self._token_bytes = token_bytes

    def __len__(self) -> int:
        return len(self._sizes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._sizes)

    def __getitem__(self, name: str) -> Sequence[MadeVectors]:
        number = list(self._sizes).index(name)
        chance = np.random.default_rng((3, number))
        rows = made_vectors(self._sizes[name], self._dimension, number + 1)
        tokens = chance.integers(-128, 128, size=(len(rows), TOKEN_ROWS, self._token_bytes), dtype=np.int8)
        return [MadeVectors(row, token) for row, token in zip(rows, tokens, strict=True)]


def made_library(folder: Path, passages: int, embedder: Embedder) -> Path:
    """Return a library of so many searched passages, written the first time.

    Raises:
        CannotWrite: the folder is read-only, or full.
    """
    recipe = f"{RECIPE} {writer_version()} {embedder.fingerprint}"
    path = folder / f"made-{passages}-{hashlib.sha256(recipe.encode()).hexdigest()[:12]}.db"
    if path.is_file():
        return path
    documents = MadeDocuments(passages)
    sizes = {
        document.id: min(IN_DOCUMENT, passages - n * IN_DOCUMENT) for n, document in enumerate(documents)
    }
    vectors: Vectors = _VectorsOf(sizes, embedder.dimension, embedder.token_dimension // PER_BYTE)
    write_library(path, documents, vectors=vectors, meta=LibraryMeta(embedder.fingerprint))
    return path
