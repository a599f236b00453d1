"""The row of a table that holds where a question names no special case: "normal weight", "general".

Rules of this module: pure. Rows that stand under the same words belong together. One of them is the ordinary
case where its label begins with such a word (`ordinary` of data/tables.toml) and what else it says its
neighbours say too. It decides only where the question names what the rows stand under, and no word that
tells another row of them: "lightweight concrete" is not answered by the normal one.

A cell of one row that is much taller than its neighbours may hold the heading over the rows that follow and
its own name in one. It does where one of these is named as it is ("class 1,0" under "light, class 0,8");
any other is a long label. Of it only the leading words are used, and only where the question names them. A
cell over several rows heads these alone, and they say it themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from statistics import median

from appliance.core.document import Cell, Table
from appliance.core.files import shipped
from appliance.tables.lookup import words
from appliance.tables.ranges import alike
from appliance.tables.rows import Row, flat

TALL = 1.7  # times the height of the usual label: a heading stands in the same cell
ALIKE = 2  # first words that a row shares with the last ones of such a cell
LEADING = 3  # words of such a cell among which its heading is looked for

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Head:
    """What rows stand under: the printed words that the question names, and the cell that holds them."""

    words: str = ""
    cell: Cell | None = None


def heads(asked: str, body: Sequence[Row]) -> dict[int, Head]:
    """Return what each row stands under as far as the question names it, by the number of the row."""
    tall = _tall(body)
    found: dict[int, Head] = {}
    current = Head()
    for row in body:
        if row.heading is not None:
            named = bool(_shared(words(asked), words(row.group)))
            current = Head()
            found[row.number] = Head(row.group, row.heading) if named else Head()
            continue
        if (cell := tall.get(row.number)) is not None:
            glued = _heads(cell, row, body, tall)
            current = Head(_leading(asked, flat(cell.text)), cell) if glued else Head()
        elif (label := _label(row)) is not None and label.row_span > 1:
            current = Head()
        found[row.number] = current if current.words else Head()
        if current.cell is not None and (whole := _above(flat(current.cell.text), row.label)):
            found[current.cell.row] = found[row.number] = Head(whole, current.cell)
    return found


def _tall(body: Sequence[Row]) -> dict[int, Cell]:
    """Return the label cells of one row that are taller than the usual one, by the number of their row."""
    labels = {row.number: cell for row in body if (cell := _label(row)) is not None}
    usual = median([_height(cell) for cell in labels.values()]) if labels else 0.0
    high = {number: cell for number, cell in labels.items() if _height(cell) > TALL * usual}
    return {number: cell for number, cell in high.items() if cell.row_span == 1}


def _heads(cell: Cell, row: Row, body: Sequence[Row], tall: Mapping[int, Cell]) -> bool:
    """Tell whether a row that follows a tall cell, up to the next one, is named as that cell is."""
    behind = body[body.index(row) + 1 :]
    own = takewhile(lambda other: other.heading is None and other.number not in tall, behind)
    return any(_above(flat(cell.text), other.label) for other in own)


def ordinary(asked: str, table: Table, body: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows that hold where the question names no special case, none where it may name one."""
    under = heads(asked, body)
    everywhere = words(" ".join([table.title, *(cell.text for cell in table.cells if cell.header)]))
    found: list[Row] = []
    for row in body:
        head = under.get(row.number, Head())
        beside = [other for other in body if other is not row and _together(other, row, under)]
        if _is_ordinary(row, beside) and _is_asked(asked, table, row, head) and _values(row):
            own = [*words(row.label), *words(row.group), *words(head.words), *everywhere]
            special = [word for word in words(asked) if not _shared([word], own)]
            if not any(_shared(special, words(other.label)) for other in beside):
                found.append(row)
    return tuple(found)


def named_under(row: Row, head: Head) -> str:
    """Return the words of a heading that a row does not say by itself, "" where there are none."""
    held = words(f"{row.group} {row.label}")
    return "" if not head.words or _shared(words(head.words), held) else head.words


def _is_ordinary(row: Row, beside: Sequence[Row]) -> bool:
    said = words(row.label)
    if not said or not beside or said[0] not in _ordinary_words():
        return False
    others = [word for other in beside for word in words(other.label)]
    return all(any(other == word or _ends_in(other, word) for other in others) for word in said[1:])


def _ends_in(long: str, word: str) -> bool:
    """Tell whether a word is made of another one: "heavyweight" of "weight"."""
    return len(word) > LEADING and long.endswith(word)


def _is_asked(asked: str, table: Table, row: Row, head: Head) -> bool:
    """Tell whether the question names what a row stands under; in a table without headings, its title."""
    if head.words:
        return True
    standing = row.heading is not None or any(
        cell.row != row.number and _is_tall(cell, table) for cell in table.cells
    )
    return not standing and bool(_shared(words(asked), words(table.title)))


def _together(one: Row, other: Row, under: dict[int, Head]) -> bool:
    mine, others = under.get(one.number, Head()), under.get(other.number, Head())
    return one.heading is other.heading and mine.cell is others.cell


def _leading(asked: str, label: str) -> str:
    """Return the leading words of a label up to the first that the question names, "" for none of them."""
    for found in list(_WORD.finditer(label))[:LEADING]:
        if _shared(words(asked), words(found.group())):
            return label[: found.end()]
    return ""


def _above(tall: str, label: str) -> str:
    """Return what a tall label holds above a row of its own kind, "" where it holds no such row.

    "concrete, lightweight class LC 1.0" over "class LC 1.2" is the heading "concrete, lightweight": the
    words that both share name the row.
    """
    opening = " ".join(label.split()[:ALIKE])
    at = tall.find(opening) if len(opening.split()) == ALIKE else -1
    return tall[:at].strip() if at > 0 else ""


def _shared(some: Sequence[str], others: Sequence[str]) -> list[str]:
    return [word for word in some if any(alike(word, other) for other in others)]


def _values(row: Row) -> bool:
    return any(cell.column > 0 and any(sign.isdigit() for sign in cell.text) for cell in row.cells)


def _label(row: Row) -> Cell | None:
    return next(
        (cell for cell in row.cells if cell.column == 0 and cell.row == row.number and cell.text), None
    )


def _is_tall(cell: Cell, table: Table) -> bool:
    usual = [_height(c) for c in table.cells if c.column == 0 and not c.header and c.text.strip()]
    return cell.column == 0 and not cell.header and _height(cell) > TALL * median(usual)


def _height(cell: Cell) -> float:
    """Return how much of the page's height a cell has for each of its rows."""
    return (cell.box.y1 - cell.box.y0) / cell.row_span


@cache
def _ordinary_words() -> frozenset[str]:
    data = shipped("tables")
    return frozenset(data["ordinary"])
