"""A table as rows with header paths and group headings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from appliance.core.document import Box, Cell, Table
from appliance.core.files import shipped
from appliance.text.numbers import CODED, unit_pattern
from appliance.text.sentences import BULLETS

_COUNT = re.compile(r"\(?(?:\d{1,3}|[a-z]|[ivx]+)[.)]*", re.IGNORECASE)
SET_IN = 0.004  # of the width of a page: a label that begins so much further right is set in
_ITEM = re.compile(rf"[{BULLETS}]\s")
_MEASURED, _WORD = re.compile(r"\s*[<>≤≥±+−-]?\s?\d"), re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class _Group:
    """The heading of a group, where it begins, and how the rows under it so far differ from it."""

    heading: Cell
    depth: float
    deeper: bool | None = None  # whether they begin further right; None before the first


def _headings(table: Table, labels: Sequence[Cell | None], titles: Sequence[bool]) -> Iterator[Cell | None]:
    """Yield the heading of each row, None for one under none; a title stands under no other.

    `labels` are the cells of the first column row by row, `titles` tells which are only headings.
    """
    sides: dict[int, float] = {}  # where the first column begins on each page
    for cell in (cell for cell in table.cells if cell.column == 0):
        sides[cell.box.page] = min(cell.box.x0, sides.get(cell.box.page, 1.0))
    groups: list[_Group] = []
    for label, title in zip(labels, titles, strict=True):
        if label is not None:
            depth = label.box.x0 - sides[label.box.page]
            while groups and not _set_in(groups[-1], label, depth) and (title or groups[-1].deeper):
                groups.pop()
            groups = [
                replace(group, deeper=_set_in(group, label, depth)) if group.deeper is None else group
                for group in groups
            ]
            groups += [_Group(label, depth)] if title else []
        yield groups[-1].heading if groups and not title else None


def _set_in(group: _Group, label: Cell, depth: float) -> bool:
    listed = bool(_ITEM.match(label.text)) and not _ITEM.match(group.heading.text)
    return listed or depth > group.depth + SET_IN


NUMBERED = 2  # columns that may name a row beside its label; more are values

_AT_END = re.compile(
    r"(?:(?P<divided>[^\s()\[\]]{1,8}\s?/\s?\([^()\[\]]{1,12}\))"  # "W/(m²·K)": not what its brackets hold
    r"|\((?P<round>[^()]{1,24}(?:\([^()]*\))?)\)|\[(?P<square>[^\[\]]{1,24})\]"
    r"|\bin (?P<after>\S{1,16}(?:(?<=/m)\s[23])?))$"
)
SYMBOL = 3  # characters of a symbol with its index at most

_BARE_NUMBER = re.compile(r"[<>≤≥±−-]?\s?\d[\d.,\s]*(?:\s?(?:to|–|-|/)\s?\d[\d.,]*)?")


@dataclass(frozen=True, slots=True)
class Row:
    """A body row: `label` are its leading words, `group` the heading above it in the body."""

    number: int
    label: str
    cells: tuple[Cell, ...]
    heading: Cell | None = None

    @property
    def group(self) -> str:
        """Return the words of the heading, "" where there is none."""
        return flat(self.heading.text) if self.heading else ""


def columns(table: Table) -> int:
    """Return the number of columns."""
    return max((cell.column + cell.column_span for cell in table.cells), default=0)


def height(table: Table) -> int:
    """Return the number of rows."""
    return max((cell.row + cell.row_span for cell in table.cells), default=0)


def positions(table: Table) -> dict[tuple[int, int], Cell]:
    """Return which cell stands at each (row, column); a cell's own corner is never covered by a span."""
    taken = {(cell.row, cell.column): cell for cell in table.cells}
    for cell in table.cells:
        for row in range(cell.row, cell.row + cell.row_span):
            for column in range(cell.column, cell.column + cell.column_span):
                taken.setdefault((row, column), cell)
    return taken


def header_rows(table: Table) -> int:
    """Return how many rows at the top are headers."""
    rows = height(table)
    said = [cell for cell in table.cells if not cell.header and cell.text.strip()]
    return min((cell.row for cell in said), default=rows)


def column_headers(table: Table, column: int) -> tuple[str, ...]:
    """Return the headers above a column, from the top, each once."""
    above = sorted(_heads(table, column, 1), key=lambda cell: cell.row)
    return tuple(dict.fromkeys(flat(cell.text) for cell in above if cell.text.strip()))


def cell_headers(table: Table, cell: Cell) -> tuple[str, ...]:
    """Return the headers above a cell, from the top: of several columns those of each, as "min, max"."""
    paths = [column_headers(table, cell.column + at) for at in range(cell.column_span)]
    shared = tuple(head for head in paths[0] if all(head in path for path in paths))
    apart = dict.fromkeys(" ".join(head for head in path if head not in shared) for path in paths)
    return (*shared, *filter(None, [", ".join(filter(None, apart))]))


def _heads(table: Table, column: int, width: int) -> list[Cell]:
    """Return the header cells over so many columns from this one on."""
    heads = (cell for cell in table.cells if cell.header)
    return [cell for cell in heads if _meet(cell.column, cell.column_span, column, width)]


def heads_apart(table: Table, numbers: Iterable[int]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the headers above all of several columns, and those above each of them alone."""
    heads = [column_headers(table, column) for column in numbers]
    several = heads[0] if len(heads) > 1 else ()
    shared = tuple(head for head in several if all(head in own for own in heads))
    return shared, [tuple(head for head in own if head not in shared) for own in heads]


def headed_alike(table: Table) -> dict[int, list[int]]:
    """Return for each column the others whose heads are other cells with the same words.

    A table of several parts side by side names the columns of its labels alike too: it is left out.
    """
    labels = label_columns(table)
    heads = {column: _heads(table, column, 1) for column in range(labels, columns(table))}
    named = {column: tuple(flat(cell.text) for cell in cells) for column, cells in heads.items()}
    if not {column_headers(table, column) for column in range(labels)}.isdisjoint(named.values()):
        return {}
    return {
        column: [
            other
            for other, others in heads.items()
            if other != column and any(named[column]) and named[other] == named[column] and others != cells
        ]
        for column, cells in heads.items()
    }


def naming(table: Table, cell: Cell) -> tuple[Cell, ...]:
    """Return the heads and labels that a cell answers to: whatever is doubtful in them is doubtful in it."""
    over = _heads(table, cell.column, cell.column_span)
    labels = label_columns(table)
    beside = [
        other
        for other in table.cells
        if not other.header
        and other.column < min(labels, cell.column)
        and _meet(other.row, other.row_span, cell.row, cell.row_span)
    ]
    return tuple(other for other in (*over, *beside) if other is not cell and other.text.strip())


def _meet(one: int, length: int, other: int, width: int) -> bool:
    return one < other + width and other < one + length


def rows(table: Table) -> Iterator[Row]:
    """Yield the body rows in order; a row that is only a heading becomes the group of those below."""
    width, labels = columns(table), range(counting_columns(table), label_columns(table))
    numbers = range(header_rows(table), height(table))
    body = sorted((cell for cell in table.cells if not cell.header), key=lambda cell: cell.column)
    across: dict[int, list[Cell]] = {number: [] for number in numbers}
    for cell in body:
        for number in range(max(cell.row, numbers.start), cell.row + cell.row_span):
            across[number].append(cell)
    lines = [tuple(cells) for cells in across.values()]
    filled = [[cell for cell in cells if cell.text.strip()] for cells in lines]
    firsts = [cells[0] if cells and not cells[0].column else None for cells in filled]
    titles = [width > 1 and len(cells) == 1 and not cells[0].column for cells in filled]
    over = _headings(table, firsts, titles)
    for number, cells, said, heading in zip(numbers, lines, filled, over, strict=True):
        label = " ".join(dict.fromkeys(flat(cell.text) for cell in said if cell.column in labels))
        yield Row(number, label, cells, heading)


def counting_columns(table: Table) -> int:
    """Return how many leading columns only count the rows ("Sl. No."), 0 or 1: they name none."""
    heads = " ".join(column_headers(table, 0)).casefold()
    head = " ".join(heads.replace(".", " ").split())
    if columns(table) <= 2 or head not in shipped("tables")["serial"]:
        return 0
    body = [cell.text.strip() for cell in table.cells if not (cell.header or cell.column)]
    return int(all(_COUNT.fullmatch(text) for text in body if text))  # "Item" may head names


def label_columns(table: Table) -> int:
    """Return how many leading columns name the rows: those with fewer numbers than words, at least one.

    One that only counts the rows is among them, with the one behind it. Letters that stand again and again
    ("P", "N/A") name none.
    """
    counting = counting_columns(table)
    body = [cell for cell in table.cells if not cell.header and cell.text.strip()]
    width = columns(table)
    count = 0
    for column in range(max(width - 1, 1)):
        texts = [cell.text for cell in body if cell.column == column]
        coded = sum(bool(CODED.fullmatch(text.strip())) for text in texts) > 2 * len(set(texts))
        if column > counting and (coded or sum(map(_is_value, texts)) * 2 >= len(texts)):
            break
        count = column + 1
    return max(count, 1)


def naming_columns(table: Table) -> range:
    """Return the columns that tell rows of one label apart: the service class beside "Solid timber"."""
    labels, width = label_columns(table), columns(table)
    body = [
        row for row in rows(table) if any(cell.column >= labels and cell.text.strip() for cell in row.cells)
    ]
    for count in range(labels, min(width, labels + NUMBERED + 1)):
        keys = {
            (row.group, *(without_marks(flat(c.text)).casefold() for c in row.cells if c.column < count))
            for row in body
        }
        if len(keys) == len(body):
            return range(labels, count)
    # All but the last column where no fewer do: whatever is left out may be what the row is for.
    return range(labels, max(width - 1, labels) if width - 1 - labels <= NUMBERED else labels)


def row_names(table: Table, row: Row, numbers: Iterable[int]) -> tuple[str, ...]:
    """Return what names a row: its group, its label, and the numbers of these columns with their heads."""
    beside = [
        " ".join([*column_headers(table, cell.column)[-1:], flat(cell.text)])
        for cell in row.cells
        if cell.column in numbers and cell.text.strip()
    ]
    return tuple(name for name in (row.group, row.label, *beside) if name)


def told_rows(table: Table) -> Iterator[tuple[Row, str]]:
    """Yield each body row with it as a sentence: "group, label: header value; header value"."""
    labels = label_columns(table)
    headed = replace(table, cells=tuple(cell for cell in table.cells if cell.header))  # few, looked up often
    for row in rows(table):
        named = ", ".join(part for part in (row.group, row.label) if part)
        said = "; ".join(
            with_unit(", ".join(cell_headers(headed, cell)), flat(cell.text))
            for cell in row.cells
            if cell.column >= labels and cell.text.strip()
        )
        yield row, ": ".join(part for part in (named, said) if part)


def with_unit(header: str, value: str) -> str:
    """Return header and value; a unit that the header holds for a bare number goes to the number.

    "Rate (l/s)" and "60" give "Rate (l/s) 60 l/s": what is built from must not be read without its unit.
    """
    found = unit_of(header)
    if not found or not _BARE_NUMBER.fullmatch(without_marks(value)):
        return f"{header} {value}".strip()
    return f"{header} {value} {found}"


def without_marks(value: str) -> str:
    """Return a value without the raised footnote marks at its end ("24.0ᵃ,ᵇ")."""
    end = len(value)
    while end and (value[end - 1] in ", " or unicodedata.decomposition(value[end - 1]).startswith("<super>")):
        end -= 1
    return value[:end]


def unit_of(header: str) -> str:
    """Return the unit at the end of a header, "Rise (mm)", "Density γ, in kN/m³"; "" where there is none.

    Of two it is the first, "lb" of "Load, lb (kN)": that of a number without brackets.
    """
    if both := two_units(header):
        return both[0]
    found = _AT_END.search(header)
    if not found:
        return ""
    unit = (found["divided"] or found["round"] or found["square"] or found["after"]).strip()
    if found["round"] and is_glued(header, found.start(), unit):
        return ""
    return unit if unit_pattern().fullmatch(unit) else ""


def is_glued(text: str, start: int, held: str) -> bool:
    """Tell whether a letter in brackets is of what it is glued to: of "f(s)", a function, or of "wall(s)"."""
    before = text[:start].rpartition(" ")[2]
    return len(held) == 1 and bool(before) and (len(before) <= SYMBOL or held in shipped("units")["endings"])


def two_units(header: str) -> tuple[str, str] | None:
    """Return the unit before the bracket and that in it, ("lb", "kN") of "Load, lb (kN)"; else None."""
    found = _two_units().search(header)
    return (found["first"], found["second"]) if found and found["first"] != found["second"] else None


@cache
def _two_units() -> re.Pattern[str]:
    """Return what matches two units at the end of a header, one of which is no letter of a formula."""
    listed = shipped("tables")["units"]
    other, paired = (
        "|".join(map(re.escape, sorted(listed[name], key=len, reverse=True)))
        for name in ("customary", "paired")
    )
    metric = unit_pattern().pattern
    old = rf"(?:{other})(?:\s?[/·-]\s?(?:{other}|{metric}))*"
    pairs = [(old, rf"{old}|{metric}"), (metric, old), (paired, metric)]
    ways = (rf"(?:{one})\s?(?:\((?:{two})\)|\[(?:{two})\])$" for one, two in pairs)
    seen = rf"(?:^|(?<=[\s,;:])(?<!\d\s))(?={'|'.join(ways)})"  # of a condition "at 20 °C (kg/m³)" it is none
    return re.compile(rf"{seen}(?P<first>[^()\[\]]+?)\s?[(\[](?P<second>[^\[\]]+)[)\]]$")


def row_sentences(table: Table) -> tuple[tuple[int, str, tuple[Box, ...]], ...]:
    """Return each row that says something as (row number, sentence, boxes of its cells)."""
    return tuple(
        (row.number, text, tuple(cell.box for cell in row.cells if cell.row == row.number))
        for row, text in told_rows(table)
        if text
    )


def flat(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split())


def _is_value(text: str) -> bool:
    """Tell whether a cell gives a value: mostly digits, or a number followed by units or symbols alone."""
    if _MEASURED.match(text) and not _WORD.search(text):
        return True
    digits = sum(character.isdigit() for character in text)
    letters = sum(character.isalpha() for character in text)
    return (digits > 0 and digits >= letters) or not letters
