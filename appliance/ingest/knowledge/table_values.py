"""Values that tables give: a cell that is a number, the quantity that its heads name, their conditions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from appliance.core.document import Cell, Table
from appliance.core.graph import Bound
from appliance.ingest.knowledge.quantities import Found, Name, is_power, names_in, raised_behind, whole
from appliance.ingest.knowledge.vocabulary import nouns
from appliance.tables.rows import (
    column_headers,
    columns,
    flat,
    header_rows,
    label_columns,
    row_sentence,
    rows,
    two_units,
    unit_of,
)
from appliance.text.numbers import unit_pattern

_SIGNS: dict[str, Bound] = {">=": ">=", "<=": "<=", ">": ">", "<": "<"}
_COMPARED = re.compile(r"[<>≤≥]")
_LONG_WORD = re.compile(r"[^\W\d_]{2,}")
_BRACKET = re.compile(r"[(\[](?P<inner>[^()\[\]]{1,40})[)\]]\s*$")
_BARE = re.compile(r"[\W\d_]+")  # "3 & 4" says nothing without the head of its row
SURE, LIKELY, DOUBTFUL = 0.92, 0.85, 0.5
MOST = 2_000  # values of one table; what is beyond is reported
LONGEST = 120  # characters of a head that is a condition
OPENING = 3  # words of a title in which "Minimum" speaks for the whole table


@dataclass(frozen=True, slots=True)
class CellValue:
    """A value in a cell; `row` is the row read aloud."""

    cell: Cell
    name: str
    bound: Bound
    found: Found
    conditions: tuple[str, ...]
    row: str
    confidence: float
    rule: str


@dataclass(frozen=True, slots=True)
class _Heads:
    """What is said beside, above and over a cell, each with its unit."""

    columns: Sequence[str]
    row: Sequence[str]
    title: str
    naming: Sequence[str]  # those of `row` as the row itself prints them
    corner: str  # the head over the rows' labels

    @property
    def unit(self) -> str | None:
        """Return the unit that the nearest head with one gives a bare number, "" for none.

        None where that head has two, "lb (kN)": which one a number has is open.
        """
        said = (*reversed(self.columns), *reversed(self.row), self.title)
        head = next(filter(unit_of, said), "")
        return None if head and two_units(head) is not None else unit_of(head)


def cell_values(table: Table, symbols: Collection[str], *, comma: bool) -> Iterator[CellValue]:
    """Yield the values of a table in reading order; of more than MOST, one more than are kept.

    `symbols` are those that the document explains. Different numbers of one thing, which nothing in their
    heads tells apart, are all doubtful.
    """

    def meaning(value: CellValue) -> tuple[str, ...]:
        return (value.name.casefold(), value.bound, *value.conditions)

    found = list(islice(_read(table, symbols, comma=comma), MOST + 1))
    said: dict[tuple[str, ...], set[tuple[float, float, str]]] = defaultdict(set)
    for value in found:
        said[meaning(value)].add((value.found.low, value.found.high, value.found.unit))
    for value in found:
        yield _doubted(value) if len(said[meaning(value)]) > 1 else value


def _read(table: Table, symbols: Collection[str], *, comma: bool) -> Iterator[CellValue]:
    """Yield each value; what the heads do not surely name is doubtful."""
    over = {column: column_headers(table, column) for column in range(columns(table))}
    labels, title = label_columns(table), flat(table.title)
    headed, corner = header_rows(table) > 0, " ".join(over.get(0, ())[-1:])
    marks = frozenset(note.mark for note in table.notes)
    for row in rows(table):
        said, label = row_sentence(table, row), row.label
        if corner and label and (_BARE.fullmatch(label) or whole(label, "", comma=False)):
            label = f"{corner}: {label}"  # a bare number says nothing without its head: "Dwellings: 20"
        beside, printed = ([text for text in (row.group, own) if text] for own in (label, row.label))
        for cell in row.cells:
            if cell.row != row.number or cell.column < labels or not any(map(str.isdigit, cell.text)):
                continue
            heads = _Heads(over[cell.column], beside, title, printed, corner)
            unit = heads.unit
            one = None if unit is None else whole(flat(cell.text), unit, comma=comma)
            named = (_named(heads, one[1].unit) or _symbol(heads, symbols)) if one else None
            if not one or not named:
                continue
            (sign, found), (name, where, rule, confidence) = one, named
            # A strict bound that a cell prints stays strict.
            bound = _SIGNS.get(sign) or ("range" if found.ranged else name.bound) or _extreme(heads) or "="
            conditions = dict.fromkeys(
                f"{corner}: {text}" if rule == "row" and corner and _BARE.fullmatch(text) else text
                for text in (*beside, *heads.columns)
                if text != where and len(text) <= LONGEST and not set(_words(text)) <= set(nouns().extremes)
            )
            value = CellValue(cell, name.text, bound, found, tuple(conditions), said, confidence, rule)
            sure = headed and beside and heads.columns and all(len(head) <= LONGEST for head in beside)
            yield value if sure and not _unclear(cell.text, marks) else _doubted(value)


def _unclear(text: str, marks: frozenset[str]) -> bool:
    """Tell whether a power and a mark cannot be told apart: "10²" over a note 2, "12²" over none."""
    raised, bracket = raised_behind(text), _BRACKET.search(text)
    return (raised not in {"", "1"} and (raised in marks) == is_power(text)) or (
        bracket is not None and bracket["inner"] in marks
    )


def _doubted(value: CellValue) -> CellValue:
    return replace(value, confidence=min(value.confidence, DOUBTFUL))


def _named(heads: _Heads, unit: str) -> tuple[Name, str, str, float] | None:
    """Return the quantity, the head that names it, which rule, and how sure it is.

    Where a nearer head names another quantity, or a unit that is not understood, the farther is doubted;
    but "Distance in mm" over "Appliance with pressure jet" is of millimetres, and pressures are none.
    """
    doubt = misfit = False
    for texts, rule, sure in (
        (tuple(reversed(heads.columns)), "column", SURE),
        (tuple(reversed(heads.naming)), "row", SURE),
        ((heads.title,), "title", LIKELY),
    ):
        for text in texts:
            if _COMPARED.search(text):
                break  # "0° ≤ α ≤ 30°" is a condition, and the head over it says of what
            names = names_in(text)
            fitting = [name for name in names if name.fits(unit)]
            if fitting:
                says_unit = rule == "column" and bool(unit) and unit_of(text) == unit
                certain = not doubt and (not misfit or says_unit) and (unit or len(fitting) == 1)
                return fitting[0], text, rule, sure if certain else DOUBTFUL
            bracket, words = _BRACKET.search(text), _LONG_WORD.findall(text.casefold())
            if bracket and not unit_of(text) and unit_pattern().match(bracket["inner"]):
                doubt = True  # it ends with what looks like a unit: "(l/ person/ day)"
            elif not unit and any(unit_pattern().fullmatch(word) for word in words):
                doubt = True  # it names a unit anywhere: "Litres/ person/day = ..."
            misfit = misfit or bool(names)
    return None


def _symbol(heads: _Heads, symbols: Collection[str]) -> tuple[Name, str, str, float] | None:
    """Return a symbol that the document explains, where it is all that a head says."""
    for text in (*reversed(heads.columns), *reversed(heads.row)):
        bare = text.removesuffix(f"({unit_of(text)})").removesuffix(f"[{unit_of(text)}]").strip(" ,")
        if bare in symbols:
            return Name(0, len(bare), bare, ""), text, "symbol", LIKELY
    return None


def _extreme(heads: _Heads) -> Bound | None:
    known = nouns().extremes
    beside = [text for text in heads.row if not names_in(text)]  # "Max. roof area: 53" speaks of the area
    near = [word for text in (*reversed(heads.columns), *beside) for word in _words(text)]
    words = [*near, *_words(heads.title)[:OPENING]]
    return next((known[word] for word in words if word in known), None)


def _words(text: str) -> Sequence[str]:
    return [word.strip(".,:;()[]*") for word in text.casefold().split()]
