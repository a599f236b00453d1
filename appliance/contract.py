"""The values of the appliance as the JSON that outside programs rely on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol

from appliance.core.document import (
    Box,
    Clause,
    Document,
    Figure,
    Formula,
    Label,
    Problem,
    Reference,
    Table,
    Term,
    pages_of,
)
from appliance.core.evidence import Choice, Decided, Evidence, Place, Query, Scoped
from appliance.core.graph import Edge, Kept, Node, Proof, Quantity, ReviewItem, edge_id
from appliance.tables.lookup import LookedUp
from appliance.tables.rows import columns, flat, header_rows
from appliance.text.labels import printed_labels

ContractReadingJson = dict[str, Any]


def reading_json(query: Query) -> ContractReadingJson:
    """Return how a question was read."""
    return {
        "intent": query.intent,
        "terms": list(query.terms),
        "concepts": [{"words": item.words, "others": list(item.others)} for item in query.concepts],
        "labels": list(query.labels),
        "documents": list(query.documents),
        "pages": list(query.pages),
        "conditions": [asdict(item) for item in query.conditions],
        "quantities": [asdict(item) | {"kinds": list(item.kinds)} for item in query.quantities],
        "asks_for": list(query.kinds),
        "parts": [asdict(part) for part in query.parts],
        "spelt": query.spelt,
    }


def understood_json(evidence: Evidence) -> ContractReadingJson:
    """Return how the question was read, what it was taken for, and what was raised for it."""
    query, scope = evidence.query, evidence.scope
    return {
        "resolved": query.text if query.typed else "",
        "after": query.after,
        "reading": reading_json(query),
        "scope": scope_json(scope) if scope else None,
        "boosted": [
            {"document": item.document, "label": str(item.label), "key": item.label.key, "why": item.why}
            for item in evidence.boosted
        ],
    }


def scope_json(scope: Scoped) -> ContractReadingJson:
    """Return what a question for places comes to, each item with where it is."""
    return {
        "kind": scope.kind,
        "text": scope.text,
        "items": [asdict(item) | {"label": str(item.label), "key": item.label.key} for item in scope.items],
        "searched": list(scope.searched),
        "verdict": scope.verdict,
    }


def channels_json(evidence: Evidence) -> ContractReadingJson:
    """Return the first places of every search, where they were kept."""
    return {
        name: [
            {
                "document": place.document,
                "label": str(place.label),
                "key": place.label.key,
                "pages": list(place.pages),
            }
            for place in places
        ]
        for name, places in evidence.channels.items()
    }


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


def quantity_json(quantity: Quantity) -> Json:
    """Return what a value says, as read and with its factor to base units (0 where it is unknown)."""
    return {
        "bound": quantity.bound,
        "low": quantity.low,
        "high": quantity.high,
        "unit": quantity.unit,
        "dimension": quantity.dimension,
        "factor": quantity.factor,
    }


def node_json(node: Node, quantity: Quantity | None = None) -> Json:
    """Return a node of the graph."""
    said = {"quantity": quantity_json(quantity)} if quantity else {}
    return {
        "id": node.id,
        "kind": node.kind,
        "document": node.document,
        "key": node.key,
        "name": node.name or (str(Label.from_key(node.key)) if node.key else node.document),
    } | said


def proof_json(proof: Proof | None) -> Json | None:
    """Return the words that prove an edge, with their page."""
    if proof is None:
        return None
    return {
        "document": proof.document,
        "label": str(proof.label),
        "pages": list(pages_of(proof.boxes)),
        "boxes": [box_json(box) for box in proof.boxes],
        "quote": proof.quote,
    }


def neighbour_json(node: Node, edge: Edge, number: int | None, way: str, quantity: Quantity | None) -> Json:
    """Return a neighbour with the edge that leads to it; `edge` is "" for PART_OF."""
    return {
        "kind": edge.kind,
        "direction": way,
        "edge": edge_id(number) if number is not None else "",
        "state": edge.state,
        "confidence": edge.confidence,
        "rule": edge.rule,
        "proof": proof_json(edge.proof),
        "node": node_json(node, quantity),
    }


def review_json(items: Sequence[ReviewItem], total: int, page: int, broken: Sequence[int]) -> Json:
    """Return what `review --json` prints: one page of what is to look at."""
    return {
        "total": total,
        "page": page,
        "unreadable_lines": list(broken),
        "items": [
            {
                "id": item.id,
                "kind": item.kind,
                "document": item.document,
                "page": item.page,
                "source": item.source,
                "target": item.target,
                "quote": item.quote,
                "why": item.why,
                "confidence": item.confidence,
                "boxes": [box_json(box) for box in item.boxes],
            }
            for item in items
        ],
    }


def stale_json(kept: Sequence[Kept], broken: Sequence[int] = ()) -> list[Json]:
    """Return the decisions about what is gone, as they were written, and the lines that cannot be read."""
    return [dict(item.about) for item in kept] + [{"line": line, "state": "unreadable"} for line in broken]
