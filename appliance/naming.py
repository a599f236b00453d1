"""Which tables of a document a printed name may mean.

Rules of this module: a key names one table, a printed label may stand on several ("Table 1" of each
Part), and a table without a number of its own is asked for by the figure or division that it stands
in. It reads the store and decides nothing: all that the name may mean is returned, in document order.
"""

from __future__ import annotations

import re

from appliance.document import Table
from appliance.store.read import Store
from appliance.store.words import fold_label


def tables_named(store: Store, document: str, label: str) -> tuple[Table, ...]:
    """Return the tables with this label; else those named after it; else those below that division."""
    wanted, tables = fold_label(label), store.tables(document)
    if not wanted:
        return ()
    same = tuple(table for table in tables if fold_label(str(table.label)) == wanted)
    return same or _named_after(wanted, tables) or _standing_in(wanted, tables, store, document)


def _named_after(wanted: str, tables: tuple[Table, ...]) -> tuple[Table, ...]:
    """Return the tables without a caption that are named by a figure ("Table in Diagram 3.1")."""
    if wanted[0].isdigit():
        return ()
    ending = re.compile(rf"[^\W\d_]{re.escape(wanted)}\Z")
    return tuple(
        table for table in tables if not table.captioned and ending.search(fold_label(str(table.label)))
    )


def _standing_in(wanted: str, tables: tuple[Table, ...], store: Store, document: str) -> tuple[Table, ...]:
    """Return the tables of the divisions with this printed label, and of all below them."""
    below: set[str] = set()
    for entry in store.contents(document):
        if fold_label(str(entry.label)) == wanted or (entry.parent and entry.parent.key in below):
            below.add(entry.label.key)
    return tuple(table for table in tables if table.clause and table.clause.key in below)
