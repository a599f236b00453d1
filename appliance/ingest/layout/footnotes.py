"""Footnotes: small print at the foot of a page that begins with a mark in its running text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from msgspec import structs

from appliance.core.mechanisms import mechanism
from appliance.ingest.layout.typography import Typography
from appliance.ingest.page import Line, PageLayout, Word
from appliance.ingest.structure.labels import Node
from appliance.ingest.structure.schemes import Level, Scheme

FOOT = 0.45  # of the page's height: footnotes begin below
LETTERS = 4  # of the word that carries a figure; a shorter one is a symbol or a unit with its power
NAME = "footnote"  # what they are called where the scheme has no word of its own
RANK = 21.0  # of a note where the scheme has none

_MARK = r"\d{1,2}|[⁰¹²³⁴-⁹]{1,2}|[*†‡§]{1,3}"
_OPENING = re.compile(rf"\(?({_MARK})(?:\)|(?<=[*†‡§⁰¹²³⁴-⁹])|(?=\s|[^\W\d_]))\s*(?=\S)")
_RAISED = re.compile(rf"\(?({_MARK})\)?[.,;:]?")
_SIGNS = re.compile(r"\w[)\].,;:]?([*†‡§]{1,3})[.,;:]?$")
_BEFORE = re.compile(rf"[^\W\d_]{{{LETTERS},}}[)\]”’]?[.,;:]?$")


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


@mechanism("layout.footnotes", "Footnotes are tied to where they are called.", without=lambda *_: ())
def find_footnotes(
    layouts: Sequence[PageLayout], taken: Collection[tuple[int, int]], typography: Typography
) -> tuple[Footnote, ...]:
    """Return the footnotes of the pages; lines that are `taken` neither carry nor belong to any."""
    left_out = frozenset(taken)
    return tuple(note for page in layouts for note in _on_page(page, left_out, typography))


def _on_page(
    page: PageLayout, taken: frozenset[tuple[int, int]], typography: Typography
) -> Iterator[Footnote]:
    number = page.content.number
    free = [(i, line) for i, line in enumerate(page.lines) if line.upright and (number, i) not in taken]
    small = _foot(page, free, typography)
    if not small:
        return
    below = {index for index, _ in small}
    matches = [(line, match[1]) for _, line in small if (match := _OPENING.match(line.text))]
    raised = {mark for line, mark in matches if line.words[0].rise > 0}
    above = [line for index, line in free if index not in below]
    carried = _carried(above, {mark for _, mark in matches}, raised)
    opened: list[tuple[str, int]] = []
    parts: list[list[tuple[int, Line]]] = []
    for index, line in small:
        match = _OPENING.match(line.text)
        if match and match[1] in carried and match[1] not in {mark for mark, _ in opened}:
            opened.append((match[1], match.end()))
            parts.append([])
        if parts:
            parts[-1].append((index, line))
    for (mark, skip), part in zip(opened, parts, strict=True):
        lines = tuple(line for _, line in part)
        yield Footnote(mark, lines, tuple(index for index, _ in part), carried[mark], skip)


def _foot(
    page: PageLayout, free: Sequence[tuple[int, Line]], typography: Typography
) -> list[tuple[int, Line]]:
    """Return the lines of small print under which no running text stands, column by column, in order."""
    foot = []
    for index, line in free:
        at_foot = line.y0 > FOOT * page.content.height and typography.small(line)
        under = (other for _, other in free if other.y0 > line.y0 and _over(line, other))
        if at_foot and all(typography.small(other) for other in under):
            foot.append((index, line))
    return sorted(foot, key=lambda item: (item[1].column, item[1].y0))


def _over(one: Line, other: Line) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1


def _carried(lines: Sequence[Line], openings: Collection[str], sure: Collection[str]) -> dict[str, Line]:
    """Return the marks that the words of the lines carry, each with the first line that does.

    `openings` are the marks with which the small print opens, `sure` those that are raised there, too.
    """
    found: dict[str, Line] = {}
    for line in lines:
        before: Word | None = None
        for word in line.words:
            raised = _RAISED.fullmatch(word.text) if word.rise > 0 and before is not None else None
            signs = _SIGNS.search(word.text)
            if raised and before is not None and _is_carried(raised[1], before, sure):
                found.setdefault(raised[1], line)
            elif signs:
                found.setdefault(signs[1], line)
            before = word
    for line in lines:
        for mark, _ in run_in(line, openings):
            found.setdefault(mark, line)
    return found


def _is_carried(mark: str, before: Word, sure: Collection[str]) -> bool:
    return not mark.isdigit() or mark in sure or _BEFORE.search(before.text) is not None


def run_in(line: Line, marks: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield the figures run into the text of a line that are these marks, each with its place in the text."""
    at, before = 0, None
    for word in line.words:
        place = line.text.find(word.text, at)
        if place < 0:
            return
        glued = _GLUED.fullmatch(word.text)
        raised = _RAISED.fullmatch(word.text) if word.rise > 0 and before and not word.glued else None
        if glued and word.rise == 0 and glued[1] in marks:
            yield glued[1], place + glued.start(1)
        elif raised and before and raised[1] in marks and _NUMBER.fullmatch(before.text):
            yield raised[1], place + raised.start(1)
        at, before = place + len(word.text), word


def with_footnotes(nodes: Sequence[Node], footnotes: Sequence[Footnote], scheme: Scheme) -> list[Node]:
    """Return the nodes with each footnote as a note under the place that carries its mark."""
    level = _level(scheme)
    grown = list(nodes)
    for note in footnotes:
        at = _home(grown, note.carrier)
        if at is None:
            at = max((i for i, node in enumerate(grown) if _begins(node, note)), default=None)
        _insert(grown, at, note, level)
    return grown


def _home(nodes: Sequence[Node], carrier: Line) -> int | None:
    """Return the position of the node that holds the line."""
    place = (carrier.page, carrier.x0, carrier.y0)
    for at, node in enumerate(nodes):
        if any((line.page, line.x0, line.y0) == place for line in (*node.lines, *node.titles)):
            return at
    return None


def _begins(node: Node, note: Footnote) -> bool:
    first = next(iter((*node.titles, *node.lines)), None)
    return first is not None and first.page <= note.lines[0].page


def _level(scheme: Scheme) -> Level:
    """Return the level of footnotes: that of notes, or one of their own where the scheme has none."""
    word = next(iter(scheme.captions.get("footnote", ())), NAME)
    level = next((level for level in scheme.levels if level.kind == "note"), None)
    level = level or Level("note", "note", re.compile("(?!)"), "", RANK)
    return structs.replace(level, name=NAME, label=f"{{parent}} {word} {{number}}")


def _insert(nodes: list[Node], at: int | None, note: Footnote, level: Level) -> None:
    """Insert a footnote behind the node at a position and all places under it, None for the head of all."""
    home = above = None if at is None else nodes[at]
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
    while 0 < end < len(nodes) and any(one is home for one in nodes[end].ancestors()):
        end += 1
    nodes.insert(end, made)
