"""The cross-encoder: question and passage read together by one model, which says how well they fit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from appliance.core.errors import ModelUnusable
from appliance.models.catalogue import Entry
from appliance.models.late_interaction import kept_tokens, unit
from appliance.models.protocols import Candidate, EncodedQuery, Floats, Reranker
from appliance.models.session import open_session, open_tokenizer, run, side_by_side

Mask = NDArray[np.bool_]


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
        self._kept = kept_tokens(self._words) if entry.score == "tokens" else None

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        """Return one logit for each candidate [len(candidates)]."""
        return self.logits(query.text, [item.text for item in candidates])

    def logits(self, question: str, texts: Sequence[str]) -> Floats:
        """Return one logit for each text [len(texts)]."""
        question = self._cut(question)
        pairs = self._tokenizer.encode_batch([(question, text) for text in texts])
        return np.asarray(side_by_side(self._score, pairs, self._threads), dtype=np.float32)

    def _cut(self, question: str) -> str:
        """Return the question as far as its share of the window goes."""
        offsets = self._words.encode(question, add_special_tokens=False).offsets
        return question if len(offsets) <= self._room else question[: offsets[self._room - 1][1]]

    def _score(self, pair: Encoding) -> float:
        ids, types = (np.asarray(numbers, dtype=np.int64) for numbers in (pair.ids, pair.type_ids))
        output = run(self._session, ids, types)
        if self._kept is not None:
            if output.shape[:-1] != ids.shape:
                raise ModelUnusable(self.name, "it yields no vector for each token of a pair")
            said = self._kept[ids] & ~np.asarray(pair.special_tokens_mask, dtype=bool)
            output = joint_max_sim(output, said & (types == 0), said & (types == 1))
        output = output.ravel()
        if output.size != 1 or not np.isfinite(output[0]):
            raise ModelUnusable(self.name, f"it yields {output.size} values instead of one finite score")
        return float(output[0])


def joint_max_sim(vectors: Floats, asked: Mask, read: Mask) -> Floats:
    """Return MaxSim [1] within one run over a pair: token vectors [n, d], whose [n]; 0 of nothing."""
    if not asked.any() or not read.any():
        return np.zeros(1, dtype=np.float32)
    rows = unit(vectors)
    best: Floats = (rows[asked] @ rows[read].T).max(axis=1)
    return np.asarray([best.mean()], dtype=np.float32)


class SecondReading:
    """A reranker for all candidates and a cross-encoder for the best of them, whose logit is added."""

    def __init__(self, base: Reranker, cross: CrossEncoder, entry: Entry) -> None:
        self.name, self.reads = entry.name, entry.reads
        self._base, self._cross, self._beside = base, cross, entry.beside
        self._around_mean = entry.score == "tokens"

    def scores(self, query: EncodedQuery, candidates: Sequence[Candidate]) -> Floats:
        """Return what the base says of each candidate [len(candidates)]."""
        return self._base.scores(query, candidates)

    def more(self, query: EncodedQuery, texts: Sequence[str]) -> Floats:
        """Return what reading each text adds to its score [len(texts)].

        Cosines are all above 0; their mean is taken off, so that scores lie where the base has them.
        """
        logits = self._cross.logits(query.text, texts)
        if self._around_mean and len(logits):
            logits = logits - logits.mean()
        return (self._beside * logits).astype(np.float32)
