"""Headings without a number, and the titles of numbered places."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from appliance.ingest.layout.typography import Row, Typography
from appliance.ingest.page import Line
from appliance.ingest.structure.schemes import Scheme
from appliance.ingest.structure.sequence import Reading, readings, starts_upper
from appliance.text.sentences import BULLETS

LINES = 4  # a longer run of bold lines is emphasised text
CHARACTERS = 220
OTHERWISE = 8  # words of a line, from which one may be of another weight
_MARKED = re.compile(rf"\(?(?:[a-z]|[ivx]{{2,5}})[.)]\s|[{BULLETS}]\s")  # items of a list
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
    captions = [word for kind in ("table", "figure") for word in scheme.captions.get(kind, ())]
    caption = re.compile(rf"(?i)(?:{_any_of(captions)})\.?\s+[A-Z]{{0,2}}\.?\d")
    # what a symbol means: "Vb is the basic velocity" below a formula
    explains = _any_of(scheme.captions.get("explained", ()))
    explained = re.compile(rf"(?:\S{{1,3}}|\S*[\d,.()]\S*) (?:{explains})\b")
    found: dict[int, Heading] = {}
    index = 0
    while index < len(rows):
        line = rows[index].line
        start = index
        index += 1
        if start in numbered or explained.match(line.text):
            continue
        if not _may_start(rows[start], scheme, caption, typography):
            if _is_lone_title(rows, start, numbered, announced, typography):
                found[start] = Heading(start, index, line.text, line.size)
            continue
        ends = index == len(rows) or index in numbered
        while not ends and same_title(rows[index - 1], rows[index]):
            if _opens_paragraph(rows[index].line.text, scheme):
                break
            index += 1
            ends = index == len(rows) or index in numbered
        title = " ".join(row.line.text for row in rows[start:index])
        closed = ends or rows[index].fresh or _opens_paragraph(rows[index].line.text, scheme)
        if closed and index - start <= LINES and len(title) <= CHARACTERS and not _is_sentence(title):
            found[start] = Heading(start, index, title, line.size)
    return found


def _any_of(words: Iterable[str]) -> str:
    """Return the pattern of one of the words; without a word it matches nothing."""
    return "|".join(map(re.escape, words)) or "(?!)"


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


def _may_start(row: Row, scheme: Scheme, caption: re.Pattern[str], typography: Typography) -> bool:
    line = row.line
    lighter = sum(word.bold != line.bold for word in line.words)  # a scan may tell so of one word of many
    return (
        line.upright
        and row.fresh
        and typography.stands_out(line)
        and (typography.larger(line) or lighter <= len(line.words) // OTHERWISE)
        and not _MARKED.match(line.text)
        and not _opens_paragraph(line.text, scheme)
        and (line.bold or not line.text[:1].islower() or not typography.only_larger(line))
        and reads_like_words(line.text)
        and not caption.match(line.text)
        and not any(pattern.search(line.text) for pattern in scheme.not_headings)
    )


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
    if bare(text) in announced and starts_upper(text):  # bookmarks may mark every paragraph and item
        return True
    if index + 1 not in numbered or not row.after_end or typography.small(row.line):
        return False
    below = rows[index + 1]
    return (
        below.fresh
        and _PLAIN_TITLE.fullmatch(text) is not None
        and abs(row.indent - below.indent) <= LEVEL
        and (row.line.page, row.line.column) == (below.line.page, below.line.column)
        and reads_like_words(text)
    )


def reads_like_words(text: str) -> bool:
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
_EDGES = " \t:–—-."
_DASHES = ("–", "—")


@dataclass(frozen=True, slots=True)
class Title:
    """A title, the row after it, and the status that stood with it ("informative")."""

    text: str
    end: int
    status: str = ""


@dataclass(frozen=True, slots=True)
class Titles:
    """Reads titles from the rows of one document; `is_list` tells whether a row opens an item."""

    rows: Sequence[Row]
    openings: Collection[int]
    headings: Mapping[int, Heading]
    typography: Typography
    is_list: Callable[[int], bool]

    def read(self, index: int, reading: Reading) -> Title | None:
        """Return the title of the opening at this row; None where the row goes on as text."""
        first = self.rows[index].line
        apart = self.typography.stands_out(first)
        title = first.text[reading.end :].strip(_EDGES)
        end = index + 1
        while end < len(self.rows) and self._goes_on(end, index, title, apart=apart):
            title = f"{title} {self.rows[end].line.text}".strip()
            end += 1
        last = self.rows[end - 1].line.text
        stops = len(title.split()) >= (SENTENCE if apart else PLAIN_SENTENCE) and _stops(last)
        leads = last.rstrip().endswith(_LEADS_IN) and len(title.split()) >= PLAIN_SENTENCE
        if stops or (not apart and (leads or self._is_sentence(end))):
            return None
        text, status = title, ""
        if reading.level.kind == "annex":
            text = _NAMED_FROM.sub("", title).strip()
            if found := _STATUS.search(text):
                text, status = f"{text[: found.start()]} {text[found.end() :]}".strip(), found[1]
        if not apart and (len(text) > TITLE or text.rstrip().endswith(_SENTENCE)):
            return None
        return Title(text.strip(_EDGES if len(text) < 4 else " :–—-"), end, status)

    def _goes_on(self, index: int, start: int, title: str, *, apart: bool) -> bool:
        row, before, is_list = self.rows[index], self.rows[index - 1], self.is_list
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

    def _is_sentence(self, below: int) -> bool:
        """Tell whether the row below a full line in body type goes on with its sentence."""
        row = self.rows[below] if below < len(self.rows) else None
        inside = row is not None and not (row.fresh or row.after_end) and row.line.text[:1].islower()
        return inside and below not in self.openings and not self.is_list(below)

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


def runs_in(line: Line, skip: int) -> bool:
    """Tell whether bold words and a stop or a dash open a line that goes on in the type of the text."""
    bold = _bold(line, skip)
    parted = _stops(bold) or (bold.endswith(_DASHES) and len(bold) > 1)
    return not line.words[-1].bold and line.words[0].bold and parted


def run_in(line: Line, skip: int) -> str:
    """Return the bold words with which the text after a number starts, without the stop behind them.

    Signs alone ("‘") are no words.
    """
    bold = _bold(line, skip).strip(_EDGES)
    return bold if re.search(r"\w", bold) else ""


def _bold(line: Line, skip: int) -> str:
    """Return the words after the first `skip` characters up to the first that is not bold."""
    position, words = 0, list[str]()
    for word in line.words:
        position += len(word.text) + 1
        if position <= skip + 1:
            continue
        if not word.bold and not (words and word.text in _DASHES):
            break
        words.append(word.text)
    return " ".join(words)
