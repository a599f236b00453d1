"""What the column heads of a table measure that a question names by their words.

Rules of this module: pure but for the table it reads. A word such as "capacity" measures many things; the
head "Max. capacity (litres/sec)" of the place that stands first says which of them is meant there. Words that
only bound a quantity ("maximum") name none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from appliance.answer.governing import unit_in
from appliance.core.evidence import Place
from appliance.core.files import shipped
from appliance.store.read import Store
from appliance.tables.lookup import words
from appliance.tables.ranges import alike
from appliance.tables.rows import column_headers, columns
from appliance.text.quantities import kinds_of


def head_kinds(asked: str, heads: Iterable[str]) -> frozenset[str]:
    """Return the kinds of quantity of the heads that a question names by a word of theirs."""
    spoken = [word for word in words(asked) if word not in _bounds()]
    found: set[str] = set()
    for head in heads:
        unit = unit_in(head)
        named = set(words(head)) - set(words(unit)) - _bounds() if unit else set()
        if any(alike(word, own) for word in spoken for own in named):
            found |= kinds_of(unit)
    return frozenset(found)


def heads_of(store: Store, places: Iterable[Place]) -> Iterator[str]:
    """Yield the heads of the columns of the place that stands first, none where it is no table."""
    first = next(iter(places), None)
    table = store.table(first.document, first.label.key) if first and first.kind == "table" else None
    for column in range(columns(table) if table else 0):
        yield from column_headers(table, column) if table else ()


@cache
def _bounds() -> frozenset[str]:
    bounds = shipped("answer/columns")["bounds"]
    return frozenset(word.casefold() for name in ("least", "most") for word in bounds[name])
