"""Greedy choice of the next token under a grammar, at hardly any cost."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from appliance.models.llama.engine import Engine, Scores, Words

Tokens = NDArray[np.intp]
_SOME = (64, 1024)  # tokens checked at a time, best first; then all that remain
_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])  # llama_token_data


class BadGrammar(Exception):
    """The grammar is not one, or nothing of the vocabulary goes on with it."""


class Initials:
    """The tokens of a vocabulary by their first byte; made once for a model, when first needed."""

    def __init__(self, words: Words) -> None:
        by_byte: dict[int, list[int]] = {}
        alone: dict[int, int] = {}
        others: list[int] = []  # control tokens and those that end: the grammar says itself
        for token, piece in enumerate(words.pieces()):
            if not piece:
                others.append(token)
                continue
            by_byte.setdefault(piece[0], []).append(token)
            if len(piece) == 1:
                alone.setdefault(piece[0], token)
        others += [token for byte, tokens in by_byte.items() if byte not in alone for token in tokens]
        self.others: Tokens = np.array(others, dtype=np.intp)
        self.first: Tokens = np.array(list(alone.values()), dtype=np.intp)  # the byte as a token
        self.groups: list[Tokens] = [np.array(by_byte[byte], dtype=np.intp) for byte in alone]


class Grammar:
    """A grammar and how far the text has come in it."""

    def __init__(self, engine: Engine, initials: Callable[[], Initials], text: str) -> None:
        self._initials = initials
        sampler: Any = llama_cpp.llama_sampler_init_grammar(engine.vocabulary, text.encode(), b"root")
        if not sampler:
            raise BadGrammar("the grammar cannot be read")
        self._sampler = sampler
        self._one = np.zeros(1, dtype=_CANDIDATE)

    def choose(self, scores: Scores) -> int:
        """Return the best token that goes on with the grammar.

        Raises:
            BadGrammar: there is none.
        """
        best = int(np.argmax(scores))
        if self._fits(np.array([best]), self._one).size:
            return best
        initials = self._initials()
        open_bytes = set(self._fits(initials.first).tolist())
        groups = [
            group
            for first, group in zip(initials.first.tolist(), initials.groups, strict=True)
            if first in open_bytes
        ]
        return self._best_of(np.concatenate([initials.others, *groups]), scores)

    def takes(self, tokens: Sequence[int]) -> bool:
        """Tell whether all these tokens go on with the grammar one after the other, going on with them."""
        for token in tokens:
            if not self._fits(np.array([token])).size:
                return False
            self.accept(token)
        return True

    def accept(self, token: int) -> None:
        llama_cpp.llama_sampler_accept(self._sampler, token)

    def close(self) -> None:
        llama_cpp.llama_sampler_free(self._sampler)

    def _best_of(self, tokens: Tokens, scores: Scores) -> int:
        """Return the best of the tokens that fits; of equal ones, as llama.cpp, the first."""
        worth = scores[tokens]
        below = np.inf
        for size in (*_SOME, len(tokens)):
            least = -np.partition(-worth, size - 1)[size - 1] if size < len(tokens) else -np.inf
            some = (worth >= least) & (worth < below) & np.isfinite(worth)
            order = np.lexsort((tokens[some], -worth[some]))
            fitting = self._fits(tokens[some][order])
            if fitting.size:
                return int(fitting[0])
            below = least
        raise BadGrammar("nothing of the vocabulary goes on with the grammar")

    def _fits(self, tokens: Tokens, room: NDArray[np.void] | None = None) -> Tokens:
        """Return those of the tokens that the grammar accepts next, in their order."""
        data = np.zeros(len(tokens), dtype=_CANDIDATE) if room is None else room
        data["id"] = tokens
        data["logit"] = 0.0
        array = llama_cpp.llama_token_data_array(
            data=data.ctypes.data_as(llama_cpp.llama_token_data_p), size=len(data), selected=-1, sorted=False
        )
        # minus infinity for what does not fit
        llama_cpp.llama_sampler_apply(self._sampler, ctypes.byref(array))
        return np.asarray(data["id"][data["logit"] == 0.0], dtype=np.intp)
