"""The embedder: an ONNX encoder and its tokenizer as one frozen-in-time function from text to vectors.

Rules of this module: one run over a text gives both its pooled vector and its token vectors. The
same text gives the same bytes whatever it is encoded with (see session.py). A model whose output
has another width than the catalogue says, or that yields something that is no number, is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from appliance.model_errors import ModelUnusable
from appliance.models.entries import Entry
from appliance.models.protocols import EncodedPassage, EncodedQuery, Floats
from appliance.models.session import open_session, open_tokenizer, run, side_by_side
from appliance.models.tokens import TokenReducer
from appliance.models.vectors import unit
from appliance.models.windows import Window, windows

QUERIES_KEPT = 256  # encoded questions kept: evaluation and page reloads ask again


class OnnxEmbedder:
    """An encoder with its tokenizer, ready to run; safe to share between threads."""

    def __init__(self, entry: Entry, folder: Path, fingerprint: str, threads: int) -> None:
        self._entry = entry
        self._threads = threads
        self._tokenizer = open_tokenizer(entry.name, folder / entry.tokenizer)
        self._session = open_session(entry.name, folder / entry.model)
        self._reduce = TokenReducer(entry, folder, self._tokenizer)
        self._fingerprint = fingerprint
        self._remember = lru_cache(QUERIES_KEPT)(self._encode_query)
        self._refuse_wrong_width()

    @property
    def fingerprint(self) -> str:
        return self._fingerprint

    @property
    def dimension(self) -> int:
        return self._entry.dimension

    @property
    def token_dimension(self) -> int:
        return self._reduce.dimension

    def encode_query(self, text: str) -> EncodedQuery:
        """Return the vectors of a question; the last few hundred are remembered."""
        return self._remember(text)

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]:
        """Return the vectors of each text, in order."""
        prefix = self._entry.passage_prefix
        return side_by_side(self._encode_passage, [prefix + text for text in texts], self._threads)

    def hidden(self, text: str) -> tuple[Floats, Floats, list[int]]:
        """Return a text's pooled vector [dimension], its unit token vectors [n, dimension] and their ids."""
        parts = self._windows(text)
        outputs = [self._run(part) for part in parts]
        rows = np.concatenate([unit(output[part.own]) for part, output in zip(parts, outputs, strict=True)])
        ids = [int(token) for part in parts for token in part.ids[part.own]]
        return self._pool(parts, outputs), rows, ids

    def _encode_query(self, text: str) -> EncodedQuery:
        pooled, rows, ids = self.hidden(self._entry.query_prefix + text)
        vectors = EncodedQuery(text, pooled, self._reduce.query(rows, ids), self._spans(text, ids))
        vectors.pooled.flags.writeable = vectors.tokens.flags.writeable = False
        return vectors

    def _spans(self, text: str, ids: list[int]) -> tuple[tuple[int, int], ...]:
        """Return the characters of a question that each row stands for, none where it was cut in windows."""
        prefix = self._entry.query_prefix
        encoding = self._tokenizer.encode(prefix + text)
        plain = [place for place, special in enumerate(encoding.special_tokens_mask) if not special]
        if [encoding.ids[place] for place in plain] != ids:
            return ()
        kept = self._reduce.kept(ids)
        spans = (encoding.offsets[place] for place, says in zip(plain, kept, strict=True) if says)
        return tuple((start - len(prefix), end - len(prefix)) for start, end in spans)

    def _encode_passage(self, text: str) -> EncodedPassage:
        pooled, rows, ids = self.hidden(text)
        return EncodedPassage(pooled, self._reduce.passage(rows, ids))

    def _windows(self, text: str) -> list[Window]:
        return windows(self._tokenizer, text, self._entry.max_tokens)

    def _run(self, part: Window) -> Floats:
        output = run(self._session, part.ids)
        if not np.isfinite(output).all():
            raise ModelUnusable(self._entry.name, "it yields values that are not numbers")
        return output

    def _pool(self, parts: list[Window], outputs: list[Floats]) -> Floats:
        """Return the unit mean of the windows' unit vectors, weighted by what each adds [dimension]."""
        mean = self._entry.pooling == "mean"
        pooled = [unit(output.mean(axis=0) if mean else output[0]) for output in outputs]
        weights = [max(1, int(part.own.sum())) for part in parts]
        return unit(np.average(np.stack(pooled), axis=0, weights=weights).astype(np.float32))

    def _refuse_wrong_width(self) -> None:
        width = self._run(self._windows("a")[0]).shape[-1]
        if width != self._entry.dimension:
            why = f"its vectors have {width} numbers where the catalogue says {self._entry.dimension}"
            raise ModelUnusable(self._entry.name, why)
