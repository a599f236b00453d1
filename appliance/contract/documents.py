"""What was read out of a document: clauses, tables, figures, formulas, references and definitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from appliance.contract.shape import Json, shaped
from appliance.core import document as core
from appliance.core import evidence
from appliance.core.document import Box, ClauseKind, DocumentStatus, ReferenceKind, ReferenceStatus
from appliance.tables.lookup import LookedUp
from appliance.tables.rows import columns, flat, header_rows, height


class Choice(TypedDict):
    """What a national annex or an amendment says of a place of its parent, and the rule that decides."""

    document: str
    label: str
    key: str
    kind: str
    target_document: str
    target: str
    target_key: str
    target_kind: str
    by: Literal["national annex", "amendment"]
    words: str
    adopts: bool
    accepted: bool
    rule: str


class Decided(TypedDict):
    """What annexes and amendments decide about what is shown, and what it decides for others."""

    national_choices: list[Choice]
    decides: list[Choice]


class Placed(TypedDict):
    """Something with a label and its place in the document that was asked for."""

    label: str
    key: str
    pages: list[int]
    boxes: list[Box]


class Figure(Placed):
    """A figure with the words that stand in it."""

    title: str
    text: str


class Formula(Placed):
    """A formula; with a doubt its picture counts and not its text."""

    text: str
    where: str
    doubt: str


class Clause(Placed):
    """A clause as it is printed."""

    title: str
    kind: ClauseKind
    parent: str | None
    level: int
    normative: bool
    principle: bool
    text: str


class Table(Placed):
    """A table as data."""

    title: str
    header_rows: list[list[str]]
    rows: list[list[str]]
    notes: list[str]
    clause: str | None
    captioned: bool


class FoundCell(TypedDict):
    """A cell that answers to the words of a row and a column; a doubt says that it was misread maybe."""

    text: str
    row: int
    column: int
    row_headers: list[str]
    column_headers: list[str]
    page: int
    box: Box
    score: float
    doubt: str


class TableDecided(Table, Decided):
    """A table with what decides about it, and the cells that were looked up in it, the best first."""

    exact: bool
    values: list[str]
    cells: list[FoundCell]
    more: int


class Reference(TypedDict):
    """A reference and where it leads."""

    source: str
    source_key: str
    text: str
    kind: ReferenceKind
    target: str | None
    target_key: str | None
    target_document: str | None
    designation: str | None
    external: bool
    status: ReferenceStatus
    reason: str
    page: int | None
    boxes: list[Box]


class Definition(TypedDict):
    """A term, symbol or abbreviation that a document defines."""

    term: str
    text: str
    label: str
    kind: Literal["term", "symbol", "abbreviation"]
    page: int | None
    boxes: list[Box]


class Problem(TypedDict):
    """What reading the PDF reported."""

    message: str
    page: int | None
    box: Box | None


class Citing(TypedDict):
    """A reference that leads here."""

    document: str
    source: str
    source_key: str
    text: str


class Opened(Clause, Decided):
    """A clause with its surroundings."""

    children: list[Clause]
    formulas: list[Formula]
    references: list[Reference]
    cited_by: list[Citing]


class Document(TypedDict):
    """Everything that was read out of one PDF."""

    document: str
    designation: str
    title: str
    edition: str
    status: DocumentStatus
    family: str
    sha256: str
    pages: int
    clauses: list[Clause]
    tables: list[Table]
    figures: list[Figure]
    formulas: list[Formula]
    references: list[Reference]
    definitions: list[Definition]
    national_choices: list[Choice]
    decides: list[Choice]
    problems: list[Problem]


def choices_json(choices: Sequence[evidence.Choice]) -> list[Choice]:
    """Return choices in their order."""
    return [shaped(Choice, item, target_document=item.parent, by=item.what) for item in choices]


def decided_json(decided: evidence.Decided) -> Decided:
    """Return what governs places and what they decide for others, each with its rule."""
    return {"national_choices": choices_json(decided.governing), "decides": choices_json(decided.made)}


def grid(table: core.Table) -> tuple[list[list[str]], list[list[str]]]:
    """Return header rows and body rows as text; a cell that spans is repeated."""
    text = [["" for _ in range(columns(table))] for _ in range(height(table))]
    for cell in table.cells:
        for row in range(cell.row, cell.row + cell.row_span):
            for column in range(cell.column, cell.column + cell.column_span):
                text[row][column] = cell.text
    first = header_rows(table)
    return text[:first], text[first:]


def table_json(table: core.Table) -> Table:
    """Return a table as data with its places."""
    header, rows = grid(table)
    return shaped(Table, table, header_rows=header, rows=rows, notes=_notes(table))


def _notes(table: core.Table) -> list[str]:
    return [f"{note.mark} {note.text}".strip() for note in table.notes]


def cells_json(found: LookedUp) -> Json:
    """Return what `table --json` prints: the texts, then each cell with the headers it answers to."""
    return {
        "label": str(found.table.label),
        "key": found.table.label.key,
        "title": found.table.title,
        "rivals": [table.label.key for table in found.rivals],
        "exact": found.exact,
        "read_as": [{"asked": asked, "read": read} for asked, read in found.read_as],
        "more": found.more,
        "values": [flat(item.cell.text) for item in found.cells],
        "cells": [
            shaped(
                FoundCell,
                item.cell,
                text=flat(item.cell.text),
                row_headers=list(item.row_headers),
                column_headers=list(item.column_headers),
                page=item.cell.box.page,
                score=round(item.score, 4),
                doubt=f"read with doubt: {item.doubt}" if item.doubt else "",
            )
            for item in found.cells
        ],
        "notes": _notes(found.table),
    }


def _clause(clause: core.Clause) -> Clause:
    return shaped(Clause, clause, parent=_key(clause.parent))


def _key(label: core.Label | None) -> str | None:
    return label.key if label else None


def _reference(reference: core.Reference) -> Reference:
    target = str(reference.target) if reference.target else (reference.number or None)
    return shaped(Reference, reference, target=target, target_key=_key(reference.target),
                  target_document=reference.document)  # fmt: skip


def _formulas(formulas: Sequence[core.Formula], problems: Sequence[core.Problem]) -> list[Formula]:
    """Return the formulas; with a `doubt`, what stands in the box counts and not the text."""
    doubts = {problem.box: problem.message for problem in problems if problem.doubt and problem.box}
    return [
        shaped(Formula, item, doubt=next((doubts[box] for box in item.boxes if box in doubts), ""))
        for item in formulas
    ]


def clause_json(
    opened: core.ClauseView, decided: evidence.Decided, problems: Sequence[core.Problem] = ()
) -> Opened:
    """Return what `clause --json` prints; `problems` are those of its document."""
    return shaped(
        Opened,
        opened.clause,
        parent=_key(opened.clause.parent),
        children=[_clause(child) for child in opened.children],
        formulas=_formulas(opened.formulas, problems),
        references=[_reference(reference) for reference in opened.references],
        cited_by=[shaped(Citing, item, document=name) for name, item in opened.cited_by],
        **decided_json(decided),
    )


def document_json(document: core.Document, decided: evidence.Decided | None = None) -> Document:
    """Return what `document --json` prints: everything read out of one PDF."""
    return shaped(
        Document,
        document,
        document=document.id,
        pages=len(document.pages),
        clauses=[_clause(clause) for clause in document.clauses],
        tables=[table_json(table) for table in document.tables],
        figures=[shaped(Figure, figure) for figure in document.figures],
        formulas=_formulas(document.formulas, document.problems),
        references=[_reference(reference) for reference in document.references],
        definitions=[shaped(Definition, term) for term in document.terms],
        problems=[shaped(Problem, problem) for problem in document.problems],
        **decided_json(decided or evidence.Decided()),
    )
