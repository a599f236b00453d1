"""The library as the rest of the program sees it: typed questions, values of the domain as answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, wraps
from pathlib import Path
from threading import RLock
from typing import Any, Self, TypeVar, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

from appliance.core.document import (
    Cell,
    Clause,
    Document,
    Figure,
    Formula,
    Label,
    Problem,
    Reference,
    Table,
    TableNote,
    Term,
    first_page,
)
from appliance.core.errors import LibraryUnreadable, UnknownDocument
from appliance.core.graph import Decision
from appliance.store.connection import ADDRESS, ANCHORED, Connections, read_meta
from appliance.store.graph import Knowledge
from appliance.store.records import ClauseEntry, DocumentInfo, Labelled, PageInfo, StoredChunk, StoredVectors
from appliance.store.rows import Row, chunk, from_row, joined_text, unpack_boxes
from appliance.store.write import SourceFile
from appliance.text.terms import fold_label

Value = TypeVar("Value")
Asked = TypeVarTuple("Asked")
Key = str | Label
READINGS_KEPT = 4_000  # clauses and places of labels, asked for again and again; whole documents are not kept
CHUNKS_KEPT, TEXTS_KEPT = 4_000, 16_000


class Store:
    """A library opened for reading; `close` it when it is no longer needed.

    `spare` connections are opened at once for threads to come; `decisions` are what people decided about
    edges and references, by the number of the edge.

    Raises:
        LibraryMissing: there is no file at the path.
        LibraryUnreadable: the file is no library, or is damaged.
        SchemaMismatch: it was written by another version of the program.
    """

    def __init__(
        self,
        path: Path,
        query_seconds: float = 2.0,
        spare: int = 0,
        decisions: Mapping[int, Decision] | None = None,
    ) -> None:
        self.path = path
        self.connections = Connections(path, query_seconds, spare)
        self.meta = read_meta(path, self.connections)
        self._documents = tuple(from_row(DocumentInfo, row[1:]) for row in self.connections.rows("documents"))
        self._positions = {info.id: position for position, info in enumerate(self._documents)}
        self.graph = Knowledge(self.connections, tuple(self._positions), decisions or {})
        self.kept: dict[tuple[Any, ...], Any] = {}  # see the function `kept`
        self.making = RLock()
        self._read = lru_cache(maxsize=READINGS_KEPT)(self._many)
        self._chunks: dict[int, StoredChunk] = {}
        self._texts: dict[int, str] = {}

    def close(self) -> None:
        """Close all connections."""
        self.connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the library as a whole

    @property
    def version(self) -> str:
        """Return the hash of the library's content."""
        return self.meta["version"]

    @property
    def embedder(self) -> str:
        """Return the fingerprint of the model that made the vectors, "" for none."""
        return self.meta["embedder"]

    @property
    def dimension(self) -> int:
        """Return the length of a pooled vector, 0 where the library holds none."""
        return int(self.meta["dimension"])

    @cached_property
    def chunk_count(self) -> int:
        """Return the number of searched chunks."""
        return int(self.connections.rows("chunk_count")[0][0])

    @property
    def vector_count(self) -> int:
        """Return the number of chunks that can be found by their vectors."""
        return int(self.connections.rows("vector_count")[0][0]) if self.dimension else 0

    def documents(self) -> tuple[DocumentInfo, ...]:
        """Return what is loaded, in the order of the build."""
        return self._documents

    def address(self, document: str, key: str = "") -> str:
        """Return the address that a document, or an item of it, has on the web; "" for that of a PDF."""
        address, anchors, _ = _on_the_web(self, document)
        anchor = anchors.get(key, "")
        return f"{address.partition('#')[0]}#{anchor}" if anchor else address

    def anchored(self, document: str, anchor: str) -> str:
        """Return the key of the item to which an anchor of a web page leads, "" for none."""
        return _on_the_web(self, document)[2].get(anchor, "")

    def sources(self) -> tuple[SourceFile, ...]:
        """Return the files that the library was built from."""
        return tuple(SourceFile(*row) for row in self.connections.rows("sources"))

    # -- one document

    def info(self, document: str) -> DocumentInfo:
        """Return one document without its items; raises UnknownDocument."""
        return self._documents[self.position(document)]

    def has(self, document: str) -> bool:
        """Tell whether a document is loaded."""
        return document in self._positions

    def position(self, document: str) -> int:
        """Return the number of a document in the library; raises UnknownDocument."""
        if document not in self._positions:
            raise UnknownDocument(document, tuple(self._positions))
        return self._positions[document]

    def document(self, document: str) -> Document:
        """Return a whole document, equal to the one that was written; raises UnknownDocument."""
        info = self.info(document)
        stored = [chunk(row) for row in self._rows("chunks_of_document", document)]
        first = stored[0].id if stored else 0
        address, anchors, anchored = _on_the_web(self, document)
        chunks = [
            replace(item.chunk, parent=None if item.parent is None else item.parent - first)
            for item in stored
        ]
        return Document(
            info.id, info.designation, info.title, info.edition, info.status, info.language, info.sha256,
            info.family, tuple(item.page for item in self.pages(document)), self.clauses(document),
            self.tables(document), self.figures(document), self.formulas(document), self.terms(document),
            self.references(document), tuple(chunks), self.problems(document), info.aliases,
            address, tuple(anchors.items()), tuple(anchored.items()),
        )  # fmt: skip

    def pages(self, document: str) -> tuple[PageInfo, ...]:
        """Return the pages of a document with the names of their images."""
        return self._many(PageInfo, "pages", document, number=None)

    def page(self, document: str, number: int) -> PageInfo | None:
        """Return one page."""
        return _first(self._many(PageInfo, "pages", document, number=number))

    def contents(self, document: str) -> tuple[ClauseEntry, ...]:
        """Return the clause tree without its text, in document order."""
        rows = self._rows("contents", document)
        firsts = [first_page(unpack_boxes(row[5])) for row in rows]
        return tuple(from_row(ClauseEntry, (*row[:5], page)) for row, page in zip(rows, firsts, strict=True))

    def problems(self, document: str) -> tuple[Problem, ...]:
        """Return what could not be read."""
        return tuple(from_row(Problem, row, passing=False) for row in self._rows("problems", document))

    # -- clauses

    def clauses(self, document: str) -> tuple[Clause, ...]:
        """Return all clauses in document order."""
        return self._many(Clause, "clauses", document, key=None)

    def clause(self, document: str, key: Key) -> Clause | None:
        """Return the clause of that key."""
        return _first(self._read(Clause, "clauses", document, key=_key(key)))

    def children(self, document: str, key: Key | None) -> tuple[Clause, ...]:
        """Return the clauses directly below a clause, or the top ones for None."""
        return self._many(Clause, "children", document, parent=_key(key))

    def lineage(self, document: str, key: Key) -> tuple[Clause, ...]:
        """Return the clause and those above it, the highest first; a cycle ends the walk."""
        line: list[Clause] = []
        found = self.clause(document, key)
        while found and found not in line:
            line.append(found)
            found = self.clause(document, found.parent) if found.parent else None
        return tuple(reversed(line))

    def around(
        self, document: str, key: Key, reach: int = 1
    ) -> tuple[tuple[Clause, ...], tuple[Clause, ...]]:
        """Return up to `reach` clauses before and after a clause, in document order."""
        rows = self._rows("clauses_around", document, key=_key(key), reach=reach)
        before = tuple(from_row(Clause, row) for row in rows if row[-1])
        return before, tuple(from_row(Clause, row) for row in rows if not row[-1])

    # -- tables, figures, formulas, terms

    def tables(self, document: str, *, clause: Key | None = None) -> tuple[Table, ...]:
        """Return the tables of a document, or those that stand in one clause."""
        return self._tables(document, key=None, clause=_key(clause))

    def table(self, document: str, key: Key) -> Table | None:
        """Return the table of that key."""
        return _first(self._tables(document, key=_key(key), clause=None))

    def _tables(self, document: str, *, key: str | None, clause: str | None) -> tuple[Table, ...]:
        def parts(of: type[Value], name: str, table: int) -> tuple[Value, ...]:
            return tuple(from_row(of, row) for row in self.connections.rows(name, table_id=table))

        rows = self._rows("tables", document, key=key, clause=clause)
        return tuple(
            from_row(Table, row, cells=parts(Cell, "cells", at), notes=parts(TableNote, "table_notes", at))
            for at, *row in rows
        )

    def figures(self, document: str, *, clause: Key | None = None) -> tuple[Figure, ...]:
        """Return the figures of a document, or those that stand in one clause."""
        return self._many(Figure, "figures", document, key=None, clause=_key(clause))

    def figure(self, document: str, key: Key) -> Figure | None:
        """Return the figure of that key."""
        return _first(self._many(Figure, "figures", document, key=_key(key), clause=None))

    def formulas(self, document: str, *, clause: Key | None = None) -> tuple[Formula, ...]:
        """Return the formulas of a document, or those that stand in one clause."""
        return self._many(Formula, "formulas", document, key=None, clause=_key(clause))

    def formula(self, document: str, key: Key) -> Formula | None:
        """Return the formula of that key."""
        return _first(self._many(Formula, "formulas", document, key=_key(key), clause=None))

    def terms(self, document: str) -> tuple[Term, ...]:
        """Return the terms that a document defines."""
        return self._many(Term, "terms", document)

    # -- references, both ways

    def references(self, document: str) -> tuple[Reference, ...]:
        """Return every reference that stands in a document."""
        found = self._many(Reference, "references_from", document, source=None)
        return self.graph.judged(document, found)

    def references_from(self, document: str, *keys: str) -> tuple[Reference, ...]:
        """Return the references that stand in any of these places of a document, in the order of its text."""
        found = self._many(Reference, "references_from_any", document, sources=json.dumps(keys))
        return self.graph.judged(document, found)

    def hosted(self, document: str, keys: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Return (table or figure, clause where it stands) for each pair that touches one of the keys."""
        rows = self._rows("hosts", document, keys=json.dumps(list(keys)))
        return tuple((row[0], row[1]) for row in rows)

    def references_to(self, document: str, key: Key) -> tuple[tuple[str, Reference], ...]:
        """Return every reference that points to a place, with the document that it stands in."""
        rows = self._rows("references_to", document, target=_key(key))
        pairs = ((row[0], from_row(Reference, row[1:])) for row in rows)
        judged = ((name, self.graph.judged(name, (reference,))[0]) for name, reference in pairs)
        return tuple((name, reference) for name, reference in judged if reference.target is not None)

    # -- chunks and their vectors

    def chunks(self, ids: Iterable[int]) -> tuple[StoredChunk, ...]:
        """Return the chunks of these ids in the order asked for; an unknown id is left out."""

        def read(new: str) -> dict[int, StoredChunk]:
            rows = self.connections.rows("chunks_by_id", ids=new)
            with self.connections.reading():
                return {row[0]: chunk(row) for row in rows}

        return tuple(_remembered(self._chunks, CHUNKS_KEPT, ids, read).values())

    def texts(self, ids: Iterable[int]) -> dict[int, str]:
        """Return what the models read of these chunks, in the order asked for."""

        def read(new: str) -> dict[int, str]:
            rows = self.connections.rows("texts", ids=new)
            return {
                chunk: joined_text(json.loads(context), title, text, extra)
                for chunk, context, title, text, extra in rows
            }

        return _remembered(self._texts, TEXTS_KEPT, ids, read)

    def parents(self, ids: Iterable[int]) -> dict[int, int]:
        """Return for each chunk the id of the chunk that is shown for it, which may be itself."""
        return dict(self.connections.rows("parents_of", ids=json.dumps(list(ids))))

    def chunk_children(self, ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
        """Return the ids of the children of these shown chunks; one without children is its own."""
        children: dict[int, list[int]] = {chunk: [] for chunk in ids}
        for child, parent in self.connections.rows("children_of", ids=json.dumps(sorted(children))):
            children[parent].append(child)
        return {chunk: tuple(found) or (chunk,) for chunk, found in children.items()}

    def chunk_neighbours(self, chunk: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the id of the shown chunk before and after one, in its document, each where there is one."""
        rows = self.connections.rows("parents_around", id=chunk, first=chunk - 200, last=chunk + 200)
        ids = [row[0] for row in rows]
        before = tuple(found for found in ids if found < chunk)[-1:]
        return before, tuple(found for found in ids if found > chunk)[:1]

    def labelled(self, folded: Iterable[str]) -> tuple[Labelled, ...]:
        """Return the shown chunks that hold these folded labels (see words.fold_label)."""
        rows = self.connections.rows("labelled", folded=json.dumps(sorted(set(folded))))
        return tuple(Labelled(*row) for row in rows)

    def chunks_for(self, document: str, label: Key) -> tuple[int, ...]:
        """Return the ids of the shown chunks that hold a label of a document, the item itself first."""
        return tuple(row[0] for row in self._read(None, "chunks_for", document, key=_key(label)))

    def pooled(self, ids: Iterable[int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the ids, in order, and pooled vectors [n, dimension] of those chunks that have one."""
        return self.halves(self.connections.rows("pooled", ids=json.dumps(sorted(set(ids)))))

    def halves(self, found: Sequence[Row]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the ids and vectors of rows (chunk, half precision); raises LibraryUnreadable."""
        with self.connections.reading():
            rows = np.frombuffer(b"".join(row for _, row in found), "<f2").astype(np.float32)
            if not np.isfinite(rows).all():
                raise LibraryUnreadable(self.path, "a vector is not made of numbers")
            ids = np.array([chunk for chunk, _ in found], dtype=np.int64)
            return ids, rows.reshape(len(found), self.dimension)

    def vectors(self, ids: Iterable[int]) -> dict[int, StoredVectors]:
        """Return the vectors of these searched chunks; one without vectors is left out."""
        wanted = json.dumps(sorted(set(ids)))
        width = max(int(self.meta["token_dimension"]), 1)
        with self.connections.reading():
            return {
                chunk: StoredVectors(
                    np.frombuffer(pooled, "<f2").astype(np.float32),
                    np.frombuffer(tokens, np.int8).reshape(-1, width),
                )
                for chunk, pooled, tokens in self.connections.rows("vectors", ids=wanted)
            }

    def _rows(self, name: str, document: str, **values: object) -> Sequence[Row]:
        return self.connections.rows(name, document=self.position(document), **values)

    def _many(self, of: type[Any] | None, name: str, document: str, **values: object) -> tuple[Any, ...]:
        """Return the rows of a statement, as values of a type where one is given."""
        rows = self._rows(name, document, **values)
        with self.connections.reading():
            return tuple(rows) if of is None else tuple(from_row(of, row) for row in rows)


def _key(place: Key | None) -> str | None:
    return place.key if isinstance(place, Label) else place


def _first(found: Sequence[Value]) -> Value | None:
    return found[0] if found else None


def _remembered(
    known: dict[int, Value], most: int, ids: Iterable[int], read: Callable[[str], dict[int, Value]]
) -> dict[int, Value]:
    """Return what belongs to ids, in their order, from what is known; `read` brings the rest, ids as JSON."""
    wanted = dict.fromkeys(ids)
    found = {one: here for one in wanted if (here := known.get(one)) is not None}  # others clear it
    if new := [one for one in wanted if one not in found]:
        found |= (brought := read(json.dumps(new)))
        if len(known) > most:
            known.clear()
        known.update(brought)
    return {one: found[one] for one in wanted if one in found}


def kept(make: Callable[[Store, *Asked], Value]) -> Callable[[Store, *Asked], Value]:
    """Return what makes a value of a library, made so that it is made once and kept with the library."""

    @wraps(make)
    def once(store: Store, *asked: *Asked) -> Value:
        key = (make, *asked)
        if key not in store.kept:
            with store.making:  # so that the first questions of several threads make it once
                if key not in store.kept:
                    store.kept[key] = make(store, *asked)
        made: Value = store.kept[key]
        return made

    return once


@kept
def _on_the_web(store: Store, document: str) -> tuple[str, dict[str, str], dict[str, str]]:
    """Return the address of a document, the anchors of its items, and the items of its anchors."""
    address, anchors = json.loads(store.meta.get(f"{ADDRESS} {document}", '["", {}]'))
    return address, anchors, json.loads(store.meta.get(f"{ANCHORED} {document}", "{}"))


BESIDE = 60  # characters that tell of a place
# parts of labels: of places that nothing else tells apart (ingest/structure/tree.py)
FIRST, SECOND = "no. 1", "no. 2"
_BETWEEN = re.compile(r"\s*[/;:]\s*|,\s+|\s*[()\[\]]\s*(?=\s|$)|(?:^|(?<=\s))[(\[]")


@dataclass(frozen=True, slots=True)
class Bearer:
    """A place with its label; `beside` is its own title, else the heading over it."""

    kind: str
    label: Label
    page: int
    beside: str

    @property
    def what(self) -> str:
        """Return the one of clause, table, figure and formula that it is."""
        return self.kind if self.kind in {"table", "figure", "formula"} else "clause"


def bearers(store: Store, document: str) -> tuple[Bearer, ...]:
    """Return all that bears a label in a document; raises UnknownDocument."""
    at = store.position(document)
    clauses = [(*row[:4], row[5]) for row in store.connections.rows("contents", document=at)]
    rows = [*clauses, *store.connections.rows("bearers", document=at)]
    titles = {key: title for key, _, title, *_ in rows}
    above = {key: parent for key, _, _, parent, _ in rows}

    def beside(key: str) -> str:
        """Return the nearest title at a place or over it; places that go round in a circle have none."""
        seen: set[str] = set()
        at: str | None = key
        while at is not None and at not in seen:
            if titles.get(at):
                return " ".join(titles[at].split())[:BESIDE]
            seen.add(at)
            at = above.get(at)
        return ""

    return tuple(
        Bearer(kind, Label.from_key(key), first_page(unpack_boxes(boxes)), beside(key))
        for key, kind, _, _, boxes in rows
    )


def fitting(known: Sequence[Bearer], typed: str) -> list[Bearer]:
    """Return the places that a typed label fits: by its key, as printed, as misread, by its bare number."""
    if keyed := [item for item in known if item.label.key == typed.strip()]:
        return keyed
    wanted = " ".join(typed.split())
    forms = {wanted, " ".join(_BETWEEN.sub(" ", wanted).split())} - {""}
    labels = {item.label for item in known}
    # the reader counts from the second on: the first of several does not print its number
    firsts = {one for one in labels if Label((*one.parts[:-1], SECOND, one.parts[-1])) in labels}
    written = [(item, list(_written(item.label, first=item.label in firsts))) for item in known]
    numbers = [(item, [str(item.label).rpartition(" ")[2]]) for item in known]  # "K1" of "Requirement K1"
    bare = [(item, number) for item, number in numbers if any(map(str.isdigit, number[0]))]
    for fold, ways_of in ((str.casefold, written), (fold_label, written), (fold_label, bare)):
        asked = set(map(fold, forms))
        if found := [item for item, forms_of in ways_of if not asked.isdisjoint(map(fold, forms_of))]:
            return found
    return []


def ways(found: Sequence[Bearer], known: Sequence[Bearer]) -> list[str]:
    """Return for each place the shortest way to write it that means it alone, its key where none does."""
    return [
        next(
            (way for way in (one.label.named, f"{FIRST} {one.label}") if fitting(known, way) == [one]),
            one.label.key,
        )
        for one in found
    ]


def _written(label: Label, *, first: bool) -> Iterator[str]:
    """Yield the ways to write a label: alone, and before or behind each of the places above it."""
    printed = str(label)
    yield printed
    for above in (*label.parts[:-1], *((FIRST,) if first else ())):
        yield f"{above} {printed}"
        yield f"{printed} {above}"
