"""Any retrieval collection in BEIR layout, put through the very store and search that codes go through.

Rules of this module: each passage becomes a piece of one document, without clauses, tables or
references, so that what is measured is search alone; a long passage is cut as the places of a code
are, and ranks where its first piece does. The library made from a collection is kept in a work
folder under a name that changes with collection, program and model. Measures are those of
ir_measures (trec_eval's definitions).
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import ir_measures
import msgspec
from ir_measures import AP, R, nDCG

from appliance import __version__
from appliance.building import Progress, embed, silent
from appliance.document import Box, Chunk, Document, Label, Page, Passage
from appliance.errors import BadInput, BadQuestion
from appliance.evaluation.metrics import SHOWN, percentile
from appliance.evaluation.questions import STAGES, ranked_stages
from appliance.evidence import Place
from appliance.library import Library
from appliance.models.catalogue import load_embedder
from appliance.settings import SearchSettings, Settings
from appliance.store.write import LibraryMeta, write_library

MEASURES = (nDCG @ 10, R @ 10, R @ 100, AP @ 10)
DEPTH = 100  # places asked for each query
PIECE_WORDS = 350  # about the 500 tokens that a place of a code may show
_DOCUMENT = "collection"


@dataclass(frozen=True, slots=True)
class Collection:
    """Passages and queries by id; `judged` holds, for each query, the relevance of passages."""

    name: str
    passages: Mapping[str, tuple[str, str]]
    queries: Mapping[str, str]
    judged: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class BeirReport:
    """The measures of each stage over the judged queries of a collection."""

    collection: str
    passages: int
    queries: int
    stages: Mapping[str, Mapping[str, float]]
    p50_ms: float
    p95_ms: float
    unsearchable: int


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


def evaluate_beir(
    folder: Path, work: Path, settings: Settings, *, split: str = "test", progress: Progress = silent
) -> BeirReport:
    """Return how well the search ranks the passages of the collection; the library is kept in `work`.

    Raises:
        BadInput: the folder is not a collection. ModelMissing, ModelDamaged: the embedder is not there.
    """
    collection = load_collection(folder, split)
    path = _library(collection, work, settings, progress)
    library = Library.open(path, replace(settings, search=_deep(settings.search)))
    try:
        return _evaluate(collection, library, progress)
    finally:
        library.close()


def document_of(collection: Collection) -> Document:
    """Return the collection as one document of chunks; the label of a chunk is its passage's number."""
    chunks = tuple(
        Chunk(
            label=Label((str(number),)),
            labels=(Label((str(number),)),),
            kind="clause",
            title=title,
            context=(),
            passage=Passage(piece),
            boxes=(Box(1, 0, 0, 1, 1),),
        )
        for number, (title, text) in enumerate(collection.passages.values())
        for piece in _pieces(text)
    )
    page = (Page(1, 1, 1),)
    return Document(_DOCUMENT, "", "", "", "unknown", "", "", "", page, chunks=chunks)


def _evaluate(collection: Collection, library: Library, progress: Progress) -> BeirReport:
    ids = list(collection.passages)
    runs: dict[str, list[Any]] = {}
    times: list[float] = []
    unsearchable = 0
    for done, (query, text) in enumerate(collection.queries.items(), 1):
        started = perf_counter()
        try:
            evidence = library.search(text, limit=DEPTH, keep_stages=True)
        except BadQuestion:
            unsearchable += 1
            continue
        times.append(1000 * (perf_counter() - started))
        for stage, places in ranked_stages(evidence).items():
            runs.setdefault(stage, []).extend(_scored(query, places, ids))
        progress("searching", done, len(collection.queries))
    judged = [
        ir_measures.Qrel(query, passage, score)
        for query, scores in collection.judged.items()
        for passage, score in scores.items()
    ]
    return BeirReport(
        collection=collection.name,
        passages=len(ids),
        queries=len(collection.queries),
        stages={stage: _measured(judged, runs[stage]) for stage in (*STAGES[:-1], SHOWN) if stage in runs},
        p50_ms=percentile(times, 0.5),
        p95_ms=percentile(times, 0.95),
        unsearchable=unsearchable,
    )


def _measured(judged: Sequence[Any], run: Sequence[Any]) -> dict[str, float]:
    values = ir_measures.calc_aggregate(MEASURES, judged, run)
    return {str(measure): float(values[measure]) for measure in MEASURES}


def _scored(query: str, places: Iterable[Place], ids: Sequence[str]) -> Iterator[Any]:
    """Yield each passage once, where its best piece ranks."""
    order = dict.fromkeys(ids[int(str(place.label))] for place in places)
    for rank, passage in enumerate(order):
        yield ir_measures.ScoredDoc(query, passage, -float(rank))


def _library(collection: Collection, work: Path, settings: Settings, progress: Progress) -> Path:
    """Return the library made from the collection, making it where it is not there yet."""
    embedder = load_embedder(settings.models)
    document = document_of(collection)
    recipe = hashlib.sha256(f"{__version__} {embedder.fingerprint} ".encode())
    recipe.update(msgspec.msgpack.encode(document))
    path = work / f"{collection.name}-{recipe.hexdigest()[:16]}.db"
    if not path.exists():
        work.mkdir(parents=True, exist_ok=True)
        vectors = embed([document], embedder, work / "vectors", progress)
        write_library(path, [document], vectors=vectors, meta=LibraryMeta(embedder.fingerprint))
    return path


def _deep(search: SearchSettings) -> SearchSettings:
    """Return the settings with candidates enough for recall at the depth asked for."""
    return replace(
        search, limit=DEPTH, lexical_candidates=DEPTH, dense_candidates=DEPTH, rerank_candidates=DEPTH
    )


def _pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces of whole lines, where it can be, of at most so many words."""
    piece: list[str] = []
    size = 0
    for part in _parts(text):
        length = len(part.split())
        if piece and size + length > PIECE_WORDS:
            yield "\n".join(piece)
            piece, size = [], 0
        piece.append(part)
        size += length
    yield "\n".join(piece)


def _parts(text: str) -> Iterator[str]:
    """Yield the lines of the text, those that are too long for one piece cut between words."""
    for line in text.splitlines():
        words = line.split()
        for at in range(0, len(words), PIECE_WORDS):
            yield " ".join(words[at : at + PIECE_WORDS])


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
