"""A retrieval collection in BEIR layout, checked when read.

Rules of this module: corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv as published by BEIR
(arXiv 2104.08663); a file that is not so is a `BadInput` that names file and line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from appliance.errors import BadInput


@dataclass(frozen=True, slots=True)
class Collection:
    """Passages and queries by id; `judged` holds, for each query, the relevance of passages."""

    name: str
    passages: Mapping[str, tuple[str, str]]
    queries: Mapping[str, str]
    judged: Mapping[str, Mapping[str, int]]


def load_collection(folder: Path, split: str = "test") -> Collection:
    """Return the collection with the queries that are judged in the split.

    Raises:
        BadInput: a file is missing or not as BEIR lays it out, or nothing is judged.
    """
    passages = {r["_id"]: (r["title"], r["text"]) for r in _rows(folder / "corpus.jsonl")}
    texts = {row["_id"]: row["text"] for row in _rows(folder / "queries.jsonl")}
    judged: dict[str, dict[str, int]] = {}
    for query, passage, score in _judgements(folder / "qrels" / f"{split}.tsv"):
        if query in texts:
            judged.setdefault(query, {})[passage] = score
    if not judged:
        message = f"{folder} judges no query in the split {split}."
        raise BadInput(message)
    return Collection(folder.name, passages, {query: texts[query] for query in judged}, judged)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    for number, line in _lines(path):
        try:
            row = msgspec.json.decode(line, type=dict[str, Any])
            yield {"_id": row["_id"], "title": row.get("title") or "", "text": row["text"]}
        except (msgspec.MsgspecError, KeyError) as error:
            message = f"{path}, line {number} is not of a BEIR collection: {error}."
            raise BadInput(message) from None


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    lines = (line.decode("utf-8", "replace") for _, line in _lines(path))
    for number, row in enumerate(csv.reader(lines, delimiter="\t"), 1):
        if number == 1 and row[-1:] == ["score"]:
            continue
        try:
            query, passage, score = row
            yield query, passage, int(score)
        except ValueError:
            message = f"{path}, line {number} is not query, passage and score with tabs between."
            raise BadInput(message) from None


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, line
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror}): a BEIR collection has corpus.jsonl, "
        message += "queries.jsonl and qrels/SPLIT.tsv."
        raise BadInput(message) from None
