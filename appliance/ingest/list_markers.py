"""Whether a marker goes on with a list that is open: "b)" behind "a)", "(aa)" behind an amended "(a)".

Rules of this module: pure; the number and the indent decide, never the words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from appliance.ingest.markers import Reading, parsed
from appliance.ingest.page import Line
from appliance.ingest.rows import Row

LEFT_OUT = 5  # letters that a list in brackets may leave out
SAME = 0.5  # ems between the indents of one list's items
NEAR, NEAR_PARAGRAPH = 1.5, 3.0  # the same where the next number stands there, and of paragraphs
_ONES = re.compile(r"\([\dlIO]{2}\)P?")  # figures with letters that stand for one figure alone
OTHER_SIZE = 0.05  # share of its size by which the type of a note differs from the text's
_CITED = re.compile(
    r"(?:(?:^|\s)[A-Z]?\.?\d+(?:\.\d+)*|,)\s*$"
)  # what a paragraph's number may follow in a sentence
OUTSIDE = 0.8  # ems left of its marker at which a line after a full stop is no part of an item


def follows(row: Row, reading: Reading, last: tuple[int, float]) -> bool:
    """Tell whether a marker goes on with the list whose last number and indent are given."""
    step = value(reading) - last[0]
    near = abs(row.indent - last[1]) <= (NEAR_PARAGRAPH if reading.level.kind == "paragraph" else NEAR)
    if step == 1 or is_inserted(reading, last[0]):
        return near
    if reading.level.sequence == "letter" and 1 < step <= LEFT_OUT and reading.printed[:1] == "(":
        return abs(row.indent - last[1]) <= SAME and not parsed(reading.text, "roman")
    if reading.level.kind != "paragraph" or step < 0 or not near:
        return False
    if reading.price:
        return step > 0 and bool(_ONES.fullmatch(reading.printed)) and _in_line(row, reading, last)
    if row.fresh and step in {0, 2, 3}:  # left out, or by a slip printed twice
        return True
    return step > 0 and _in_line(row, reading, last)


def resumes(row: Row, before: Line, reading: Reading, last: tuple[int, float]) -> bool:
    """Tell whether a line inside a note or paragraph is the next paragraph of the clause that it stands in.

    It begins with the very next number and a capital, and the line before was broken off or is set
    otherwise; no line before it ends in a number, of which it would be the paragraph ("in 5.2 / (3) ...").
    """
    words = row.line.text[reading.end :].split()
    plain = not reading.price and value(reading) == last[0] + 1 and follows(row, reading, last)
    capital = bool(words) and words[0][:1].isupper()
    apart = row.broken or abs(row.line.size - before.size) > OTHER_SIZE * before.size
    return plain and capital and apart and not _CITED.search(before.text)


def _in_line(row: Row, reading: Reading, last: tuple[int, float]) -> bool:
    return abs(row.indent - last[1]) <= SAME and _begins(row, reading)


def _begins(row: Row, reading: Reading) -> bool:
    """Tell whether a paragraph of words begins with a number in brackets, whatever stands before it."""
    words = row.line.text[reading.end :].split()
    capital = bool(words) and words[0][:1].isupper()
    return (row.fresh or row.after_end) and capital and reading.printed[:1] == "("


def is_inserted(reading: Reading, last: int) -> bool:
    """Tell whether an amendment has put the item behind the last one: "(aa)" behind "(a)"."""
    return reading.level.sequence == "letter" and reading.text == 2 * chr(ord("a") - 1 + last)


def value(reading: Reading) -> int:
    """Return what a marker counts as, 0 where it counts nothing."""
    first = reading.number[0]
    return first if isinstance(first, int) else 0


def leaves(row: Row, indent: float, lines: Sequence[Line], items: Sequence[Sequence[Line]]) -> bool:
    """Tell whether a line without white space above stands outside the item before it.

    It does left of the item's marker, or as a new sentence right below the marker in a list whose texts
    stand deeper. `indent` and `lines` are the item's, `items` the lines of all items of its list.
    """
    last = lines[-1]
    beside = (last.page, last.column) == (row.line.page, row.line.column)
    stopped = last.text.rstrip().endswith((".", ";", ":"))  # a short line may still go on
    if not (row.after_end and stopped and beside):
        return False
    if row.indent < indent - OUTSIDE:
        return _hangs(lines)
    below = row.indent <= indent + SAME and row.line.text[:1].isupper()
    return below and any(_stands_deeper(item) for item in items)


def _stands_deeper(lines: Sequence[Line]) -> bool:
    """Tell whether a line of an item below its first stands right of the marker."""
    first = lines[0]
    below = [line for line in lines[1:] if (line.page, line.column) == (first.page, first.column)]
    return any(line.x0 > first.x0 + OUTSIDE * line.size for line in below)


def _hangs(lines: Sequence[Line]) -> bool:
    """Tell whether the lines of an item stand no further left than its marker, in the first of them."""
    first = lines[0]
    return all(line.x0 >= first.x0 - OUTSIDE * line.size for line in lines if line.page == first.page)
