"""Footnotes: small print at the foot of a page that begins with a mark in its text; powers raised."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from appliance.core.mechanisms import mechanism
from appliance.ingest.layout.lines import is_mark, placed_words
from appliance.ingest.layout.typography import Typography
from appliance.ingest.page import Line, PageLayout, Place, Word
from appliance.ingest.structure.schemes import Level, Scheme
from appliance.ingest.structure.tree import Node
from appliance.ingest.tables.cells import raised as written_raised

FOOT = 0.45  # of the page's height: footnotes begin below
LETTERS = 4  # of the word that carries a figure; a shorter one is a symbol or a unit with its power
NAME = "footnote"  # what they are called where the scheme has no word of its own
RANK = 21.0  # of a note where the scheme has none

_MARK = r"\d{1,2}|[⁰¹²³⁴-⁹]{1,2}|[*†‡§]{1,3}"
_OPENING = re.compile(rf"\(?({_MARK})(?:\)|\.(?=\s)|(?<=[*†‡§⁰¹²³⁴-⁹])|(?=\s|[^\W\d_]))\s*(?=\S)")
_RAISED = re.compile(rf"\(?({_MARK})\)?[.,;:]?")
_SIGNS = re.compile(r"\w[)\].,;:]?([*†‡§]{1,3})[.,;:]?$")
_BEFORE = re.compile(rf"[^\W\d_]{{{LETTERS},}}[)\]”’]?[.,;:]?[\"”’]?$")
_GLUED = re.compile(rf"[(\[“‘]?[^\W\d_]{{{LETTERS},}}(\d|[⁰¹²³⁴-⁹]{{1,2}})[)\]”’]?[.,;:]?")
_NUMBER = re.compile(r"\d+[.,]\d+|(?!10$)\d+")  # that a raised figure behind a space is no power of


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: its bare mark, its lines and their indexes on the page, and the line that carries it.

    `skip` are the characters of the first line that are its mark.
    """

    mark: str
    lines: tuple[Line, ...]
    indexes: tuple[int, ...]
    carrier: Line
    skip: int


@mechanism("layout.footnotes", without=lambda *_: ())
def find_footnotes(
    layouts: Sequence[PageLayout], taken: Collection[Place], typography: Typography
) -> tuple[Footnote, ...]:
    """Return the footnotes of the pages; lines that are `taken` neither carry nor belong to any."""
    found: list[Footnote] = []
    left_out = frozenset(taken)
    for page in layouts:
        number, edge = page.content.number, FOOT * page.content.height
        free = [
            (i, line) for i, line in enumerate(page.lines) if line.upright and (number, i) not in left_out
        ]
        large = [line for _, line in free if not typography.small(line)]
        small = [  # print under which no running text stands
            (index, line)
            for index, line in free
            if line.y0 > edge
            and typography.small(line)
            and not any(one.y0 > line.y0 and line.x0 < one.x1 and one.x0 < line.x1 for one in large)
        ]
        if not small:
            continue
        small.sort(key=lambda item: (item[1].column, item[1].y0))
        below = {index for index, _ in small}
        matches = [(line, match[1]) for _, line in small if (match := _OPENING.match(line.text))]
        raised = {mark for line, mark in matches if line.words[0].rise > 0}
        above = [line for index, line in free if index not in below]
        carried = _carried(above, {mark for _, mark in matches}, raised)
        notes: dict[str, tuple[int, list[tuple[int, Line]]]] = {}  # by mark
        part: list[tuple[int, Line]] = []
        for index, line in small:
            match = _OPENING.match(line.text)
            if match and match[1] in carried and match[1] not in notes:
                part = []
                notes[match[1]] = match.end(), part
            part.append((index, line))
        for mark, (skip, own) in notes.items():
            lines, indexes = tuple(line for _, line in own), tuple(index for index, _ in own)
            found.append(Footnote(mark, lines, indexes, carried[mark], skip))
    return tuple(found)


def _carried(lines: Sequence[Line], openings: Collection[str], sure: Collection[str]) -> dict[str, Line]:
    """Return the marks that the words of the lines carry, each with the first line that does.

    `openings` are the marks with which the small print opens, `sure` those that are raised there, too.
    """
    found: dict[str, Line] = {}
    for line in lines:
        before: Word | None = None
        for word in line.words:
            raised = _RAISED.fullmatch(word.text) if word.rise > 0 and before is not None else None
            mark, behind = (raised[1], before.text) if raised and before is not None else ("", "")
            signs = _SIGNS.search(word.text)
            if mark and (not mark.isdigit() or mark in sure or _BEFORE.search(behind)):
                found.setdefault(mark, line)
            elif signs:
                found.setdefault(signs[1], line)
            before = word
    for line in lines:
        for mark, _ in run_in(line, openings):
            found.setdefault(mark, line)
    return found


def run_in(line: Line, marks: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield the figures run into the text of a line that are these marks, each with its place in the text."""
    before: Word | None = None
    for place, word in placed_words(line):
        glued = _GLUED.fullmatch(word.text)
        raised = _RAISED.fullmatch(word.text) if word.rise > 0 and before and not word.glued else None
        if glued and word.rise == 0 and glued[1] in marks:
            yield glued[1], place + glued.start(1)
        elif raised and before and raised[1] in marks and _NUMBER.fullmatch(before.text):
            yield raised[1], place + raised.start(1)
        before = word


LATIN = 0x370  # the letters of other alphabets come behind
RAISED_NEAR = 0.3  # type sizes between a raised sign and what it hangs on
_CLOSING = frozenset(")]}")
_RINGS = frozenset("0oO")


def as_written(layouts: Sequence[PageLayout], footnotes: Sequence[Footnote]) -> tuple[PageLayout, ...]:
    """Return the pages with powers written raised, and without the marks of footnotes in words and values."""
    marks: dict[int, set[str]] = {}
    for note in footnotes:
        marks.setdefault(note.lines[0].page, set()).add(note.mark)
    below = {id(line) for note in footnotes for line in note.lines}
    found = []
    for page in layouts:
        own = marks.get(page.content.number, set())
        lines = []
        for line in page.lines:
            called = run_in(line, own) if own and id(line) not in below else ()
            changes = {place: (mark, "") for mark, place in called}
            for place, plain in _powers(line) if page.content.trust == "digital" else ():
                # a lone raised ring or nought behind a figure is a degree
                changes.setdefault(place, (plain, "°" if plain in _RINGS else written_raised(plain)))
            text = line.text
            for place, (plain, written) in sorted(changes.items(), reverse=True):
                text = f"{text[:place]}{written}{text[place + len(plain) :]}"
            lines.append(line if text == line.text else replace(line, text=" ".join(text.split())))
        found.append(replace(page, lines=tuple(lines)))
    return tuple(found)


def _powers(line: Line) -> Iterator[tuple[int, str]]:
    """Yield the raised signs of a line that change a value, each with its place in the text."""
    before, inside = None, False
    for place, word in placed_words(line) if any(word.rise > 0 for word in line.words) else ():
        if word.rise <= 0:
            before, inside = word, False
        elif before is not None and (inside or _is_power(before, word)):
            inside = True
            yield place, word.text


def _is_power(before: Word, word: Word) -> bool:
    """Tell whether a raised word changes the value of what it hangs on: a figure, or a quantity."""
    if not is_mark(word.text) or word.x0 - before.x1 > RAISED_NEAR * before.size:
        return False
    sign = before.text[-1:]
    if sign.isdigit() or not any(one.isdigit() for one in word.text):
        return sign.isdigit()
    # the sign of a quantity is a letter of mathematics, or a lone one in italic or of another alphabet
    plain = unicodedata.normalize("NFKC", sign)
    if not plain.isalpha() or plain != sign:
        return sign in _CLOSING or plain.isalpha()
    return len(before.text.lstrip("([{")) == 1 and (before.italic or ord(plain) > LATIN)


def with_footnotes(nodes: Sequence[Node], footnotes: Sequence[Footnote], scheme: Scheme) -> list[Node]:
    """Return the nodes with each footnote as a note under the place that carries its mark."""
    word = next(iter(scheme.captions.get("footnote", ())), NAME)
    level = next((level for level in scheme.levels if level.kind == "note"), None)
    level = level or Level("note", "note", re.compile("(?!)"), "", RANK)
    level = structs.replace(level, name=NAME, label=f"{{parent}} {word} {{number}}")
    grown = list(nodes)
    for note in footnotes:
        place = (note.carrier.page, note.carrier.x0, note.carrier.y0)
        printed = [(*node.titles, *node.lines) for node in grown]
        holding = (
            at for at, own in enumerate(printed) if any((one.page, one.x0, one.y0) == place for one in own)
        )
        at = next(holding, None)
        if at is None:  # the last place that begins before the note; before all places where none does
            begun = [i for i, own in enumerate(printed) if own and own[0].page <= note.lines[0].page]
            at = max(begun, default=None)
        home = above = None if at is None else grown[at]
        while above is not None and above.rank >= level.rank and above.parent is not None:
            above = above.parent
        made = Node(
            kind="note",
            rank=level.rank,
            parent=above,
            level=level,
            number=unicodedata.normalize("NFKC", note.mark),
            marker=note.mark,
            normative=home.normative if home else True,
            container=home.container if home else None,
            lines=list(note.lines),
            skip=note.skip,
        )
        end = 0 if at is None else at + 1
        while 0 < end < len(grown) and any(one is home for one in grown[end].ancestors()):
            end += 1
        grown.insert(end, made)
    return grown
