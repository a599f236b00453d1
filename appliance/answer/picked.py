"""Which rows of a table the question itself picks, and why none of its values is sure where it picks none.

Rules of this module: pure. A row is picked by words of the question that stand in its name and not in those
of all rows; one that holds all the words that another is picked by, and more, comes instead of it. No value
is sure where a number of the question has no place in the table, where nothing picks a row, or where no
column is of the kind asked for: such a table is shown with its rows and no value large.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from appliance.answer.columns import case_of, deciding, echoed, of_the_case
from appliance.answer.lacking import lacking_code
from appliance.answer.measured import in_unit, numbers_of, unit_printed
from appliance.answer.named import is_asked_of, named_rows, takes
from appliance.core.document import Cell, Table
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.retrieval.query.decomposition import in_digits
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.lookup import words
from appliance.tables.ranges import Range, alike, tokens
from appliance.tables.rows import Row, column_headers, columns, label_columns, rows
from appliance.text.quantities import kinds_of

STORY = 7  # words that may tell rows apart beyond which some only tell the story: they leave no row out
MOST = 6  # rows that the same number of words may pick


def picked(
    query: Query, telling: str, names: Mapping[int, str], near: Sequence[int], common: Collection[str]
) -> tuple[list[int], bool]:
    """Return which rows (by number, with their names) are stated, and whether the question picks them.

    `telling` are the words of the question that may tell rows apart, `near` the rows that answer best by
    what they say; where all of these are out, those that are picked come. Words that are `common` to the
    whole table state a row and do not pick it.
    """
    words_of = _picks(query, telling, names)
    rows_picked, told = _picked(telling, words_of, near)
    return rows_picked, told and any(not words_of[row] <= set(common) for row in rows_picked)


def _picked(
    telling: str, words_of: Mapping[int, frozenset[str]], near: Sequence[int]
) -> tuple[list[int], bool]:
    best = [
        row for row, own in words_of.items() if own and not any(own < other for other in words_of.values())
    ]
    kept = [row for row in near if row in best]
    if kept and len(telling.split()) > STORY:
        return list(near), len(kept) == len(near)
    if kept:
        return kept, True
    if best and len(best) <= MOST:
        return best, True
    return list(near), False


def why_other(query: Query, table: Table, stated: Sequence[Row]) -> str:
    """Return why a table is for another thing than asked about, "" where it may be for it."""
    asked, body = query.spelt or query.text, _body(table)
    if code := lacking_code(asked, (*query.labels, *query.documents), table, body):
        return f"no row or column of {table.label} is for {code}"
    for number in () if named_rows(asked, table, body) else numbers_of(asked):
        if not (takes(asked, table, body) or case_of(asked, table) or _stands(asked, table, number)):
            return f"no row or column of {table.label} is for the number asked about"
    if any(echoed(asked, table, row) for row in stated):
        return f"what is asked for is what the question itself states in {table.label}"
    if named := _unlike(asked, table, stated):
        return f"no column of {table.label} is of the kind asked for ({named})"
    if query.kinds and _of_other_kinds(query, table, stated):
        return f"no column of {table.label} is of the kind asked for ({', '.join(sorted(query.kinds))})"
    return ""


def why_untold(query: Query, table: Table, *, told: bool) -> str:
    """Return that the question picks no row of a table, "" where it does (`told`) or there is but one."""
    asked, body = query.spelt or query.text, _body(table)
    if (
        told
        or len(body) <= 1
        or named_rows(asked, table, body)
        or len(of_the_case(asked, table, body)) < len(body)
    ):
        return ""
    return f"the question does not say which row of {table.label} it is about"


def _body(table: Table) -> list[Row]:
    return [row for row in rows(table) if is_filled(table, row)]


def is_filled(table: Table, row: Row) -> bool:
    """Tell whether a row holds more than its name; a table of one column has such rows only."""
    return columns(table) == 1 or any(cell.column and cell.text.strip() for cell in row.cells)


def _picks(query: Query, telling: str, names: Mapping[int, str]) -> dict[int, frozenset[str]]:
    """Return for each row the words of the question that pick it, or other names of their ideas."""
    said = {row: words(name) for row, name in names.items()}
    said_too = set(words(query.spelt or query.text))  # says itself which row it picks, or none
    able = set(words(in_digits(telling))) - set(words(" ".join(query.labels)))
    ideas = {word: [words(word)] for word in _asked(query) if word in able}
    for idea in query.concepts:
        for word in words(idea.words):
            if word in ideas:
                ideas[word] += [way for way in map(words, idea.others) if said_too.isdisjoint(way)]
    found = {
        word: {row for row, own in said.items() if any(_all_in(way, own) for way in ways)}
        for word, ways in ideas.items()
    }
    apart = {word: held for word, held in found.items() if 0 < len(held) < len(names)}
    return {row: frozenset(word for word, held in apart.items() if row in held) for row in names}


def _asked(query: Query) -> list[str]:
    """Return the words of a question but small words and numbers with a unit, which pick by their size."""
    asked = in_digits(query.spelt or query.text)
    measured = [one for one in tokens(asked) if isinstance(one, Range) and one.unit]
    out = {f"{bound:g}" for one in measured for bound in (one.low, one.high)}
    out |= {word for one in measured for word in words(one.unit)}
    small = {word for known in load_lexicon().stop for word in (known, *words(known))}
    return [word for word in dict.fromkeys(words(asked)) if word not in out | small]


def _all_in(way: Sequence[str], own: Sequence[str]) -> bool:
    return bool(way) and all(any(alike(word, other) for other in own) for word in way)


def _stands(asked: str, table: Table, number: Range) -> bool:
    """Tell whether a cell, header or caption holds a number with its unit; a bound is that of its thing."""
    for text in (table.title, *(cell.text for cell in table.cells)):
        for one in (one for one in tokens(text) if isinstance(one, Range) and one.unit):
            same = in_unit(number, one.unit)
            if same is not None and one.holds(same.low) and (one.point or is_asked_of(asked, text)):
                return True
    return False


def _of_other_kinds(query: Query, table: Table, stated: Sequence[Row]) -> bool:
    """Tell whether every deciding cell has a unit, and none of a cell or label is of a kind asked for."""
    asked = query.spelt or query.text
    cells = [cell for row in stated for cell in deciding(asked, table, row) or _values(table, row)]
    units = [_units(table, cell) for cell in cells]
    beside = [_units(table, cell) for row in stated for cell in row.cells if cell not in cells]
    if query.intent == "value" and not any(map(str.isdigit, " ".join(cell.text for cell in cells))):
        return True
    held = {kind for found in (*units, *beside) for unit in found for kind in _kinds(unit)}
    return bool(units) and all(units) and not held & set(query.kinds)


def _unlike(asked: str, table: Table, stated: Sequence[Row]) -> str:
    """Return the quantity that is asked for where every head calls its bare numbers factors or the like."""
    bare = {word.casefold() for word in shipped("answer/columns")["bare"]}
    wanted = [word for word in words(asked) if word in shipped("retrieval/parts")["quantities"]]
    cells = [cell for row in stated for cell in deciding(asked, table, row) or _values(table, row)]
    over = [bare & set(words(" ".join(column_headers(table, cell.column)))) for cell in cells]
    measured = any(_units(table, cell) for cell in cells)
    called = bool(over) and all(over) and not measured and not bare & set(words(asked))
    return wanted[0] if called and wanted else ""


def of_kind(query: Query, table: Table, cells: Sequence[Cell]) -> Sequence[Cell]:
    """Return cells without those of a unit of another kind than is asked for, all where no number is left."""
    kinds = set(query.kinds)
    measured = {cell: {kind for unit in _units(table, cell) for kind in _kinds(unit)} for cell in cells}
    other = [cell for cell, own in measured.items() if own and not kinds & own]
    kept = [cell for cell in cells if cell not in other]
    return kept if kinds and any(map(str.isdigit, _joined(kept, table))) else cells


def _kinds(unit: str) -> frozenset[str]:
    """Return what a unit measures, as printed or in the small letters that numbers carry it in."""
    return kinds_of(_as_printed().get(unit, unit))


@cache
def _as_printed() -> dict[str, str]:
    return {symbol.casefold(): symbol for symbol in reversed(shipped("units")["symbols"])}


def _joined(cells: Sequence[Cell], table: Table) -> str:
    return " ".join(cell.text for cell in cells if cell.column >= label_columns(table))


def _units(table: Table, cell: Cell) -> set[str]:
    """Return the units of a cell: its own, else that of its head; a single letter there may be a symbol."""
    own = {one.unit for one in tokens(cell.text) if isinstance(one, Range) and one.unit}
    head = unit_printed(column_headers(table, cell.column))
    return own or ({head} if len(head) > 1 or head == "%" else set())


def _values(table: Table, row: Row) -> list[Cell]:
    return [cell for cell in row.cells if cell.column >= label_columns(table) and cell.text.strip()]
