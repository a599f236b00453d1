"""Values of a table that cannot be what a question asks for: none of them is shown as the number asked for.

Rules of this module: a question that names a place by its label is answered by that place and by what it
refers to, one that asks what something means by no number. A table is for another thing where its caption
states what the question excludes ("intermittent", "continuous"), or where the question names quantities
("coefficient", "gap") and no row stated is named by one of them. A cell is a value only where something but
marks of notes, signs, designations and "see ..." stands in it, and a row that has no name gives the value of
nothing; a column may measure a part of what the row names ("Depth of seal"). Words: data/answer/columns.toml,
the quantities of data/retrieval/parts.toml.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from appliance.answer.about import spoken_by, stems_of
from appliance.answer.contrary import excluding
from appliance.answer.findings import Finding
from appliance.answer.heads_of import of_another
from appliance.core.document import Cell, Table
from appliance.core.evidence import Place, Query
from appliance.core.files import shipped
from appliance.store.read import Store
from appliance.tables.rows import Row, column_headers, columns, flat, label_columns, rows
from appliance.text.terms import words

_MARKS = re.compile(r"\d\)|[\u00b2\u00b3\u00b9\u2070-\u2079]+")  # of notes behind a value: "24,0 1)"
_DESIGNATION = re.compile(r"(?<![^\W_])[A-Z]{2,}(?:[ /][A-Z]{2,})*[ -]\d{2,}(?:[-.:/]\d+)*(?![^\W_])")


def without_unfit(
    store: Store, query: Query, hits: Sequence[Place], found: Sequence[Finding]
) -> tuple[Finding, ...]:
    """Return the findings; values that cannot be those asked for are unsure."""
    return tuple(
        replace(item, unsure=why)
        if item.marked and not item.unsure and (why := _why(store, query, hits, item))
        else item
        for item in found
    )


def _why(store: Store, query: Query, hits: Sequence[Place], item: Finding) -> str:
    label, asked = item.place.label, query.spelt or query.text
    if lacking := _other_label(hits, item.place) or _unnamed_quantity(query, asked, item):
        return f"no row or column of {label} is for \u201c{lacking}\u201d"
    table = store.table(item.place.document, label.key)
    if table is None:
        return ""
    if excluding(asked, " ".join((table.title, *item.place.heading_path[-1:]))):
        return f"{label} is for another case than asked about"
    if query.intent == "definition" or _is_nameless(table, item):
        return f"the question does not say which row of {label} it is about"
    return _valueless(query, table, item)


def _valueless(query: Query, table: Table, item: Finding) -> str:
    """Return why the cells stated are no values, or none of the thing asked about."""
    marked = _marked(table, item)
    if not any(is_value(cell.text) for cell in marked):
        return f"no cell stated of {table.label} holds a value"
    heads = [" ".join(column_headers(table, cell.column)) for cell in marked]
    if other := of_another(query, list(dict.fromkeys(heads)), item.rows):
        return f"what is measured in {table.label} is \u201c{other}\u201d"
    return ""


def is_value(text: str) -> bool:
    """Tell whether a cell holds more than signs, marks of notes, designations and where to look."""
    said = _DESIGNATION.sub(" ", _MARKS.sub(" ", _pointing().sub(" ", flat(text))))
    none = shipped("answer/columns")["nothing"]
    return any(map(str.isalnum, said)) and said.strip().casefold() not in none


def _other_label(hits: Sequence[Place], place: Place) -> str:
    """Return the label that a question names where a place is neither it nor what it refers to."""
    named = [hit for hit in hits if "exact" in hit.found_by]
    if not named or "exact" in place.found_by:
        return ""
    shown = {str(label) for hit in named for label in (hit.label, *hit.labels)}
    linked = not shown.isdisjoint(place.path) or any(
        hit.document == place.document and str(place.label) in hit.text for hit in named
    )
    return "" if linked else str(named[0].label)


def _unnamed_quantity(query: Query, asked: str, item: Finding) -> str:
    """Return the first quantity that a question names where no row stated is named by any of them."""
    known = _quantities()
    wanted = [word for word in dict.fromkeys(words(asked)) if stems_of(word) & known]
    over = " ".join(item.place.heading_path)
    named = any(spoken_by(query, word, f"{text} {over}") for word in wanted for text in item.named)
    return "" if named or not wanted else wanted[0]


def _is_nameless(table: Table, item: Finding) -> bool:
    """Tell whether a row has no name beside its value or no value beside its name, in several columns."""
    numbers = {row for row, _ in item.marked}
    stated = [row for row in rows(table) if row.number in numbers]
    return columns(table) > 1 and any(not _is_named(row) for row in stated)


def _is_named(row: Row) -> bool:
    filled = [cell for cell in row.cells if cell.text.strip()]
    return bool(f"{row.group}{row.label}".strip()) and (len(filled) > 1 or bool(row.group))


def _marked(table: Table, item: Finding) -> list[Cell]:
    """Return the cells that are marked behind the labels, all that are where there are no such."""
    cells = [cell for cell in table.cells if (cell.row, cell.column) in set(item.marked)]
    return [cell for cell in cells if cell.column >= label_columns(table)] or cells


@cache
def _quantities() -> frozenset[str]:
    return frozenset().union(*map(stems_of, shipped("retrieval/parts")["quantities"]))


@cache
def _pointing() -> re.Pattern[str]:
    said = "|".join(map(re.escape, shipped("answer/columns")["pointing"]))
    return re.compile(rf"\b(?:{said})\b\.?\s.*", re.IGNORECASE | re.DOTALL)
