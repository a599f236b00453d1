"""Examples from judged questions, foreign question sets, document structure, and mined negatives."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from appliance.core.document import Chunk, Document
from appliance.core.errors import BadInput, BadQuestion
from appliance.core.settings import SearchSettings
from appliance.evaluation.places import Gold, covers
from appliance.models.protocols import Embedder, Floats, Reranker
from appliance.retrieval.ask import Filter, place
from appliance.retrieval.rank import model
from appliance.retrieval.search import Outcome, explore, prepare
from appliance.store.read import Store
from appliance.store.rows import embedded_text, searchable
from appliance.store.values import StoredChunk
from appliance.text.sentences import sentence_spans
from appliance.training.examples import PARTS, Example, Parts, Writer

WRONG = 30  # places kept of what the search met, best first
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its documents, the first leading, and the places that answer it all, if any.

    `judged` tells a judged question from one that was written for training.
    """

    question: str
    documents: tuple[str, ...]
    gold: tuple[Gold, ...]
    judged: bool = True

    @property
    def document(self) -> str:
        """Return the document that leads."""
        return self.documents[0]


def read_asked(files: Iterable[Path]) -> Iterator[Asked]:
    """Yield the questions of files, judged ones or {"question", "document", "places"}.

    Raises:
        BadInput: a line is neither.
    """
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if not line.strip():
                continue
            try:
                yield _asked(path.stem, msgspec.json.decode(line))
            except (msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
                message = f"{path}, line {number}: no question with places ({type(error).__name__}: {error})."
                raise BadInput(message) from None


def _asked(stem: str, entry: dict[str, Any]) -> Asked:
    if "places" in entry:
        gold = tuple(Gold(entry["document"], label, "", page) for label, page in entry["places"])
        return Asked(entry["question"], (entry["document"],), gold, judged=False)
    gold = tuple(
        Gold(item.get("document", stem), *(item[key] for key in ("label", "kind", "page")))
        for item in entry["gold"]
    )
    named = dict.fromkeys((*entry.get("documents", ()), *(one.document for one in gold)))
    return Asked(entry["question"], tuple(named) or (stem,), gold)


def usable(
    asked: Iterable[Asked], there: Collection[str], held_out: Collection[str]
) -> tuple[list[Asked], Counter[str]]:
    """Return the questions that examples can be made of, and how many cannot be used by why not."""
    kept: list[Asked] = []
    lost: Counter[str] = Counter()
    for one in asked:
        lacking = sorted({place.document for place in one.gold} - set(there))
        if not one.gold:
            lost["no document answers them"] += 1
        elif out := [name for name in one.documents if name in held_out]:
            lost[f"of {out[0]}, which is held out"] += 1
        elif lacking:
            lost[f"answered in {lacking[0]}, which the library lacks"] += 1
        else:
            kept.append(one)
    return kept, lost


def add_asked(
    writer: Writer,
    store: Store,
    models: tuple[Embedder, Reranker],
    questions: Sequence[Asked],
    settings: SearchSettings,
    *,
    source: str,
    licence: str,
    progress: Progress,
    documents: Sequence[str] = (),
) -> Mapping[str, int]:
    """Write an example for every question that the search can place; return how many not, by why not.

    What stands in the folder already is left as it is. Only `documents` are searched (all without any).
    """
    plain = replace(settings, learned_order=False)
    lost: Counter[str] = Counter()
    for number, asked in enumerate(questions, 1):
        progress(number, len(questions))
        if writer.has(source, asked.document, asked.question):
            lost["in the folder already"] += 1
            continue
        try:
            outcome = explore(
                prepare(store, *models, asked.question, plain, wanted=Filter(documents=tuple(documents)))
            )
        except BadQuestion:
            lost["not to be searched"] += 1
            continue
        right, wrong = sides(outcome, asked.gold)
        if not right or not wrong:
            lost[
                "nothing beside what answers them was found"
                if right
                else "no place that answers them was found"
            ] += 1
            continue
        read, (first, *others) = _parts(writer, outcome), asked.documents
        writer.add(Example(asked.question, read(right), read(wrong), source, first, licence, tuple(others)))
    return lost


def sides(outcome: Outcome, gold: Sequence[Gold]) -> tuple[list[int], list[int]]:
    """Return the candidates that cover a wanted place, and those that speak for none, best first."""
    chunks = outcome.contest.chunks
    standing = model.ranking_scores(outcome.contest, model.load_weights())
    ordered = sorted(chunks, key=lambda chunk: -standing[chunk])
    right = [chunk for chunk in ordered if any(covers(place(chunks[chunk], 0.0, ()), one) for one in gold)]
    wrong = [
        chunk
        for chunk in ordered
        if chunk not in right and not any(_kin(chunks[chunk], chunks[other]) for other in right)
    ]
    return right, wrong[:WRONG]


def _kin(one: StoredChunk, other: StoredChunk) -> bool:
    """Tell whether one of two places holds the other in the outline of a document."""
    if one.document != other.document:
        return False
    first, second = one.chunk.label.parts, other.chunk.label.parts
    shared = min(len(first), len(second))
    return first[:shared] == second[:shared]


def _parts(writer: Writer, outcome: Outcome) -> Callable[[Iterable[int]], tuple[Parts, ...]]:
    """Return what turns places into the ids of the parts that a reranker reads of them."""
    store, found, chunks = outcome.ask.store, outcome.found.children, outcome.contest.chunks

    def read(chosen: Iterable[int]) -> tuple[Parts, ...]:
        families = {
            parent: tuple(dict.fromkeys((*found.get(parent, ()), *children)))[:PARTS]
            for parent, children in store.chunk_children(chosen).items()
        }
        texts = store.texts([child for family in families.values() for child in family])
        return tuple(
            tuple(writer.passage(texts[child], chunks[place].document) for child in family if child in texts)
            for place, family in families.items()
        )

    return read


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


CEILING = 0.95  # of the right passage's cosine
LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Pool:
    """The passages that wrong ones are taken from: unit vectors [n, dimension], the place of each."""

    vectors: Floats
    places: Sequence[int]


def hardest(embedder: Embedder, pool: Pool, question: str, right: Collection[int], count: int) -> list[int]:
    """Return up to `count` places, nearest to the question first, none of `right`."""
    cosines: NDArray[np.float32] = pool.vectors @ embedder.encode_query(question).pooled
    best = max((float(cosines[row]) for row, place in enumerate(pool.places) if place in right), default=1.0)
    nearest = np.argsort(-cosines, kind="stable")[:LOOKED_AT]
    chosen = dict.fromkeys(
        pool.places[row]
        for row in nearest
        if cosines[row] <= CEILING * best and pool.places[row] not in right
    )
    return list(chosen)[:count]


FOREIGN_WRONG = 20


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
            wrong = hardest(embedder, pool, entry["question"], right, FOREIGN_WRONG)
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
            yield Judged(entry["question"], tuple(dict.fromkeys(named)), others[:FOREIGN_WRONG])


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


STRUCTURE_WRONG = 20
FAMILY = 4  # parts of a wrong place that are kept


def add_structure(
    writer: Writer,
    store: Store,
    embedder: Embedder,
    documents: Sequence[str],
    *,
    licence: str,
    most: int,
    progress: Progress,
) -> None:
    """Write the examples that the structure of these documents gives, at most `most` of each source."""
    ids = _shown(store, documents)
    families = store.chunk_children(ids)
    children = [child for family in families.values() for child in family]
    vectors = store.vectors(children)
    owners = {child: place for place, family in families.items() for child in family}
    known = [child for child in children if child in vectors]
    pool = Pool(np.stack([vectors[child].pooled for child in known]), [owners[child] for child in known])
    keys = {item.id: (item.document, item.chunk.label.key) for item in store.chunks(ids)}
    made = list(_chosen(store, documents, most))
    for number, (document, one) in enumerate(made, 1):
        if not writer.has(one.source, document, one.question):
            own = {place for place, (name, key) in keys.items() if name == document and key in one.keys}
            wrong = hardest(embedder, pool, one.question, own, STRUCTURE_WRONG)
            texts = store.texts([child for place in wrong for child in families[place][:FAMILY]])
            right = (tuple(writer.passage(text, document) for text in one.right[:PARTS]),)
            others = tuple(
                tuple(writer.passage(texts[child], keys[place][0]) for child in families[place][:FAMILY])
                for place in wrong
            )
            writer.add(Example(one.question, right, others, one.source, document, licence))
        progress(number, len(made))


def _shown(store: Store, documents: Sequence[str]) -> list[int]:
    """Return the ids of the shown chunks of these documents."""
    rows = store.connections.rows("shown_in", documents=None, kinds=None)
    wanted = set(documents)
    return [item.id for item in store.chunks(row[0] for row in rows) if item.document in wanted]


def _chosen(store: Store, documents: Sequence[str], most: int) -> Iterator[tuple[str, Pseudo]]:
    """Yield up to `most` made questions of each source of each document, drawn evenly."""
    for document in documents:
        sources: dict[str, list[Pseudo]] = {}
        for one in pseudo(store.document(document)):
            sources.setdefault(one.source, []).append(one)
        for name, found in sorted(sources.items()):
            dice = random.Random(f"{document} {name}")  # noqa: S311 - no secret
            yield from ((document, one) for one in dice.sample(found, min(most, len(found))))
