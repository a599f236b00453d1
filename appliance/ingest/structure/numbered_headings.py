"""The numbered skeleton of a document: which rows open a Part, section, annex or clause."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from appliance.core.runs import grouped
from appliance.ingest.layout.typography import Row, Typography
from appliance.ingest.page import Line
from appliance.ingest.structure.schemes import Level, Scheme
from appliance.ingest.structure.sequence import (
    DASHES,
    Candidate,
    Habits,
    Reading,
    Stray,
    Style,
    alike,
    best_chain,
    opens_surely,
    readings,
    starts_upper,
    strays,
    style_of,
)
from appliance.ingest.structure.unnumbered_headings import bare
from appliance.text.numbers import COUNTED, MARKED

TITLED, UNTITLED = 0.6, -0.2  # weight of the type of a title, or of its lack
PLAIN = -1.3  # idem where the level asks for the type of a title
MIDWAY = -1.5  # a number inside a running sentence
TITLE = 12  # words of a title in body type, at most
SENTENCE = 3  # words that may begin one
UNENDED = -0.9  # a whole number before a new sentence, under a line without a full stop
FRESH = 0.4  # a number at the start of a paragraph
QUANTITY = -2.5  # a number before a unit
POINTER = -2.5  # a number that only points into a clause: "4.1 (1)" in a list of national choices
FIGURES = -1.5  # a line of figures, as in a table
LOWER = -0.5
UPPER = 0.3
HEADING, INSIDE = 3.0, 15.0  # rank of headings over untitled clauses, and of those inside titled ones
HEADS = 1.5  # a whole number over the first one inside it
PREAMBLE = 12  # rows that may stand between the two
WITNESS = 1.5  # the contents list or the bookmarks name it
SMALLER, TOO_SMALL = 0.85, -2.0  # share of the largest title of its kind, and the weight below it
ANNOUNCED = 3  # pages between a heading and its legal text that make it another's announcement
LARGER = 1.04  # times the type of a title: another one over it
USUAL, UNUSUAL = 0.5, -0.6  # set as most numbers of its depth are, or otherwise

_POINTER = re.compile(rf"\(\s?{COUNTED}\s?\)\s?{MARKED}(?:$|[\s,;])")
_FIRST = re.compile(r"\S*?(?=[–—\s]|-[A-Z]|$)")  # of "3.4.1" and of "3.4.1—Load factors"
_DOTTED = re.compile(r"(?P<over>[A-Z]?\d{1,3}|[A-Z])\.(?P<first>\d{1,3})(?:\.\d{1,3})*\.?(?=\s|$)")
_NUMERIC = re.compile(r"[\d.,–-]+%?")


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The openings by row; `containers` are the rows at which numbers may begin again.

    `strays` are numbers out of the sequence: openings too, or left in the text.
    """

    openings: dict[int, Reading]
    containers: tuple[int, ...]
    strays: tuple[Stray, ...] = ()


def find_skeleton(weighing: Weighing) -> Skeleton:
    """Return the openings of the document."""
    rows = weighing.rows
    single = _singles(rows, weighing.scheme, weighing.typography)
    begins = {index for index, reading in single.items() if reading.level.restarts}
    openings, out = dict(single), list[Stray]()
    # those whose numbers follow one another through the document
    counted = [level for level in weighing.scheme.levels if level.sequence == "dotted" or level.series]
    for series in dict.fromkeys(level.series for level in counted):
        levels = [level for level in counted if level.series == series]
        found, astray = _openings(weighing, levels, openings, frozenset(begins))
        openings |= found
        begins |= {index for index, reading in found.items() if reading.level.restarts}
        out += [one for one in astray if one.candidate.at not in openings or one.opens]
    listed = _listed({at: reading for at, reading in openings.items() if at not in single}, rows)
    openings = {index: reading for index, reading in openings.items() if index not in listed}
    strays = tuple(one for one in out if one.candidate.at not in listed)
    return Skeleton(_inside(openings), tuple(sorted(begins)), strays)


@dataclass(frozen=True, slots=True)
class Weighing:
    """What the readings of the rows of a document are weighed by; `names` are announced titles."""

    rows: Sequence[Row]
    scheme: Scheme
    typography: Typography
    names: frozenset[str]

    def candidates(
        self, levels: Sequence[Level], begins: frozenset[int] = frozenset()
    ) -> Iterator[Candidate]:
        """Yield every reading of every row by these levels; numbers may begin again at the rows `begins`."""
        container = 0
        for index, row in enumerate(self.rows):
            container += index in begins
            if not row.line.upright:
                continue
            for reading in readings(row.line.text, levels):
                if levels[0].series and names_document(row.line.text, self.scheme):
                    break
                heads = _heads(reading, row, self.rows[index + 1 : index + 1 + PREAMBLE])
                if (heads or fits(reading, row, self.typography)) and not self._announces(index):
                    weight = self._weight(reading, row) + (HEADS if heads else 0.0)
                    one = Candidate(reading, row, index, weight, container)
                    ends = row.line.text.endswith((".", ",", ";"))
                    apart = row.alone or (self.typography.stands_out(row.line) and not ends)
                    short = apart and len(row.line.words) <= TITLE
                    yield replace(one, titled=short and opens_surely(one, self.typography))

    def _announces(self, index: int) -> bool:
        """Tell whether a title stands again under other titles, with no text between: it names the page."""
        lines = (row.line for row in self.rows[index : index + PREAMBLE])
        titles = [bare(line.text) for line in takewhile(self.typography.stands_out, lines)]
        return bare(self.rows[index].line.text) in titles[2:]

    def _weight(self, reading: Reading, row: Row) -> float:
        rest = row.line.text[reading.end :].strip()
        words = rest.split()
        weight = -reading.price
        if row.fresh:
            weight += FRESH
        elif not row.after_end:
            whole = not reading.price and len(reading.number) > 1 and len(words) >= SENTENCE
            weight += UNENDED if whole and words[0].istitle() else MIDWAY
        if reading.level.title == "rest":
            plain = PLAIN if reading.level.style == "heading" else UNTITLED
            weight += TITLED if row.alone or self.typography.stands_out(row.line) else plain
        if not rest:
            weight -= 0.3
        else:
            stopped = reading.printed.endswith((".", "—"))  # "44D. (1)" is no pointer
            weight += UPPER if stopped and _POINTER.match(rest) else _opening_weight(rest, self.scheme)
        return weight + WITNESS * (bare(row.line.text) in self.names)


def _openings(
    weighing: Weighing, levels: Sequence[Level], opened: Collection[int], begins: frozenset[int]
) -> tuple[dict[int, Reading], list[Stray]]:
    """Return the openings of one series, without the rows that others open, and what is out of its order."""
    candidates = [one for one in weighing.candidates(levels, begins) if one.at not in opened]
    lists = _lists({one.at: one.reading for one in candidates}, weighing.rows, weighing.typography)
    candidates = [one for one in candidates if one.at not in lists]
    habits: dict[tuple[str, int], Counter[Style]] = defaultdict(Counter)  # by level and depth
    for one in best_chain(candidates):
        habits[one.reading.level.name, len(one.reading.number)][style_of(one.row)] += 1
    again = [replace(one, weight=one.weight + _habit(one, habits)) for one in candidates]
    chosen = best_chain(again)
    out = strays(again, chosen, weighing.typography, habits)
    opening = [*chosen, *(one.candidate for one in out if one.opens)]
    return {one.at: one.reading for one in opening}, out


def names_document(text: str, scheme: Scheme) -> bool:
    """Tell whether a line begins with the designation of a document: "EN 1990"."""
    return any(pattern.match(text) for pattern in scheme.designations)


def _listed(openings: dict[int, Reading], rows: Sequence[Row]) -> set[int]:
    """Return the rows that only announce: lines of a list whose places open, in these words, further on.

    A bold line that is set no smaller than that opening is none: "Section 1: Overview" of each chapter.
    Nor is one in another place than that opening: "Chapter 1. General" of each division.
    """
    homes: dict[int, str] = {}  # the title of the place that holds an opening, "" for none
    above: list[int] = []
    for index, reading in sorted(openings.items()):
        above = [other for other in above if openings[other].level.rank < reading.level.rank]
        homes[index] = bare(rows[above[-1]].line.text) if above else ""
        above.append(index)
    last = {bare(rows[index].line.text): index for index in sorted(openings)}
    announced = {
        index
        for index, row in enumerate(rows)
        if (later := last.get(bare(row.line.text), 0)) > index
        and (_is_larger(rows[later].line, row.line) or not row.line.bold)
        and (not homes[later] or homes.get(index, "") in {"", homes[later]})
    }
    return {index for index in announced if announced & {index - 1, index + 1}}


def _lists(read: Mapping[int, Reading], rows: Sequence[Row], typography: Typography) -> set[int]:
    """Return the rows of lists ("organized as follows") whose lines are titles, more prominent, further on.

    A line between two such belongs to the list, too.
    """
    titles: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for index, reading in read.items():
        if typography.stands_out(rows[index].line):
            titles[reading.text].append((index, bare(rows[index].line.text)))
    said = {
        index
        for index, reading in read.items()
        for at, title in titles[reading.text]
        if at > index
        and bare(reading.text) != title
        and bare(rows[index].line.text).startswith(title)
        and (not typography.stands_out(rows[index].line) or _is_larger(rows[at].line, rows[index].line))
    }
    said = {index for index in said if said & {index - 2, index - 1, index + 1, index + 2}}
    return said | {index for index in read if {index - 1, index + 1} <= said}


def _is_larger(line: Line, other: Line) -> bool:
    """Tell whether a line is set in larger or bolder type than another."""
    return line.size > LARGER * other.size or (line.bold and not other.bold)


def _inside(openings: dict[int, Reading]) -> dict[int, Reading]:
    """Return the openings without those of no sequence that stand outside what their level asks for."""
    above: list[Reading] = []
    kept = {}
    for index, reading in sorted(openings.items()):
        level = reading.level
        above = [other for other in above if other.level.rank < level.rank]
        if level.sequence == "once" and level.within and not any(r.level.name in level.within for r in above):
            continue
        above.append(reading)
        kept[index] = reading
    return kept


def _heads(reading: Reading, row: Row, below: Sequence[Row]) -> bool:
    """Tell whether a short line in body type is a title: the next dotted number below is the first inside it.

    Text may stand between them where white space parts the line from it.
    """
    if (
        len(reading.number) != 1
        or reading.price
        or not (row.fresh or row.after_end)
        or not starts_upper(row.line.text[reading.end :].strip())
        or len(row.line.words) > TITLE
    ):
        return False
    near = below if row.alone and not row.line.text.endswith((".", ";", ",")) else below[:1]
    first = next((found for one in near if (found := _DOTTED.match(one.line.text))), None)
    return first is not None and first["over"] == reading.text.rstrip(".") and first["first"] in {"0", "1"}


def fits(reading: Reading, row: Row, typography: Typography) -> bool:
    """Tell whether the row is set as the level asks."""
    style = reading.level.style
    if style == "heading" and reading.level.series and not row.scanned:
        # Inside titled clauses a paragraph may bear its number without a title: "6.2.1 All facilities shall".
        bold = row.line.words[0].bold and not typography.bold
        deep = 2 if bold or len(row.line.words) > TITLE else 3
        inside = len(reading.number) >= deep and row.fresh and reading.printed[:1].isalnum()
        return inside or typography.stands_out(row.line)
    if style == "heading":
        return typography.stands_out(row.line) or (
            row.fresh and reading.level.kind in {"annex", "section"} and len(row.line.text) < 80
        )
    if style == "lead":
        return row.line.words[0].bold and not typography.bold
    if style == "bold":
        return row.line.bold and not typography.bold
    return style != "small" or typography.small(row.line)


def _singles(rows: Sequence[Row], scheme: Scheme, typography: Typography) -> dict[int, Reading]:
    """Return the openings whose numbers follow no sequence: requirements, regulations, Parts."""
    levels = [lvl for lvl in scheme.levels if lvl.sequence == "once" and lvl.rank < 10 and not lvl.series]
    found: dict[int, Reading] = {}
    if not levels:
        return found
    signs: dict[str, dict[int, int]] = {level.name: {} for level in levels}  # the first of each page
    for level in levels:
        for index, row in enumerate(rows):
            if level.after and level.after.search(row.line.text):
                signs[level.name].setdefault(row.line.page, index)
    printed = {_FIRST.match(row.line.text)[0].rstrip(".*") for row in rows}  # type: ignore[index] # may be empty
    for index, row in enumerate(rows):
        before = rows[max(index - 1, 0)]
        beside = (before.line.page, before.line.column) == (row.line.page, row.line.column)
        larger = beside and before.line.size > LARGER * row.line.size  # a title right under a larger one
        under = larger and all(typography.stands_out(each.line) for each in (before, row))
        strict = row.fresh or row.after_end or under
        # right under the place before, set alike: "104 Box Beam" over "109 Open Girder"
        listed = [found[index - 1].level] if index - 1 in found and style_of(before) == style_of(row) else []
        if not row.line.upright:
            continue
        for reading in readings(row.line.text, levels if strict else listed):
            level, page, first = reading.level, row.line.page, signs[reading.level.name]
            stands = level.style != "heading" or typography.stands_out(row.line)
            if level.comments and level.comments.format(number=commented(reading)) not in printed:
                continue
            signed = level.after is None or page - 1 in first or first.get(page, index) < index
            if stands and signed and fits(reading, row, typography):
                found[index] = reading
                break
    return _last_of_each(found, rows)


def commented(reading: Reading) -> str:
    """Return the number of the clause that a commentary is on: 9.8.2.1 of "A-9.8.2.1.(2)"."""
    return reading.text.partition("(")[0].rstrip(".")


def _last_of_each(found: dict[int, Reading], rows: Sequence[Row]) -> dict[int, Reading]:
    """Drop headings that only announce: covers and lists of changes name what stands later on.

    Of several headings with one number the last counts; one whose legal text stands pages away is
    the announcement of that.
    """
    titled = {index: r for index, r in found.items() if r.level.style == "heading"}
    last = {(r.level.name, r.number): index for index, r in titled.items()}
    texts = grouped((reading.text, rows[at].line.page) for at, reading in found.items() if at not in titled)
    kept = {}
    for index, reading in found.items():
        pages = texts[reading.text]
        near = not pages or any(page - rows[index].line.page <= ANNOUNCED for page in pages)
        if index not in titled or (last[reading.level.name, reading.number] == index and near):
            kept[index] = reading
    return kept


def _opening_weight(rest: str, scheme: Scheme) -> float:
    words = rest.lstrip(DASHES).split()
    if _POINTER.match(rest):
        return POINTER
    if not words:
        return 0.0
    if words[0].strip(",.;)") in scheme.not_after:
        return QUANTITY
    if sum(bool(_NUMERIC.fullmatch(word)) for word in words) * 2 > len(words):
        return FIGURES
    return LOWER if words[0][0].islower() else UPPER if starts_upper(words[0]) else 0.0


def _habit(one: Candidate, habits: Habits) -> float:
    seen = habits.get((one.reading.level.name, len(one.reading.number)))
    if seen and one.reading.level.style == "heading":
        sizes = sorted(size for (_, size, _), count in seen.items() for _ in range(count))
        if len(sizes) > 1 and one.row.line.words[0].size < SMALLER * sizes[-2]:
            return TOO_SMALL
    if not seen or seen.total() < 5:
        return 0.0
    unusual = 0.0 if one.titled else UNUSUAL  # a title may stand out of its column
    return USUAL if alike(style_of(one.row), seen) >= 0.2 * seen.total() else unusual


def title_sizes(rows: Sequence[Row], skeleton: Skeleton) -> tuple[float, float]:
    """Return the size in which top places are titled, and the rank of headings in this document."""
    tops = [
        rows[index].line.size
        for index, reading in skeleton.openings.items()
        if reading.level.rank <= 1 and len(reading.number) == 1 and reading.level.style == "heading"
    ]
    deeper = [r for r in skeleton.openings.values() if r.level.sequence == "dotted" and len(r.number) > 1]
    titled = sum(reading.level.title == "rest" for reading in deeper) * 2 > len(deeper)
    tops.sort()
    return (tops[len(tops) // 2] if tops else 0.0), (INSIDE if titled and deeper else HEADING)
