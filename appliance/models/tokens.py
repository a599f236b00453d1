"""Token vectors, made small enough to store: which tokens, how many numbers, how many rows, which type.

Rules of this module: unit rows in, unit rows out; reading the projection is the only file work.
Tokens that are only punctuation are left out (Khattab & Zaharia, ColBERT, SIGIR 2020, section 3.2).
The others are brought to the narrower basis that the export command fitted (project.py), or, for a
model that came without one, only turned; then packed (vectors.py). What each step costs and saves
is measured in the card of the default model.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from appliance.model_errors import ModelUnusable
from appliance.models.entries import Entry
from appliance.models.project import project, turned
from appliance.models.protocols import Floats, Int8s
from appliance.models.vectors import PER_BYTE, pack, unit


class TokenReducer:
    """Full token vectors to stored ones; `dimension` is their width."""

    def __init__(self, entry: Entry, folder: Path, tokenizer: Tokenizer) -> None:
        self._matrix = _read_matrix(entry, folder) if entry.projection else turned(entry.dimension)
        self.dimension: int = self._matrix.shape[1]
        if self.dimension % PER_BYTE:
            raise ModelUnusable(entry.name, f"{self.dimension} is no multiple of {PER_BYTE}")
        self._kept = kept_tokens(tokenizer)

    def query(self, rows: Floats, ids: list[int]) -> Floats:
        """Return the unit token vectors [n, dimension] of a question."""
        return self._project(rows[self._kept[ids]])

    def passage(self, rows: Floats, ids: list[int]) -> Int8s:
        """Return the token vectors of a passage as stored [n, dimension / 4]."""
        return pack(self._project(rows[self._kept[ids]]))

    def kept(self, ids: list[int]) -> list[bool]:
        """Tell for each token whether it has a row."""
        return [bool(says) for says in self._kept[ids]]

    def _project(self, rows: Floats) -> Floats:
        return unit(project(rows, self._matrix))


def kept_tokens(tokenizer: Tokenizer) -> NDArray[np.bool_]:
    """Return for each token id whether it says something: it has a letter, a digit or a sign."""
    kept = np.zeros(tokenizer.get_vocab_size(with_added_tokens=True), dtype=bool)
    for token, number in tokenizer.get_vocab(with_added_tokens=True).items():
        kept[number] = any(_says_something(character) for character in token.removeprefix("##"))
    return kept


def _says_something(character: str) -> bool:
    """Tell letters, digits and signs (<, +, °, %) from punctuation and blanks."""
    return character == "%" or unicodedata.category(character)[0] in "LNS"


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
