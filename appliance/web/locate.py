"""What carries a label: a clause, a table, a figure, a formula or a term, and where it stands.

Rules of this module: all but a term have reading views of their own; a term is read on its page.
"""

from __future__ import annotations

from dataclasses import dataclass

from appliance.document import Box, Label
from appliance.errors import UnknownPlace
from appliance.web import outline
from appliance.web.port import Port


@dataclass(frozen=True, slots=True)
class Located:
    """A labelled item; its boxes are those of all its text."""

    kind: str
    label: Label
    boxes: tuple[Box, ...]


def locate(library: Port, document: str, key: str) -> Located:
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


def _clause(library: Port, document: str, key: str) -> Located:
    clause = library.clause(document, key).clause
    under = outline.below(library.tree(document), clause)
    return Located("clause", clause.label, tuple(box for item in under for box in item.boxes))


def _table(library: Port, document: str, key: str) -> Located:
    table = library.table(document, key)
    return Located("table", table.label, table.boxes)


def _figure(library: Port, document: str, key: str) -> Located:
    figure = library.figure(document, key)
    return Located("figure", figure.label, figure.boxes)
