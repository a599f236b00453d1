"""Documents and their vectors to one library file."""

from __future__ import annotations

import hashlib
import struct
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar

import apsw
import msgspec
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

from appliance import __version__
from appliance.core.document import Document
from appliance.core.errors import BadInput, CannotWrite
from appliance.core.files import content_hash, hash_around, sync
from appliance.core.graph import Graph
from appliance.store import graph as graph_rows
from appliance.store import rows as to_rows
from appliance.store.connection import (
    ADDRESS,
    ANCHORED,
    APPLICATION_ID,
    SCHEMA_VERSION,
    marked,
    register,
    sql,
)
from appliance.store.rows import as_int8, searchable, to_row
from appliance.text.terms import words

Item = TypeVar("Item")
Images = Mapping[str, to_rows.Images]

_UNWRITABLE = (apsw.CantOpenError, apsw.FullError, apsw.IOError, apsw.ReadOnlyError, OSError)
UNSEALED = "-" * 64  # in the place of the sha256 of a file that is not finished
_CODE = Path(__file__).parent
# Components above this quantile are clipped to 127. Of twelve codes and their questions the nearest 50 of
# float32 are found to .9923, against .9906 with the largest component at 127 and .9878 at .999.
_CLIPPED = 0.9999
_SCALED_BY = 20_000  # rows whose components tell the quantile


class PassageVectors(Protocol):
    """The vectors of one searched chunk: pooled [dimension] float32 of unit length, tokens [n, d] int8."""

    @property
    def pooled(self) -> NDArray[np.float32]: ...
    @property
    def tokens(self) -> NDArray[np.int8]: ...


Vectors = Mapping[str, Sequence[PassageVectors]]


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A PDF that the library was built from; `path` as the builder names it."""

    path: str
    sha256: str
    document: str


@dataclass(frozen=True, slots=True)
class LibraryMeta:
    """What the builder says of the library; `embedder` is the model's fingerprint, "" for no vectors."""

    embedder: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Content:
    """All that goes into one library."""

    documents: Sequence[Document]
    vectors: Vectors
    images: Images
    manifest: Sequence[SourceFile]
    meta: LibraryMeta
    graph: Graph

    @property
    def encoded(self) -> list[PassageVectors]:
        """Return the vectors of all searched chunks in the order of their ids."""
        return [item for document in self.documents for item in self.vectors.get(document.id, ())]


def write_library(
    path: Path,
    documents: Sequence[Document],
    *,
    vectors: Vectors | None = None,
    images: Images | None = None,
    manifest: Sequence[SourceFile] = (),
    meta: LibraryMeta | None = None,
    graph: Graph | None = None,
) -> None:
    """Write the library; `vectors` holds, for each document id, those of `searchable(document)` in order.

    Raises:
        BadInput: two documents have one id, or vectors do not match the searched chunks.
        CannotWrite: the place is read-only, or the disk is full.
    """
    content = _Content(
        documents, vectors or {}, images or {}, manifest, meta or LibraryMeta(), graph or Graph()
    )
    _check(content)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.unlink(missing_ok=True)
    try:
        _write(beside, content)
        _seal(beside)
        sync(beside)
        beside.replace(path)  # a power cut leaves the old one or the new one
        sync(path.parent)
    except _UNWRITABLE as error:
        raise CannotWrite(path, str(error)) from error
    finally:
        beside.unlink(missing_ok=True)


def amend(path: Path, name: str, value: str) -> None:
    """Write a value of a library that is known only when it can be asked; raises CannotWrite."""
    try:
        connection = apsw.Connection(str(path))
        try:
            connection.execute("pragma journal_mode = off")
            values = ((name, value), ("seal", UNSEALED))
            connection.executemany("insert or replace into meta values (?, ?)", values)
        finally:
            connection.close()
        _seal(path)
    except _UNWRITABLE as error:
        raise CannotWrite(path, str(error)) from error


def _check(content: _Content) -> None:
    ids = [document.id for document in content.documents]
    if twice := sorted({name for name in ids if ids.count(name) > 1}):
        raise BadInput(f"Two documents have the id {twice[0]}. Rename one of the files.")
    for document in content.documents if content.vectors else ():
        wanted, given = len(searchable(document)), len(content.vectors.get(document.id, ()))
        if wanted != given:
            raise BadInput(f"{document.id} has {wanted} passages but {given} vectors.")
        for number, item in enumerate(content.vectors.get(document.id, ()), 1):
            if not np.isfinite(item.pooled).all():
                raise BadInput(f"The vector of passage {number} of {document.id} is not made of numbers.")


def _write(path: Path, content: _Content) -> None:
    connection = apsw.Connection(str(path))
    try:
        connection.execute("pragma page_size = 8192; pragma journal_mode = off; pragma synchronous = off")
        connection.execute(
            f"pragma application_id = {APPLICATION_ID}; pragma user_version = {SCHEMA_VERSION}"
        )
        register(connection)
        # one transaction that has no way back: a file that fails is deleted, and a full disk has ended the
        # transaction already, so that taking it back would fail for a reason of its own
        connection.execute("begin")
        connection.execute(sql("schema"))
        _insert(connection, "sources", sorted(map(astuple, content.manifest)))
        firsts = _write_documents(connection, content.documents, content.images)
        documents, graph = content.documents, content.graph
        numbers, nodes = graph_rows.number_nodes(documents, graph)
        _insert(connection, "nodes", nodes)
        _insert(connection, "node_names", graph_rows.name_rows(documents, graph, numbers))
        _insert(connection, "quantities", graph_rows.quantity_rows(graph, numbers))
        _insert(connection, "edges", sorted(graph_rows.edge_rows(documents, graph, numbers)))
        _insert(connection, "chunk_entities", sorted(graph_rows.mention_rows(graph, numbers, firsts)))
        scale = _write_vectors(connection, content.encoded)
        _insert(connection, "meta", sorted(_meta(content, scale).items()))
        connection.execute("commit")
        connection.execute(f"begin; {sql('fill_vocabulary')}; {sql('optimize')}; commit; analyze; vacuum")
    finally:
        connection.close()


def _write_documents(
    connection: apsw.Connection, documents: Sequence[Document], images: Images
) -> dict[str, int]:
    """Write the documents and return the id of the first chunk of each."""
    positions = {document.id: number for number, document in enumerate(documents)}
    spellings: Counter[str] = Counter()
    firsts: dict[str, int] = {}
    for number, document in enumerate(documents):
        _insert(connection, "documents", [to_rows.document_row(number, document)])
        pages = images.get(document.id, {})
        shown = ((page, *pages.get(page.number, ("", ""))) for page in document.pages)
        _insert(connection, "pages", [(number, *to_row(page), *names) for page, *names in shown])
        _write_items(connection, number, document, positions)
        firsts[document.id] = _next_id(connection, "chunks")
        _write_chunks(connection, number, document)
        for position in searchable(document):
            spellings.update(to_rows.spellings(document.chunks[position]))
    _insert(connection, "spellings", sorted(spellings.items()))
    return firsts


def _write_items(
    connection: apsw.Connection, number: int, document: Document, positions: Mapping[str, int]
) -> None:
    def insert(name: str, rows: Iterable[to_rows.ToRowsRow]) -> None:
        start = _next_id(connection, name)
        _insert(connection, name, [(at, number, *row) for at, row in enumerate(rows, start)])

    insert("clauses", map(to_row, document.clauses))
    for at, table in enumerate(document.tables, _next_id(connection, "tables")):
        insert("tables", [to_row(table, "cells", "notes")])
        for name, parts in (("cells", table.cells), ("table_notes", table.notes)):
            _insert(connection, name, [(at, position, *to_row(part)) for position, part in enumerate(parts)])
    insert("figures", map(to_row, document.figures))
    insert("formulas", map(to_row, document.formulas))
    insert("terms", ((*to_row(term), " ".join(words(term.term))) for term in document.terms))
    insert("problems", (to_row(problem, "passing") for problem in document.problems))
    links = (to_rows.reference_row(number, reference, positions) for reference in document.references)
    insert("reference_links", links)


def _write_chunks(connection: apsw.Connection, number: int, document: Document) -> None:
    start = _next_id(connection, "chunks")
    searched = set(searchable(document))
    for position, chunk in enumerate(document.chunks):
        row_id = start + position
        row = to_rows.chunk_row(number, start, position, chunk, searched=position in searched)
        _insert(connection, "chunks", [row])
        labels, names = to_rows.indexed_names(chunk)
        title = " . ".join((chunk.title, *chunk.context))
        text = f"{chunk.passage.text} . {chunk.extra}"
        entry = (row_id, marked(labels), title, text, marked(names))
        if position in searched:
            connection.execute(sql("insert_child_words"), entry)
        if chunk.parent is None:
            connection.execute(sql("insert_parent_words"), entry)
            _insert(connection, "chunk_items", to_rows.item_rows(number, row_id, chunk))
            _insert(connection, "chunk_labels", to_rows.label_rows(number, row_id, chunk))


def _write_vectors(connection: apsw.Connection, encoded: Sequence[PassageVectors]) -> float:
    """Write the vectors and return the scale from a unit vector to its int8 form, 0 where there are none."""
    if not encoded:
        return 0.0
    ids = [row[0] for row in connection.execute(sql("searchable_ids"))]
    halves = np.stack([item.pooled for item in encoded]).astype("<f2")
    # the size of component that becomes 127: few are above it, so the steps below it are finer
    sample = halves[:: max(1, len(halves) // _SCALED_BY)].astype(np.float32)
    scale = 127.0 / max(float(np.quantile(np.abs(sample), _CLIPPED)), 1e-6)
    small = as_int8(halves.astype(np.float32), scale)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)
    connection.execute(sql("create_dense").replace(":dimension", str(halves.shape[1])))
    for row_id, half, item, tiny in zip(ids, halves, encoded, small, strict=True):
        tokens = np.ascontiguousarray(item.tokens, dtype=np.int8).tobytes()
        _insert(connection, "vectors", [(row_id, half.tobytes(), tokens)])
        connection.execute(sql("insert_dense"), (row_id, tiny.tobytes()))
    return scale


def _meta(content: _Content, scale: float) -> dict[str, str]:
    first = next(iter(content.encoded), None)
    return {
        **content.meta.extra,
        "program": __version__,
        "embedder": content.meta.embedder,
        "scale": repr(scale),
        "dimension": str(first.pooled.shape[0] if first else 0),
        "token_dimension": str(first.tokens.shape[1] if first else 0),
        "seal": UNSEALED,
        "version": library_version(content.documents, content.meta.embedder, content.graph),
        **{
            f"{ADDRESS} {document.id}": to_rows.dumps([document.address, dict(document.anchors)])
            for document in content.documents
            if document.address
        },
        **{
            f"{ANCHORED} {document.id}": to_rows.dumps(dict(document.anchored))
            for document in content.documents
            if document.anchored
        },
    }


@cache
def writer_version() -> str:
    """Return a hash of the program's version and of the code and statements that write a library."""
    files = [*_CODE.rglob("*.py"), *_CODE.rglob("*.sql")]
    return content_hash(sorted(files), f"program {__version__}")


def library_version(documents: Sequence[Document], embedder: str, graph: Graph | None = None) -> str:
    """Return the hash of the content: what was read, and the model that encoded it."""
    digest = hashlib.sha256(f"{SCHEMA_VERSION} {__version__} {embedder}".encode())
    for part in (*documents, graph or Graph()):
        encoded = msgspec.msgpack.encode(part)
        digest.update(struct.pack("<Q", len(encoded)) + encoded)
    return digest.hexdigest()


def _next_id(connection: apsw.Connection, table: str) -> int:
    found = connection.execute(f"select coalesce(max(id), 0) + 1 from {table}").get  # noqa: S608 - our own table names
    return int(found)


def _insert(connection: apsw.Connection, table: str, rows: Iterable[to_rows.ToRowsRow]) -> None:
    """Insert whole rows, in the order of the table's columns."""
    rows = list(rows)
    if rows:
        places = ",".join("?" * len(rows[0]))
        connection.executemany(f"insert into {table} values ({places})", rows)  # noqa: S608 - our own table names


def _seal(path: Path) -> None:
    """Write into a finished file the sha256 of all its other bytes, by which a changed one is found."""
    at, digest = hash_around(path, UNSEALED)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(digest.encode())
