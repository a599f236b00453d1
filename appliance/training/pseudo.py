"""Questions made from the structure of a document, each with the place that answers it.

Rules of this module: pure, no model and no word of any code family. Five things that a document says
of itself are questions with a known answer (weak supervision as in Lee et al., "Latent retrieval",
ACL 2019, and Chang et al., "Pre-training tasks", ICLR 2020): a title asks for its clause, a caption
for its table or figure, a term for its definition, the sentence around a reference for the place it
refers to, the words of a table's row for that row. What would give the answer away is taken out: the
headings from a passage that its own heading asks for, the reference from its sentence, the values
from the row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from appliance.document import Chunk, Document
from appliance.ingest.sentences import sentence_spans
from appliance.store.passages import embedded_text, searchable
from appliance.training.examples import PARTS

SHORTEST = 3  # words of a question and of an answer
LONGEST = 40
_VALUE = re.compile(r"[^a-zA-Z]*\d[^a-zA-Z]*[a-zA-Z²³°%/]{0,4}\.?")  # a number, perhaps with its unit


@dataclass(frozen=True, slots=True)
class Pseudo:
    """A made question, the parts of the place that answers it, and the label keys that it speaks of."""

    source: str
    question: str
    right: tuple[str, ...]
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Shown:
    """A shown chunk with the chunks that are searched for it."""

    chunk: Chunk
    parts: tuple[Chunk, ...]

    def texts(self, *, bare: bool) -> tuple[str, ...]:
        """Return the parts as models read them, without headings and the title where `bare`."""
        if not bare:
            return tuple(embedded_text(part) for part in self.parts[:PARTS])
        texts = (_untitled(part.passage.text, self.chunk.title) for part in self.parts[:PARTS])
        return tuple(text for text in texts if text)


def _untitled(text: str, title: str) -> str:
    """Return a text without the title that it begins with, after a number perhaps."""
    words, heading = text.split(), title.split()
    for first in (0, 1, 2):
        if heading and words[first : first + len(heading)] == heading:
            return " ".join(words[first + len(heading) :])
    return text


def pseudo(document: Document) -> Iterator[Pseudo]:
    """Yield the questions that the structure of a document gives, each once."""
    shown = shown_chunks(document)
    known = {name.key: one for one in reversed(shown) for name in one.chunk.labels}
    known |= {one.chunk.label.key: one for one in reversed(shown)}
    seen: set[tuple[str, str]] = set()
    for made in (*_titles(shown), *_references(document, known), *_rows(shown)):
        words, answer = made.question.split(), " ".join(made.right).split()
        if not SHORTEST <= len(words) <= LONGEST or len(answer) < SHORTEST:
            continue
        if (made.source, made.question) not in seen:
            seen.add((made.source, made.question))
            yield made


def shown_chunks(document: Document) -> list[Shown]:
    """Return the shown chunks of a document in its order."""
    parts: dict[int, list[Chunk]] = {}
    for position in searchable(document):
        chunk = document.chunks[position]
        parts.setdefault(position if chunk.parent is None else chunk.parent, []).append(chunk)
    return [Shown(document.chunks[position], tuple(found)) for position, found in parts.items()]


def _titles(shown: Sequence[Shown]) -> Iterator[Pseudo]:
    """Yield titles, captions and terms with the heading above them, which says what they are about."""
    sources = {"table": "caption", "figure": "caption", "definition": "term"}
    for one in shown:
        if one.chunk.title and one.chunk.kind != "heading":
            above = [heading for heading in one.chunk.context if one.chunk.title not in heading]
            question = ", ".join((one.chunk.title, *above[-1:]))
            keys = frozenset(label.key for label in (one.chunk.label, *one.chunk.labels))
            yield Pseudo(sources.get(one.chunk.kind, "title"), question, one.texts(bare=True), keys)


def _references(document: Document, known: dict[str, Shown]) -> Iterator[Pseudo]:
    """Yield the sentence around each reference, without it, for the place that it refers to."""
    texts = {clause.label.key: clause.passage.text for clause in document.clauses}
    for reference in document.references:
        text = texts.get(reference.source.key, "")
        here = reference.target is not None and reference.document in {None, document.id}
        target = known.get(reference.target.key) if here and reference.target else None
        if target is None or not text or reference.source in (target.chunk.label, *target.chunk.labels):
            continue
        for start, end in sentence_spans(text):
            if start <= reference.start and reference.end <= end:
                said = f"{text[start : reference.start]} {text[reference.end : end]}"
                question = " ".join(said.split()).replace("( )", "").replace("()", "")
                keys = frozenset({reference.source.key, target.chunk.label.key})
                yield Pseudo("reference", question, target.texts(bare=False), keys)


def _rows(shown: Sequence[Shown]) -> Iterator[Pseudo]:
    """Yield the words of each row of a table, without its values, for that row."""
    for one in shown:
        for part in one.parts:
            if part.row is not None:
                words = [word for word in part.passage.text.split() if not _VALUE.fullmatch(word)]
                question = " ".join((*words[: LONGEST // 2], *one.chunk.title.split()[: LONGEST // 2]))
                yield Pseudo("row", question, (embedded_text(part),), frozenset({one.chunk.label.key}))
