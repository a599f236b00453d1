"""The cross-encoder: question and passage read together by one model, which says how well they fit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Encoding

from appliance.core.errors import ModelUnusable
from appliance.models.catalogue import Entry
from appliance.models.protocols import Candidate, EncodedQuery, Floats
from appliance.models.session import open_session, open_tokenizer, run, side_by_side


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
                why = f"it yields {output.size} values instead of one finite score"
                raise ModelUnusable(self.name, why)
            return float(output[0])

        pairs = self._tokenizer.encode_batch([(question, text) for text in texts])
        return np.asarray(side_by_side(logit, pairs, self._threads), dtype=np.float32)
