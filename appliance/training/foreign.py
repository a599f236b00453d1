"""Examples from question sets of other fields whose licence allows it.

Rules of this module: one reader for each format; a file that is not as its makers describe it is a
`BadInput`. PRA (RegNLP/ObliQA-XRef, Apache-2.0): questions over a rulebook, each answered only by two
passages together. TAT-QA (Zhu et al., ACL 2021; CC BY 4.0): questions over a table with the paragraphs
around it; the paragraphs and rows that hold the answer are right, the others of the same report wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from appliance.errors import BadInput
from appliance.models.protocols import Embedder
from appliance.training.asked import Progress
from appliance.training.examples import Example, Writer
from appliance.training.mining import Pool, hardest

WRONG = 20


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with the texts that answer it and, where the set says so, those that do not."""

    question: str
    right: tuple[str, ...]
    wrong: tuple[str, ...] = ()


def add_pra(writer: Writer, embedder: Embedder, passages: Path, questions: Path, progress: Progress) -> None:
    """Write an example for every question of the PRA set, wrong passages mined by meaning."""
    texts = {entry["id"]: entry["text"] for entry in _lines(passages)}
    names = list(texts)
    vectors = np.stack([one.pooled for one in embedder.encode_passages(list(texts.values()))])
    pool = Pool(vectors, range(len(names)))
    number = {name: place for place, name in enumerate(names)}
    entries = list(_lines(questions))
    for done, entry in enumerate(entries, 1):
        right = {number[name] for name in entry["passages"] if name in number}
        if right and not writer.has("pra-xref", "", entry["question"]):
            wrong = hardest(embedder, pool, entry["question"], right, WRONG)
            judged = Judged(
                entry["question"],
                tuple(texts[names[place]] for place in sorted(right)),
                tuple(texts[names[place]] for place in wrong),
            )
            _add(writer, judged, "pra-xref", "Apache-2.0")
        progress(done, len(entries))


def add_tatqa(writer: Writer, path: Path, progress: Progress) -> None:
    """Write an example for every question of TAT-QA that a paragraph or a row answers."""
    contexts = _json(path)
    for done, context in enumerate(contexts, 1):
        for judged in _tatqa(context):
            if not writer.has("tat-qa", "", judged.question):
                _add(writer, judged, "tat-qa", "CC-BY-4.0")
        progress(done, len(contexts))


def _tatqa(context: dict[str, Any]) -> Iterator[Judged]:
    """Yield the questions of one table with its paragraphs; a row is read with the table's head."""
    rows = context["table"]["table"]
    head = " | ".join(" ".join(cell for row in rows[:2] for cell in row if cell).split())[:200]
    lines = [f"{' '.join(head.split(' | '))}\n{' | '.join(cell for cell in row if cell)}" for row in rows]
    paragraphs = {str(one["order"]): one["text"] for one in context["paragraphs"]}
    for entry in context["questions"]:
        named = [paragraphs[order] for order in entry["rel_paragraphs"] if order in paragraphs]
        answers = [str(one) for one in entry["answer"]] if isinstance(entry["answer"], list) else []
        if "table" in entry["answer_from"]:
            named += [
                line
                for line, row in zip(lines, rows, strict=True)
                if any(cell.strip() in answers for cell in row if cell.strip())
            ]
        others = tuple(text for text in (*paragraphs.values(), *lines) if text not in named)
        if named and others:
            yield Judged(entry["question"], tuple(dict.fromkeys(named)), others[:WRONG])


def _add(writer: Writer, judged: Judged, source: str, licence: str) -> None:
    right = tuple((writer.passage(text, ""),) for text in judged.right)
    wrong = tuple((writer.passage(text, ""),) for text in judged.wrong)
    writer.add(Example(judged.question, right, wrong, source, "", licence))


def _json(path: Path) -> Any:
    try:
        return msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        message = f"{path} cannot be read: {error}."
        raise BadInput(message) from None


def _lines(path: Path) -> Iterator[Any]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        raise BadInput(message) from None
    for number, line in enumerate(lines, 1):
        try:
            yield msgspec.json.decode(line)
        except msgspec.DecodeError as error:
            message = f"{path}, line {number}: {error}."
            raise BadInput(message) from None
