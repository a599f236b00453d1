"""The cells of a row that a question wants, told by the heads of their columns.

Rules of this module: pure. What is wanted is named before the first "of" or "for"; a column whose head holds
that noun decides, though the title of the table holds it too. A column that holds a number that the question
states ("100 mm" under "Pipe size (mm)") says for which case it asks and never answers it. A bound ("minimum")
names no column: it chooses among those of the wanted noun; a head with the opposite bound is out. A row of
another case has none that decides, nor one of which no column can be told. Words: data/answer/columns.toml.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from appliance.answer.contrary import opposed
from appliance.answer.measured import held_unit, in_unit
from appliance.answer.named import named_columns
from appliance.core.document import Cell, Table
from appliance.core.files import shipped
from appliance.retrieval.query.decomposition import asks_whether, in_digits
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.lookup import match, words
from appliance.tables.ranges import Range, Token, alike, tokens
from appliance.tables.rows import Row, column_headers, columns, label_columns, side_by_side, unit_of

CLEAR = 0.05  # how much better than all others a column must answer to be the one that decides
NAMED = 0.3  # of the asked words, by weight, that its headers must hold at least

_RATIO = re.compile(r"\d+:\d+")


@dataclass(frozen=True, slots=True)
class _Case:
    """What a question states of its case: each number with where it is looked up; the words that say it."""

    numbers: tuple[tuple[Token, frozenset[int]], ...] = ()
    said: frozenset[str] = frozenset()

    @property
    def columns(self) -> frozenset[int]:
        """Return the columns in which the case is looked up."""
        return frozenset().union(*(held for _, held in self.numbers))


def deciding(asked: str, table: Table, row: Row) -> tuple[Cell, ...]:
    """Return the cells of a row in the columns that a question names, none where it names no one clearly.

    A number of the question leaves the columns whose header holds it; of these its words may name some.
    """
    held, case = named_columns(asked, table), _case(asked, table)
    filled = _values(asked, table, row, of_case=bool(case.columns))
    if not _fits(case, table, row):
        return ()
    cells = [cell for cell in filled if not held or _spans(cell, held)] or filled
    meant = [cell for cell in cells if not opposed(asked, _head(table, cell))]
    free = [cell for cell in meant if cell.column not in case.columns]
    chosen = _named(asked, table, row, free, case.said) if free else ()
    if not chosen and case.columns and asks_whether(asked):  # "is a going of 250 mm enough"
        chosen = _by_noun(asked, table, row, cells, frozenset()) or ()
    elif not chosen and 0 < len(meant) < len(filled):
        chosen = tuple(meant)
    return tuple(chosen) if len(chosen) < len(filled) else ()


def _values(asked: str, table: Table, row: Row, *, of_case: bool) -> list[Cell]:
    """Return the filled cells of a row that may answer: behind its labels, and labels that are numbers.

    The numbers of the first column answer only where another one holds that of the question: "roof area of a
    100 mm gutter" reads the table backwards. Of parts side by side only the one that names the row counts.
    """
    labels = label_columns(table)
    part = part_of(asked, table, row)
    return [
        cell
        for cell in row.cells
        if cell.text.strip()
        and cell.column in part
        and (cell.column >= labels or ((cell.column or of_case) and _holds_numbers(table, cell.column)))
    ]


def part_of(asked: str, table: Table, row: Row) -> range:
    """Return the columns of the part of a table that a question asks about, all where it has one part.

    A long list is printed in parts side by side, the head of the labels repeated over each.
    """
    parts = side_by_side(table)
    if len(parts) == 1:
        return range(columns(table))
    names = {cell.column: cell.text for cell in row.cells}
    scores = match(asked, [names.get(part.start, "") for part in parts])
    best = max(range(len(parts)), key=lambda at: scores[at])
    return range(parts[best].start + bool(best), parts[best].stop)


def echoed(asked: str, table: Table, row: Row) -> bool:
    """Tell whether what a question wants is named by the column of the number that it states alone."""
    case, labels = _case(asked, table), label_columns(table)
    if not case.columns or asks_whether(asked):
        return False
    cells = [cell for cell in row.cells if cell.column >= labels and cell.text.strip()]
    free = [cell for cell in cells if cell.column not in case.columns]
    return not deciding(asked, table, row) and bool(
        _by_noun(asked, table, row, cells, frozenset()) and not _by_noun(asked, table, row, free, frozenset())
    )


def case_of(asked: str, table: Table) -> bool:
    """Tell whether a column behind the labels of a table holds a number that a question states."""
    return bool(_case(asked, table).numbers)


def of_the_case(asked: str, table: Table, found: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows that hold every number that a question states of its case, all where none does."""
    case = _case(asked, table)
    return tuple(row for row in found if _fits(case, table, row)) or tuple(found)


def _named(
    asked: str, table: Table, row: Row, cells: Sequence[Cell], said: Collection[str]
) -> Sequence[Cell]:
    """Return the cells under what is wanted, else those that the other words of the question name."""
    found = _by_noun(asked, table, row, cells, said)
    if found is not None:
        return found
    heads = [" ".join(_nouns(table, cell)) for cell in cells]
    plain = asked_in_digits(asked, f"{table.title} {row.label}")
    scores = match(" ".join(word for word in plain.split() if not _side([word]) and word not in said), heads)
    best = max(scores, default=0.0)
    chosen = [cell for cell, score in zip(cells, scores, strict=True) if score >= best - CLEAR]
    return _bounded(asked, table, chosen) if best >= NAMED and len(chosen) < len(cells) else ()


def _by_noun(
    asked: str, table: Table, row: Row, cells: Sequence[Cell], said: Collection[str]
) -> Sequence[Cell] | None:
    """Return the cells under the wanted noun, empty where its bound is out, None where no head holds it.

    A noun of the title that no head holds is that of the heads without a noun ("Minimum", "Maximum").
    """
    heads = {cell: _nouns(table, cell) for cell in cells}
    common = [word for word in words(f"{table.title} {row.group} {row.label}") if not _tells(word, heads)]
    own = words(row.label)
    telling = {word for head in heads.values() for word in head}
    wanted = [
        [word for word in phrase if word not in {*own, *said} and not _is_any(word, common)]
        for phrase in _wanted(asked, telling)
    ]
    nouns = [phrase[-1] for phrase in wanted if phrase]
    bare = [cell for cell, head in heads.items() if not head]
    if not nouns:
        return _bounded(asked, table, bare) if bare and _side(words(asked)) else None
    found = [cell for cell, head in heads.items() if any(_is_any(noun, head) for noun in nouns)]
    if not found:
        return None
    if len(nouns) == 1:
        scores = match(" ".join(next(filter(None, wanted))), [" ".join(heads[cell]) for cell in found])
        found = [cell for cell, score in zip(found, scores, strict=True) if score >= max(scores) - CLEAR]
        known = {*own, *said, *words(f"{table.title} {row.group}")}
        found = [cell for cell in found if not _of_another(asked, nouns[0], _head(table, cell), known)]
    return _bounded(asked, table, found)


def _of_another(asked: str, noun: str, head: str, known: Collection[str]) -> bool:
    """Tell whether "diameter of a branch pipe" is asked of a head that says "diameter of trap".

    `known` are the words of the row, the title and the case: "diameter of a washbasin" is asked of its row.
    """
    before, of_it = _cut(asked)
    first, second = _cut(head)
    if not any(alike(noun, word) for word in before) or not any(alike(noun, word) for word in first):
        return False
    strange = [word for word in of_it if not _is_any(word, known) and not word[0].isdigit()]
    return bool(second and strange) and not any(_is_any(word, words(asked)) for word in second)


def _cut(text: str) -> tuple[list[str], list[str]]:
    """Return the words before the first "of" or "for", and those between it and the next."""
    cut = [*re.split(rf"\b(?:{'|'.join(map(re.escape, _data()['behind']))})\b", text.casefold()), ""]
    return words(cut[0]), words(re.sub(r"\([^)]*\)", " ", cut[1]))


def _wanted(asked: str, heads: Collection[str]) -> list[list[str]]:
    """Return the words of each quantity that a question wants, without bounds, numbers and small words.

    A small word that stands in a head is kept: the "going" of a stair.
    """
    stop, data = load_lexicon().stop - set(heads), _data()
    phrases: list[list[str]] = [[]]
    for said in re.findall(r"[^\W_]+|[,/&]", asked.casefold()):
        if said in data["behind"] and any(phrases):
            break
        if said in data["joining"]:
            phrases.append([])
        elif said not in stop and not said[0].isdigit() and not _side([said]):
            phrases[-1] += words(said)
    return phrases


def _bounded(asked: str, table: Table, cells: Sequence[Cell]) -> Sequence[Cell]:
    """Return the cells under the bound that is asked for, else those under none; all where none is asked."""
    sides = _side(words(asked))
    if len(sides) != 1:
        return cells
    held = {cell: _side(words(_head(table, cell))) for cell in cells}
    return [cell for cell in cells if sides <= held[cell]] or [cell for cell in cells if not held[cell]]


def _case(asked: str, table: Table) -> _Case:
    """Return what a question states of its case: numbers in a column of their unit, and what says them.

    A number without a unit counts only beside a word of the head; so does a range that merely holds it.
    """
    numbers: list[tuple[Token, frozenset[int]]] = []
    said: set[str] = set()
    stated, by_head = tokens(asked), named_columns(asked, table)
    for at, number in enumerate(stated):
        if not (number.point if isinstance(number, Range) else _RATIO.fullmatch(number)):
            continue
        if any(_is_in_head(table, column, number) for column in by_head):
            continue
        said.update(_said(number))
        near = {word for word in stated[max(at - 2, 0) : at + 3] if isinstance(word, str)} - said
        beside = {
            column: {word for word in near if _is_any(word, words(" ".join(column_headers(table, column))))}
            for column in range(label_columns(table), columns(table))
            if column not in by_head
        }
        held = {column for column, own in beside.items() if _holds(table, column, number, named=bool(own))}
        if held:
            numbers.append((number, frozenset(held)))
            said.update(*(beside[column] for column in held), _digits(number))
    return _Case(tuple(numbers), frozenset(said))


def _is_in_head(table: Table, column: int, number: Token) -> bool:
    """Tell whether a number is the code in the head of a column, as the 2 of "zone 2"."""
    return (
        isinstance(number, Range)
        and not number.unit
        and number in tokens(" ".join(column_headers(table, column)))
    )


def _said(number: Token) -> list[str]:
    """Return the words of a number that no head is named by: its unit, both figures of a slope."""
    return words(number.unit if isinstance(number, Range) else number)


def _digits(number: Token) -> list[str]:
    return words(f"{number.low:g}") if isinstance(number, Range) else []


def _fits(case: _Case, table: Table, row: Row) -> bool:
    """Tell whether a row holds each number of the case, wherever the table has such a number."""
    return all(
        any(
            _is_it(cell.text, number, _unit(table, cell.column), named=True)
            for cell in row.cells
            if cell.column in held
        )
        for number, held in case.numbers
    )


def _holds(table: Table, column: int, number: Token, *, named: bool) -> bool:
    """Tell whether a cell of a column is a number of a question; `named` where its head is spoken of."""
    unit = _unit(table, column)
    cells = (cell.text for cell in table.cells if cell.column == column and not cell.header)
    return any(_is_it(text, number, unit, named=named) for text in cells)


def _is_it(text: str, number: Token, unit: str, *, named: bool) -> bool:
    held = tokens(text)
    if not isinstance(number, Range):
        return number in held
    ranges = [one for one in held if isinstance(one, Range)]
    sames = [(one, in_unit(number, one.unit or unit)) for one in ranges]
    if named:
        return any(same is not None and one.holds(same.low) for one, same in sames)
    return (
        bool(number.unit)
        and len(held) == len(ranges) == 1
        and any(same is not None and one.point and one.low == same.low for one, same in sames)
    )


def _unit(table: Table, column: int) -> str:
    return held_unit(column_headers(table, column))


def _head(table: Table, cell: Cell) -> str:
    return " ".join(column_headers(table, cell.column))


def _nouns(table: Table, cell: Cell) -> list[str]:
    """Return the words over a cell without its unit and bounds."""
    headers = column_headers(table, cell.column)
    units = {word for text in headers for word in words(unit_of(text))}
    return [word for text in headers for word in words(text) if word not in units and not _side([word])]


def _tells(word: str, heads: Mapping[Cell, Sequence[str]]) -> bool:
    """Tell whether a word stands over some cells and not over others."""
    return 0 < sum(_is_any(word, head) for head in heads.values()) < len(heads)


def _side(said: Sequence[str]) -> frozenset[str]:
    """Return which bounds words name: "least", "most"."""
    return frozenset(side for side, known in _data()["bounds"].items() if not set(known).isdisjoint(said))


def _is_any(word: str, others: Collection[str]) -> bool:
    return any(alike(word, other) for other in others)


def _holds_numbers(table: Table, column: int) -> bool:
    """Tell whether most cells of a column begin with a number ("1.10 Gkj,sup"): they name no row."""
    texts = [cell.text.strip() for cell in table.cells if cell.column == column and not cell.header]
    return 2 * sum(text[:1].isdigit() for text in texts) > len(texts)


def _spans(cell: Cell, wanted: Collection[int]) -> bool:
    return any(column in wanted for column in range(cell.column, cell.column + cell.column_span))


def asked_in_digits(asked: str, besides: str = "") -> str:
    """Return the words of a question without those of a text, its numbers in digits."""
    known = set(words(besides))
    return " ".join(word for word in words(in_digits(asked)) if word not in known)


@cache
def _data() -> dict[str, Any]:
    return shipped("answer/columns")
