"""Whether the value of a table cell can be had: stored at all, and returned by the look-up in words.

Rules of this module: pure but for the look-up it is given. A look-up that returns a whole table
would win everything, so only its first three values are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from appliance.document import Document, Table
from appliance.evaluation.matching import Score, bare, number_of
from appliance.evaluation.places import PAGES_APART
from appliance.evaluation.values import same_cell

JUDGED_VALUES = 3
Lookup = Callable[[str, str, str, str], Sequence[str]]
"""(document, table, row in words, column in words) to the texts of the cells, best first."""


def score_stored_cells(document: Document, truth: Mapping[str, Any]) -> Score:
    """Return the share of sampled cells whose value stands in a cell of their table."""
    tables = document.tables
    missed = []
    rows = list(truth.get("cells", ()))
    for row in rows:
        texts = [cell.text for table in _named(tables, row) for cell in table.cells]
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
        if not _judge(row["value"], values):
            missed.append(f"{_shown(row)}, returned {values or 'nothing'}")
    found = len(rows) - len(missed)
    return Score(len(rows), found, answered, found, tuple(missed))


def _judge(wanted: str, values: Sequence[str]) -> bool:
    if not wanted:
        return not any(value.strip(" -\u2013\u2014") for value in values)
    return any(same_cell(wanted, value) for value in values)


def _named(tables: Iterable[Table], row: Mapping[str, Any]) -> list[Table]:
    """Return the tables that the truth may mean; by page alone where the table has no caption."""
    name = row["table"]
    page = row.get("page")
    if "(uncaptioned)" in name or not number_of(name):
        return [t for t in tables if page is None or page in {box.page for box in t.boxes}]
    return [
        table
        for table in tables
        if {bare(name), number_of(name)} & {bare(str(table.label)), number_of(str(table.label))}
        and (page is None or any(abs(box.page - page) <= PAGES_APART for box in table.boxes))
    ]


def _shown(row: Mapping[str, Any]) -> str:
    return f"{row['table']} | {row['row']} | {row['column']} = {row['value']!r}"
