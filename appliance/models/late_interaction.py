"""Late interaction over stored token vectors: how well each word of the question is met in a passage."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from appliance.core.errors import ModelUnusable
from appliance.models.catalogue import Entry
from appliance.models.protocols import Candidate, Embedder, EncodedQuery, Floats, Int8s

STEP = 0.9957  # of the standard deviation
PER_BYTE = 4
_SHIFTS = np.arange(0, 8, 2, dtype=np.uint8)
_LEVELS = np.array([-1.5, -0.5, 0.5, 1.5], dtype=np.float32)
_BYTES = _LEVELS[(np.arange(256, dtype=np.uint8)[:, None] >> _SHIFTS) & 3]  # [256, 4]


def unit(rows: Floats) -> Floats:
    """Return the rows (or the one row) with length 1; rows of zeros stay zero."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: Floats = (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled


def pack(rows: Floats) -> Int8s:
    """Return unit rows [n, d] as stored [n, d / 4]; d must be a multiple of four."""
    count, width = rows.shape
    steps = np.floor(rows * (np.sqrt(width) / STEP))
    codes = (np.clip(steps, -2, 1) + 2).astype(np.uint8).reshape(count, width // PER_BYTE, PER_BYTE)
    packed: Int8s = np.bitwise_or.reduce(codes << _SHIFTS, axis=2).astype(np.uint8).view(np.int8)
    return packed


def unpack(packed: Int8s) -> Floats:
    """Return the unit rows [n, d] that were packed, as near as two bits tell."""
    rows, lengths = _levels(packed)
    return rows / lengths


def cosines(packed: Int8s, query: Floats) -> Floats:
    """Return the cosines [n, m] of packed rows [n, d / 4] to the unit rows [m, d] of a question.

    What is divided by the lengths is the m products of a row, not its d numbers.
    """
    rows, lengths = _levels(packed)
    return rows @ query.T / lengths


def _levels(packed: Int8s) -> tuple[Floats, Floats]:
    """Return the levels [n, d] that were packed and the lengths [n, 1] of their rows.

    `take` copies four levels at once, which indexing does not.
    """
    rows: Floats = np.take(_BYTES, packed.view(np.uint8), axis=0).reshape(len(packed), -1)
    return rows, np.sqrt(np.einsum("nd,nd->n", rows, rows))[:, None]


LEVELS = np.array([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], dtype=np.float32)
WIDTH = 0.07  # of a bump
SHARP = 5.0  # of the gate
FILE = "head.npz"


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """A learned head over token vectors of `dimension` numbers; `embedder` is the fingerprint of theirs."""

    turn: Floats  # [d, d]
    gate: Floats  # [d]
    curve: Floats  # [len(LEVELS)]
    length: float
    scale: float
    shift: float
    embedder: str

    def moved(self, query: Floats) -> Floats:
        """Return the rows [n, d] of a question as they are met."""
        return unit(query + query @ self.turn)

    def joined(self, query: Floats, best: Floats, lengths: Floats) -> Floats:
        """Return one score a passage from the best cosines [passages, n] and the logs of its rows."""
        bumps = np.exp(-((best[:, :, None] - LEVELS) ** 2) / (2 * WIDTH**2))
        weights = np.exp(SHARP * (query @ self.gate))
        weights /= weights.sum()
        met: Floats = (best + bumps @ self.curve) @ weights - self.length * lengths
        return (self.scale * met + self.shift).astype(np.float32)


def save_head(head: Head, path: Path) -> None:
    """Write a head, its matrices in half precision."""
    half = {name: getattr(head, name).astype(np.float16) for name in ("turn", "gate", "curve")}
    numbers = np.array([head.length, head.scale, head.shift], dtype=np.float32)
    np.savez(path, numbers=numbers, embedder=np.array(head.embedder), **half)


def read_head(name: str, path: Path, embedder: str, dimension: int) -> Head:
    """Return the head of a file.

    Raises:
        ModelUnusable: it is no head, or was learned over the vectors of another embedder.
    """
    head = open_head(name, path)
    if head.embedder != embedder:
        why = f"it was trained over the vectors of {head.embedder}, and the embedder is {embedder}"
        raise ModelUnusable(name, f"{why}; set models.reranker = 'late-interaction', or train one for it")
    if len(head.gate) != dimension:
        raise ModelUnusable(name, f"{path.name} is over {len(head.gate)} numbers a token, not {dimension}")
    return head


def open_head(name: str, path: Path) -> Head:
    """Return the head of a file, whatever embedder it was learned over; raises ModelUnusable for none."""
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as held:
            turn, gate, curve = (held[key].astype(np.float32) for key in ("turn", "gate", "curve"))
            length, scale, shift = map(float, held["numbers"])
            made_for = str(held["embedder"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise ModelUnusable(name, f"{path.name} is not a head: {error}") from None
    shapes = (turn.shape, gate.shape, curve.shape)
    if shapes != ((gate.size, gate.size), (gate.size,), LEVELS.shape):
        raise ModelUnusable(name, f"{path.name} holds arrays of shapes {shapes}")
    if not all(np.isfinite(values).all() for values in (turn, gate, curve, [length, scale, shift])):
        raise ModelUnusable(name, f"{path.name} has arrays that hold what is no number")
    return Head(turn, gate, curve, length, scale, shift, made_for)


LENGTH_COST = 0.01  # for each unit of log(1 + rows)


class LateInteraction:
    """MaxSim over the embedder's own token vectors, with what was learned on top where a head is given."""

    def __init__(self, embedder: Embedder, head: Head | None = None, name: str = "late-interaction") -> None:
        self.name = name
        self._embedder = embedder
        self._head = head

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        """Return MaxSim [len(candidates)] about -1 to 1; 0 where either side has no tokens."""
        missing = [item.text for item in candidates if item.tokens is None]  # what came without vectors
        made = iter(self._embedder.encode_passages(missing) if missing else [])
        tokens = [next(made).tokens if item.tokens is None else item.tokens for item in candidates]
        return max_sim(query.tokens, tokens, self._head)


def max_sim(query: Floats, passages: Sequence[Int8s], head: Head | None = None) -> Floats:
    """Return the mean over query rows [n, d] of the best cosine in each passage's packed rows [m, d / 4].

    With a head the rows are moved, the cosines bent and the mean weighed as it learned.
    """
    scores = np.zeros(len(passages), dtype=np.float32)
    filled = [place for place, rows in enumerate(passages) if len(rows)]
    if not len(query) or not filled:
        return scores
    best = best_cosines(head.moved(query) if head else query, [passages[place] for place in filled])
    lengths = np.log1p([len(passages[place]) for place in filled])
    if head is None:
        scores[filled] = best.mean(axis=1) - LENGTH_COST * lengths
    else:
        scores[filled] = head.joined(query, best, lengths)
    return scores


def best_cosines(query: Floats, passages: Sequence[Int8s]) -> Floats:
    """Return the best cosine [passages, n] of each query row [n, d] in each passage; none may be empty."""
    starts = np.cumsum([0, *(len(passage) for passage in passages)])[:-1]
    return np.maximum.reduceat(cosines(np.concatenate(passages), query), starts, axis=0)


def fit_projection(tokens: Iterable[Floats], width: int) -> Floats:
    """Return the matrix [dimension + 1, width] fitted to unit token rows.

    A row x becomes [x, 1] @ matrix, which is (x - mean) @ directions.
    """
    rows = np.concatenate(list(tokens)).astype(np.float64)
    mean = rows.mean(axis=0)
    centred = rows - mean
    values, vectors = np.linalg.eigh(centred.T @ centred)
    directions = vectors[:, np.argsort(values)[::-1][:width]]
    signs = np.sign(directions[np.abs(directions).argmax(axis=0), np.arange(width)])
    directions = (directions * signs) @ _turn(width)
    return np.vstack([directions, -mean @ directions]).astype(np.float32)


def turned(width: int) -> Floats:
    """Return the matrix [width + 1, width] that only turns rows, for a model without a fitted one."""
    return np.vstack([_turn(width), np.zeros(width)]).astype(np.float32)


def project(rows: Floats, matrix: Floats) -> Floats:
    """Return rows [n, dimension] in the basis of the matrix [n, width], not yet of unit length."""
    projected: Floats = (rows @ matrix[:-1] + matrix[-1]).astype(np.float32)
    return projected


def _turn(width: int) -> NDArray[np.float64]:
    """Return a fixed orthogonal matrix [width, width], drawn once for all."""
    drawn = np.random.default_rng(1).normal(size=(width, width))
    turn, triangle = np.linalg.qr(drawn)
    return turn * np.sign(np.diag(triangle))


class TokenReducer:
    """Full token vectors to stored ones; `dimension` is their width, `kept` which token ids have a row."""

    def __init__(self, entry: Entry, folder: Path, tokenizer: Tokenizer) -> None:
        self._matrix = _read_matrix(entry, folder) if entry.projection else turned(entry.dimension)
        self.dimension: int = self._matrix.shape[1]
        if self.dimension % PER_BYTE:
            raise ModelUnusable(entry.name, f"{self.dimension} is no multiple of {PER_BYTE}")
        self.kept = kept_tokens(tokenizer)

    def query(self, rows: Floats, ids: list[int]) -> Floats:
        """Return the unit token vectors [n, dimension] of a question."""
        return unit(project(rows[self.kept[ids]], self._matrix))

    def passage(self, rows: Floats, ids: list[int]) -> Int8s:
        """Return the token vectors of a passage as stored [n, dimension / 4]."""
        return pack(self.query(rows, ids))


def kept_tokens(tokenizer: Tokenizer) -> NDArray[np.bool_]:
    """Return for each token id whether it says something: it has a letter, a digit or a sign (<, +, °, %)."""
    kept = np.zeros(tokenizer.get_vocab_size(with_added_tokens=True), dtype=bool)
    for token, number in tokenizer.get_vocab(with_added_tokens=True).items():
        plain = token.removeprefix("##")
        kept[number] = any(sign == "%" or unicodedata.category(sign)[0] in "LNS" for sign in plain)
    return kept


def _read_matrix(entry: Entry, folder: Path) -> Floats:
    """Return the projection [dimension + 1, token_dimension]."""
    path = folder / entry.projection
    try:
        matrix: Floats = np.load(path, allow_pickle=False).astype(np.float32)
    except (OSError, ValueError) as error:
        raise ModelUnusable(entry.name, f"{path.name} is not a matrix: {error}") from None
    wanted = (entry.dimension + 1, entry.token_dimension)
    if matrix.shape != wanted:
        raise ModelUnusable(entry.name, f"{path.name} has shape {matrix.shape} instead of {wanted}")
    return matrix
