"""A retrieval collection in BEIR layout: passages, queries, and which passage is relevant to which query."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from appliance.core.decoding import decode
from appliance.core.errors import BadInput

MOST = 1_000_000  # of a score; relevance is graded by a few


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A passage or a query as a line holds it; other keys are not looked at."""

    id: str = msgspec.field(name="_id")
    text: str
    title: str | None = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """Passages and queries by id; `judged` holds, for each query, the relevance of passages.

    `textless` is how many judged queries have no text, so that they cannot be asked; `doubled` how many
    lines of the corpus have the id of a later one, which is kept.
    """

    name: str
    passages: Mapping[str, tuple[str, str]]
    queries: Mapping[str, str]
    judged: Mapping[str, Mapping[str, int]]
    textless: int = 0
    doubled: int = 0

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
    corpus, asked_for = folder / "corpus.jsonl", folder / "queries.jsonl"
    rows, twice = _by_id(corpus)
    passages = {name: (row.title or "", row.text) for name, row in rows.items()}
    if not any(title.strip() or text.strip() for title, text in passages.values()):
        raise BadInput(f"{corpus} holds no passage with words.")
    queries, asked_twice = _by_id(asked_for)
    texts = {name: row.text for name, row in queries.items()}
    judged: dict[str, dict[str, int]] = {}
    textless: set[str] = set()
    for query, passage, score in _judgements(folder / "qrels" / f"{split}.tsv"):
        if query in texts:
            judged.setdefault(query, {})[passage] = score
        else:
            textless.add(query)
    if not judged:
        raise BadInput(f"{folder} judges no query in the split {split}.")
    if not any(score > 0 for scores in judged.values() for score in scores.values()):
        message = f"{folder} judges no passage to be relevant in the split {split}: no score is above 0."
        raise BadInput(message)
    judged_passages = {passage for scores in judged.values() for passage in scores}
    for path, further, named in ((corpus, twice, judged_passages), (asked_for, asked_twice, set(judged))):
        if name := next((name for name in further if name in named), None):
            raise BadInput(
                f"{path}, line {further[name][0]}: the id {name}, which is judged, stands above already."
            )
    asked = {query: texts[query] for query in judged}
    return Collection(folder.name, passages, asked, judged, len(textless), sum(map(len, twice.values())))


def _by_id(path: Path) -> tuple[dict[str, Row], dict[str, list[int]]]:
    """Return the rows of a file by id, the last of one id, and of ids that stand twice the further lines."""
    rows: dict[str, Row] = {}
    twice: dict[str, list[int]] = {}
    for number, line in _lines(path):
        try:
            row = decode(line, Row)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadInput(f"{path}, line {number} is not of a BEIR collection: {error}.") from None
        if row.id in rows:
            twice.setdefault(row.id, []).append(number)
        rows[row.id] = row
    if not rows:
        raise BadInput(f"{path} holds nothing.")
    return rows, twice


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
            raise BadInput(f"{path}, line {number} is not query, passage and score with tabs between.")
        yield query, passage, score


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, line
    except OSError as error:
        raise BadInput(
            f"{path} cannot be read ({error.strerror}): a BEIR collection has corpus.jsonl, "
            "queries.jsonl and qrels/SPLIT.tsv."
        ) from None
