"""Values of the domain to rows of the library, one function for each table of schema.sql.

Rules of this module: pure; the order of a row is the order of the columns in schema.sql; nothing
depends on the order of a set or a clock, so that equal input gives equal bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from appliance.document import (
    Chunk,
    Clause,
    Document,
    Figure,
    Formula,
    Label,
    Page,
    Problem,
    Reference,
    Table,
    Term,
)
from appliance.store.codec import pack_boxes, pack_lines
from appliance.store.words import fold_label, names, words

Row = tuple[object, ...]
Images = Mapping[int, tuple[str, str]]  # page number -> file names of the large and the phone image


def dumps(value: object) -> str:
    """Return JSON without needless spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def document_row(position: int, document: Document) -> Row:
    """Return the row of table documents."""
    return (
        position, document.id, document.designation, document.title, document.edition, document.status,
        document.language, document.sha256, document.family, dumps(document.aliases),
    )  # fmt: skip


def page_row(document: int, page: Page, images: Images) -> Row:
    """Return the row of table pages."""
    large, phone = images.get(page.number, ("", ""))
    return (document, page.number, page.width, page.height, page.printed, page.trust, large, phone)


def clause_row(row_id: int, document: int, clause: Clause) -> Row:
    """Return the row of table clauses."""
    return (
        row_id, document, clause.label.key, clause.kind, clause.title, clause.passage.text,
        pack_lines(clause.passage.lines), key_of(clause.parent), clause.level, pack_boxes(clause.boxes),
        clause.marker, clause.normative, clause.principle,
    )  # fmt: skip


def table_row(row_id: int, document: int, table: Table) -> Row:
    """Return the row of table tables."""
    return (
        row_id, document, table.label.key, table.title, key_of(table.clause), table.captioned,
        pack_boxes(table.boxes),
    )  # fmt: skip


def cell_rows(table_id: int, table: Table) -> Iterator[Row]:
    """Yield the rows of table cells."""
    for position, cell in enumerate(table.cells):
        yield (
            table_id, position, cell.row, cell.column, cell.text, pack_boxes((cell.box,)),
            cell.row_span, cell.column_span, cell.header,
        )  # fmt: skip


def note_rows(table_id: int, table: Table) -> Iterator[Row]:
    """Yield the rows of table table_notes."""
    for position, note in enumerate(table.notes):
        yield (table_id, position, note.mark, note.text, pack_boxes((note.box,)))


def figure_row(row_id: int, document: int, figure: Figure) -> Row:
    """Return the row of table figures."""
    return (
        row_id, document, figure.label.key, figure.title, figure.text, pack_boxes(figure.boxes),
        key_of(figure.clause),
    )  # fmt: skip


def formula_row(row_id: int, document: int, formula: Formula) -> Row:
    """Return the row of table formulas."""
    return (
        row_id, document, formula.label.key, formula.text, formula.where, pack_boxes(formula.boxes),
        key_of(formula.clause),
    )  # fmt: skip


def problem_row(row_id: int, document: int, problem: Problem) -> Row:
    """Return the row of table problems."""
    box = (problem.box,) if problem.box else ()
    return (row_id, document, problem.message, problem.page, pack_boxes(box), problem.doubt)


def term_row(row_id: int, document: int, term: Term) -> Row:
    """Return the row of table terms."""
    return (
        row_id, document, term.term, fold_term(term.term), term.passage.text,
        pack_lines(term.passage.lines), term.label.key, pack_boxes(term.boxes), term.kind,
    )  # fmt: skip


def reference_row(row_id: int, document: int, reference: Reference, positions: Mapping[str, int]) -> Row:
    """Return the row of table reference_links; an internal target lies in the document itself."""
    inside = None if reference.external else document
    target_document = positions.get(reference.document, inside) if reference.document else inside
    return (
        row_id, document, reference.source.key, reference.start, reference.end, reference.text,
        reference.kind, pack_boxes(reference.boxes), reference.designation, reference.number,
        key_of(reference.target), reference.document, target_document, reference.status, reference.reason,
    )  # fmt: skip


def chunk_row(document: int, first_id: int, position: int, chunk: Chunk, *, searched: bool) -> Row:
    """Return the row of table chunks; ids follow the positions in the document, from `first_id`."""
    parent = None if chunk.parent is None else first_id + chunk.parent
    labels = dumps([label.key for label in chunk.labels])
    return (
        first_id + position, document, position, chunk.label.key, labels,
        chunk.kind, chunk.title, dumps(chunk.context), chunk.passage.text, pack_lines(chunk.passage.lines),
        pack_boxes(chunk.boxes), parent, chunk.row, chunk.extra, searched,
    )  # fmt: skip


def item_rows(document: int, chunk_id: int, chunk: Chunk) -> Iterator[Row]:
    """Return the rows of table chunk_items for one shown chunk."""
    for label in dict.fromkeys((chunk.label, *chunk.labels)):
        yield (document, label.key, int(label != chunk.label), chunk_id)


def label_rows(document: int, chunk_id: int, chunk: Chunk) -> Iterator[Row]:
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
