"""Cells in which values, or a value and the mark of its note, have run together: each told with its box."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from appliance.core.document import Cell, Problem, Table
from appliance.core.mechanisms import mechanism
from appliance.tables.rows import columns, flat, label_columns
from appliance.text.numbers import unit_pattern

FEW = 0.34  # of the cells of values of a column or a table may hold several; with more it is printed so
LEAST = 3  # cells with one value, from which others are told to be odd
TWO_COLUMNS = 2  # cells of a column with bare numbers that follow each other, from which it may be two

_GROUPS = re.compile(r"(?<=\d) (?=\d{3}(?!\d|[.,/:]\d))")
_SIGN = re.compile(r"(?<!\S)([+−–-]) (?=\d)")
_RANGE = re.compile(r"\d+(?:[.,]\d+)? [-–—] \d+(?:[.,]\d+)?")  # the first without a sign: no minus behind it
_RANGED = re.compile(r"(\d+(?:[.,]\d+)?) ([^\W\d_]{1,4}) (\d+(?:[.,]\d+)?)(?!\S)")  # "6 to 9"
_VALUE = re.compile(r"[+−–<>≤≥±~-]*\d+(?:[.,]\d+)?(?:[/:]\d+(?:[.,]\d+)?)?°?")  # "200/25" and "1:20" are one
_MARKED = re.compile(r"(?<![^\s<>=≤≥±−–-])\d+[.,]\d+\)(?![^\s,;.)])")  # "16,01)" for 16,0 with the mark 1)
_AND_A_PART = re.compile(r"(?<=\d) (?=(?:1/[2-9]|[1-9]/(?:4|8|16|32))(?![\d/]))")  # "1 1/2"


@mechanism(
    "tables.cells_merged", "Cells that were merged by mistake are doubtful.", without=lambda *_: iter(())
)
def merged_cells(table: Table) -> Iterator[Cell]:
    """Yield the cells that hold several values in a column, or a table, of single ones, or bare ones."""
    first = label_columns(table)
    body = [cell for cell in table.cells if not cell.header and cell.column >= first]
    counted = {id(cell): values(cell.text) for cell in body}
    whole = _odd(body, counted)
    for column in range(1, columns(table)):
        own = [cell for cell in table.cells if not cell.header and cell.column == column]
        bare = [cell for cell in own if _is_bare(cell.text) and values(cell.text) > 1]
        valued = own if column >= first else []
        odd = _odd(valued, counted)
        single = sum(counted[id(cell)] == 1 for cell in valued)
        found = odd if odd or single >= LEAST else [cell for cell in valued if cell in whole]
        both = bare if len(bare) >= TWO_COLUMNS else []
        yield from (cell for cell in own if cell in found or cell in both)


def values(text: str) -> int:
    """Return how many values follow each other in a cell, 0 where it holds anything else."""
    plain = _RANGED.sub(_end, _AND_A_PART.sub(".", _GROUPS.sub("", flat(text))))
    count = 0
    for part in () if _RANGE.fullmatch(plain) else _SIGN.sub(r"\1", plain).split():
        if _VALUE.fullmatch(part):
            count += 1
        elif not count or not unit_pattern().fullmatch(part):
            return 0
    return count


def _is_bare(text: str) -> bool:
    """Tell whether no letter, of a unit or of a word, stands in a cell."""
    return not any(sign.isalpha() for sign in text)


def _end(ranged: re.Match[str]) -> str:
    """Return the second number of a range, and the whole of two numbers with a unit between them."""
    return ranged[0] if unit_pattern().fullmatch(ranged[2]) else ranged[3]


def _odd(cells: Sequence[Cell], counted: dict[int, int]) -> list[Cell]:
    """Return the cells with several values where most others have one."""
    single = sum(counted[id(cell)] == 1 for cell in cells)
    several = [cell for cell in cells if counted[id(cell)] > 1]
    return several if single >= LEAST and len(several) <= FEW * (single + len(several)) else []


def merged_cell_problems(tables: Sequence[Table]) -> Iterator[Problem]:
    """Yield a doubt for each cell in which values, or a value and the mark of its note, have run together."""
    for table in tables:
        for cell in merged_cells(table):
            yield _doubt(
                table, cell, "holds several values in one cell: see which of them it is on the page."
            )
        for cell in table.cells:
            if _MARKED.search(cell.text) and cell.text.count(")") > cell.text.count("("):
                why = "ends in a bracket that nothing opens: its last figure may be the mark of a note; "
                yield _doubt(table, cell, why + "compare it with the page.")


def _doubt(table: Table, cell: Cell, why: str) -> Problem:
    page, text = cell.box.page, flat(cell.text).replace("”", '"').replace("“", '"')
    return Problem(f"“{text}” in {table.label} on page {page} {why}", page, cell.box, doubt=True)
