"""A retrieval collection in BEIR layout, checked when read.

Rules of this module: corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv as published by BEIR
(arXiv 2104.08663); a file that is not so is a `BadInput` that names file and line, an id that stands twice
too. What is judged and not there is counted: published collections lack some.
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
    """Passages and queries by id; `judged` holds, for each query, the relevance of passages.

    `textless` is how many judged queries have no text, so that they cannot be asked.
    """

    name: str
    passages: Mapping[str, tuple[str, str]]
    queries: Mapping[str, str]
    judged: Mapping[str, Mapping[str, int]]
    textless: int = 0

    @property
    def lacking(self) -> int:
        """Return how many passages that are judged relevant are not there, each as often as it is judged."""
        return sum(
            score > 0 and passage not in self.passages
            for scores in self.judged.values()
            for passage, score in scores.items()
        )


def load_collection(folder: Path, split: str = "test") -> Collection:
    """Return the collection with the queries that are judged in the split.

    Raises:
        BadInput: a file is missing or not as BEIR lays it out, no passage has words, or none is relevant.
    """
    passages = {row.id: (row.title or "", row.text) for row in _rows(folder / "corpus.jsonl")}
    if not any(title.strip() or text.strip() for title, text in passages.values()):
        message = f"{folder / 'corpus.jsonl'} holds no passage with words."
        raise BadInput(message)
    texts = {row.id: row.text for row in _rows(folder / "queries.jsonl")}
    judged: dict[str, dict[str, int]] = {}
    textless: set[str] = set()
    for query, passage, score in _judgements(folder / "qrels" / f"{split}.tsv"):
        if query in texts:
            judged.setdefault(query, {})[passage] = score
        else:
            textless.add(query)
    if not judged:
        message = f"{folder} judges no query in the split {split}."
        raise BadInput(message)
    if not any(score > 0 for scores in judged.values() for score in scores.values()):
        message = f"{folder} judges no passage to be relevant in the split {split}: no score is above 0."
        raise BadInput(message)
    asked = {query: texts[query] for query in judged}
    return Collection(folder.name, passages, asked, judged, len(textless))


def _rows(path: Path) -> Iterator[Row]:
    """Yield the passages or queries of a file; raises BadInput for none, or for an id that stands twice."""
    number, first = 0, dict[str, int]()
    for number, line in _lines(path):
        try:
            row = msgspec.json.decode(line, type=Row)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            message = f"{path}, line {number} is not of a BEIR collection: {error}."
            raise BadInput(message) from None
        if row.id in first:
            message = f"{path}, line {number}: the id {row.id} stands in line {first[row.id]} too."
            raise BadInput(message)
        first[row.id] = number
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
