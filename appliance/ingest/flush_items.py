"""Items of a list that only announce, with their text set flush below: "a) For roofs:", then paragraphs.

Rules of this module: pure. Only a list in which two items or more end in a colon, each over a paragraph that
stands no deeper than its marker, is such a list. The text of an item goes on to the next marker of the list,
to a note, to the next number of a provision, or to a line that announces in the words of the items but
without a marker, which belongs to the provision again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from appliance.ingest.markers import Reading, readings
from appliance.ingest.rows import Row
from appliance.ingest.schemes import Level

NEAR = 1.5  # ems between the indents of one list's items
FLUSH = 0.4  # ems: text set no deeper than this is flush with its marker
FEWEST = 2  # items that announce
SAME = 3  # first words that two announcements share
FARTHEST = 60  # rows from one item to the next
_ANNOUNCES = ":"
_VALUE = re.compile(r"\S{1,8}(?:\s\S{1,4})?\s*[=≤≥<>≈]")  # a symbol and what it equals or is bound by


@dataclass(slots=True)
class _Item:
    """An item by its row: its reading, the row behind its announcement, and where its text ends."""

    row: int
    reading: Reading
    body: int
    end: int


def flush_bodies(
    rows: Sequence[Row], openings: Collection[int], levels: Sequence[Level]
) -> Mapping[int, str]:
    """Return, by row, the level of the item to which a paragraph set flush below it belongs.

    `openings` are the rows that open a numbered place or a heading; `levels` those inside provisions.
    """
    letters = [level for level in levels if level.kind == "item" and level.sequence == "letter"]
    notes = [level for level in levels if level.kind == "note"]
    found: dict[int, str] = {}
    index = 0
    while index < len(rows):
        items = list(_listed(rows, index, openings, letters, notes))
        if len(items) >= FEWEST and all(_announces(rows, item) for item in items):
            for item in items:
                found |= dict.fromkeys(range(item.body, item.end), item.reading.level.name)
            index = items[-1].end
        index += 1
    return found


def completes(said: Sequence[str], text: str) -> bool:
    """Tell whether a line gives a value that an item announces: "the least value of:", then "k = 2 h / s".

    `said` are the lines of the item so far: one that announces, and since then such values alone.
    """
    if not _VALUE.match(text):
        return False
    since = next((len(said) - at for at, line in enumerate(said[::-1]) if _announced(line)), None)
    return since is not None and all(_VALUE.match(line) for line in said[since:])


def _announced(line: str) -> bool:
    return line.rstrip().endswith(_ANNOUNCES)


def _listed(
    rows: Sequence[Row],
    index: int,
    openings: Collection[int],
    letters: Sequence[Level],
    notes: Sequence[Level],
) -> Iterator[_Item]:
    """Yield the items of the list that begins at a row with its first letter."""
    reading = _letter(rows[index], letters)
    if reading is None or reading.number != (1,):
        return
    words, count = _words(rows[index], reading.end), 0
    while reading is not None:
        count += 1
        item = _Item(index, reading, _behind(rows, index), index + 1)
        after: Reading | None = None
        noted = False
        for at in range(item.body, min(len(rows), item.body + FARTHEST)):
            if at in openings:
                break
            other = _letter(rows[at], letters)
            if other and other.number == (count + 1,) and _beside(rows[at], rows[index]):
                index, after = at, other
                break
            noted = noted or next(readings(rows[at].line.text, notes), None) is not None
            if _parallel(rows[at], words):
                noted = True
            if not noted:
                item.end = at + 1
        yield item
        reading = after


def _letter(row: Row, letters: Sequence[Level]) -> Reading | None:
    """Return the letter in the reading of a row that may begin an item."""
    if not row.line.upright or not (row.fresh or row.after_end):
        return None
    found = (one for one in readings(row.line.text, letters) if not one.price and one.printed[-1:] == ")")
    return next(found, None)


def _behind(rows: Sequence[Row], index: int) -> int:
    """Return the first row of a new paragraph behind the one that begins at a row."""
    at = index + 1
    while at < len(rows) and not rows[at].fresh:
        at += 1
    return at


def _announces(rows: Sequence[Row], item: _Item) -> bool:
    """Tell whether an item ends in a colon over text that stands no deeper than its marker."""
    ends = rows[item.body - 1].line.text.rstrip().endswith(_ANNOUNCES)
    return ends and item.body < item.end and rows[item.body].indent <= rows[item.row].indent + FLUSH


def _beside(row: Row, other: Row) -> bool:
    return abs(row.indent - other.indent) <= NEAR


def _words(row: Row, start: int) -> list[str]:
    return row.line.text[start:].casefold().split()[:SAME]


def _parallel(row: Row, words: Sequence[str]) -> bool:
    """Tell whether a line of its own announces in the words with which the items do."""
    text = row.line.text.rstrip()
    return row.fresh and text.endswith(_ANNOUNCES) and len(words) == SAME and _words(row, 0) == words
