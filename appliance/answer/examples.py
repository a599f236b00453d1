"""The rows of a table of classes whose examples name the thing that a question is about.

Rules of this module: pure. A cell that tells its class by examples ("Hospitals not exceeding three storeys.
Offices ...") is one of many words. A word of the question tells rows apart where the examples of some of them
hold it and those of others do not, the more the fewer they are; the rows that hold most come first. Words of
the caption and the heads tell none apart; where no row holds a word the table is about other things.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.answer.about import spoken_by, things
from appliance.core.document import Table
from appliance.core.evidence import Query
from appliance.retrieval.query.decomposition import in_digits
from appliance.tables.lookup import words
from appliance.tables.rows import Row, label_columns

MANY = 12  # words of a cell from which it may tell examples


def with_examples(query: Query, table: Table, body: Sequence[Row]) -> tuple[int, ...]:
    """Return the numbers of the rows whose examples name most of what is asked about, none where all do."""
    told = {row.number: _examples(table, row) for row in body}
    if sum(bool(text) for text in told.values()) < 2:  # one text tells no rows apart
        return ()
    worth = dict.fromkeys(told, 0.0)
    over = " ".join((table.title, *(cell.text for cell in table.cells if cell.header)))
    named = [
        word for word in things(query) if not in_digits(word).isdigit() and not spoken_by(query, word, over)
    ]
    if any(not any(spoken_by(query, word, text) for text in told.values()) for word in named):
        return ()
    for word in named:
        holding = [number for number, text in told.items() if text and spoken_by(query, word, text)]
        for number in holding if len(holding) < len(told) else ():
            worth[number] += 1 / len(holding)
    best = max(worth.values())
    return tuple(number for number, value in worth.items() if value == best) if best else ()


def _examples(table: Table, row: Row) -> str:
    """Return the cells of a row, behind its name, that are long enough to tell examples."""
    labels = label_columns(table)
    long = (cell.text for cell in row.cells if cell.column >= labels and len(words(cell.text)) >= MANY)
    return " ".join(long)
