"""The ONNX adapters: the embedder, from text windows to vectors, and the cross-encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from appliance.core.errors import ModelUnusable
from appliance.models.catalogue import Entry
from appliance.models.late_interaction import TokenReducer, unit
from appliance.models.protocols import Candidate, EncodedPassage, EncodedQuery, Floats
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
    plain = np.flatnonzero(~special)
    before, body, after = ids[: plain[0]], ids[plain[0] : plain[-1] + 1], ids[plain[-1] + 1 :]
    room = size - len(before) - len(after)
    line = max(text.find("\n"), 0)  # where the first line ends; 0 where there is but one
    heading = body[: sum(start < stop <= line for start, stop in encoding.offsets[plain[0] :])]
    if len(heading) * HEADING_SHARE > room:
        heading = heading[:0]
    made: list[Window] = []
    at = 0
    while at < len(body) and len(made) < WINDOWS:
        repeated = heading if made else heading[:0]
        overlap = min(OVERLAP, at - len(repeated)) if made else 0
        fresh = body[at : at + room - len(repeated) - overlap]
        cut = np.concatenate([before, repeated, body[at - overlap : at], fresh, after])
        own = np.zeros(len(cut), dtype=bool)
        first = len(before) + len(repeated) + overlap
        own[first : first + len(fresh)] = True
        made.append(Window(cut, own))
        at += len(fresh)
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
        self.fingerprint = fingerprint
        self.dimension, self.token_dimension = entry.dimension, self._reduce.dimension
        self.encode_query = lru_cache(QUERIES_KEPT)(self._encode_query)
        width = self._run(windows(self._tokenizer, "a", entry.max_tokens)[0]).shape[-1]
        if width != entry.dimension:
            why = f"its vectors have {width} numbers where the catalogue says {entry.dimension}"
            raise ModelUnusable(entry.name, why)

    def encode_passages(self, texts: Sequence[str]) -> list[EncodedPassage]:
        """Return the vectors of each text, in order."""

        def encoded(text: str) -> EncodedPassage:
            pooled, rows, ids = self.hidden(self._entry.passage_prefix + text)
            return EncodedPassage(pooled, self._reduce.passage(rows, ids))

        return side_by_side(encoded, texts, self._threads)

    def hidden(self, text: str) -> tuple[Floats, Floats, list[int]]:
        """Return a text's pooled vector [dimension], its unit token vectors [n, dimension] and their ids."""
        parts = windows(self._tokenizer, text, self._entry.max_tokens)
        outputs = [self._run(part) for part in parts]
        rows = np.concatenate([unit(output[part.own]) for part, output in zip(parts, outputs, strict=True)])
        ids = [int(token) for part in parts for token in part.ids[part.own]]
        # The unit mean of the windows' unit vectors, weighted by what each adds.
        mean = self._entry.pooling == "mean"
        pooled = [unit(output.mean(axis=0) if mean else output[0]) for output in outputs]
        weights = [max(1, int(part.own.sum())) for part in parts]
        return unit(np.average(np.stack(pooled), axis=0, weights=weights).astype(np.float32)), rows, ids

    def _encode_query(self, text: str) -> EncodedQuery:
        """Return the vectors of a question; the last few hundred are remembered."""
        prefix = self._entry.query_prefix
        pooled, rows, ids = self.hidden(prefix + text)
        encoding = self._tokenizer.encode(prefix + text)
        plain = [place for place, special in enumerate(encoding.special_tokens_mask) if not special]
        spans: tuple[tuple[int, int], ...] = ()  # none where it was cut in windows
        if [encoding.ids[place] for place in plain] == ids:
            kept = (encoding.offsets[place] for place in compress(plain, self._reduce.kept[ids]))
            spans = tuple((start - len(prefix), end - len(prefix)) for start, end in kept)
        vectors = EncodedQuery(text, pooled, self._reduce.query(rows, ids), spans)
        vectors.pooled.flags.writeable = vectors.tokens.flags.writeable = False
        return vectors

    def _run(self, part: Window) -> Floats:
        output = run(self._session, part.ids)
        if not np.isfinite(output).all():
            raise ModelUnusable(self._entry.name, "it yields values that are not numbers")
        return output


class CrossEncoder:
    """A pair classifier with its tokenizer, ready to run; safe to share between threads."""

    def __init__(self, entry: Entry, folder: Path, threads: int) -> None:
        self.name = entry.name
        self._threads = threads
        self._tokenizer = open_tokenizer(entry.name, folder / entry.tokenizer)
        self._tokenizer.enable_truncation(entry.max_tokens, strategy="only_second")
        self._words = open_tokenizer(entry.name, folder / entry.tokenizer)
        self._room = entry.max_tokens // 2  # tokens of the question, so that the passage keeps as many
        self._session = open_session(entry.name, folder / entry.model)

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        """Return one logit for each candidate [len(candidates)]."""
        return self.logits(query.text, [item.text for item in candidates])

    def logits(self, question: str, texts: Sequence[str]) -> Floats:
        """Return one logit for each text [len(texts)]; the question as far as its share goes."""
        offsets = self._words.encode(question, add_special_tokens=False).offsets
        if len(offsets) > self._room:
            question = question[: offsets[self._room - 1][1]]

        def logit(pair: Encoding) -> float:
            ids, types = (np.asarray(numbers, dtype=np.int64) for numbers in (pair.ids, pair.type_ids))
            output = run(self._session, ids, types).ravel()
            if output.size != 1 or not np.isfinite(output[0]):
                raise ModelUnusable(self.name, f"it yields {output.size} values instead of one finite score")
            return float(output[0])

        pairs = self._tokenizer.encode_batch([(question, text) for text in texts])
        return np.asarray(side_by_side(logit, pairs, self._threads), dtype=np.float32)
