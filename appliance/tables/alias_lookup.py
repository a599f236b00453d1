"""Table look-up with the aliases of the vocabularies: "slope" finds "Maximum gradient"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from appliance.core.document import Table
from appliance.tables.lookup import RETURNED, TIED, LookedUp, table_lookup
from appliance.tables.ranges import Token, tokens
from appliance.tables.rows import column_headers, columns, flat, rows
from appliance.text.terms import singular

Groups = Sequence[Sequence[tuple[str, ...]]]
"""Phrases that mean one thing, each as its words, group by group."""

MOST = 12  # ways to say one side
KEPT = 4_096  # patterns of phrases that are remembered


ToldAs = tuple[tuple[str, str], ...]
"""Asked phrases, each with what it was read as."""


def best_lookup(tables: Sequence[Table], row: str, column: str, groups: Groups = ()) -> LookedUp:
    """Return the look-up of the one of several tables that answers best, one in the asked words first.

    Where another answers as well with other values, nothing is exact: a number of the wrong table
    must not be shown as sure.
    """
    found = [look_up(table, row, column, groups) for table in tables]
    best = max(found, key=lambda item: (*_standing(item), item.score))  # the first where they are equal
    rivals = tuple(
        item.table
        for item in found
        if _standing(item) == _standing(best)
        and item.score >= TIED * best.score
        and _values(item) != _values(best)
    )
    return replace(best, exact=best.exact and not rivals, rivals=rivals)


def _standing(found: LookedUp) -> tuple[bool, bool]:
    return found.exact, not found.read_as


def _values(found: LookedUp) -> set[str]:
    return {flat(item.cell.text) for item in found.cells}


def look_up(table: Table, row: str, column: str, groups: Groups = ()) -> LookedUp:
    """Return the cells that answer to row and column; where none does, to other words for the same."""
    asked = table_lookup(table, row, column)
    if asked.exact or not groups:
        return asked
    found: list[LookedUp] = []
    for other_row, other_column, read_as in _reworded(table, row, column, groups):
        if found and len(read_as) > len(found[0].read_as):
            break
        one = table_lookup(table, other_row, other_column)
        if one.exact:
            found.append(replace(one, read_as=read_as))
    if not found:
        return asked
    places = {frozenset((one.cell.row, one.cell.column) for one in item.cells) for item in found}
    if len(places) == 1:
        return found[0]
    # they lead to other values: none is sure
    cells = {(cell.cell.row, cell.cell.column): cell for one in found for cell in one.cells}
    told = dict.fromkeys(pair for one in found for pair in one.read_as)
    kept = tuple(cells.values())
    return LookedUp(table, kept[:RETURNED], False, (), tuple(told), len(kept[RETURNED:]))


def _reworded(table: Table, row: str, column: str, groups: Groups) -> list[tuple[str, str, ToldAs]]:
    """Return what was asked with a phrase of the row, of the column or of both said as the table says it.

    What changes least comes first; what stays as it was asked is not among them.
    """
    names = _names(table)
    ways = product(_said(row, groups, names), _said(column, groups, names))
    told = [
        (row_words, column_words, (*of_row, *of_column))
        for (row_words, of_row), (column_words, of_column) in ways
    ]
    return sorted((way for way in told if way[2]), key=lambda way: len(way[2]))


def _names(table: Table) -> list[frozenset[Token]]:
    """Return the words of each head, label and group of a table, and of its cells of words."""
    heads = [text for column in range(columns(table)) for text in column_headers(table, column)]
    body = [
        text
        for row in rows(table)
        for text in (row.group, row.label, *(flat(cell.text) for cell in row.cells))
    ]
    return [frozenset(tokens(text)) for text in dict.fromkeys((*heads, *body)) if text]


def _said(asked: str, groups: Groups, names: Sequence[frozenset[Token]]) -> list[tuple[str, ToldAs]]:
    """Return the ways to say what was asked, itself first, each with what is said otherwise in it."""
    found: dict[str, ToldAs] = {asked: ()}
    for group in groups if asked.strip() else ():
        for phrase in group:
            place = _pattern(phrase).search(asked)
            if place is None:
                continue
            own = frozenset(tokens(place.group()))
            for read in map(" ".join, group):
                words = frozenset(tokens(read))
                if words and words != own and any(words <= name for name in names):
                    said = f"{asked[: place.start()]}{read}{asked[place.end() :]}"
                    found.setdefault(said, ((place.group(), read),))
    return list(found.items())[:MOST]


@lru_cache(KEPT)
def _pattern(phrase: tuple[str, ...]) -> re.Pattern[str]:
    """Return what matches a phrase, of one number or of several."""
    said = [re.escape(singular(word)) for word in phrase]
    return re.compile(rf"(?<![^\W_]){'(?:e?s)?[ -]'.join(said)}(?:e?s)?(?![^\W_])", re.IGNORECASE)
