"""Notes of tables: those printed in and under one, and the marks that tie cells to them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from appliance.core.files import shipped
from appliance.ingest.page import Area, View, Word, around
from appliance.ingest.structure.captions import Style
from appliance.ingest.tables.cells import Row, paragraph, rows_of, text_of

SIGNS = "*†‡§+#"
SMALLER = 0.97  # of the rows' type size
EDGE = 8.0  # points from the side within which a rule is the frame
LONG = 0.4  # of the table's width: a footnote, not an entry
WIDE = 0.55  # of the page's text: a table over the whole page
LIKE = 0.5  # points between the sizes of lines of one type
LEADING = 2  # lines over the first note that belong to no mark
_NUMBERED = re.compile(
    r"^(?:\[(\d{1,2}|\w)\]|\((\d{1,2}|\w|[*†‡§#]{1,3})\)|(\d{1,2}|\w|[*†‡§#]{1,3})\)|(\d{1,2})\.)\s"
)
_LETTERED = re.compile(r"^([a-z])\.?\s+(?=[^\W\da-z_]|[a-z“\"(<>=≤≥±\d])")
_RAISED = re.compile(r"^([⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ]+⁾?|[*†‡§+#]{1,3})\s?")


@dataclass(frozen=True, slots=True)
class PrintedNote:
    """A note as printed, with its bare mark ("" for a NOTE)."""

    mark: str
    text: str
    area: Area


def split(view: View, area: Area, words: Sequence[str]) -> tuple[Area, tuple[PrintedNote, ...]]:
    """Return the area without the notes at its end, and the notes."""
    rows = rows_of(view.words_in(area))
    # a vertical rule inside the table beside a row: notes have none
    inner = [r for r in view.ruling.vertical if area.x0 + EDGE < r.at < area.x1 - EDGE]
    ruled = [any(r.start <= (row.y0 + row.base) / 2 <= r.end for r in inner) for row in rows]
    start = _start(rows, words, area.width, ruled)
    if start is None:
        return area, ()
    cut = (rows[start - 1].base + rows[start].y0) / 2
    levels = [
        r.at
        for r in view.ruling.horizontal
        if rows[start - 1].base - 1 < r.at <= rows[start].y0 + 2 and r.start >= area.x0 - 6
    ]
    cut = max(levels, default=cut)
    return Area(area.x0, area.y0, area.x1, cut), _notes(rows[start:], words)


def below(
    view: View, area: Area, limit: float, *, words: Sequence[str], usual: Style, marks: frozenset[str]
) -> tuple[PrintedNote, ...]:
    """Return the notes that stand right under the table."""
    wide = area.width > WIDE * view.body.width
    left, right = (area.x0 - 30, view.body.x1 + 2) if wide else (area.x0 - 3, area.x1 + 3)
    under = rows_of(view.words_in(Area(left, area.y1 - 1, right, limit)))
    kept: list[Row] = []
    last = ""
    for at, row in enumerate(under):
        gap = row.y0 - (kept[-1].y1 if kept else area.y1)
        small = row.size < SMALLER * usual[2] / 2
        letter = letter_of(row, marks, last) if small else ""
        last = letter or last
        opens = letter != "" or (_opens(row, words) and (small or mark_of(row) in marks))
        if small and not kept and not opens:  # first, right over the first of the notes ("For SI: ...")
            after = under[at + 1 : at + 1 + LEADING]
            opens = any(letter_of(note, marks) or mark_of(note) in marks for note in after)
        goes_on = bool(kept) and gap < 0.7 * row.size and abs(row.size - kept[-1].size) < LIKE
        if gap > 2.2 * row.size or not (opens or goes_on):
            break
        kept.append(row)
    return _notes(kept, words, marks)


def _names_of(words: Sequence[str]) -> frozenset[str]:
    """Return the words that begin one note or several, in small letters."""
    plural: dict[str, str] = shipped("tables")["naming"]["several"]
    names = {word.casefold() for word in words}
    return frozenset(names).union(plural[name] for name in names if name in plural)


def _start(rows: Sequence[Row], words: Sequence[str], width: float, ruled: Sequence[bool]) -> int | None:
    """Return the first row from which on there are only notes, None where the last row is none."""
    if len(rows) < 2:
        return None
    usual = median(row.size for row in rows)
    columned = []
    for row, beside in zip(rows, ruled, strict=True):  # in columns, the mark or NOTE before its text apart
        lead = len(text_of(row.fragments[0].words)) <= 3 or _is_note(row, words)
        columned.append(beside or len(row.fragments) - lead > 1)
    for i in range(1, len(rows)):
        row, above = rows[i], rows[:i]
        first, mark = row.words[0], mark_of(row)
        small = row.size < SMALLER * median(other.size for other in above) or row.size < usual
        long = row.words[-1].x1 - first.x0 > LONG * width and any(columned[:i])
        sign = first.rise > 0 or text_of(row.words)[0] in SIGNS + "["
        # words of the rows over it carry the mark with the bracket that it begins with
        carried = first.text.endswith((")", "]")) and any(
            word.text.endswith(first.text) for other in above for word in other.words[1:]
        )
        marked = bool(mark) and (small or long or sign or carried)
        loose = any(ruled[:i]) and _is_lettered(rows[i : i + 2])  # the layer has lost that the mark is raised
        if (_is_note(row, words) or marked or loose) and not any(columned[i:]):
            return i
    return None


def _is_lettered(rows: Sequence[Row]) -> bool:
    """Tell whether a line begins with a bare letter or figure, or follows one that stands a little higher."""
    first = rows[0].words[0].text
    lone = len(rows) > 1 and len(rows[0].words) == 1 and rows[0].y1 > rows[1].y0 and len(rows[1].words) > 1
    mark = len(first) == 1 and (first.islower() or first.isdigit())
    return mark and (lone or len(rows[0].words) > 2)


def _is_note(row: Row, words: Sequence[str]) -> bool:
    first = row.words[0].text.rstrip(":.0123456789").casefold()
    return first in _names_of(words)


def _opens(row: Row, words: Sequence[str]) -> bool:
    return _is_note(row, words) or bool(mark_of(row))


def mark_of(row: Row) -> str:
    """Return the bare mark that the line begins with, "" where it begins with none."""
    text = text_of(row.words) + " "
    found = _NUMBERED.match(text)
    if found:
        return next(group for group in found.groups() if group)
    raised = _RAISED.match(text)
    return bare(raised[1]) if raised else ""


def letter_of(row: Row, marks: frozenset[str], before: str = "") -> str:
    """Return the letter that a line begins with, "" where it is no mark.

    It is one where the cells carry it, or where it comes behind the one `before` in the alphabet.
    """
    found = _LETTERED.match(text_of(row.words) + " ")
    if not found or len(row.words) < 3:
        return ""
    goes_on = before and found[1] > before and (found[0][1] == "." or ord(found[1]) == ord(before) + 1)
    return found[1] if found[1] in marks or goes_on else ""


def bare(mark: str) -> str:
    """Return a mark without brackets and as ordinary characters."""
    return unicodedata.normalize("NFKC", mark).strip("()[].")


def _notes(
    rows: Sequence[Row], words: Sequence[str], marks: frozenset[str] = frozenset()
) -> tuple[PrintedNote, ...]:
    """Return the rows as notes: a new one begins with a mark, a NOTE, or white space above."""
    groups: list[list[Row]] = []
    letters: list[str] = []
    for row in rows:
        apart = groups and row.y0 - groups[-1][-1].y1 > 0.55 * row.size
        letter = letter_of(row, marks, max(letters, default=""))
        letter = "" if letter in letters else letter  # "a height" in the middle of note a
        if not groups or _opens(row, words) or apart or letter:
            groups.append([row])
            letters.append(letter)
        else:
            groups[-1].append(row)
    notes = []
    heading: list[Word] = []  # "NOTES:" on a line of its own belongs to the note under it
    for group, letter in zip(groups, letters, strict=True):
        mark, text = mark_of(group[0]) or letter, paragraph(group)
        every = heading + [word for row in group for word in row.words]
        if text.rstrip(" :.").casefold() in _names_of(words):
            heading = every
            continue
        heading = []
        lead = _NUMBERED.match(text) or _RAISED.match(text) or _LETTERED.match(text) if mark else None
        notes.append(PrintedNote(mark, text[lead.end() :].strip() if lead else text, around(every)))
    return tuple(notes)


NEAR = 1.5  # type sizes between a word and the mark behind it
LEVEL = 0.5  # of the height of the lower of two words of one line
_SIGN = r"[^\W_]|\*"
_MARKS = re.compile(rf"\)?(?:(?:{_SIGN})\))+")
_BRACKET = re.compile(r"[\[\]|](?=\))")  # "[)2)": what a raised 1 before its bracket is read as
_GROWN = re.compile(rf"([^()]*?(?:\d|[^\W\d_]{{3}}))((?:(?:{_SIGN})\))+)")
_BARE = re.compile(r"([a-z](?=\.?\s+\S)|\d{1,2}(?=\s+[^\W\da-z_]))\.?\s+")  # "b The term", "2 Values"


def with_marks(words: Sequence[Word], marks: Collection[str]) -> list[Word]:
    """Return the words with the marks of notes raised; `marks` are the bare ones of the table's notes."""
    return [part for word in words for part in _lifted(word, words, marks)] if marks else list(words)


def _lifted(word: Word, words: Sequence[Word], marks: Collection[str]) -> Iterator[Word]:
    if _MARKS.fullmatch(read := _BRACKET.sub("1", word.text)):
        word = replace(word, text=read)
    if word.rise or not word.text.endswith(")"):
        yield word
    elif _MARKS.fullmatch(word.text) and _known(word.text, marks) and _carried(word, words):
        yield replace(word, rise=1, glued=True)
    elif (grown := _GROWN.fullmatch(word.text)) and _known(grown[2], marks):
        middle = word.x0 + (word.x1 - word.x0) * len(grown[1]) / len(word.text)
        yield replace(word, text=grown[1], x1=middle)
        yield replace(word, text=grown[2], x0=middle, rise=1, glued=True)
    else:
        yield word


def _known(text: str, marks: Collection[str]) -> bool:
    return set(text.lstrip(")").split(")")[:-1]) <= set(marks)


def _carried(mark: Word, words: Sequence[Word]) -> bool:
    """Tell whether a word stands right before a mark, and no open bracket before that."""
    line = []
    for word in words:
        shared = min(word.y1, mark.y1) - max(word.y0, mark.y0)
        level = shared > LEVEL * min(word.y1 - word.y0, mark.y1 - mark.y0)
        if word is not mark and word.x0 < mark.x0 and level:
            line.append(word)
    text = "".join(word.text for word in line)
    near = any(-1 < mark.x0 - word.x1 < NEAR * mark.size for word in line)
    return near and text.count("(") <= text.count(")")


def told(notes: Sequence[PrintedNote], marks: Collection[str]) -> tuple[PrintedNote, ...]:
    """Return the notes that begin with a bare letter or figure with it as their mark.

    It is a mark where the cells carry it; a letter, too, where it goes on behind such a one, and where the
    first note begins with a small "a" before a capital.
    """
    result: list[PrintedNote] = []
    last = ""
    for note in notes:
        found = None if note.mark else _BARE.match(note.text)
        mark = found[1] if found else ""
        first = not result and note.text[:2] == "a " and note.text[2:3].isupper()
        goes_on = last != "" and mark == chr(ord(last) + 1)
        if found and (mark in marks or goes_on or first):
            last = mark if mark.isalpha() else last
            result.append(replace(note, mark=mark, text=note.text[found.end() :]))
        else:
            result.append(note)
    return tuple(result)
