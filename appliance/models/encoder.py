"""The embedder: an ONNX encoder and its tokenizer, from text windows to vectors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from appliance.core.errors import ApplianceError, ModelUnusable
from appliance.core.settings import ModelSettings
from appliance.models.catalogue import Entry, entry_named, folder_of
from appliance.models.late_interaction import TokenReducer, unit
from appliance.models.protocols import EncodedPassage, EncodedQuery, Floats
from appliance.models.session import Ids, open_session, open_tokenizer, run, side_by_side

OVERLAP = 32  # tokens of context shared by neighbouring windows
HEADING_SHARE = 4  # a heading longer than a quarter of the window is not repeated
WINDOWS = 32  # about 7,000 tokens; a chunk holds about 500, so this only bounds hostile text


@dataclass(frozen=True, slots=True)
class Window:
    """Token ids [n] with special tokens, and which of them [n] this window adds."""

    ids: Ids
    own: NDArray[np.bool_]


def windows(tokenizer: Tokenizer, text: str, size: int) -> list[Window]:
    """Return the windows of a text, each of at most `size` tokens; at least one, even for no text."""
    encoding = tokenizer.encode(text)
    ids = np.asarray(encoding.ids, dtype=np.int64)
    special = np.asarray(encoding.special_tokens_mask, dtype=bool)
    if len(ids) <= size:
        return [Window(ids, ~special)]
    before, after = _edges(special)
    body = ids[len(before) : len(ids) - len(after)]
    heading = body[: _heading_tokens(encoding, text, len(before))]
    room = size - len(ids[before]) - len(ids[after])
    if len(heading) * HEADING_SHARE > room:
        heading = heading[:0]
    return _cut(body, heading, ids[before], ids[after], room)


def _edges(special: NDArray[np.bool_]) -> tuple[Ids, Ids]:
    """Return the positions of the special tokens before and after the text."""
    plain = np.flatnonzero(~special)
    return np.arange(plain[0]), np.arange(plain[-1] + 1, len(special))


def _heading_tokens(encoding: Encoding, text: str, skipped: int) -> int:
    """Return how many tokens the first line has; 0 where there is but one line."""
    end = text.find("\n")
    if end < 0:
        return 0
    return sum(1 for start, stop in encoding.offsets[skipped:] if 0 < stop <= end and start < stop)


def _cut(body: Ids, heading: Ids, before: Ids, after: Ids, room: int) -> list[Window]:
    """Return the body cut into windows of at most `room` tokens, the heading included."""
    made: list[Window] = []
    start = 0
    while start < len(body) and len(made) < WINDOWS:
        repeated = heading if made else heading[:0]
        overlap = min(OVERLAP, start - len(repeated)) if made else 0
        fresh = body[start : start + room - len(repeated) - overlap]
        ids = np.concatenate([before, repeated, body[start - overlap : start], fresh, after])
        own = np.zeros(len(ids), dtype=bool)
        first = len(before) + len(repeated) + overlap
        own[first : first + len(fresh)] = True
        made.append(Window(ids, own))
        start += len(fresh)
    return made


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


@cache
def whole_words() -> frozenset[str]:
    """Return the words of the vocabulary of the encoder that ships."""
    settings = ModelSettings()
    try:
        entry = entry_named(settings, settings.embedder)
        text = (folder_of(settings, entry) / entry.tokenizer).read_text(encoding="utf-8")
        known = json.loads(text)["model"]["vocab"]
    except (ApplianceError, OSError, ValueError, LookupError, TypeError):
        return frozenset()
    return frozenset(word for word in known if word.isalpha() and word.islower())
