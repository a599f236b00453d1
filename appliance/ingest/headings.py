"""Titles without a number, told by their type.

Rules of this module: pure; a heading stands out from the body in whole lines, starts a paragraph, is
short, and is followed by text; one in the type of the body is told by the contents list that names
it, or by standing alone over a number. What the scheme names as no heading (box captions) is none, and a
caption of a table or figure is none, nor is what explains a symbol ("Vb is the ..."). Larger type alone
makes no title of what begins like the inside of a sentence ("where:") or with the number of a paragraph: a
scan measures the body larger here and there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from appliance.ingest.markers import readings
from appliance.ingest.page import Line
from appliance.ingest.rows import Row
from appliance.ingest.schemes import Scheme
from appliance.ingest.typography import Typography

LINES = 4  # a longer run of bold lines is emphasised text
CHARACTERS = 220
OTHERWISE = 8  # words of a line, from which one may be of another weight
_MARKED = re.compile(r"\(?(?:[a-z]|[ivx]{2,5})[.)]\s|[•–—-]\s")  # items of a list
_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(
    r"(?:(?:[A-Z]{1,2}\.){1,2}\d{1,2}(?:\.\d{1,2})*|\d{1,2}(?:\.\d{1,2})+)(?=\s+[^\W\d_a-z]\w{2})"
)
_PLAIN_TITLE = re.compile(r"[A-Z][a-z]+(?: (?:[^\W\d]|[’'(),/-])+){1,7}(?<![.,:;])")
LEVEL = 0.5  # ems by which a title may stand off the number under it
_LEAD_IN = 6  # words from which a line that ends in a colon leads into what follows


@dataclass(frozen=True, slots=True)
class Heading:
    """A title over rows [start, end) of the document."""

    start: int
    end: int
    title: str
    size: float


def find_headings(
    rows: Sequence[Row],
    numbered: Collection[int],
    scheme: Scheme,
    typography: Typography,
    announced: Collection[str] = (),
) -> dict[int, Heading]:
    """Return the headings by their first row; `numbered` are the rows that carry a number.

    `announced` are the bare letters of the titles that the contents list or the bookmarks name.
    """
    caption = _caption_pattern(scheme)
    found: dict[int, Heading] = {}
    index = 0
    while index < len(rows):
        if _explains(rows[index].line.text, scheme):
            index += 1
            continue
        if index in numbered or not _may_start(rows[index], scheme, caption, typography):
            if index not in numbered and _is_lone_title(rows, index, numbered, announced, typography):
                found[index] = Heading(index, index + 1, rows[index].line.text, rows[index].line.size)
            index += 1
            continue
        end = index + 1
        while end < len(rows) and end not in numbered and same_title(rows[end - 1], rows[end]):
            if _opens_paragraph(rows[end].line.text, scheme):
                break
            end += 1
        title = " ".join(row.line.text for row in rows[index:end])
        closed = end == len(rows) or rows[end].fresh or end in numbered
        closed = closed or _opens_paragraph(rows[end].line.text, scheme)
        if closed and end - index <= LINES and len(title) <= CHARACTERS and not _is_sentence(title):
            found[index] = Heading(index, end, title, rows[index].line.size)
        index = end
    return found


def same_title(before: Row, row: Row) -> bool:
    """Tell whether the row continues the title of the row before: same type, no white space between."""
    one, other = before.line, row.line
    return (
        one.page == other.page
        and one.column == other.column
        and other.upright
        and abs(one.size - other.size) <= 0.04 * one.size
        and one.bold == other.bold
        and one.words[0].colour == other.words[-1].colour
        and 0 < other.y1 - one.y1 < 1.6 * other.size
    )


def _may_start(row: Row, scheme: Scheme, caption: re.Pattern[str] | None, typography: Typography) -> bool:
    line = row.line
    return (
        line.upright
        and row.fresh
        and typography.stands_out(line)
        and (typography.larger(line) or _is_of_one_weight(line))
        and not _MARKED.match(line.text)
        and not _opens_paragraph(line.text, scheme)
        and (line.bold or not line.text[:1].islower() or not typography.only_larger(line))
        and _reads_like_words(line.text)
        and not (caption and caption.match(line.text))
        and not any(pattern.search(line.text) for pattern in scheme.not_headings)
    )


def _is_of_one_weight(line: Line) -> bool:
    """Tell whether a line is as bold as it begins; a scan may tell another weight of one word of many."""
    return sum(word.bold != line.bold for word in line.words) <= len(line.words) // OTHERWISE


def _opens_paragraph(text: str, scheme: Scheme) -> bool:
    """Tell whether a line begins with the number of a paragraph in brackets, as the family prints them.

    Before a comma it goes on with a reference: "4.4.1.2 / (5), 6.2.2 (1)".
    """
    levels = [level for level in scheme.levels if level.kind == "paragraph"]
    found = (one for one in readings(text, levels) if one.printed[:1] == "(")
    rests = (text[one.end :].lstrip() for one in found if not one.price)
    return any(rest and rest[0] not in ",;.)" for rest in rests)


def number_of_title(title: str) -> str:
    """Return the number that a title begins with ("3.1.6 Design strengths"), "" where it has none."""
    found = _NUMBER.match(title)
    return found[0] if found else ""


def bare(text: str) -> str:
    """Return the letters and digits alone, in lower case: what two prints of one title share."""
    return re.sub(r"[\W_]+", "", text).lower()


def _is_lone_title(
    rows: Sequence[Row],
    index: int,
    numbered: Collection[int],
    announced: Collection[str],
    typography: Typography,
) -> bool:
    """Tell whether a line in the type of the body is a title: announced, or alone over a number."""
    row, text = rows[index], rows[index].line.text
    if not row.fresh or not row.line.upright or _is_sentence(text):
        return False
    if bare(text) in announced:
        return True
    if index + 1 not in numbered or not row.after_end or typography.small(row.line):
        return False
    below = rows[index + 1]
    return (
        below.fresh
        and _PLAIN_TITLE.fullmatch(text) is not None
        and abs(row.indent - below.indent) <= LEVEL
        and (row.line.page, row.line.column) == (below.line.page, below.line.column)
        and _reads_like_words(text)
    )


def _explains(text: str, scheme: Scheme) -> bool:
    """Tell whether a line says what a symbol means: "Vb is the basic velocity" below a formula."""
    words = "|".join(map(re.escape, scheme.captions.get("explained", ())))
    return bool(words) and re.match(rf"(?:\S{{1,3}}|\S*[\d,.()]\S*) (?:{words})\b", text) is not None


def _caption_pattern(scheme: Scheme) -> re.Pattern[str] | None:
    words = [word for kind in ("table", "figure") for word in scheme.captions.get(kind, ())]
    if not words:
        return None
    return re.compile(rf"(?i)(?:{'|'.join(map(re.escape, words))})\.?\s+[A-Z]{{0,2}}\.?\d")


def _reads_like_words(text: str) -> bool:
    """Tell words from lettering and from the noise of a scan."""
    letters = sum(char.isalpha() or char in " ,-–’'" for char in text)
    words = _WORD.findall(text)
    whole = [word for word in words if len(word) >= 3 and (word[1:].islower() or word.isupper())]
    return bool(whole) and letters >= 0.75 * len(text) and 2 * len("".join(whole)) >= len("".join(words))


def _is_sentence(title: str) -> bool:
    end = title.rstrip()
    if end.endswith(":"):
        return len(title.split()) >= _LEAD_IN
    return end.endswith((".", ";", ",")) and not title.endswith("etc.")
