"""Values of the domain to rows of the library and back."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar, get_type_hints

import numpy as np
from numpy.typing import NDArray

from appliance.core.document import Box, Chunk, Document, Label, LineSpan, Reference
from appliance.store.records import StoredChunk
from appliance.text.terms import fold_label, names, words

Value = TypeVar("Value")

SCALE = 100_000
_BOX = struct.Struct("<5i")
_LINE = struct.Struct("<7i")


def pack_boxes(boxes: Iterable[Box]) -> bytes:
    """Return the boxes as 20 bytes each."""
    return b"".join(_BOX.pack(*_numbers(box)) for box in boxes)


def unpack_boxes(blob: bytes) -> tuple[Box, ...]:
    """Return the boxes of `pack_boxes`; raises ValueError where these are not a whole number of records."""
    return tuple(_box(*record) for record in _records(_BOX, blob))


def pack_lines(lines: Iterable[LineSpan]) -> bytes:
    """Return the line spans as 28 bytes each."""
    return b"".join(_LINE.pack(line.start, line.end, *_numbers(line.box)) for line in lines)


def unpack_lines(blob: bytes) -> tuple[LineSpan, ...]:
    """Return the line spans of `pack_lines`; raises ValueError as `unpack_boxes` does."""
    return tuple(LineSpan(start, end, _box(*rest)) for start, end, *rest in _records(_LINE, blob))


def _records(of: struct.Struct, blob: bytes) -> list[tuple[Any, ...]]:
    try:
        return list(of.iter_unpack(blob))
    except struct.error as error:
        raise ValueError(str(error)) from None


def _numbers(box: Box) -> tuple[int, int, int, int, int]:
    x0, y0, x1, y1 = (round(value * SCALE) for value in (box.x0, box.y0, box.x1, box.y1))
    return box.page, x0, y0, x1, y1


def _box(page: int, x0: int, y0: int, x1: int, y1: int) -> Box:
    return Box(page, x0 / SCALE, y0 / SCALE, x1 / SCALE, y1 / SCALE)


Row = Sequence[Any]
ToRowsRow = tuple[object, ...]
Images = Mapping[int, tuple[str, str]]  # page number -> file names of the large and the phone image


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the values of a type stand in so many columns of a row."""

    write: Callable[[Any], ToRowsRow]
    read: Callable[..., Any]
    columns: int = 1


_KINDS: Mapping[object, _Kind] = {
    bool: _Kind(lambda value: (value,), bool),
    Label: _Kind(lambda label: (label.key,), Label.from_key),
    Label | None: _Kind(
        lambda label: (label.key if label else None,),
        lambda key: None if key is None else Label.from_key(key),
    ),
    Box: _Kind(lambda box: (pack_boxes((box,)),), lambda blob: unpack_boxes(blob)[0]),
    Box | None: _Kind(
        lambda box: (pack_boxes((box,) if box else ()),), lambda blob: next(iter(unpack_boxes(blob)), None)
    ),
    tuple[Box, ...]: _Kind(lambda boxes: (pack_boxes(boxes),), unpack_boxes),
    tuple[LineSpan, ...]: _Kind(lambda lines: (pack_lines(lines),), unpack_lines),
    tuple[str, ...]: _Kind(lambda texts: (dumps(texts),), lambda texts: tuple(json.loads(texts))),
    tuple[Label, ...]: _Kind(
        lambda labels: (dumps([label.key for label in labels]),),
        lambda keys: tuple(map(Label.from_key, json.loads(keys))),
    ),
}
_AS_IT_IS = _Kind(lambda value: (value,), lambda value: value)


@cache
def _fields(of: Any, without: frozenset[str]) -> tuple[tuple[str, _Kind, int, int], ...]:
    """Return the name of each field, how it stands in a row, and its columns there: from, up to."""
    hints, found, at = get_type_hints(of), [], 0
    for field in fields(of):
        if field.name not in without:
            kind = _kind(hints[field.name])
            found.append((field.name, kind, at, at + kind.columns))
            at += kind.columns
    return tuple(found)


def _kind(of: Any) -> _Kind:
    """Return how a type stands in a row: a value of several fields in the columns of each."""
    if of in _KINDS or not is_dataclass(of):
        return _KINDS.get(of, _AS_IT_IS)
    assert isinstance(of, type)
    return _Kind(to_row, lambda *row: from_row(of, row), _fields(of, frozenset())[-1][-1])


def to_row(value: Any, *without: str) -> ToRowsRow:
    """Return the fields of a value as columns in their order, but for those that a row has not."""
    own = _fields(value.__class__, frozenset(without))
    return tuple(column for name, kind, *_ in own for column in kind.write(getattr(value, name)))


def from_row(of: Callable[..., Value], row: Row, **given: object) -> Value:
    """Return the value whose fields the columns of a row are, in their order; `given` are those it has not.

    Raises:
        ValueError: a column does not hold what it should.
    """
    for name, kind, at, end in _fields(of, frozenset(given)):
        given[name] = kind.read(row[at]) if end - at == 1 else kind.read(*row[at:end])
    return of(**given)


def chunk(row: Row) -> StoredChunk:
    """Read a row of statement chunks_by_id; `Chunk.parent` stays a position in no list and is None."""
    row_id, document, parent, *columns = row
    return StoredChunk(row_id, document, parent, from_row(Chunk, columns, parent=None))


def dumps(value: object) -> str:
    """Return JSON without needless spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def document_row(position: int, document: Document) -> ToRowsRow:
    """Return the row of table documents."""
    return (
        position, document.id, document.designation, document.title, document.edition, document.status,
        document.language, document.sha256, document.family, dumps(document.aliases),
    )  # fmt: skip


def reference_row(document: int, reference: Reference, positions: Mapping[str, int]) -> ToRowsRow:
    """Return the columns of table reference_links; an internal target lies in the document itself."""
    inside = None if reference.external else document
    target_document = positions.get(reference.document, inside) if reference.document else inside
    return (*to_row(reference), target_document)


def chunk_row(document: int, first_id: int, position: int, chunk: Chunk, *, searched: bool) -> ToRowsRow:
    """Return the row of table chunks; ids follow the positions in the document, from `first_id`."""
    parent = None if chunk.parent is None else first_id + chunk.parent
    return (first_id + position, document, position, *to_row(replace(chunk, parent=parent)), searched)


def item_rows(document: int, chunk_id: int, chunk: Chunk) -> Iterator[ToRowsRow]:
    """Return the rows of table chunk_items for one shown chunk."""
    for label in dict.fromkeys((chunk.label, *chunk.labels)):
        yield (document, label.key, int(label != chunk.label), chunk_id)


def label_rows(document: int, chunk_id: int, chunk: Chunk) -> Iterator[ToRowsRow]:
    """Yield the rows of table chunk_labels for one shown chunk."""
    ranks: dict[str, int] = {}
    for label in (chunk.label, *chunk.labels):
        bare = re.sub(r"^[^\W\d_]+\s+(?=\S*\d)", "", str(label))
        rank = int(label != chunk.label)
        for printed, its in ((str(label), rank), ("".join(label.parts), rank), (bare, 2)):
            ranks.setdefault(fold_label(printed), its)
    yield from ((folded, rank, document, chunk_id) for folded, rank in ranks.items() if folded)


def indexed_names(chunk: Chunk) -> tuple[list[str], list[str]]:
    """Return the folded labels of a chunk and the names that its text holds, for the columns of FTS."""
    printed = map(str, (chunk.label, *chunk.labels))
    forms = dict.fromkeys(form for label in printed for form in (fold_label(label), *names(label)) if form)
    return list(forms), names(f"{chunk.title} . {chunk.passage.text} . {chunk.extra}")


def spellings(chunk: Chunk) -> set[str]:
    """Return the words of a chunk that a misspelt word may be meant for."""
    return {word for word in words(f"{chunk.title} {chunk.passage.text}") if len(word) > 3 and word.isalpha()}


def searchable(document: Document) -> tuple[int, ...]:
    """Return the positions, in the document's chunks, of those that are searched, ascending."""
    with_children = {chunk.parent for chunk in document.chunks if chunk.parent is not None}
    return tuple(
        position
        for position, chunk in enumerate(document.chunks)
        if chunk.parent is not None or position not in with_children
    )


def embedded_text(chunk: Chunk) -> str:
    """Return what the embedder and the reranker read of a chunk: its heading path, title and text."""
    return joined_text(chunk.context, chunk.title, chunk.passage.text, chunk.extra)


def joined_text(context: Sequence[str], title: str, text: str, extra: str) -> str:
    """Return the parts of a chunk as the models read them, no heading twice."""
    heading = " > ".join(dict.fromkeys(part for part in (*context, title) if part))
    return "\n".join(part for part in (heading, text, extra) if part)


def as_int8(rows: NDArray[np.float32], scale: float) -> NDArray[np.int8]:
    """Return unit vectors [..., dimension] in the int8 form that nearest ones are looked for in."""
    small: NDArray[np.int8] = np.clip(np.rint(rows * scale), -127, 127).astype(np.int8)
    return small


def passages(document: Document) -> list[str]:
    """Return the text of every searched chunk of the document, in the order that vectors are given in."""
    return [embedded_text(document.chunks[position]) for position in searchable(document)]
