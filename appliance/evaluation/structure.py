"""How well a document was read: its items paired one to one with those that stand in the PDF."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import msgspec

from appliance.contract.documents import cells_json
from appliance.core.document import Box, Document, Table
from appliance.core.errors import ApplianceError, BadInput
from appliance.evaluation.places import (
    PAGES_APART,
    Item,
    Score,
    bare,
    number_of,
    pair,
    same_cell,
    score,
    total,
)
from appliance.evaluation.references import score_references

JUDGED_VALUES = 3
_FURTHER = re.compile(r" \(\d{1,2}\)$")
Lookup = Callable[[str, str, str, str], Sequence[str]]
"""(document, table, row in words, column in words) to the texts of the cells, best first."""


def score_stored_cells(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the share of sampled cells whose value stands in a cell of their table."""
    missed = []
    rows = list(truth.get("cells", ()))
    for row in rows:
        name, page, tables = row["table"], row.get("page"), document.tables
        apart = 0  # by page alone where the table has no caption
        if "(uncaptioned)" not in name and number_of(name):
            apart, named = PAGES_APART, {bare(name), number_of(name)}
            tables = tuple(table for table in tables if named & set(_names(table)))
        texts = [
            cell.text
            for table in tables
            if page is None or any(abs(box.page - page) <= apart for box in table.boxes)
            for cell in table.cells
        ]
        if not any(same_cell(row["value"], text) for text in texts):
            missed.append(_shown(row))
    found = len(rows) - len(missed)
    return Score(len(rows), found, len(rows), found, tuple(missed))


def score_lookup(document: str, truth: Mapping[str, Any], lookup: Lookup) -> Score:
    """Return the share of sampled cells whose value the look-up returns for row and column in words."""
    rows = list(truth.get("cells", ()))
    answered, missed = 0, []
    for row in rows:
        values = list(lookup(document, row["table"], row["row"], row["column"]))[:JUDGED_VALUES]
        answered += bool(values)
        if wanted := row["value"]:
            right = any(same_cell(wanted, value) for value in values)
        else:
            right = not any(value.strip(" -\u2013\u2014") for value in values)
        if not right:
            missed.append(f"{_shown(row)}, returned {values or 'nothing'}")
    found = len(rows) - len(missed)
    return Score(len(rows), found, answered, found, tuple(missed))


def _names(table: Table) -> Iterable[str]:
    """Yield what a table may be named by; a further part of one ("Table 5.2 (2)") by that, too."""
    for label in (str(table.label), _FURTHER.sub("", str(table.label))):
        yield from (bare(label), number_of(label))


def _shown(row: Mapping[str, Any]) -> str:
    return f"{row['table']} | {row['row']} | {row['column']} = {row['value']!r}"


_NUMBERED = frozenset({"clause", "section", "annex", "requirement"})
_TITLED = "heading"
ALL = "all"
_NOTHING = Score(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class StructureScores:
    """The scores of one document by kind of item: tables, figures, clauses, headings, ..."""

    document: str
    scores: Mapping[str, Score]


def score_document(
    document: Document, truth: Mapping[str, Any], loaded: frozenset[str] | None = None
) -> StructureScores:
    """Return how well the document was read; `truth` is one structure file as parsed JSON.

    `loaded` are the ids of all documents of the library; a link to another one is not asked for.
    """
    scores = {
        "tables": score_tables(document, truth),
        "table columns": _score_columns(document, truth),
        "captionless tables": _score_captionless(document, truth),
        "figures": score(
            _listed(truth, "figures"), [_item(f.label.key, f.title, f.boxes) for f in document.figures]
        ),
        "clauses": score_clauses(document, truth),
        "headings": score_headings(document, truth),
        "paragraphs": score_paragraphs(document, truth),
        "principles": _score_principles(document, truth),
        "formulas": score(
            _listed(truth, "formulas"), [_item(f.label.key, "", f.boxes) for f in document.formulas]
        ),
        "definitions": score_definitions(document, truth),
        **score_references(document, truth, loaded),
        "cells stored": score_stored_cells(document, truth),
    }
    return StructureScores(document.id, scores)


class ReadLibrary(Protocol):
    """The part of the library that is judged."""

    def document(self, document: str) -> Document: ...
    def documents(self) -> Sequence[Any]: ...
    def table_lookup(self, document: str, label: str, row: str, column: str) -> Any: ...


def load_truths(files: Iterable[Path]) -> tuple[dict[str, Any], ...]:
    """Return the structure files as parsed.

    Raises:
        BadInput: a file is missing, is not JSON, or names no document.
    """
    truths = []
    for path in files:
        try:
            truth = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        except (OSError, msgspec.MsgspecError) as error:
            message = f"{path} is not a structure file: {error}."
            raise BadInput(message) from None
        if not isinstance(truth.get("document"), str):
            message = f'{path} names no "document".'
            raise BadInput(message)
        truths.append(truth)
    return tuple(truths)


def evaluate_structure(library: ReadLibrary, files: Iterable[Path]) -> tuple[StructureScores, ...]:
    """Return the scores of every structure file against what the library holds.

    Raises:
        BadInput: a file is not one of structure.
    """

    def lookup(document: str, table: str, row: str, column: str) -> Sequence[str]:
        try:
            found = library.table_lookup(document, table, row, column)
        except ApplianceError:  # a table or document that it does not know: nothing was returned
            return ()
        values: list[str] = cells_json(found)["values"]
        return values

    loaded = frozenset(info.id for info in library.documents())
    scores = []
    for truth in load_truths(files):
        name = truth["document"]
        try:
            document = library.document(name)
        except ApplianceError:
            document = Document(name, "", "", "", "unknown", "", "", "", ())
        scored = score_document(document, truth, loaded)
        cells = score_lookup(name, truth, lookup)
        scores.append(replace(scored, scores={**scored.scores, "cells looked up": cells}))
    return tuple(scores)


def structure_totals(documents: Sequence[StructureScores]) -> StructureScores:
    """Return all scores together, each item counted once."""
    kinds = list(dict.fromkeys(kind for one in documents for kind in one.scores))
    together = {kind: total(one.scores[kind] for one in documents if kind in one.scores) for kind in kinds}
    return StructureScores(ALL, together)


def score_tables(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the score of captioned tables; a captionless one in the truth may be found, at no cost."""
    expected = [
        Item((row["label"],), row["page"], counted=not row.get("uncaptioned"))
        for row in truth.get("tables", ())
    ]
    returned = [
        _item(table.label.key, table.title, table.boxes, counted=table.captioned) for table in document.tables
    ]
    return score(expected, returned)


def score_clauses(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the score of numbered provisions: clauses, sections, annexes, requirements."""
    expected = [
        _clause_truth(row) for row in truth.get("clauses", ()) if row.get("kind") != _TITLED or _numbered(row)
    ]
    numbered_terms = [row for row in truth.get("definitions", ()) if row.get("label")]
    expected += [Item((row["label"], row["term"]), row["page"], counted=False) for row in numbered_terms]
    return score(expected, _on_pages(_clauses(document, _NUMBERED), truth))


def score_headings(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the score of printed headings, where the truth lists them."""
    rows = [row for row in truth.get("clauses", ()) if row.get("kind") == _TITLED]
    # Those listed by title come first: a section that a truth lists both so and by its number is one place.
    expected = [Item((row["title"],), row["page"]) for row in truth.get("headings", ())]
    expected += [replace(_clause_truth(row), counted=not _numbered(row)) for row in rows]
    if not any(item.counted for item in expected):
        return _NOTHING
    return score(expected, _on_pages(_clauses(document, frozenset({_TITLED})), truth))


def score_paragraphs(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the score of numbered paragraphs ("5.3.2(7)"), where the truth lists them."""
    expected = _listed(truth, "paragraphs")
    if not expected:
        return _NOTHING
    return score(expected, _on_pages(_clauses(document, frozenset({"paragraph"})), truth))


def _score_principles(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the share of paragraphs found that are rightly told to be principles or not."""
    rows = list(truth.get("paragraphs", ()))
    clauses = [clause for clause in document.clauses if clause.boxes]
    pairs = pair(_listed(truth, "paragraphs"), _clauses(document, frozenset())) if rows else {}
    wrong = tuple(
        rows[wanted]["label"]
        for wanted, at in pairs.items()
        if clauses[at].principle != rows[wanted].get("principle", clauses[at].principle)
    )
    right = len(pairs) - len(wrong)
    return Score(len(pairs), right, len(pairs), right, wrong, wrong)


def score_definitions(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the score of defined terms; those explained in running text alone count when found.

    Symbols and abbreviations, which a code lists apart from what it defines, may be found, at no cost.
    """
    expected = [
        Item((row["term"],), row["page"], counted=row.get("formal", True))
        for row in truth.get("definitions", ())
    ]
    returned = [Item((term.term,), _page(term.boxes), counted=term.kind == "term") for term in document.terms]
    return score(expected, returned)


def _score_columns(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the share of tables found whose number of columns is the printed one, where the truth has it."""
    rows = [row for row in truth.get("tables", ()) if "columns" in row]
    returned = [_item(table.label.key, table.title, table.boxes) for table in document.tables]
    pairs = pair([Item((row["label"],), row["page"]) for row in rows], returned)
    wrong = []
    for wanted, at in pairs.items():
        cells = document.tables[at].cells
        columns = max((cell.column + cell.column_span for cell in cells), default=0)
        if columns != rows[wanted].get("columns", columns):  # not every truth counts them
            wrong.append(f"{rows[wanted]['label']}: {columns}, printed {rows[wanted]['columns']}")
    right = len(pairs) - len(wrong)
    return Score(len(pairs), right, len(pairs), right, tuple(wrong), tuple(wrong))


def _score_captionless(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the recall of grids without a caption, found when any table stands on their page."""
    rows = list(truth.get("uncaptioned_tables", ()))
    rows += [row for row in truth.get("tables", ()) if row.get("uncaptioned")]
    pages = {box.page for table in document.tables for box in table.boxes}
    missed = tuple(
        f"{row.get('near', row.get('label'))} (p. {row['page']})" for row in rows if row["page"] not in pages
    )
    found = len(rows) - len(missed)
    return Score(len(rows), found, found, found, missed)


def _listed(truth: Mapping[str, Any], kind: str) -> list[Item]:
    return [Item((row["label"],), row["page"]) for row in truth.get(kind, ())]


def _item(key: str, title: str, boxes: tuple[Box, ...], *, counted: bool = True) -> Item:
    names = (key.rpartition("/")[2], key.replace("/", " "))
    return Item((*names, title) if title else names, _page(boxes), counted)


def _clause_truth(row: Mapping[str, Any]) -> Item:
    label, title = row["label"], row.get("title", "")
    return Item((label, *([f"{label} {title}"] if title and title != label else [])), row["page"])


def _numbered(row: Mapping[str, Any]) -> bool:
    """Tell whether a heading of the truth carries a number or an annex letter ("Section 6")."""
    return bool(row["label"] != row.get("title", "") and row["label"])


def _clauses(document: Document, counted: frozenset[str]) -> list[Item]:
    items = []
    for clause in document.clauses:
        if not clause.boxes:
            continue
        label = str(clause.label)
        names = [label, clause.marker, clause.title, "".join(clause.label.parts), f"{label} {clause.title}"]
        if clause.principle:
            names.append(f"{label}P")  # as it is printed: "6.1(2)P"
        if clause.parent is not None:
            names.append(f"{clause.parent}{label}")
        names = list(dict.fromkeys(name for name in names if name))
        items.append(Item(tuple(names), _page(clause.boxes), clause.kind in counted))
    return items


def _on_pages(items: list[Item], truth: Mapping[str, Any]) -> list[Item]:
    """Return the items of the pages on which the truth lists clauses; all where it names no pages."""
    pages = truth.get("clauses_pages")
    if not isinstance(pages, list):
        return items
    return [item for item in items if item.page in pages]


def _page(boxes: tuple[Box, ...]) -> int:
    return min((box.page for box in boxes), default=0)
