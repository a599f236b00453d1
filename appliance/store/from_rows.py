"""Rows of the library back to values of the domain, one function for each kind.

Rules of this module: pure; the order of a row is that of its statement in queries/*.sql.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from appliance.document import (
    Cell,
    Chunk,
    Clause,
    Figure,
    Formula,
    Label,
    Page,
    Passage,
    Problem,
    Reference,
    Table,
    TableNote,
    Term,
)
from appliance.store.codec import unpack_boxes, unpack_lines
from appliance.store.values import ClauseEntry, DocumentInfo, PageInfo, StoredChunk

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
