"""What the reading views show: a document, a clause, a table, a figure, a formula, a page."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from appliance.core.document import Box, Cell, Clause, Figure, Formula, Label, Reference, Table, pages_of
from appliance.core.errors import UnknownDocument, UnknownPage, UnknownPlace
from appliance.core.page_boxes import meet
from appliance.library import Library
from appliance.store.records import DocumentInfo
from appliance.web.answers import cited_places
from appliance.web.reading import marks, outline
from appliance.web.reading import tables as grids

CLAUSES_SHOWN = 80  # of those under a clause, with their text; the rest by title only


def locate(library: Library, document: str, key: str) -> tuple[str, Label, tuple[Box, ...]]:
    """Return kind, label and boxes of what carries a label; raises UnknownDocument, UnknownPlace."""
    with suppress(UnknownPlace):
        clause = library.clause(document, key).clause
        under = outline.below(library.tree(document), clause)
        return "clause", clause.label, tuple(box for item in under for box in item.boxes)
    with suppress(UnknownPlace):
        table = library.table(document, key)
        return "table", table.label, table.boxes
    with suppress(UnknownPlace):
        figure = library.figure(document, key)
        return "figure", figure.label, figure.boxes
    whole = library.document(document)
    for kind, items in (("formula", whole.formulas), ("definition", whole.terms)):
        for item in items:
            if item.label.key == key:
                return kind, item.label, item.boxes
    raise UnknownPlace(document, key)


def info_of(library: Library, document: str) -> DocumentInfo:
    """Return what is known of a loaded document; raises UnknownDocument."""
    loaded = {info.id: info for info in library.overview().documents}
    if document not in loaded:
        raise UnknownDocument(document, tuple(loaded))
    return loaded[document]


def document(library: Library, name: str) -> dict[str, Any]:
    """Return the tree of a document with its tables, figures and what could not be read."""
    info, whole = info_of(library, name), library.document(name)
    tree = outline.tree(whole.clauses, whole.tables, whole.figures)
    problems = dict.fromkeys((one.page, one.message) for one in whole.problems)  # each once
    return {"info": info, "document": whole, "tree": tree, "problems": problems}


def clause(library: Library, name: str, key: str) -> dict[str, Any]:
    """Return a clause, all that stands under it, its references both ways and its page."""
    found, tree = library.clause(name, key), library.tree(name)
    under = outline.below(tree, found.clause)
    before, after = outline.beside(tree, found.clause, under)
    around = [found, *(library.clause(name, item.label.key) for item in under[1:CLAUSES_SHOWN])]
    references = [reference for item in around for reference in item.references]
    leaving: dict[tuple[str | None, Label | None, str], Reference] = {}  # one for each thing they point at
    for reference in references:
        leaving.setdefault((reference.document, reference.target, reference.text.casefold()), reference)
    formulas = [
        cited_places.of_formula(library, name, formula) for item in around for formula in item.formulas
    ]
    placed = {item.label: cited_places.in_passage(item.passage, formulas) for item in under}
    known = outline.glossary(library, name)
    terms = outline.used_in(known, (item.passage.text for item in under), {item.label.key for item in under})
    pieces = {}
    for item in under:
        own = [reference for reference in references if reference.source == item.label]
        cut = outline.pieces(item.passage.text, own, placed[item.label])
        pieces[item.label] = outline.with_terms(cut, known, terms)
    drawn = [
        (figure, next(iter(cited_places.views(library, name, figure.boxes, tight=True)), None))
        for item in around
        for figure in item.figures
    ]
    keys = dict.fromkeys(key for view in around for key in view.keys)  # and those of what stands in them
    boxes = tuple(box for item in under for box in item.boxes)
    return {
        "found": found,
        "clause": found.clause,
        "before": before,
        "after": after,
        "under": under[:CLAUSES_SHOWN],
        "more": under[CLAUSES_SHOWN:],
        "pieces": pieces,
        "terms": terms,
        "formulas": [
            item for item in formulas if not any(item in found.values() for found in placed.values())
        ],
        "leaving": list(leaving.values()),
        "arriving": [entry for item in around for entry in item.cited_by],
        "tables": [(table, grids.whole(table)) for item in around for table in item.tables],
        "figures": drawn,
        "decided": library.national_choices(name, *keys),
        "stop": _stop(library, name, found.clause, found.clause.kind, boxes),
    }


def table(library: Library, name: str, key: str) -> dict[str, Any]:
    """Return a table as a grid with its pages."""
    found = library.table(name, key)
    printed = {
        (cell.row, cell.column): pictures[0]
        for cell in doubtful(library, name, found)
        if (pictures := cited_places.views(library, name, (cell.box,), tight=True))
    }
    return {
        "table": found,
        "grid": grids.whole(found, printed=printed),
        "decided": library.national_choices(name, found.label.key),
        "stop": _stop(library, name, found, "table"),
    }


def doubtful(library: Library, name: str, table: Table) -> tuple[Cell, ...]:
    """Return the cells of a table in whose place something was read with doubt."""
    doubts = [one.box for one in library.doubts(name, table.boxes) if one.box]
    return tuple(
        cell for cell in table.cells if cell.text.strip() and any(meet(box, cell.box) for box in doubts)
    )


def figure(library: Library, name: str, key: str) -> dict[str, Any]:
    """Return a figure with its drawing cut from the page."""
    found = library.figure(name, key)
    return {
        "figure": found,
        "tables": library.tables_in(name, found.label.key),
        "decided": library.national_choices(name, found.label.key),
        "stop": _stop(library, name, found, "figure"),
    }


def formula(library: Library, name: str, key: str) -> dict[str, Any]:
    """Return a formula with its picture, its text and what explains its symbols."""
    found = library.drawn(name, key)
    if not isinstance(found, Formula):
        raise UnknownPlace(name, key, "figure")
    return {
        "formula": found,
        "drawing": cited_places.of_formula(library, name, found),
        "decided": library.national_choices(name, found.label.key),
    }


def page(library: Library, name: str, number: int, at: str) -> dict[str, Any]:
    """Return a page with what stands on it; the place `at` is boxed."""
    info = info_of(library, name)
    if not 1 <= number <= info.pages:
        raise UnknownPage(name, number, info.pages)
    shown = library.page(name, number)
    boxes = locate(library, name, at)[2] if at else ()
    standing = [
        clause
        for clause in library.tree(name)
        if number in pages_of(clause.boxes) and clause.kind not in outline.FOLDED
    ]
    return {
        "info": info,
        "view": marks.view(name, shown, boxes),
        "at": at,
        "web": library.address(name),
        "areas": [
            (clause, rect) for clause in standing for rect in marks.view(name, shown, clause.boxes).strong
        ],
        "standing": standing,
    }


def _stop(
    library: Library, name: str, item: Clause | Table | Figure, kind: str, around: tuple[Box, ...] = ()
) -> cited_places.Stop:
    """Return the stop of a place: its own boxes strong, those of what stands under it faint."""
    views = cited_places.views(library, name, item.boxes or around, around, tight=kind == "figure")
    web = library.address(name, item.label)
    return cited_places.Stop("p1", name, item.label, kind, item.title, views, web)
