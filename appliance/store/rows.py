"""Values of the domain to rows of the library and back."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from appliance.core.document import (
    Box,
    Cell,
    Chunk,
    Clause,
    Document,
    Figure,
    Formula,
    Label,
    LineSpan,
    Page,
    Passage,
    Problem,
    Reference,
    Table,
    TableNote,
    Term,
)
from appliance.store.values import ClauseEntry, DocumentInfo, PageInfo, StoredChunk
from appliance.text.terms import fold_label, names, words

SCALE = 100_000
_BOX = struct.Struct("<5i")
_LINE = struct.Struct("<7i")


def pack_boxes(boxes: Iterable[Box]) -> bytes:
    """Return the boxes as 20 bytes each."""
    return b"".join(_BOX.pack(*_numbers(box)) for box in boxes)


def unpack_boxes(blob: bytes) -> tuple[Box, ...]:
    """Return the boxes of `pack_boxes`.

    Raises:
        ValueError: the blob is not a whole number of records.
    """
    try:
        return tuple(_box(*record) for record in _BOX.iter_unpack(blob))
    except struct.error as error:
        raise ValueError(str(error)) from None


def pack_lines(lines: Iterable[LineSpan]) -> bytes:
    """Return the line spans as 28 bytes each."""
    return b"".join(_LINE.pack(line.start, line.end, *_numbers(line.box)) for line in lines)


def unpack_lines(blob: bytes) -> tuple[LineSpan, ...]:
    """Return the line spans of `pack_lines`.

    Raises:
        ValueError: the blob is not a whole number of records.
    """
    try:
        records = tuple(_LINE.iter_unpack(blob))
    except struct.error as error:
        raise ValueError(str(error)) from None
    return tuple(LineSpan(start, end, _box(*rest)) for start, end, *rest in records)


def _numbers(box: Box) -> tuple[int, int, int, int, int]:
    x0, y0, x1, y1 = (round(value * SCALE) for value in (box.x0, box.y0, box.x1, box.y1))
    return box.page, x0, y0, x1, y1


def _box(page: int, x0: int, y0: int, x1: int, y1: int) -> Box:
    return Box(page, x0 / SCALE, y0 / SCALE, x1 / SCALE, y1 / SCALE)


Row = Sequence[Any]


def label_or_none(key: str | None) -> Label | None:
    """Return the label of a key that may be absent."""
    return None if key is None else Label.from_key(key)


def document_info(row: Row) -> DocumentInfo:
    """Read a row of statement documents."""
    values = (*row[1:9], tuple(json.loads(row[9])), *row[10:])
    return DocumentInfo(*values)


def page_info(row: Row) -> PageInfo:
    """Read a row of statement pages."""
    return PageInfo(Page(*row[:5]), *row[5:])


def clause(row: Row) -> Clause:
    """Read a row of statement clauses."""
    key, kind, title, text, lines, parent, level, boxes, marker, normative, principle = row[:11]
    return Clause(
        Label.from_key(key), kind, title, Passage(text, unpack_lines(lines)), label_or_none(parent), level,
        unpack_boxes(boxes), marker, bool(normative), bool(principle),
    )  # fmt: skip


def clause_entry(row: Row) -> ClauseEntry:
    """Read a row of statement contents."""
    key, kind, title, parent, level, pages = row
    return ClauseEntry(Label.from_key(key), kind, title, label_or_none(parent), level, pages)


def table(row: Row, cells: Sequence[Row], notes: Sequence[Row]) -> Table:
    """Read a row of statement tables with those of its cells and notes."""
    _, key, title, where, captioned, boxes = row
    return Table(
        Label.from_key(key), title, tuple(map(cell, cells)), tuple(map(table_note, notes)),
        unpack_boxes(boxes), label_or_none(where), bool(captioned),
    )  # fmt: skip


def cell(row: Row) -> Cell:
    """Read a row of statement cells."""
    grid_row, grid_column, text, box, row_span, column_span, header = row
    return Cell(grid_row, grid_column, text, unpack_boxes(box)[0], row_span, column_span, bool(header))


def table_note(row: Row) -> TableNote:
    """Read a row of statement table_notes."""
    mark, text, box = row
    return TableNote(mark, text, unpack_boxes(box)[0])


def figure(row: Row) -> Figure:
    """Read a row of statement figures."""
    key, title, text, boxes, where = row
    return Figure(Label.from_key(key), title, text, unpack_boxes(boxes), label_or_none(where))


def formula(row: Row) -> Formula:
    """Read a row of statement formulas."""
    key, text, explanation, boxes, where = row
    return Formula(Label.from_key(key), text, explanation, unpack_boxes(boxes), label_or_none(where))


def term(row: Row) -> Term:
    """Read a row of statement terms."""
    name, text, lines, key, boxes, kind = row
    return Term(name, Passage(text, unpack_lines(lines)), Label.from_key(key), unpack_boxes(boxes), kind)


def reference(row: Row) -> Reference:
    """Read a row of statement references_from."""
    source, start, stop, text, kind, boxes, designation, number, target, named, status, reason = row
    return Reference(
        Label.from_key(source), start, stop, text, kind, unpack_boxes(boxes), designation, number,
        label_or_none(target), named, status, reason,
    )  # fmt: skip


def problem(row: Row) -> Problem:
    """Read a row of statement problems."""
    message, page, blob, doubt = row
    boxes = unpack_boxes(blob)
    return Problem(message, page, boxes[0] if boxes else None, bool(doubt))


def chunk(row: Row) -> StoredChunk:
    """Read a row of statement chunks_by_id; `Chunk.parent` stays a position in no list and is None."""
    row_id, document, key, labels, kind, title, context, text, lines, boxes, parent, table_row, extra = row
    value = Chunk(
        Label.from_key(key), tuple(map(Label.from_key, json.loads(labels))), kind, title,
        tuple(json.loads(context)), Passage(text, unpack_lines(lines)), unpack_boxes(boxes), None,
        table_row, extra,
    )  # fmt: skip
    return StoredChunk(row_id, document, parent, value)


ToRowsRow = tuple[object, ...]
Images = Mapping[int, tuple[str, str]]  # page number -> file names of the large and the phone image


def dumps(value: object) -> str:
    """Return JSON without needless spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def document_row(position: int, document: Document) -> ToRowsRow:
    """Return the row of table documents."""
    return (
        position, document.id, document.designation, document.title, document.edition, document.status,
        document.language, document.sha256, document.family, dumps(document.aliases),
    )  # fmt: skip


def page_row(document: int, page: Page, images: Images) -> ToRowsRow:
    """Return the row of table pages."""
    large, phone = images.get(page.number, ("", ""))
    return (document, page.number, page.width, page.height, page.printed, page.trust, large, phone)


def clause_row(row_id: int, document: int, clause: Clause) -> ToRowsRow:
    """Return the row of table clauses."""
    return (
        row_id, document, clause.label.key, clause.kind, clause.title, clause.passage.text,
        pack_lines(clause.passage.lines), key_of(clause.parent), clause.level, pack_boxes(clause.boxes),
        clause.marker, clause.normative, clause.principle,
    )  # fmt: skip


def table_row(row_id: int, document: int, table: Table) -> ToRowsRow:
    """Return the row of table tables."""
    return (
        row_id, document, table.label.key, table.title, key_of(table.clause), table.captioned,
        pack_boxes(table.boxes),
    )  # fmt: skip


def cell_rows(table_id: int, table: Table) -> Iterator[ToRowsRow]:
    """Yield the rows of table cells."""
    for position, cell in enumerate(table.cells):
        yield (
            table_id, position, cell.row, cell.column, cell.text, pack_boxes((cell.box,)),
            cell.row_span, cell.column_span, cell.header,
        )  # fmt: skip


def note_rows(table_id: int, table: Table) -> Iterator[ToRowsRow]:
    """Yield the rows of table table_notes."""
    for position, note in enumerate(table.notes):
        yield (table_id, position, note.mark, note.text, pack_boxes((note.box,)))


def figure_row(row_id: int, document: int, figure: Figure) -> ToRowsRow:
    """Return the row of table figures."""
    return (
        row_id, document, figure.label.key, figure.title, figure.text, pack_boxes(figure.boxes),
        key_of(figure.clause),
    )  # fmt: skip


def formula_row(row_id: int, document: int, formula: Formula) -> ToRowsRow:
    """Return the row of table formulas."""
    return (
        row_id, document, formula.label.key, formula.text, formula.where, pack_boxes(formula.boxes),
        key_of(formula.clause),
    )  # fmt: skip


def problem_row(row_id: int, document: int, problem: Problem) -> ToRowsRow:
    """Return the row of table problems."""
    box = (problem.box,) if problem.box else ()
    return (row_id, document, problem.message, problem.page, pack_boxes(box), problem.doubt)


def term_row(row_id: int, document: int, term: Term) -> ToRowsRow:
    """Return the row of table terms."""
    return (
        row_id, document, term.term, fold_term(term.term), term.passage.text,
        pack_lines(term.passage.lines), term.label.key, pack_boxes(term.boxes), term.kind,
    )  # fmt: skip


def reference_row(
    row_id: int, document: int, reference: Reference, positions: Mapping[str, int]
) -> ToRowsRow:
    """Return the row of table reference_links; an internal target lies in the document itself."""
    inside = None if reference.external else document
    target_document = positions.get(reference.document, inside) if reference.document else inside
    return (
        row_id, document, reference.source.key, reference.start, reference.end, reference.text,
        reference.kind, pack_boxes(reference.boxes), reference.designation, reference.number,
        key_of(reference.target), reference.document, target_document, reference.status, reference.reason,
    )  # fmt: skip


def chunk_row(document: int, first_id: int, position: int, chunk: Chunk, *, searched: bool) -> ToRowsRow:
    """Return the row of table chunks; ids follow the positions in the document, from `first_id`."""
    parent = None if chunk.parent is None else first_id + chunk.parent
    labels = dumps([label.key for label in chunk.labels])
    return (
        first_id + position, document, position, chunk.label.key, labels,
        chunk.kind, chunk.title, dumps(chunk.context), chunk.passage.text, pack_lines(chunk.passage.lines),
        pack_boxes(chunk.boxes), parent, chunk.row, chunk.extra, searched,
    )  # fmt: skip


def item_rows(document: int, chunk_id: int, chunk: Chunk) -> Iterator[ToRowsRow]:
    """Return the rows of table chunk_items for one shown chunk."""
    for label in dict.fromkeys((chunk.label, *chunk.labels)):
        yield (document, label.key, int(label != chunk.label), chunk_id)


def label_rows(document: int, chunk_id: int, chunk: Chunk) -> Iterator[ToRowsRow]:
    """Yield the rows of table chunk_labels for one shown chunk."""
    ranks: dict[str, int] = {}
    for label in (chunk.label, *chunk.labels):
        rank = 0 if label == chunk.label else 1
        printed = [fold_label(str(label)), fold_label("".join(label.parts))]
        for folded in printed:
            ranks.setdefault(folded, rank)
        bare = re.sub(r"^[^\W\d_]+\s+(?=\S*\d)", "", str(label))
        ranks.setdefault(fold_label(bare), 2)
    for folded, rank in ranks.items():
        if folded:
            yield (folded, rank, document, chunk_id)


def fold_term(term: str) -> str:
    """Return the form under which a defined term is looked up."""
    return " ".join(words(term))


def key_of(label: Label | None) -> str | None:
    """Return the key of a label that may be absent."""
    return label.key if label else None


def unique(items: Iterable[str]) -> list[str]:
    """Return the items in order, each once."""
    return list(dict.fromkeys(items))


def indexed_names(chunk: Chunk) -> tuple[list[str], list[str]]:
    """Return the folded labels of a chunk and the names that its text holds, for the columns of FTS."""
    labels = unique(
        form
        for label in (chunk.label, *chunk.labels)
        for form in (fold_label(str(label)), *names(str(label)))
        if form
    )
    return labels, names(f"{chunk.title} . {chunk.passage.text} . {chunk.extra}")


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


def passages(document: Document) -> list[str]:
    """Return the text of every searched chunk of the document, in the order that vectors are given in."""
    return [embedded_text(document.chunks[position]) for position in searchable(document)]
