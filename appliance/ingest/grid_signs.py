"""Signs of a scanned table that are no print: its upright lines read as letters, and dirt.

Rules of this module: pure; words and rules in points. A sign is a line where it stands by itself, is one of
those that lines are taken for, and an upright line of the table runs through it; never a figure, which may
be a value. Dirt is far lower than the print around it, and no sign that is low in print.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from appliance.ingest.page import Word
from appliance.ingest.rules import Rule

LINES = frozenset("|Il!¦;:[]i")  # what an upright line is read as
ASIDE = 1.5  # points: what a line may stand aside of its sign
DIRT = 0.3  # of the usual height of the words
MARKS = frozenset("!|I¦i")  # what a speck of a line is read as; dots and dashes are low in print


def without_line_signs(words: Sequence[Word], upright: Iterable[Rule]) -> list[Word]:
    """Return the words of a scanned table without lines that were read as signs, and specks."""
    if not words:
        return []
    usual, rules = median(word.y1 - word.y0 for word in words), tuple(upright)
    return [word for word in words if not _is_line(word, rules) and not _is_dirt(word, usual)]


def _is_line(word: Word, upright: Sequence[Rule]) -> bool:
    middle = (word.y0 + word.y1) / 2
    return word.text in LINES and any(
        word.x0 - ASIDE <= rule.at <= word.x1 + ASIDE and rule.start <= middle <= rule.end for rule in upright
    )


def _is_dirt(word: Word, usual: float) -> bool:
    return word.text in MARKS and word.y1 - word.y0 < DIRT * usual
