"""How well a document was read: its items and references paired with those that stand in the PDF."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from appliance.contract.documents import cells_json
from appliance.core.decoding import decode
from appliance.core.document import Box, Document, Reference, Table, first_page
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
from appliance.library import Library

_RANGE = re.compile(r"\s*(?:,|;|\bto\b|\band\b|\bor\b|\u2013)\s*")


def score_references(
    document: Document, truth: Mapping[str, Any], loaded: frozenset[str] | None = None
) -> dict[str, Score]:
    """Return how many were found in the text, and how many were followed to the right place.

    "targets" are the internal ones; "other documents" those into another document of the library
    (of any document that the truth names, where it is not told what is loaded).
    """
    pages = frozenset(truth.get("references_pages") or ())
    expected = [row for row in truth.get("references", ()) if row["page"] in pages]
    returned = [
        reference
        for reference in document.references
        if any(box.page in pages for box in reference.boxes) and reference.kind != "relative"
    ]
    # The positions of the returned references that come from each printed one.
    laid: dict[int, list[int]] = {at: [] for at in range(len(expected))}
    for position, reference in enumerate(returned):
        fits = [
            (_fit(row, reference), -len(laid[at]), -at)
            for at, row in enumerate(expected)
            if _same_text(row, reference)
        ]
        if fits:
            laid[-max(fits)[2]].append(position)
    used = {position for positions in laid.values() for position in positions}

    def followed(asked: Sequence[int]) -> Score:
        """Return the share of the printed references asked for that were resolved to the right place."""
        resolved = {
            at: [
                one
                for one in (returned[p] for p in laid[at])
                if one.target or (one.external and one.document)
            ]
            for at in asked
        }
        right = {at for at in asked if any(_rightly(expected[at], one) for one in resolved[at])}
        missed = tuple(
            f"{expected[at]['source']}: {expected[at]['text']} -> "
            f"{expected[at].get('document', '')} {expected[at]['target']} (p. {expected[at]['page']})"
            for at in asked
            if at not in right
        )
        return Score(len(asked), len(right), sum(map(bool, resolved.values())), len(right), missed)

    def loaded_there(row: Mapping[str, Any]) -> bool:
        return bool(row.get("document")) and (loaded is None or row["document"] in loaded)

    return {
        "references": Score(
            expected=len(expected),
            found=sum(map(bool, laid.values())),
            returned=len(returned),
            correct=len(used),
            missed=tuple(
                f"{row['source']}: {row['text']} (p. {row['page']})"
                for at, row in enumerate(expected)
                if not laid[at]
            ),
            wrong=tuple(
                f"{one.source}: {one.text} (p. {one.boxes[0].page})"
                for at, one in enumerate(returned)
                if at not in used
            ),
        ),
        "targets": followed([at for at, row in enumerate(expected) if not row["external"]]),
        "other documents": followed(
            [at for at, row in enumerate(expected) if row["external"] and loaded_there(row)]
        ),
    }


def _same_text(row: Mapping[str, Any], reference: Reference) -> bool:
    printed, own = bare(row["text"]), bare(reference.text)
    on_page = row["page"] in {box.page for box in reference.boxes}
    return on_page and bool(own) and (own in printed or printed in own)


def _fit(row: Mapping[str, Any], reference: Reference) -> int:
    """Return how much speaks for this printed reference among those with the same words."""
    said = {bare(reference.number), bare(reference.designation)} - {""}  # the number, followed or not
    return (
        4 * (bool(said & _wanted(row)) or _leads_there(row, reference))
        + 2 * (bare(row["text"]) == bare(reference.text))
        + (bare(row["source"]) in {bare(str(reference.source)), bare(reference.source.key)})
    )


def _leads_there(row: Mapping[str, Any], reference: Reference) -> bool:
    """Tell whether the place that the reference was resolved to is the one that the truth names."""
    if reference.target is None:
        return False
    forms = (str(reference.target), reference.target.key)
    return bool({name for form in forms for name in (bare(form), number_of(form)) if name} & _wanted(row))


def _wanted(row: Mapping[str, Any]) -> frozenset[str]:
    names = [*row.get("targets", ()), row["target"], *_RANGE.split(row["target"])]
    names += [name.replace(" ", "/", 1) for name in names]
    return frozenset({bare(name) for name in names} | {number_of(name) for name in names}) - {""}


def _rightly(row: Mapping[str, Any], reference: Reference) -> bool:
    """Tell whether document and place are those that the truth names; no place named asks for none."""
    if row["external"]:
        place = not row["target"] or _leads_there(row, reference)
        return reference.document == row["document"] and place
    return not reference.external and _leads_there(row, reference)


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

    `loaded` are the ids of all documents of the library; a link to another one is not asked for. What may be
    found, at no cost: captionless tables, symbols and abbreviations, terms explained in running text alone.
    """
    clauses, definitions = truth.get("clauses", ()), truth.get("definitions", ())
    paragraphs, tables = truth.get("paragraphs", ()), truth.get("tables", ())
    numbered = [_clause_truth(row) for row in clauses if row.get("kind") != _TITLED or _numbered(row)]
    terms = [row for row in definitions if row.get("label")]
    numbered += [Item((row["label"], row["term"]), row["page"], counted=False) for row in terms]
    # Those listed by title come first: a section that a truth lists both so and by its number is one place.
    headings = [Item((row["title"],), row["page"]) for row in truth.get("headings", ())]
    headings += [
        replace(_clause_truth(row), counted=not _numbered(row))
        for row in clauses
        if row.get("kind") == _TITLED
    ]
    pages = truth.get("clauses_pages")  # on which the truth lists clauses; all where it names none

    def standing(*kinds: str) -> list[Item]:
        items = _clauses(document, frozenset(kinds))
        return [item for item in items if item.page in pages] if isinstance(pages, list) else items

    scores = {
        "tables": score(
            [Item((row["label"],), row["page"], counted=not row.get("uncaptioned")) for row in tables],
            [_item(one.label.key, one.title, one.boxes, counted=one.captioned) for one in document.tables],
        ),
        "table columns": _score_columns(document, tables),
        "captionless tables": _score_captionless(document, truth),
        "figures": score(
            _listed(truth.get("figures", ())),
            [_item(one.label.key, one.title, one.boxes) for one in document.figures],
        ),
        "clauses": score(numbered, standing("clause", "section", "annex", "requirement")),
        "headings": score(headings, standing(_TITLED)) if any(h.counted for h in headings) else _NOTHING,
        "paragraphs": score(_listed(paragraphs), standing("paragraph")) if paragraphs else _NOTHING,
        "principles": _score_principles(document, paragraphs),
        "formulas": score(
            _listed(truth.get("formulas", ())),
            [_item(one.label.key, "", one.boxes) for one in document.formulas],
        ),
        "definitions": score(
            [Item((row["term"],), row["page"], counted=row.get("formal", True)) for row in definitions],
            [Item((one.term,), first_page(one.boxes), counted=one.kind == "term") for one in document.terms],
        ),
        **score_references(document, truth, loaded),
        "cells stored": score_stored_cells(document, truth),
    }
    return StructureScores(document.id, scores)


def load_truths(files: Iterable[Path]) -> tuple[dict[str, Any], ...]:
    """Return the structure files as parsed.

    Raises:
        BadInput: a file is missing, is not JSON, or names no document.
    """
    truths = []
    for path in files:
        try:
            truth = decode(path.read_bytes(), dict[str, Any])
        except (OSError, msgspec.MsgspecError) as error:
            raise BadInput(f"{path} is not a structure file: {error}.") from None
        if not isinstance(truth.get("document"), str):
            raise BadInput(f'{path} names no "document".')
        truths.append(truth)
    return tuple(truths)


def evaluate_structure(library: Library, files: Iterable[Path]) -> tuple[StructureScores, ...]:
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


def _score_principles(document: Document, paragraphs: Sequence[Mapping[str, Any]]) -> Score:
    """Return the share of paragraphs found that are rightly told to be principles or not."""
    clauses = [clause for clause in document.clauses if clause.boxes]
    pairs = pair(_listed(paragraphs), _clauses(document, frozenset())) if paragraphs else {}
    wrong = [
        paragraphs[wanted]["label"]
        for wanted, at in pairs.items()
        if clauses[at].principle != paragraphs[wanted].get("principle", clauses[at].principle)
    ]
    return _all_but(len(pairs), wrong)


def _score_columns(document: Document, tables: Sequence[Mapping[str, Any]]) -> Score:
    """Return the share of tables found whose number of columns is the printed one, where the truth has it."""
    rows = [row for row in tables if "columns" in row]
    returned = [_item(table.label.key, table.title, table.boxes) for table in document.tables]
    pairs = pair(_listed(rows), returned)
    wrong = []
    for wanted, at in pairs.items():
        cells = document.tables[at].cells
        columns = max((cell.column + cell.column_span for cell in cells), default=0)
        if columns != rows[wanted]["columns"]:
            wrong.append(f"{rows[wanted]['label']}: {columns}, printed {rows[wanted]['columns']}")
    return _all_but(len(pairs), wrong)


def _all_but(count: int, wrong: Sequence[str]) -> Score:
    right = count - len(wrong)
    return Score(count, right, count, right, tuple(wrong), tuple(wrong))


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


def _listed(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    return [Item((row["label"],), row["page"]) for row in rows]


def _item(key: str, title: str, boxes: tuple[Box, ...], *, counted: bool = True) -> Item:
    names = (key.rpartition("/")[2], key.replace("/", " "))
    return Item((*names, title) if title else names, first_page(boxes), counted)


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
        items.append(Item(tuple(names), first_page(clause.boxes), clause.kind in counted))
    return items
