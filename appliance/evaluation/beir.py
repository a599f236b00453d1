"""Any retrieval collection in BEIR layout, put through the store and search of the appliance."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from rich.console import RenderableType

from appliance import __version__
from appliance.core.document import Box, Chunk, Document, Label, Page, Passage
from appliance.core.errors import BadQuestion, ExtraMissing
from appliance.core.settings import Settings
from appliance.evaluation.collection import Collection, load_collection
from appliance.evaluation.questions import SHOWN, STAGES, Progress, percentile, ranked_stages
from appliance.evaluation.reports import grid, share
from appliance.library import Library
from appliance.library_building import embed
from appliance.models.catalogue import load_embedder
from appliance.store.write import LibraryMeta, write_library

try:
    import ir_measures
    from ir_measures import AP, R, nDCG
except ModuleNotFoundError:
    raise ExtraMissing(extra="eval", package="ir-measures") from None

MEASURES = (nDCG @ 10, R @ 10, R @ 100, AP @ 10)
DEPTH = 100  # places asked for each query
PIECE_WORDS = 350  # about the 500 tokens that a place of a code may show
WORK = Path("build") / "beir"
_DOCUMENT = "collection"
_FIRST_SIGN = 0xE100  # of the ten that stand for digits, in the area for private use


@dataclass(frozen=True, slots=True)
class BeirReport:
    """The measures of each stage over the judged queries of a collection.

    `lacking` passages that are judged relevant are not in the collection and count as not found; `textless`
    queries are judged and not in it, and count nowhere; `doubled` passages have the id of one that is kept.
    """

    collection: str
    passages: int
    queries: int
    stages: Mapping[str, Mapping[str, float]]
    p50_ms: float
    p95_ms: float
    unsearchable: int
    lacking: int = 0
    textless: int = 0
    doubled: int = 0


def beir_json(report: BeirReport) -> dict[str, Any]:
    """Return the report for programs."""
    return {"schema": 1, **asdict(report)}


def beir_tables(report: BeirReport) -> Iterator[RenderableType]:
    """Yield the report as a table to read, stages side by side."""
    table = grid("stage", *map(str, MEASURES))
    for stage, values in report.stages.items():
        table.add_row(stage, *(share(values[str(measure)]) for measure in MEASURES))
    yield table
    yield (
        f"{report.collection}: {report.queries} queries over {report.passages} passages; search p50 "
        f"{report.p50_ms:.0f} ms, p95 {report.p95_ms:.0f} ms; not searchable {report.unsearchable}"
    )
    if report.lacking:
        yield f"Judged relevant and not in the corpus, so not to be found: {report.lacking}"
    if report.doubled:
        yield f"Left out of the corpus, the same id stands further down: {report.doubled}"
    if report.textless:
        yield f"Judged and not among the queries, so not asked: {report.textless}"


def evaluate_beir(
    folder: Path,
    settings: Settings,
    *,
    limit: int | None = None,
    work: Path | None = None,
    progress: Progress = lambda _done, _total: None,
) -> BeirReport:
    """Return how well the search ranks the passages of the collection.

    `limit` asks only the first so many queries; the library of the collection is kept in `work`.

    Raises:
        BadInput: the folder is not a collection. ModelMissing, ModelDamaged: the embedder is not there.
    """
    collection = load_collection(folder)
    queries = dict(islice(collection.queries.items(), limit))
    judged = {query: collection.judged[query] for query in queries}
    collection = replace(collection, queries=queries, judged=judged)
    path = _library(collection, work or WORK, settings, progress)
    deep = replace(  # candidates enough for recall at the depth asked for
        settings.search,
        limit=DEPTH,
        lexical_candidates=DEPTH,
        dense_candidates=DEPTH,
        rerank_candidates=DEPTH,
    )
    with closing(Library.open(path, replace(settings, search=deep))) as library:
        return _evaluate(collection, library, progress)


def document_of(collection: Collection) -> Document:
    """Return the collection as one document of chunks; the label of a chunk stands for its passage."""
    chunks = tuple(
        Chunk(
            label=label_of(number),
            labels=(label_of(number),),
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


def label_of(number: int) -> Label:
    """Return a label of signs that no text prints, one for each digit of a number."""
    return Label(("".join(chr(_FIRST_SIGN + int(digit)) for digit in str(number)),))


def _evaluate(collection: Collection, library: Library, progress: Progress) -> BeirReport:
    ids = {str(label_of(number)): passage for number, passage in enumerate(collection.passages)}
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
            # once, where its best piece ranks
            found = dict.fromkeys(ids[str(place.label)] for place in places)
            scored = (ir_measures.ScoredDoc(query, one, -float(rank)) for rank, one in enumerate(found))
            runs.setdefault(stage, []).extend(scored)
        progress(done, len(collection.queries))
    judged = [
        ir_measures.Qrel(query, passage, score)
        for query, scores in collection.judged.items()
        for passage, score in scores.items()
    ]
    stages: dict[str, dict[str, float]] = {}
    for stage in (*STAGES[:-1], SHOWN):
        if stage in runs:
            values = ir_measures.calc_aggregate(MEASURES, judged, runs[stage])
            stages[stage] = {str(measure): float(values[measure]) for measure in MEASURES}
    return BeirReport(
        collection=collection.name,
        passages=len(collection.passages),
        queries=len(collection.queries),
        stages=stages,
        p50_ms=percentile(times, 0.5),
        p95_ms=percentile(times, 0.95),
        unsearchable=unsearchable,
        lacking=collection.lacking,
        textless=collection.textless,
        doubled=collection.doubled,
    )


def _library(collection: Collection, work: Path, settings: Settings, progress: Progress) -> Path:
    """Return the library made from the collection, making it where it is not there yet."""
    embedder = load_embedder(settings.models)
    document = document_of(collection)
    recipe = hashlib.sha256(f"{__version__} {embedder.fingerprint} ".encode())
    recipe.update(msgspec.msgpack.encode(document))
    path = work / f"{collection.name}-{recipe.hexdigest()[:16]}.db"
    if not path.exists():
        work.mkdir(parents=True, exist_ok=True)
        vectors = embed(
            [document],
            embedder,
            work / "vectors",
            lambda _step, done, total, *_: progress(int(done), int(total)),
        )
        write_library(path, [document], vectors=vectors, meta=LibraryMeta(embedder.fingerprint))
    return path


def _pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces of whole lines of at most some words; a longer line is cut between words."""
    piece: list[str] = []
    size = 0
    for line in text.splitlines():
        words = line.split()
        for at in range(0, len(words), PIECE_WORDS):
            part = words[at : at + PIECE_WORDS]
            if piece and size + len(part) > PIECE_WORDS:
                yield "\n".join(piece)
                piece, size = [], 0
            piece.append(" ".join(part))
            size += len(part)
    yield "\n".join(piece)
