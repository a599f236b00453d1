"""The title of a numbered place: on the line of its number, over several lines, or on the next one.

Rules of this module: pure; a title that is set apart ends where its type ends, one that is not ends
with its paragraph and reads like no sentence; where that paragraph is too long, all of it is text. A
sentence is text however it is set: a provision that is printed in bold as a whole refers to other parts.
What stands in brackets after an annex ("informative") is its status and no title.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from appliance.ingest.headings import Heading, same_title
from appliance.ingest.markers import Reading
from appliance.ingest.page import Line
from appliance.ingest.rows import Row
from appliance.ingest.typography import Typography

TITLE = 130  # characters of a title that is not set apart by its type
SENTENCE = 8  # words that make a sentence of what ends in a full stop
PLAIN_SENTENCE = 4  # the same where the type is that of the text
SMALLER = 0.8  # of a title's size: what stands under it in such type is text
LIKE = 75.0  # per cent of equal characters that make a misread status word
_STATUS = re.compile(r"[\[({<]\s*(\w[\w ]{4,16}?)\s*[\])}>]")
_NAMED_FROM = re.compile(r"\([A-Z][a-z]+ [^()]*\d[^()]*\)")  # "(Clauses 5.2 and B-2.1)" below "ANNEX B"
_SENTENCE = (".", ";", ":", ",")
_LEADS_IN = (";", ":", ",")
_ABBREVIATED = re.compile(r"(?:\betc|\b[^\W\d_]\.\s?[^\W\d_]|\.)\.$")  # "z. B.", not "Annex A."
# The number of a formula, alone on its line or behind a piece of one.
_FORMULA = re.compile(r"(?!.*[^\W\d_]{3})[^()]{0,16}\(\s?[A-Z]?\.?\d{1,3}(?:\.\d{1,3})*[a-z]?\s?\)")
_RELATION = re.compile(r"[=<>≤≥≈≠]")
_PROSE = re.compile(r"[^\W\d_]{4}")
_EDGES = " \t:–—-."


@dataclass(frozen=True, slots=True)
class Title:
    """A title, the row after it, and the status that stood with it ("informative")."""

    text: str
    end: int
    status: str = ""


@dataclass(frozen=True, slots=True)
class Titles:
    """Reads titles from the rows of one document."""

    rows: Sequence[Row]
    openings: Collection[int]
    headings: Mapping[int, Heading]
    typography: Typography

    def read(self, index: int, reading: Reading, is_list: Callable[[int], bool]) -> Title | None:
        """Return the title of the opening at this row; None where the row goes on as text."""
        first = self.rows[index].line
        apart = self.typography.stands_out(first)
        title = first.text[reading.end :].strip(_EDGES)
        end = index + 1
        while end < len(self.rows) and self._goes_on(end, index, title, apart=apart, is_list=is_list):
            title = f"{title} {self.rows[end].line.text}".strip()
            end += 1
        last = self.rows[end - 1].line.text
        stops = len(title.split()) >= (SENTENCE if apart else PLAIN_SENTENCE) and _stops(last)
        leads = last.rstrip().endswith(_LEADS_IN) and len(title.split()) >= PLAIN_SENTENCE
        if stops or (not apart and (leads or self._over_formula(end) or self._runs_on(end, is_list))):
            return None
        text, status = (title, "") if reading.level.kind != "annex" else _without_status(title)
        if not apart and (len(text) > TITLE or text.rstrip().endswith(_SENTENCE)):
            return None
        return Title(text.strip(_EDGES if len(text) < 4 else " :–—-"), end, status)

    def _over_formula(self, end: int) -> bool:
        """Tell whether the next row is a formula, or the number of one: the words lead into that."""
        text = self.rows[end].line.text if end < len(self.rows) else ""
        return bool(_FORMULA.fullmatch(text) or (_RELATION.search(text) and not _PROSE.search(text)))

    def _runs_on(self, end: int, is_list: Callable[[int], bool]) -> bool:
        """Tell whether the paragraph goes on in the next row: its lines are too many for a title."""
        if end == len(self.rows) or end in self.openings or end in self.headings or is_list(end):
            return False
        row, before = self.rows[end], self.rows[end - 1]
        beside = (row.line.page, row.line.column) == (before.line.page, before.line.column)
        return beside and not row.fresh and not row.after_end and not before.line.bold

    def _goes_on(
        self, index: int, start: int, title: str, *, apart: bool, is_list: Callable[[int], bool]
    ) -> bool:
        row, before = self.rows[index], self.rows[index - 1]
        formula = _FORMULA.fullmatch(row.line.text) is not None
        if formula or index in self.openings or row.line.page != before.line.page:
            return False
        if _STATUS.fullmatch(row.line.text) or _NAMED_FROM.fullmatch(row.line.text):
            return True
        bare = not title or _STATUS.fullmatch(title) or _NAMED_FROM.fullmatch(title)
        if apart and row.line.size < SMALLER * before.line.size and not self.typography.stands_out(row.line):
            return False
        if bare:
            short = len(row.line.text) < TITLE and not self._is_text(index, start)
            return index in self.headings or (short and not is_list(index))
        if apart or index - 1 > start:
            heading = index not in self.headings or self.typography.stands_out(before.line)
            same = heading and same_title(before, row) and self.typography.stands_out(row.line)
            return same and not is_list(index)
        return (
            index not in self.headings
            and not row.fresh
            and not (_stops(before.line.text) or before.line.text.rstrip().endswith(_LEADS_IN[:2]))
            and len(title) + len(row.line.text) <= TITLE
            and not is_list(index)
        )

    def _is_text(self, index: int, start: int) -> bool:
        """Tell whether a paragraph of the text begins under a number that stands out, alone in its line."""
        row, number = self.rows[index], self.rows[start].line
        if not self.typography.stands_out(number) or self.typography.stands_out(row.line):
            return False
        below = self.rows[index + 1] if index + 1 < len(self.rows) else None
        beside = below and (below.line.page, below.line.column) == (row.line.page, row.line.column)
        return bool(below and beside and not below.fresh and not below.after_end)


def is_informative(status: str, words: Collection[str], others: Collection[str] = ()) -> bool:
    """Tell whether a status, perhaps misread, is one of these words ("i nformative").

    `others` are the words of the other status: in a print of two languages "normative" is like "informativ".
    """
    letters = "".join(status.lower().split())
    if letters in others:
        return False
    return any(fuzz.ratio(letters, word) >= LIKE and len(letters) >= len(word) - 1 for word in words)


def _stops(text: str) -> bool:
    """Tell whether a line ends in a full stop that is no abbreviation's ("etc.")."""
    end = text.rstrip()
    return end.endswith(".") and not _ABBREVIATED.search(end)


def _without_status(title: str) -> tuple[str, str]:
    title = _NAMED_FROM.sub("", title).strip()
    match = _STATUS.search(title)
    if not match:
        return title, ""
    return f"{title[: match.start()]} {title[match.end() :]}".strip(), match.group(1)


def runs_in(line: Line, skip: int) -> bool:
    """Tell whether bold words and a stop open a line that goes on in the type of the text."""
    return not line.words[-1].bold and line.words[0].bold and _stops(_bold(line, skip))


def run_in(line: Line, skip: int) -> str:
    """Return the bold words with which the text after a number starts, without the stop behind them."""
    return _bold(line, skip).strip(_EDGES)


def _bold(line: Line, skip: int) -> str:
    """Return the words after the first `skip` characters up to the first that is not bold."""
    position, words = 0, []
    for word in line.words:
        position += len(word.text) + 1
        if position <= skip + 1:
            continue
        if not word.bold:
            break
        words.append(word.text)
    return " ".join(words)
