"""The rows and columns of a table that a question names beyond doubt: by a code, or by a number in range.

Rules of this module: pure; numbers are compared in one unit. A row is named by its code behind (or
before) a word of the header over it ("zone 3" under "Zone"), by a code of letters and figures alone ("C1"),
or by a number that the range of its label holds or its bound covers; a column in the same ways by its
headers. An open bound does not hold ("30° < α < 60°" is not for 30°). What names all of them names none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from appliance.answer.measured import covering, held_unit, in_unit, is_of_size
from appliance.core.document import Cell, Table
from appliance.core.files import shipped
from appliance.retrieval.query.decomposition import in_digits
from appliance.tables.lookup import words
from appliance.tables.ranges import Range, alike, tokens
from appliance.tables.rows import Row, column_headers, columns, flat, label_columns
from appliance.text.quantities import unit_behind

SHORT = 5  # letters and figures that a code has at most
WORD = 3  # letters of a word of a header that a code may stand beside; fewer may be a unit
LONG = 12  # words and numbers of a label beyond which it is a sentence, and its numbers are no axis
AXIS = 2  # ranges of one unit that labels or headers hold at least, to be read as an axis

_TOKEN = re.compile(r"[^\W_]+")
_CODE = re.compile(r"(?<![^\W_])[A-Z]{1,3} ?\d{1,3}(?:[.,]\d)?[a-z]?(?![\w/])")
_DECIMAL = re.compile(r"\d[.,]$")  # before the figures behind a point


def named_rows(asked: str, table: Table, body: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows that a question names, none where it names none or all of them."""
    filled = [row for row in body if sum(bool(cell.text.strip()) for cell in row.cells) > 1]
    for column in range(label_columns(table)):
        cells = {row.number: cell for row in filled if (cell := _at(row, column)) is not None}
        header = " ".join(column_headers(table, column))
        asked_codes = list(_codes(in_digits(asked), words(header)))
        coded = {number for number, cell in cells.items() if _is_named(flat(cell.text), asked_codes)}
        labels = {number: flat(cell.text) for number, cell in cells.items()}
        unit = held_unit(column_headers(table, column))
        for numbers in (coded, _holding(asked, labels, unit), covering(asked, header, unit, labels)):
            if numbers and len(numbers) < len(filled):
                return tuple(row for row in filled if row.number in numbers)
    return ()


def named_columns(asked: str, table: Table) -> frozenset[int]:
    """Return the columns that a question names by a code or a number, empty where it names none or all."""
    headers = {
        column: column_headers(table, column) for column in range(label_columns(table), columns(table))
    }
    held = _holding(asked, {column: " ".join(texts) for column, texts in headers.items()}, "")
    coded = {
        column
        for column, texts in headers.items()
        if texts and _is_named(_last(texts), list(_codes(asked, words(" ".join(texts)))))
    }
    found = held & coded or held or coded
    return frozenset(found) if len(found) < len(headers) else frozenset()


def _last(headers: Sequence[str]) -> str:
    """Return the code in the header next to the cells: "2" of "Zone 2"."""
    last = headers[-1].split()
    return last[-1] if len(headers) == 1 and last else headers[-1]


def takes(asked: str, table: Table, body: Sequence[Row]) -> bool:
    """Tell whether a table has a row or a column for a number that a question states."""
    for column in range(label_columns(table)):
        labels = {row.number: flat(cell.text) for row in body if (cell := _at(row, column)) is not None}
        headers = column_headers(table, column)
        unit = held_unit(headers)
        if _holding(asked, labels, unit) or covering(asked, " ".join(headers), unit, labels):
            return True
    return bool(named_columns(asked, table))


def _codes(asked: str, header: Sequence[str]) -> Iterator[str]:
    """Yield the codes that a question names: behind or before a word of the header, or plain to see."""
    yield from own_codes(asked)
    found, naming = list(_TOKEN.finditer(asked)), [word for word in header if len(word) >= WORD]
    for at, match in enumerate(found):
        if not any(alike(word, other) for word in words(match.group()) for other in naming):
            continue
        before = found[at - 1].group() if at else ""
        if before.isdigit() and not _DECIMAL.search(asked, 0, found[at - 1].start()):
            yield before
        following = found[at + 1] if at + 1 < len(found) else None
        gap = asked[match.end() : following.start()] if following else ""
        if following and not gap.strip(" -–:") and _is_code(asked, following):
            yield following.group()
            end = following.end()
            while further := _further().match(asked, end):
                yield further["code"]
                end = further.end()


@cache
def _further() -> re.Pattern[str]:
    """Return what finds a code that is joined to the one before it ("C2 and C3", "XC1/XC2")."""
    joining = shipped("answer/columns")["joining"]
    said = "|".join(rf"\b{re.escape(one)}\b" if one.isalpha() else re.escape(one) for one in joining)
    return re.compile(rf"\s*(?:{said})\s*(?P<code>[^\W_]{{1,5}})(?![^\W_])")


def own_codes(text: str) -> list[str]:
    """Return the codes of letters and figures of a text, written as one ("C 18" is C18, "LC 1,4" LC1.4)."""
    return [code.replace(" ", "").replace(",", ".") for code in _CODE.findall(text)]


def _is_code(asked: str, found: re.Match[str]) -> bool:
    """Tell whether a word may be a code: it is short, and no number with decimals or a unit."""
    number = found.group().isdigit() and (
        re.match(r"[.,]\d", asked[found.end() :]) or unit_behind(asked, found.end())
    )
    return len(found.group()) <= SHORT and not number


def _is_named(label: str, asked: Sequence[str]) -> bool:
    """Tell whether a label is, begins with, or (a range of numbers) holds one of these codes."""
    first = _TOKEN.match(label.lstrip("([ "))
    opening = first.group().casefold() if first else ""
    if any(code.casefold() == opening for code in asked) or not set(own_codes(label)).isdisjoint(asked):
        return True
    held = [token for token in tokens(label) if isinstance(token, Range)]
    numbers = [float(code) for code in asked if code.isdecimal()]
    return any(one.holds(number) for one in held for number in numbers)


def _holding(asked: str, labels: Mapping[int, str], unit: str) -> set[int]:
    """Return the places whose range holds a number of the question, where the labels are such an axis."""
    found: set[int] = set()
    for number in (token for token in tokens(asked) if isinstance(token, Range) and token.unit):
        ranges = {
            at: [one for one in tokens(label) if isinstance(one, Range) and in_unit(number, one.unit or unit)]
            for at, label in labels.items()
            if len(tokens(label)) <= LONG
        }
        ranges = {at: held if len(bounded(held)) < AXIS else [] for at, held in ranges.items()}
        if not is_of_size(number, unit, [one for held in ranges.values() for one in held]):
            continue
        axis = [at for at, held in ranges.items() if held]
        if len(axis) < len(labels):  # beside rows of other things: a range is one of its own thing
            axis = [at for at in axis if is_asked_of(asked, labels[at])]
        if len(axis) < AXIS or all(one.point for at in axis for one in ranges[at]):
            continue
        holding = {at for at in axis if any(_holds(one, number, unit) for one in bounded(ranges[at]))}
        if 0 < len(holding) < len(axis):
            found |= holding
    return found


def is_asked_of(asked: str, label: str) -> bool:
    """Tell whether a question names the thing whose range a label prints: "WC" of "WC outlet < 80 mm"."""
    held = tokens(label)
    first = held[0] if held else None
    return not isinstance(first, str) or any(alike(first, word) for word in words(asked))


def _holds(one: Range, number: Range, unit: str) -> bool:
    same = in_unit(number, one.unit or unit)
    if same is None or same.point:
        return same is not None and one.holds(same.low)
    return one.low <= same.low and same.high <= one.high


def bounded(ranges: Sequence[Range]) -> Sequence[Range]:
    """Return the ranges of a label; a lower and an upper bound apart are one ("over 400 m, up to 700 m")."""
    if len(ranges) != 2 or any(one.point for one in ranges):
        return ranges
    low, high = sorted(ranges, key=lambda one: -one.high)
    if math.isinf(low.high) and math.isinf(high.low) and low.low < high.high:
        return [Range(low.low, high.high, low.low_open, high.high_open, low.unit)]
    return ranges


def _at(row: Row, column: int) -> Cell | None:
    return next((cell for cell in row.cells if cell.column == column and cell.text.strip()), None)
