"""Cells of a table for a row and a column in words.

Rules of this module: pure; words are matched, values are never computed: no interpolation, no
rounding, no unit conversion. What is returned is a cell as printed with the headers that it answers
to; where nothing answers, the nearest rows are returned as such (`exact` is False).
"""

from __future__ import annotations

import math
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from rapidfuzz import fuzz

from appliance.document import Cell, Table
from appliance.paths import data_folder
from appliance.tabular import Row, column_headers, columns, label_columns, rows

ANSWERS = 0.5  # share of the asked words, by weight, that a row and a column must hold together
MET = 0.2  # share of the words of one side below which that side is met nowhere
TIED = 0.97  # of the best score; cells this close are returned with it
ALIKE = 86.0  # of 100: two words of this likeness are one misspelt
RETURNED = 5  # cells at most

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+\d*")
_MARKS = re.compile(
    r"(?<=[^\W\d_]{3})[¹²³⁰-ⁿᵃ-ᶻ]+(?:,[¹²³⁰-ⁿᵃ-ᶻ]+)*"
)  # footnote marks at a word ("stair¹,²")


@dataclass(frozen=True, slots=True)
class FoundCell:
    """A cell with the words that name its row and its column, best matches first."""

    cell: Cell
    row_headers: tuple[str, ...]
    column_headers: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What a look-up found; not exact means: nothing answers, these are the nearest.

    `rivals` are other tables of the same name that answer as well, with other values.
    """

    table: Table
    cells: tuple[FoundCell, ...]
    exact: bool
    rivals: tuple[Table, ...] = ()

    @property
    def score(self) -> float:
        """Return the score of the best cell, 0 where there is none."""
        return self.cells[0].score if self.cells else 0.0


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Cells, best first; `met` tells that the words of both sides were met somewhere."""

    cells: Sequence[FoundCell] = ()
    met: bool = False

    @property
    def best(self) -> float:
        return self.cells[0].score if self.cells else 0.0


def table_lookup(table: Table, row: str, column: str) -> LookedUp:
    """Return the cells that answer to row and column in words; either may be empty for all of them.

    Row words may as well name a column, and column words a row: the better reading is taken. Where
    the words of one side are met nowhere, the cells of the other side are returned as the nearest.
    """
    straight = _ranked(table, row, column)
    turned = _ranked(table, column, row) if row and column else _Ranked()
    clearly = turned.best > straight.best + 0.2 if turned.met == straight.met else turned.met
    best = turned if clearly else straight
    if best.best <= 0:
        return LookedUp(table, (), exact=False)
    kept = [found for found in best.cells if found.score >= TIED * best.best][:RETURNED]
    return LookedUp(table, tuple(kept), exact=best.met and best.best >= ANSWERS)


def best_lookup(tables: Sequence[Table], row: str, column: str) -> LookedUp:
    """Return the look-up of the one of several tables that answers best.

    Where another answers as well with other values, nothing is exact: a number of the wrong table
    must not be shown as sure.
    """
    found = [table_lookup(table, row, column) for table in tables]
    best = max(found, key=lambda item: (item.exact, item.score))  # the first where they are equal
    rivals = tuple(
        item.table
        for item in found
        if item.exact == best.exact and item.score >= TIED * best.score and _values(item) != _values(best)
    )
    return replace(best, exact=best.exact and not rivals, rivals=rivals)


def _values(found: LookedUp) -> set[str]:
    return {" ".join(item.cell.text.split()) for item in found.cells}


def _ranked(table: Table, row_words: str, column_words: str) -> _Ranked:
    """Return every value cell with its score, best first, in table order where scores are equal."""
    body = list(rows(table))
    labels = label_columns(table)
    wide = range(labels if columns(table) > labels else 0, columns(table))
    headers = {column: column_headers(table, column) for column in wide}
    in_rows = match(row_words, [_named(r) for r in body])
    in_columns = match(column_words, [" ".join(headers[column]) for column in wide])
    met = [max(scores, default=0.0) >= MET for scores in (in_rows, in_columns)]
    if any(met):  # a side that is met nowhere must not hide the other
        in_rows, in_columns = (
            scores if known else [1.0] * len(scores)
            for known, scores in zip(met, (in_rows, in_columns), strict=True)
        )
    by_row = dict(zip((r.number for r in body), in_rows, strict=True))
    by_column = dict(zip(wide, in_columns, strict=True))
    found = [
        FoundCell(cell, (*filter(None, (r.group, r.label)),), headers[at], by_row[r.number] * by_column[at])
        for r in body
        for cell in r.cells
        if cell.text.strip() and (at := _best_column(cell, by_column)) is not None
    ]
    unique = {(f.cell.row, f.cell.column): f for f in sorted(found, key=lambda item: item.score)}
    ordered = sorted(unique.values(), key=lambda item: (-item.score, item.cell.row, item.cell.column))
    return _Ranked(ordered, met=all(met))


def _best_column(cell: Cell, by_column: dict[int, float]) -> int | None:
    """Return which of the columns that a cell spans answers best, None where all are row labels."""
    spanned = range(cell.column, cell.column + cell.column_span)
    return max((c for c in spanned if c in by_column), key=lambda c: by_column[c], default=None)


def _named(row: Row) -> str:
    return f"{row.group} {row.label}" if row.label else " ".join(cell.text for cell in row.cells)


def match(asked: str, names: Sequence[str]) -> list[float]:
    """Return for each name how much of what was asked it holds, 0 to 1; all 1 where nothing was asked.

    A word weighs more the fewer names hold it; words of the name that were not asked cost a little,
    so that "timber" finds "Timber" before "Timber, treated".
    """
    wanted = words(asked)
    if not wanted:
        return [1.0] * len(names)
    held = [words(name) for name in names]
    weights = _weights(wanted, held)
    total = sum(weights.values()) or 1.0
    scores = []
    for name in held:
        met = sum(weight * _likeness(word, name) for word, weight in weights.items())
        spare = sum(not any(_alike(word, other) for other in wanted) for word in name)
        scores.append(met / total * (1 - 0.15 * spare / max(len(name), 1)))
    return scores


def words(text: str) -> list[str]:
    """Return the words and numbers of a text in a form that can be compared."""
    plain = unicodedata.normalize("NFKD", _MARKS.sub(" ", text)).casefold().replace("−", "-")
    found = [word.replace(",", "") if word[0].isdigit() else _singular(word) for word in _WORD.findall(plain)]
    return [word for word in found if word not in _empty()]


@cache
def _empty() -> frozenset[str]:
    """Return the words that tell no row or column apart."""
    return frozenset(tomllib.loads((data_folder() / "tables.toml").read_text(encoding="utf-8"))["empty"])


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _weights(wanted: Sequence[str], held: Sequence[Sequence[str]]) -> dict[str, float]:
    holders = Counter({word: sum(_likeness(word, name) > 0 for name in held) for word in wanted})
    return {word: math.log(1 + len(held) / (1 + holders[word])) + 0.1 for word in wanted}


def _likeness(word: str, name: Sequence[str]) -> float:
    if word in name:
        return 1.0
    return 0.8 if any(_alike(word, other) for other in name) else 0.0


def _alike(word: str, other: str) -> bool:
    if word == other:
        return True
    shorter, longer = sorted((word, other), key=len)
    if len(shorter) < 3 or any(character.isdigit() for character in word + other):
        return False
    if longer.startswith(shorter[: max(4, len(shorter) - 2)]):
        return True
    return len(shorter) > 3 and fuzz.ratio(word, other) >= ALIKE
