"""What the reading views show: a document, a clause, a table, a figure, a formula, a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from appliance.core.document import Box, Cell, Clause, Figure, Formula, Label, Reference, Table, pages_of
from appliance.core.errors import UnknownDocument, UnknownPage, UnknownPlace
from appliance.core.frames import meet
from appliance.store.values import DocumentInfo
from appliance.web.answers import cited_places
from appliance.web.reading import glossaries, marks, outline
from appliance.web.reading import tables as grids


@dataclass(frozen=True, slots=True)
class Located:
    """A labelled item; its boxes are those of all its text."""

    kind: str
    label: Label
    boxes: tuple[Box, ...]


def locate(library: Library, document: str, key: str) -> Located:
    """Return what carries the label.

    Raises:
        UnknownDocument: it is not loaded. UnknownPlace: nothing in it has this label.
    """
    for look in (_clause, _table, _figure):
        try:
            return look(library, document, key)
        except UnknownPlace:
            continue
    whole = library.document(document)
    for kind, items in (("formula", whole.formulas), ("definition", whole.terms)):
        for item in items:
            if item.label.key == key:
                return Located(kind, item.label, item.boxes)
    raise UnknownPlace(document, key)


def _clause(library: Library, document: str, key: str) -> Located:
    clause = library.clause(document, key).clause
    under = outline.below(library.tree(document), clause)
    return Located("clause", clause.label, tuple(box for item in under for box in item.boxes))


def _table(library: Library, document: str, key: str) -> Located:
    table = library.table(document, key)
    return Located("table", table.label, table.boxes)


def _figure(library: Library, document: str, key: str) -> Located:
    figure = library.figure(document, key)
    return Located("figure", figure.label, figure.boxes)


if TYPE_CHECKING:  # as in port.py
    from appliance.library import Library
    from appliance.views import ClauseView

CLAUSES_SHOWN = 80  # of those under a clause, with their text; the rest by title only


def info_of(library: Library, document: str) -> DocumentInfo:
    """Return what is known of a loaded document.

    Raises:
        UnknownDocument: it is not loaded.
    """
    loaded = library.overview().documents
    for info in loaded:
        if info.id == document:
            return info
    raise UnknownDocument(document, tuple(info.id for info in loaded))


def document(library: Library, name: str) -> dict[str, Any]:
    """Return the tree of a document with its tables, figures and what could not be read."""
    info, whole = info_of(library, name), library.document(name)
    return {
        "info": info,
        "document": whole,
        "tree": outline.tree(whole.clauses, whole.tables, whole.figures),
    }


def clause(library: Library, name: str, key: str) -> dict[str, Any]:
    """Return a clause, all that stands under it, its references both ways and its page."""
    found, tree = library.clause(name, key), library.tree(name)
    under = outline.below(tree, found.clause)
    before, after = outline.beside(tree, found.clause, under)
    around = [found, *(library.clause(name, item.label.key) for item in under[1:CLAUSES_SHOWN])]
    references = tuple(reference for item in around for reference in item.references)
    formulas = [
        cited_places.of_formula(library, name, formula) for item in around for formula in item.formulas
    ]
    placed = {item.label: cited_places.in_passage(item.passage, formulas) for item in under}
    known = glossaries.glossary(library, name)
    terms = glossaries.used_in(
        known, (item.passage.text for item in under), {item.label.key for item in under}
    )
    return {
        "info": info_of(library, name),
        "found": found,
        "clause": found.clause,
        "before": before,
        "after": after,
        "under": under[:CLAUSES_SHOWN],
        "more": under[CLAUSES_SHOWN:],
        "pieces": {
            item.label: outline.with_terms(
                outline.pieces(item.passage.text, _of(item, references), placed[item.label]), known, terms
            )
            for item in under
        },
        "terms": terms,
        "formulas": [
            item for item in formulas if not any(item in found.values() for found in placed.values())
        ],
        "leaving": _leaving(references),
        "arriving": [entry for item in around for entry in item.cited_by],
        "tables": [(table, grids.whole(table)) for item in around for table in item.tables],
        "figures": [(figure, _drawing(library, name, figure)) for item in around for figure in item.figures],
        "decided": library.national_choices(name, *_keys(around)),
        "stop": _stop(library, name, found.clause, found.clause.kind, boxes_of(under)),
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
        "info": info_of(library, name),
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
        "info": info_of(library, name),
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
        "info": info_of(library, name),
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
    boxes = locate(library, name, at).boxes if at else ()
    standing = [clause for clause in library.tree(name) if number in pages_of(clause.boxes)]
    return {
        "info": info,
        "view": marks.view(name, shown, boxes),
        "at": at,
        "areas": [
            (clause, rect)
            for clause in standing
            if clause.kind not in outline.FOLDED
            for rect in marks.view(name, shown, clause.boxes).strong
        ],
        "standing": [clause for clause in standing if clause.kind not in outline.FOLDED],
    }


def boxes_of(clauses: tuple[Clause, ...]) -> tuple[Box, ...]:
    """Return the boxes of all these clauses."""
    return tuple(box for clause in clauses for box in clause.boxes)


def _keys(around: Sequence[ClauseView]) -> list[str]:
    """Return the keys of clauses and of the tables and figures that stand in them."""
    return list(dict.fromkeys(key for view in around for key in view.keys))


def _of(clause: Clause, references: tuple[Reference, ...]) -> list[Reference]:
    return [reference for reference in references if reference.source == clause.label]


def _leaving(references: tuple[Reference, ...]) -> list[Reference]:
    """Return the references, one for each thing they point at."""
    seen: dict[tuple[str | None, Label | None, str], Reference] = {}
    for reference in references:
        seen.setdefault((reference.document, reference.target, reference.text.casefold()), reference)
    return list(seen.values())


def _stop(
    library: Library, name: str, item: Clause | Table | Figure, kind: str, around: tuple[Box, ...] = ()
) -> cited_places.Stop:
    """Return the stop of a place: its own boxes strong, those of what stands under it faint."""
    views = cited_places.views(library, name, item.boxes or around, around, tight=kind == "figure")
    return cited_places.Stop("p1", name, item.label, kind, item.title, views)


def _drawing(library: Library, name: str, figure: Figure) -> marks.View | None:
    return next(iter(cited_places.views(library, name, figure.boxes, tight=True)), None)
