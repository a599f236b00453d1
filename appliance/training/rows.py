"""The vectors that a head is trained on: those of passages as stored, those of questions as asked.

Rules of this module: no torch. Vectors that a library holds are taken from it; the others are made
once and kept beside the examples.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from appliance import vector_cache
from appliance.models.protocols import Embedder, Floats, Int8s
from appliance.store.read import open_library
from appliance.training.asked import Progress
from appliance.training.examples import Data, passage_id

TOGETHER = 256  # passages embedded and kept at a time


@dataclass(frozen=True, slots=True)
class Rows:
    """Token vectors: packed rows of each passage by id, float rows of each question."""

    passages: dict[str, Int8s]
    questions: dict[str, Floats]


def rows_of(
    data: Data, embedder: Embedder, libraries: Iterable[Path], folder: Path, progress: Progress
) -> Rows:
    """Return the token vectors of all examples; libraries by another embedder are passed over."""
    passages: dict[str, Int8s] = {}
    for path in libraries:
        passages |= _stored(path, embedder, data)
    missing = [name for name in data.passages if name not in passages]
    for first in range(0, len(missing), TOGETHER):
        names = missing[first : first + TOGETHER]
        texts = [data.passages[name] for name in names]
        made = vector_cache.load(folder, embedder.fingerprint, texts)
        if made is None:
            made = embedder.encode_passages(texts)
            vector_cache.save(folder, embedder.fingerprint, texts, made)
        passages |= {name: one.tokens for name, one in zip(names, made, strict=True)}
        progress(first + len(names), len(missing))
    asked = dict.fromkeys(one.question for one in data.examples)
    return Rows(passages, {question: embedder.encode_query(question).tokens for question in asked})


def _stored(path: Path, embedder: Embedder, data: Data) -> dict[str, Int8s]:
    """Return the rows of those passages of the data that a library holds, as they are stored."""
    with open_library(path) as store:
        if store.embedder != embedder.fingerprint:
            return {}
        chunks = [row[0] for row in store.connections.rows("searched_in", documents=None, kinds=None)]
        names = {chunk: passage_id(text) for chunk, text in store.texts(chunks).items()}
        wanted = [chunk for chunk, name in names.items() if name in data.passages]
        return {names[chunk]: one.tokens.copy() for chunk, one in store.vectors(wanted).items()}
