"""Words of a table that the end of a printed line parted, whole again: in its cells and notes.

Rules of this module: pure; the document's own words decide, as in running text (`passage`), and those of the
language where it has neither form. A hyphen that the document prints within a line, or between two words of
its own, stays; a soft hyphen that ends no line is a hyphen or minus like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.document import Table
from appliance.ingest.page import PageLayout
from appliance.ingest.passage import SOFT, is_suspended, vocabulary
from appliance.lookalikes import language_words

_PARTED = re.compile(r"(?<![\w-])([A-Za-zÀ-ÿ]+)[-\u2010]\s?([a-zà-ÿ]+)(?![\w-])")
_SOFT = re.compile(rf"([A-Za-zÀ-ÿ]+){SOFT}\s+([a-zà-ÿ]+)")


def with_whole_words(tables: Sequence[Table], layouts: Sequence[PageLayout]) -> list[Table]:
    """Return the tables with the parted words of their cells and notes whole."""
    words = vocabulary(layouts)
    return [
        replace(
            table,
            cells=tuple(replace(cell, text=whole(cell.text, words)) for cell in table.cells),
            notes=tuple(replace(note, text=whole(note.text, words)) for note in table.notes),
        )
        if any(map(_has_hyphen, _texts(table)))
        else table
        for table in tables
    ]


def whole(text: str, words: frozenset[str]) -> str:
    """Return a text with the words whole that only the ends of its lines parted."""
    if not _has_hyphen(text):
        return text

    def soft(match: re.Match[str]) -> str:
        if is_suspended(match[1], match[2], words):
            return f"{match[1]}- {match[2]}"
        return f"{match[1]}{'-' if _printed(match, words) else ''}{match[2]}"

    def hard(match: re.Match[str]) -> str:
        parted = _is_one(match, words) and not is_suspended(match[1], match[2], words)
        return match[1] + match[2] if parted else match[0]

    return _PARTED.sub(hard, _SOFT.sub(soft, text).replace(SOFT, "-"))


def _texts(table: Table) -> Iterator[str]:
    yield from (cell.text for cell in table.cells)
    yield from (note.text for note in table.notes)


def _has_hyphen(text: str) -> bool:
    return any(sign in text for sign in ("-", "\u2010", SOFT))


def _printed(match: re.Match[str], words: frozenset[str]) -> bool:
    """Tell whether the document prints the word with its hyphen within a line."""
    return f"{match[1]}-{match[2]}".lower() in words


def _is_one(match: re.Match[str], words: frozenset[str]) -> bool:
    """Tell whether two pieces are one word of the document, or of the language where they are no words."""
    tail, head = match[1].lower(), match[2]
    if _printed(match, words):
        return False
    if tail + head in words:
        return True
    spoken = language_words()
    return tail + head in spoken and not all(piece in words or piece in spoken for piece in (tail, head))
