"""The values of the appliance as the JSON that outside programs rely on.

Rules of this module: it writes, it never decides; fields may be added, never renamed. Shapes are
those of docs/contract.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol

from appliance.contract_reading import understood_json
from appliance.document import (
    Box,
    Clause,
    Document,
    Figure,
    Formula,
    Problem,
    Reference,
    Table,
    Term,
    pages_of,
)
from appliance.evidence import (
    Choice,
    Decided,
    Evidence,
    Place,
)
from appliance.lookup import LookedUp
from appliance.printed import printed_labels
from appliance.tabular import columns, flat, header_rows

Json = dict[str, Any]


def box_json(box: Box) -> Json:
    """Return page and rectangle (fractions of the page)."""
    return asdict(box)


def place_json(place: Place, rank: int) -> Json:
    """Return a Place of the contract; `rank` counts from 1."""
    return {
        "rank": rank,
        "document": place.document,
        "label": str(place.label),
        "key": place.label.key,
        "labels": list(printed_labels(place)),
        "kind": place.kind,
        "title": place.title,
        "heading_path": list(place.heading_path),
        "pages": list(place.pages),
        "boxes": [box_json(box) for box in place.boxes],
        "focus": [box_json(box) for box in place.focus],
        "text": place.text,
        "score": round(place.score, 5),
        "found_by": list(place.found_by),
        "path": list(place.path),
    }


def places_json(places: Sequence[Place]) -> list[Json]:
    """Return places with their ranks."""
    return [place_json(place, rank) for rank, place in enumerate(places, 1)]


def unresolved_json(evidence: Evidence) -> list[Json]:
    """Return the references that could not be followed."""
    return [
        {"text": item.text, "document": item.document, "source": str(item.source), "reason": item.reason}
        for item in evidence.unresolved
    ]


def choice_json(choice: Choice) -> Json:
    """Return what an annex or amendment says of a place of its parent, and the rule that decides."""
    return {
        "document": choice.document,
        "label": str(choice.label),
        "key": choice.label.key,
        "kind": choice.kind,
        "target_document": choice.parent,
        "target": str(choice.target),
        "target_key": choice.target.key,
        "target_kind": choice.target_kind,
        "by": choice.what,
        "words": choice.words,
        "adopts": choice.adopts,
        "accepted": choice.accepted,
        "rule": choice.rule,
    }


def choices_json(choices: Sequence[Choice]) -> list[Json]:
    """Return choices in their order."""
    return [choice_json(choice) for choice in choices]


def timings_json(evidence: Evidence) -> Json:
    """Return what each stage took."""
    return {stage: round(ms, 2) for stage, ms in evidence.timings_ms.items()}


def evidence_json(evidence: Evidence) -> Json:
    """Return what `search --json` prints."""
    return {
        "query": evidence.query.asked,
        "intent": evidence.query.intent,
        **understood_json(evidence),
        "hits": places_json(evidence.hits),
        "must_read": places_json(evidence.must_read),
        "unresolved": unresolved_json(evidence),
        "national_choices": choices_json(evidence.choices),
        "not_run": list(evidence.not_run),
        "relevance": round(evidence.relevance, 4),
        "timings_ms": timings_json(evidence),
    }


def grid(table: Table) -> tuple[list[list[str]], list[list[str]]]:
    """Return header rows and body rows as text; a cell that spans is repeated."""
    height = max((cell.row + cell.row_span for cell in table.cells), default=0)
    text = [["" for _ in range(columns(table))] for _ in range(height)]
    for cell in table.cells:
        for row in range(cell.row, cell.row + cell.row_span):
            for column in range(cell.column, cell.column + cell.column_span):
                text[row][column] = cell.text
    first = header_rows(table)
    return text[:first], text[first:]


def table_json(table: Table) -> Json:
    """Return a table as data with its places."""
    header, rows = grid(table)
    return {
        "label": str(table.label),
        "key": table.label.key,
        "title": table.title,
        "pages": list(pages_of(table.boxes)),
        "boxes": [box_json(box) for box in table.boxes],
        "header_rows": header,
        "rows": rows,
        "notes": [f"{note.mark} {note.text}".strip() for note in table.notes],
        "clause": str(table.clause) if table.clause else None,
        "captioned": table.captioned,
    }


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
            {
                "text": flat(item.cell.text),
                "row": item.cell.row,
                "column": item.cell.column,
                "row_headers": list(item.row_headers),
                "column_headers": list(item.column_headers),
                "page": item.cell.box.page,
                "box": box_json(item.cell.box),
                "score": round(item.score, 4),
                "doubt": f"read with doubt: {item.doubt}" if item.doubt else "",
            }
            for item in found.cells
        ],
        "notes": [f"{note.mark} {note.text}".strip() for note in found.table.notes],
    }


def _placed(item: Figure | Formula) -> Json:
    return {
        "label": str(item.label),
        "key": item.label.key,
        "pages": list(pages_of(item.boxes)),
        "boxes": [box_json(box) for box in item.boxes],
    }


def _formulas(formulas: Sequence[Formula], problems: Sequence[Problem]) -> list[Json]:
    """Return the formulas; with a `doubt`, what stands in the box counts and not the text."""
    doubts = {problem.box: problem.message for problem in problems if problem.doubt and problem.box}
    return [
        _placed(item)
        | {
            "text": item.text,
            "where": item.where,
            "doubt": next((doubts[box] for box in item.boxes if box in doubts), ""),
        }
        for item in formulas
    ]


def _reference(reference: Reference) -> Json:
    return {
        "source": str(reference.source),
        "source_key": reference.source.key,
        "text": reference.text,
        "kind": reference.kind,
        "target": str(reference.target) if reference.target else (reference.number or None),
        "target_key": reference.target.key if reference.target else None,
        "target_document": reference.document,
        "designation": reference.designation,
        "external": reference.external,
        "status": reference.status,
        "reason": reference.reason,
        "page": reference.boxes[0].page if reference.boxes else None,
        "boxes": [box_json(box) for box in reference.boxes],
    }


def _term(term: Term) -> Json:
    return {
        "term": term.term,
        "text": term.passage.text,
        "label": str(term.label),
        "kind": term.kind,
        "page": term.boxes[0].page if term.boxes else None,
        "boxes": [box_json(box) for box in term.boxes],
    }


def _clause(clause: Clause) -> Json:
    return {
        "label": str(clause.label),
        "key": clause.label.key,
        "title": clause.title,
        "kind": clause.kind,
        "parent": clause.parent.key if clause.parent else None,
        "level": clause.level,
        "normative": clause.normative,
        "principle": clause.principle,
        "text": clause.passage.text,
        "pages": list(pages_of(clause.boxes)),
        "boxes": [box_json(box) for box in clause.boxes],
    }


class Opened(Protocol):
    """A clause with its surroundings."""

    @property
    def clause(self) -> Clause: ...
    @property
    def children(self) -> tuple[Clause, ...]: ...
    @property
    def formulas(self) -> tuple[Formula, ...]: ...
    @property
    def references(self) -> tuple[Reference, ...]: ...
    @property
    def cited_by(self) -> tuple[tuple[str, Reference], ...]: ...


def decided_json(decided: Decided) -> Json:
    """Return what governs places and what they decide for others, each with its rule."""
    return {
        "national_choices": choices_json(decided.governing),
        "decides": choices_json(decided.made),
    }


def clause_json(opened: Opened, decided: Decided, problems: Sequence[Problem] = ()) -> Json:
    """Return what `clause --json` prints; `problems` are those of its document."""
    return {
        **_clause(opened.clause),
        "children": [_clause(child) for child in opened.children],
        "formulas": _formulas(opened.formulas, problems),
        **decided_json(decided),
        "references": [_reference(reference) for reference in opened.references],
        "cited_by": [
            {"document": name, "source": str(item.source), "source_key": item.source.key, "text": item.text}
            for name, item in opened.cited_by
        ],
    }


def document_json(document: Document, decided: Decided | None = None) -> Json:
    """Return what `document --json` prints: everything read out of one PDF."""
    return {
        "document": document.id,
        "designation": document.designation,
        "title": document.title,
        "edition": document.edition,
        "status": document.status,
        "family": document.family,
        "sha256": document.sha256,
        "pages": len(document.pages),
        "clauses": [_clause(clause) for clause in document.clauses],
        "tables": [table_json(table) for table in document.tables],
        "figures": [
            _placed(figure) | {"title": figure.title, "text": figure.text} for figure in document.figures
        ],
        "formulas": _formulas(document.formulas, document.problems),
        "references": [_reference(reference) for reference in document.references],
        "definitions": [_term(term) for term in document.terms],
        **decided_json(decided or Decided()),
        "problems": [
            {
                "message": problem.message,
                "page": problem.page,
                "box": box_json(problem.box) if problem.box else None,
            }
            for problem in document.problems
        ],
    }
