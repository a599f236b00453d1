"""Files in, one library out: the builder's work, step by step, one build at a time."""

from __future__ import annotations

import hashlib
import io
import os
import re
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Protocol

import numpy as np

from appliance.core.document import Document
from appliance.core.errors import (
    BadInput,
    CannotWrite,
    LibraryBusy,
    LibraryMissing,
    LibraryUnreadable,
    NothingToBuild,
    SchemaMismatch,
)
from appliance.core.files import cache_folder, content_hash, images_folder, sha256_of, write_whole
from appliance.core.graph import Edge
from appliance.core.runs import grouped
from appliance.core.settings import Settings
from appliance.ingest import batch
from appliance.ingest.batch import Done, reader_version
from appliance.ingest.dask_cluster import cluster
from appliance.ingest.definitions.document_relations import overridden, settle
from appliance.ingest.html import printing
from appliance.ingest.knowledge.build import build_graph, knowledge_version
from appliance.ingest.overrides import Override, fingerprint, load_overrides, remarks
from appliance.ingest.references.resolve import index_documents, resolve_external, resolve_on_sites
from appliance.ingest.structure.schemes import own_schemes
from appliance.models.catalogue import load_embedder
from appliance.models.protocols import Embedder, EncodedPassage
from appliance.retrieval.query.lexicon import own_vocabularies
from appliance.store.connection import APPLICATION_ID
from appliance.store.read import Store
from appliance.store.rows import passages
from appliance.store.write import LibraryMeta, write_library, writer_version
from appliance.store.write import SourceFile as ManifestEntry
from appliance.text.vocabularies import vocabulary_files

_LOCK = "lock"  # in the cache folder; holds the number of the process that builds
_OURS = re.compile(r"\.?[0-9a-f]{64}\..+")  # content-addressed files, and their unfinished forms


@contextmanager
def occupied(library: Path) -> Iterator[int]:
    """Hold the place of a library for one build; yield its start by the clock of the cache, in ns.

    Raises:
        CannotWrite: a folder cannot be made or written to, or the disk is full, now or later.
        LibraryBusy: another build holds it.
    """
    import fcntl  # noqa: PLC0415 - not on Windows, where nothing is built

    try:
        for folder in (library.parent, images_folder(library), cache_folder(library)):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass  # a folder may be there and yet be read-only, or its disk full
        with (cache_folder(library) / _LOCK).open("a+", encoding="ascii") as lock:
            at = lock.fileno()
            try:
                fcntl.flock(at, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(at, 20, 0).decode("ascii", "replace").strip()
                raise LibraryBusy(library, holder) from None
            os.ftruncate(at, 0)
            os.write(at, str(os.getpid()).encode())
            yield os.fstat(at).st_mtime_ns
    except OSError as error:
        raise CannotWrite(error.filename or library, error.strerror or str(error)) from error


def sweep(folder: Path, keep: Callable[[Path], bool]) -> None:
    """Remove the files of earlier builds that are not to be kept; all else in the folder stays."""
    with suppress(OSError):
        for path in sorted(folder.iterdir()):
            if _OURS.fullmatch(path.name):
                with suppress(OSError):
                    if not keep(path):
                        path.unlink()


def save(folder: Path, fingerprint: str, texts: Sequence[str], vectors: Sequence[EncodedPassage]) -> None:
    """Keep the vectors of these texts."""
    if not vectors:
        return
    folder.mkdir(parents=True, exist_ok=True)
    content = io.BytesIO()
    np.savez(
        content,
        pooled=np.stack([vector.pooled for vector in vectors]),
        tokens=np.concatenate([vector.tokens for vector in vectors]),
        lengths=np.array([len(vector.tokens) for vector in vectors]),
    )
    write_whole(_path(folder, fingerprint, texts), content.getvalue())


def load(folder: Path, fingerprint: str, texts: Sequence[str]) -> list[EncodedPassage] | None:
    """Return the vectors of these texts, None where they are not kept."""
    path = _path(folder, fingerprint, texts)
    try:
        with np.load(path, allow_pickle=False) as kept:
            tokens = np.split(kept["tokens"], np.cumsum(kept["lengths"])[:-1])
            found = [EncodedPassage(p, t) for p, t in zip(kept["pooled"], tokens, strict=True)]
        os.utime(path)
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return None
    return found if len(found) == len(texts) else None


def _path(folder: Path, fingerprint: str, texts: Sequence[str]) -> Path:
    digest = hashlib.sha256("\0".join([fingerprint, *texts]).encode()).hexdigest()
    return folder / f"{digest}.npz"


KINDS = (".pdf", *sorted(printing.SUFFIXES))  # of files that are read, by their suffixes
SQLITE = b"SQLite format 3\0"  # how every SQLite file begins
HEADER = 100  # bytes of its header, and in it (https://sqlite.org/fileformat.html) the program it belongs to
APPLICATION = slice(68, 72)
BATCH = 64  # passages embedded between two signs of progress


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A PDF, web page, Markdown or text file to build from; `document` is its id.

    That is the stem of its name, or all of it where a file of another kind has the stem ("walls.md").
    """

    path: Path
    document: str
    sha256: str


@dataclass(frozen=True, slots=True)
class BrokenFile:
    """A file that is not in the library, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """What was found in one document."""

    id: str
    title: str
    pages: int
    clauses: int
    tables: int
    figures: int
    terms: int
    references: int
    unresolved: int
    problems: int
    change: str  # "added", "changed", "unchanged"


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The outcome of a build."""

    library: Path
    documents: tuple[DocumentSummary, ...]
    broken: tuple[BrokenFile, ...]
    removed: tuple[str, ...]
    problems: tuple[tuple[str, int, str], ...]
    seconds: float
    pages_read: int
    up_to_date: bool


class Progress(Protocol):
    """Where a long build says how far it is."""

    def __call__(self, step: str, done: float, total: float, detail: str = "") -> None: ...


def silent(step: str, done: float, total: float, detail: str = "") -> None:
    """Take progress that nobody watches."""


def build(
    paths: Sequence[Path],
    library: Path,
    settings: Settings,
    *,
    progress: Progress = silent,
    scheduler: str = "",
) -> BuildReport:
    """Read the codes of files and folders into the library at the path.

    The PDFs are read by processes of this machine, or by the cluster whose scheduler has this address; the
    library is the same.

    Raises:
        NothingToBuild: no code among the paths, or none of them could be read.
        BadInput: what stands at the path of the library is something else, or documents.toml is wrong.
        CannotWrite, LibraryBusy: the place of the library cannot be written to, or not now.
        ModelMissing, ModelDamaged: the embedding model cannot be used.
        BadSettings: a vocabulary is wrong.
        ClusterUnusable, ExtraMissing: the cluster cannot be used, or Dask is not installed.
    """
    start = perf_counter()
    _refuse_other_files(library)
    sources, broken = find_sources(paths)
    overrides = load_overrides((source.path.parent for source in sources), library)
    own = own_vocabularies(settings.search)
    words = content_hash(vocabulary_files(*own))
    issued = issue_day()
    made_by = {**recipe(settings), "overrides": fingerprint(overrides), "words": words, "again": ""}
    embedder = load_embedder(settings.models)
    with occupied(library) as since:
        before = previous(library, embedder.fingerprint, made_by)
        if before.current and before.hashes == {s.document: s.sha256 for s in sources} and not broken:
            return _report(library, before.documents, before, (), overrides, start=start, pages_read=0)
        read, unread = _read(sources, library, settings, progress, scheduler)
        if not read:
            raise NothingToBuild(tuple(paths), tuple(item.reason for item in (*broken, *unread)))
        documents, between = linked([done.document for done in read], overrides)
        graph = build_graph(documents, between, own)
        found = grouped(graph.problems)  # what came to light when they were read together
        documents = tuple(replace(d, problems=(*d.problems, *found[d.id])) for d in documents)
        vectors = embed(documents, embedder, cache_folder(library), progress)
        again = "yes" if any(batch.unlucky(document) for document in documents) else ""
        progress("writing", 0, 1)
        write_library(
            library,
            documents,
            vectors=vectors,
            images={
                done.document.id: {image.page: (image.large, image.phone) for image in done.images}
                for done in read
            },
            manifest=[
                ManifestEntry(source.path.name, source.sha256, source.document)
                for source in sources
                if source.document in vectors
            ],
            meta=LibraryMeta(embedder.fingerprint, {**made_by, "again": again, "issued": issued}),
            graph=graph,
        )
        # Page images of neither this library nor the one before go, and results that are not used: one was
        # used when it was written or read (which sets its time) since the build began.
        kept = {name for done in read for image in done.images for name in (image.large, image.phone)}
        kept |= before.images
        sweep(images_folder(library), lambda path: path.name in kept)
        sweep(cache_folder(library), lambda path: path.stat().st_mtime_ns >= since)
        progress("writing", 1, 1)
    pages = sum(len(done.document.pages) for done in read if not done.reused)
    return _report(library, documents, before, (*broken, *unread), overrides, start=start, pages_read=pages)


def recipe(settings: Settings) -> dict[str, str]:
    """Return what decides, beside PDFs and model, what stands in a library."""
    return {
        "reader": reader_version(),
        "knowledge": knowledge_version(),
        "writer": writer_version(),
        "images": repr(settings.images),
        "limits": repr(batch.deciding(settings.ingest)),
        "schemes": content_hash(own_schemes(settings.ingest.schemes)),
    }


def _refuse_other_files(library: Path) -> None:
    """Raise BadInput where a build would replace what is no library, nor the rest of one."""
    try:
        if not library.exists():
            return
        if library.is_file():
            with library.open("rb") as stream:
                start = stream.read(HEADER)
            ours = len(start) < HEADER or start[APPLICATION] == APPLICATION_ID.to_bytes(4, "big")
            if not start or (start.startswith(SQLITE) and ours):
                return  # a library, or what is left of one
    except OSError as error:
        raise CannotWrite(library, error.strerror or str(error)) from error
    raise BadInput(f"{library} is there already and is no library. Name another file with --library.")


def _read(
    sources: Sequence[SourceFile], library: Path, settings: Settings, progress: Progress, scheduler: str
) -> tuple[list[Done], list[BrokenFile]]:
    """Return the documents in the order of their ids, and the files that could not be read."""

    def tell(state: batch.Progress) -> None:
        detail = f"{state.documents} of {state.documents_total} documents"
        progress("reading", state.bytes, state.bytes_total, detail)
        if state.to_recognise:
            pages = f"{state.recognised} of {state.to_recognise} scanned pages"
            progress("recognising", state.recognised, state.to_recognise, pages)

    work, images = cache_folder(library), images_folder(library)
    jobs, broken = _jobs(sources, work, settings, progress)
    read = partial(batch.read_many, jobs, settings, work, images, progress=tell)
    if scheduler:
        with cluster(scheduler, settings) as there:
            results = list(read(apart=there.read_apart, at_once=there.at_once))
    else:
        results = list(read())
    hashes = {source.document: source.sha256 for source in sources}
    done = [
        replace(result, document=replace(result.document, sha256=hashes[result.document.id]))
        for result in results
        if isinstance(result, Done)
    ]
    broken += [BrokenFile(r.job.source, r.reason) for r in results if not isinstance(r, Done)]
    return sorted(done, key=lambda result: result.document.id), broken


def _jobs(
    sources: Sequence[SourceFile], work: Path, settings: Settings, progress: Progress
) -> tuple[list[batch.Job], list[BrokenFile]]:
    """Return what is to be read: PDFs as they are, other files printed; and those that were not printed."""
    others = [source for source in sources if source.path.suffix.lower() in printing.SUFFIXES]
    pdfs = {source.path: printing.pdf_of(source.sha256, work) for source in others}
    ready = {path for path, pdf in pdfs.items() if pdf.exists()}
    for path in ready:
        os.utime(pdfs[path])
    wanted = [(path, pdf) for path, pdf in pdfs.items() if path not in ready]
    broken = []
    for done, made in enumerate(printing.printed(wanted, settings.ingest.seconds_per_document), 1):
        progress("printing", done, len(wanted), made.path.name)
        if made.reason:
            broken.append(BrokenFile(made.path, f"{made.path.name} was not read: {made.reason}."))
        else:
            ready.add(made.path)
    jobs = []
    for path, document in ((source.path, source.document) for source in sources):
        if path in ready:
            jobs.append(batch.Job(pdfs[path], document, path, printing.address_of(path)))
        elif path not in pdfs:
            jobs.append(batch.Job(path, document))
    return jobs, broken


def embed(
    documents: Sequence[Document], embedder: Embedder, cache: Path, progress: Progress
) -> dict[str, list[EncodedPassage]]:
    """Return the vectors of every searched passage, for each document id, from the cache where they are."""
    texts = {document.id: passages(document) for document in documents}
    total, done = sum(map(len, texts.values())), 0
    vectors: dict[str, list[EncodedPassage]] = {}
    for name, wanted in texts.items():
        kept = load(cache, embedder.fingerprint, wanted)
        if kept is None:
            kept = []
            for at in range(0, len(wanted), BATCH):
                kept += embedder.encode_passages(wanted[at : at + BATCH])
                progress("embedding", done + len(kept), total, name)
            save(cache, embedder.fingerprint, wanted, kept)
        vectors[name] = kept
        done += len(wanted)
        progress("embedding", done, total, name)
    return vectors


@dataclass(frozen=True, slots=True)
class Previous:
    """The library that was there before; `current` when this recipe made it and its images are all there."""

    documents: tuple[Document, ...] = ()
    hashes: Mapping[str, str] = field(default_factory=dict)
    images: frozenset[str] = frozenset()
    current: bool = False


def previous(library: Path, fingerprint: str, made_by: Mapping[str, str]) -> Previous:
    """Return what the library at the path was built from; a missing or unreadable one is nothing."""
    try:
        store = Store(library)
    except (LibraryMissing, LibraryUnreadable, SchemaMismatch):
        return Previous()
    with store:
        documents = tuple(store.document(info.id) for info in store.documents())
        hashes = {source.document: source.sha256 for source in store.sources()}
        pages = [page for info in store.documents() for page in store.pages(info.id)]
        images = frozenset(name for page in pages for name in (page.large, page.phone) if name)
        same = store.embedder == fingerprint and all(store.meta.get(k) == v for k, v in made_by.items())
    whole = all((images_folder(library) / name).is_file() for name in images)
    return Previous(documents, hashes, images, same and whole)


def linked(
    documents: Sequence[Document], overrides: Mapping[str, Override] | None = None
) -> tuple[tuple[Document, ...], tuple[Edge, ...]]:
    """Return the documents, references resolved and editions told apart, and the edges between them.

    What a person says of them comes first: references are resolved by the names that it leaves.
    """
    told = overridden(documents, overrides or {})
    index = index_documents(told)
    whole = [replace(d, references=resolve_external(d.references, index)) for d in told]
    return settle(resolve_on_sites(whole, index), overrides)


def _report(
    library: Path,
    documents: Sequence[Document],
    before: Previous,
    broken: Sequence[BrokenFile],
    overrides: Mapping[str, Override],
    *,
    start: float,
    pages_read: int,
) -> BuildReport:
    summaries = []
    for document in documents:
        known = before.hashes.get(document.id)
        change = "unchanged" if known == document.sha256 else "changed"
        summaries.append(
            DocumentSummary(
                id=document.id,
                title=document.title,
                pages=len(document.pages),
                clauses=len(document.clauses),
                tables=len(document.tables),
                figures=len(document.figures),
                terms=len(document.terms),
                references=len(document.references),
                unresolved=sum(reference.status == "unresolved" for reference in document.references),
                problems=len(document.problems),
                change="added" if known is None else change,
            )
        )
    return BuildReport(
        library=library,
        documents=tuple(summaries),
        broken=tuple(broken),
        removed=tuple(sorted(set(before.hashes) - {document.id for document in documents})),
        problems=remarks(documents, overrides),
        seconds=perf_counter() - start,
        pages_read=pages_read,
        up_to_date=documents is before.documents,
    )


def find_sources(paths: Sequence[Path]) -> tuple[tuple[SourceFile, ...], tuple[BrokenFile, ...]]:
    """Return the codes of files and folders, by document id, and those that cannot be taken.

    Raises:
        NothingToBuild: there is no code among the paths.
    """
    broken = [BrokenFile(path, "there is no such file or folder") for path in paths if not path.exists()]
    codes = {code for path in paths if path.is_dir() for code in path.rglob("*")}
    codes = {code for code in codes if code.suffix.lower() in KINDS}
    codes |= {path for path in paths if path.exists() and not path.is_dir()}
    links = grouped(
        (_real(path), path) for path in sorted(codes)
    )  # by the file they lead to, which is read once
    hashes: dict[Path, str] = {}
    for path in sorted(links):
        try:
            path.stat()  # raises where a link leads nowhere
            reason = "it is a folder, not a file" if path.is_dir() else ""
            if not reason and not path.is_file():  # to open it may never end
                reason = "it is a pipe, socket or device, not a file"
            hashes |= {} if reason else {path: sha256_of(path)}
        except FileNotFoundError:
            reason = "it is a link to a file that is not there"
        except OSError as error:
            reason = f"it cannot be read ({error.strerror})"
        broken += [BrokenFile(link, reason) for link in links[path]] if reason else []
    sources: dict[str, SourceFile] = {}
    first = {path.stem: path for path in sorted(hashes, key=_kind, reverse=True)}
    for path, digest in hashes.items():
        name = path.stem if _kind(path) == _kind(first[path.stem]) else path.name
        name = name.lstrip("-") or name  # an id is typed on command lines
        if other := sources.get(name):
            reason = f"another file has the same name ({other.path}); rename one of them"
            broken.append(BrokenFile(path, reason))
        else:
            sources[name] = SourceFile(path, name, digest)
    if not sources and not broken:
        raise NothingToBuild(tuple(paths))
    return tuple(sources[name] for name in sorted(sources)), tuple(broken)


def _kind(path: Path) -> int:
    """Return which kind a file is of; of files with one stem the first kind is named by it alone."""
    suffix = path.suffix.lower()
    return KINDS.index(suffix) if suffix in KINDS else len(KINDS)


def _real(path: Path) -> Path:
    """Return the file that a path leads to; a link that leads nowhere, or in a circle, stays itself."""
    try:
        return path.resolve(strict=True)
    except (OSError, RuntimeError):  # Python before 3.13 raises RuntimeError for a circle of links
        return path.absolute()


EPOCH_VARIABLE = "SOURCE_DATE_EPOCH"
LATEST_SECOND = 253_402_300_799  # the last of the year 9999


def issue_day() -> str:
    """Return the day as ISO 8601 writes it; raises BadInput where the variable is no number of seconds."""
    given = os.environ.get(EPOCH_VARIABLE, "").strip()
    if given and not (given.isascii() and given.isdigit() and int(given) <= LATEST_SECOND):
        wrong = f"{EPOCH_VARIABLE} must be a number of seconds since 1970, not {given[:40]!r}"
        raise BadInput(f"{wrong}: mend or unset it.")
    return time.strftime("%Y-%m-%d", time.gmtime(int(given) if given else time.time()))
