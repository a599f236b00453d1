"""A retrieval collection in BEIR layout, checked when read.

Rules of this module: corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv as published by BEIR
(arXiv 2104.08663); a file that is not so is a `BadInput` that names file and line.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from appliance.errors import BadInput

MOST = 1_000_000  # of a score; relevance is graded by a few


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A passage or a query as a line holds it; other keys are not looked at."""

    id: str = msgspec.field(name="_id")
    text: str
    title: str | None = ""


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
    passages = {row.id: (row.title or "", row.text) for row in _rows(folder / "corpus.jsonl")}
    texts = {row.id: row.text for row in _rows(folder / "queries.jsonl")}
    judged: dict[str, dict[str, int]] = {}
    for query, passage, score in _judgements(folder / "qrels" / f"{split}.tsv"):
        if query in texts:
            judged.setdefault(query, {})[passage] = score
    if not judged:
        message = f"{folder} judges no query in the split {split}."
        raise BadInput(message)
    return Collection(folder.name, passages, {query: texts[query] for query in judged}, judged)


def _rows(path: Path) -> Iterator[Row]:
    """Yield the passages or queries of a file; raises BadInput for none. Of one id the last is kept."""
    number = 0
    for number, line in _lines(path):
        try:
            row = msgspec.json.decode(line, type=Row)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            message = f"{path}, line {number} is not of a BEIR collection: {error}."
            raise BadInput(message) from None
        yield row
    if not number:
        message = f"{path} holds nothing."
        raise BadInput(message)


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    for number, line in _lines(path):
        try:
            (row,) = csv.reader([line.decode("utf-8").rstrip("\r\n")], delimiter="\t")
            if number == 1 and row[-1:] == ["score"]:
                continue
            query, passage, written = row
            score = int(written)
        except (ValueError, csv.Error):
            score = MOST + 1
        if abs(score) > MOST:
            message = f"{path}, line {number} is not query, passage and score with tabs between."
            raise BadInput(message)
        yield query, passage, score


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
