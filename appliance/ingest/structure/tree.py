"""The clause tree: openings, headings, list items with their labels, and the tables and figures in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from typing import TypeVar

from appliance.core.document import Box, Clause, ClauseKind, Figure, Formula, Label, Table
from appliance.core.runs import grouped
from appliance.ingest.layout.typography import LARGER, Row, Typography
from appliance.ingest.page import Line
from appliance.ingest.structure.numbered_headings import HEADING, Skeleton, commented, title_sizes
from appliance.ingest.structure.numbered_headings import TITLE as TITLE_WORDS
from appliance.ingest.structure.schemes import INNER, Level, Scheme
from appliance.ingest.structure.sequence import (
    BEHIND_ANOTHER,
    Reading,
    follows,
    is_inserted,
    leaves,
    readings,
    starts_upper,
    value,
)
from appliance.ingest.structure.unnumbered_headings import (
    TITLE,
    Heading,
    Titles,
    is_informative,
    number_of_title,
    reads_like_words,
    run_in,
    runs_in,
)


@dataclass(slots=True, eq=False)
class Node:
    """A place of the document while its text is gathered."""

    kind: ClauseKind
    rank: float
    parent: Node | None
    level: Level | None = None
    number: str = ""
    head: str = ""
    marker: str = ""
    title: str = ""
    principle: bool = False
    normative: bool = True
    container: Node | None = None  # the Part in which its numbers count
    titles: list[Line] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    skip: int = 0  # characters of the first line that are its marker
    breaks: set[int] = field(default_factory=set)
    indent: float = 0.0
    lists: dict[str, tuple[int, float]] = field(default_factory=dict)  # last number and its indent

    @property
    def unread(self) -> bool:
        """Whether its title has a number that is none of the sequence: its paragraphs are not another's."""
        return self.level is None and bool(number_of_title(self.title))

    def ancestors(self) -> list[Node]:
        """Return the nodes above it, nearest first."""
        found, node = [], self.parent
        while node is not None:
            found.append(node)
            node = node.parent
        return found


FRONT = "Front matter"
GLUED = "{head}{number}"  # label of a number with a letter before it: "C5.2", "R301.2"
ITEM = "{parent}{number}"  # of an item of a list: "5.2a"
_WHOLE = re.compile(r"(?:\W+\s)?\d+")  # "102", "§ 102"
_TITLE = 160  # characters of a title that serve as label


def announced_once(nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes without those that are only a name which the next bears again: covers of annexes."""
    named = [(node, printed(node)) for node in nodes]
    covers = {
        node
        for (node, name), (after, again) in pairwise(named)
        if not node.lines and name == again and node.title in {"", name, after.title}
    }
    return [node for node in nodes if node not in covers]


def label_nodes(nodes: Sequence[Node]) -> list[Label]:
    """Return the label of each node, in order."""
    names = [printed(node) for node in nodes]
    parted = _parted_containers(nodes, names)
    keys = [(*_part(node, parted), name) for node, name in zip(nodes, names, strict=True)]
    longer: tuple[Callable[[Node], tuple[str, ...]], ...] = (_under_container, _under_numbered, _under_all)
    for lengthen in longer:
        counts = Counter(keys)
        keys = [
            (*lengthen(node), name) if counts[key] > 1 else key
            for key, node, name in zip(keys, nodes, names, strict=True)
        ]
    return counted(map(Label, keys))


def printed(node: Node) -> str:
    """Return the label as the code prints it."""
    if node.level is None:
        return _short(node.title) if node.title else FRONT
    parent, number = _base(node), node.number
    if node.level.label == ITEM and number.isalpha() and _WHOLE.fullmatch(parent):
        number = f"({number})"  # "102a" is another section
    head = node.head or f"{node.level.name.capitalize()} {node.number}"
    label = node.level.label.format(number=number, head=head, parent=parent)
    return " ".join(label.split())


def _short(title: str) -> str:
    return title if len(title) <= _TITLE else title[: title.rfind(" ", 0, _TITLE)]


def _base(node: Node) -> str:
    """Return what the label of a place inside a clause starts with."""
    for above in node.ancestors():
        if above.level is None:
            if above.unread or node.kind != "paragraph" or not any(n.number for n in above.ancestors()):
                return f"{_short(above.title)} " if above.title else ""
            continue
        if above.kind in {"clause", "requirement", "section"}:
            signed = above.level.label == GLUED or (above.head and not above.head[0].isalnum())  # "§ 12"
            return printed(above) if signed else above.number
        return printed(above)
    return ""


def _parted_containers(nodes: Sequence[Node], names: Sequence[str]) -> dict[Node, str]:
    """Return the name of each Part that the labels inside it need."""
    seen: dict[str, set[Node]] = defaultdict(set)
    for node, name in zip(nodes, names, strict=True):
        if node.level and node.level.sequence == "dotted" and node.container and node.container is not node:
            seen[name].add(node.container)
    inner = {part for parts in seen.values() for part in parts if part.parent is not None}
    outer = {part for parts in seen.values() if len(parts - inner) > 1 for part in parts - inner}
    return {part: _part_name(part) for part in outer | inner}


def _part_name(container: Node) -> str:
    name = container.number if container.kind == "requirement" else printed(container)
    return f"{printed(container.parent)} {name}" if container.parent is not None else name


def _part(node: Node, parted: dict[Node, str]) -> tuple[str, ...]:
    """Return the Part of a numbered place, or of a place inside one."""
    numbered = next((n for n in (node, *node.ancestors()) if n.level and n.level.sequence == "dotted"), None)
    part = numbered.container if numbered and numbered.container is not node else None
    name = parted.get(part) if part else None
    return (name,) if name else ()


def _under_container(node: Node) -> tuple[str, ...]:
    return (_part_name(node.container),) if node.container and node.container is not node else ()


def _under_numbered(node: Node) -> tuple[str, ...]:
    above = next((n for n in node.ancestors() if n.number), None)
    return (*_under_container(node), printed(above)) if above else _under_container(node)


def _under_all(node: Node) -> tuple[str, ...]:
    return (*_under_container(node), *(printed(n) for n in reversed(node.ancestors())))


def counted(labels: Iterable[Label]) -> list[Label]:
    """Return the labels; what is alike gets the count of its occurrence before its last part."""
    used = Counter[Label]()
    found = []
    for label in labels:
        used[label] += 1
        apart = (f"no. {used[label]}",) if used[label] > 1 else ()
        found.append(Label((*label.parts[:-1], *apart, label.parts[-1])))
    return found


Placed = TypeVar("Placed", Table, Figure, Formula)


def place(items: Sequence[Placed], clauses: Sequence[Clause]) -> tuple[Placed, ...]:
    """Return the items with the clause in which each stands, labels told apart by their Part.

    An item belongs to the last clause that starts before it: on an earlier page, or above it on its
    own page in the same column or in one to the left.
    """
    places = enumerate((box, each) for each in clauses for box in each.boxes)
    starts = grouped((box.page, (order, box, each)) for order, (box, each) in places)  # each with its order
    numbers = sorted(starts)
    lasts = list(accumulate((starts[number][-1] for number in numbers), max))  # up to each of these pages
    by_label = {clause.label: clause for clause in clauses}
    same = Counter(item.label for item in items)
    homes: list[Label | None] = []
    labels: list[Label] = []
    for item in items:
        met: list[tuple[int, Box, Clause]] = []
        if item.boxes:
            box = item.boxes[0]
            met += lasts[: bisect_left(numbers, box.page)][-1:]
            same_page = starts.get(box.page, [])
            met += (s for s in same_page if s[1].y0 <= box.y0 + 0.01 and s[1].x0 <= box.x1)
        home = max(met)[2] if met else None
        homes.append(home.label if home else None)
        part = _part_of(home, by_label) if home and same[item.label] > 1 else ()
        labels.append(Label(part + item.label.parts))
    found = zip(items, homes, counted(labels), strict=True)
    return tuple(replace(item, clause=home, label=label) for item, home, label in found)


def _part_of(clause: Clause, by_label: Mapping[Label, Clause]) -> tuple[str, ...]:
    """Return the Part of a clause: of its label, else the top place above it."""
    if len(clause.label.parts) > 1:
        return clause.label.parts[:1]
    while clause.parent is not None and clause.parent in by_label:
        clause = by_label[clause.parent]
    return (str(clause.label),)


TITLED_ABOVE = 0.9  # of the numbers of a document: so many stand under a heading, which is their title
LATE = 3  # number with which the paragraphs of a clause may begin where those before were not read
FAR = 8.0  # ems from the margin at which a lone number in brackets is that of a formula
LIST = 20  # items of a list that may tell how its texts are set


class Tree:
    """Grows by one row after another; `nodes` is the result in document order."""

    def __init__(
        self,
        rows: Sequence[Row],
        skeleton: Skeleton,
        headings: Mapping[int, Heading],
        scheme: Scheme,
        typography: Typography,
    ) -> None:
        self.nodes: list[Node] = []
        self._rows, self._skeleton, self._headings = rows, skeleton, headings
        self._scheme, self._typography = scheme, typography
        self._current: Node | None = None
        self._container: Node | None = None
        self._begun = self._ended = False  # the numbered text, and the code before its publisher's pages
        self._top_titles = {title.casefold() for title in scheme.top_titles}
        self._back_titles = {title.casefold() for title in scheme.back_titles}
        inner = [level for level in scheme.levels if level.rank >= INNER]
        self._inner = [level for level in inner if level.title == "none"]
        self._titles = Titles(rows, skeleton.openings, headings, typography, self._is_list)
        self._top_size, self._heading_base = title_sizes(rows, skeleton)
        numbers = [
            at for at, reading in skeleton.openings.items() if reading.level.series and not reading.head
        ]
        over = {heading.end for heading in headings.values()}
        self._titled_above = sum(at in over for at in numbers) >= max(1, TITLED_ABOVE * len(numbers))
        self._sizes = sorted({round(h.size) for h in headings.values()}, reverse=True)

    def grow(self) -> list[Node]:
        """Read all rows and return the nodes."""
        index = 0
        while index < len(self._rows):
            if reading := self._skeleton.openings.get(index):
                index = self._open(index, reading)
            elif heading := self._headings.get(index):
                index = self._head(heading)
            else:
                self._text(index)
                index += 1
        return self.nodes

    # --- numbered openings and headings -------------------------------------------------------

    def _open(self, index: int, reading: Reading) -> int:
        level, row = reading.level, self._rows[index]
        above = level.title == "above"
        same = [n for n in self.nodes if above and n.kind == "requirement" and n.number == reading.text]
        if same and same[-1].titles:  # its heading came before its legal text
            self._current = same[-1]
            self._rest(row, reading.end)
            return index + 1
        deeper = level.sequence == "dotted" and level.kind != "annex"
        inserted = bool(level.series) and bool(re.fullmatch(r"\d+[A-Z]{1,2}", reading.text))  # 47A, beside 47
        rank = level.rank + (len(reading.number) - 1 if deeper and not inserted else 0)
        node = self._push(level.kind, rank, row, reading)
        if level.restarts:
            self._container = node
        elif self._container and self._container.kind == "annex" and self._container not in node.ancestors():
            self._container = next((n for n in node.ancestors() if n.level and n.level.restarts), None)
        node.container = self._container
        self._begun = True
        if above:
            node.title = self._title_above(index)
        taken = self._titled_above and self._takes_heading(node, index)
        titled = level.title == "line" and bool(row.line.text[reading.end :].strip(" :,–—-"))
        if not taken and (titled or level.title in {"rest", "auto"}):
            end = self._take_title(node, index, reading)
            if end:
                return end
        self._rest(row, reading.end)
        return index + 1

    def _takes_heading(self, node: Node, index: int) -> bool:
        """Give a number the heading right above it as its title; tell whether there is one."""
        above = self.nodes[-2] if len(self.nodes) > 1 and not node.head else None
        if above is None or above.level or above.lines or self._rows[index - 1].line not in above.titles:
            return False
        self.nodes.remove(above)
        node.title, node.titles = above.title, above.titles
        node.parent = above.parent if node.parent is above else node.parent
        return True

    def _push(self, kind: ClauseKind, rank: float, row: Row, reading: Reading | None) -> Node:
        above = [self._current, *self._current.ancestors()] if self._current else []
        parent = next((n for n in above if n.rank < rank), None)
        if reading and reading.level.comments and not reading.level.within:
            # the place on which a commentary is, by its number: R5.2.1 may stand pages behind 5.2.1
            plain = (n for n in reversed(self.nodes) if n.number == commented(reading))
            parent = next((n for n in plain if n.level and not n.level.comments), parent)
        node = Node(
            kind=kind,
            rank=rank,
            parent=parent,
            level=reading.level if reading else None,
            number=reading.text if reading else "",
            head=reading.head if reading else "",
            marker=reading.printed if reading else "",
            principle=bool(reading and reading.principle),
            normative=(parent.normative if parent else True) and not (reading and reading.level.informative),
            container=self._container,
            indent=row.indent,
        )
        self.nodes.append(node)
        self._current = node
        return node

    def _head(self, heading: Heading) -> int:
        above = (self._current, *self._current.ancestors()) if self._current else ()
        defining = {title.lower() for title in self._scheme.definition_titles}
        plain = heading.size <= self._typography.size * LARGER  # bold type in the size of the body
        if plain and any(node.title.lower() in defining for node in above):  # marks a term there
            for index in range(heading.start, heading.end):
                self._text(index)
            return heading.end
        title = " ".join(heading.title.split())
        self._ended = self._ended or title.casefold() in self._back_titles
        kind: ClauseKind = "heading" if self._begun and not self._ended else "front"
        rank = self._heading_base if self._begun else HEADING
        rank += 0.1 * self._sizes.index(round(heading.size))
        alone = title.casefold() in self._top_titles | self._back_titles
        if alone or (self._top_size and heading.size >= 0.96 * self._top_size):
            rank = 1.0
        node = self._push(kind, rank, self._rows[heading.start], None)
        node.title = title
        node.titles = [item.line for item in self._rows[heading.start : heading.end]]
        return heading.end

    def _take_title(self, node: Node, index: int, reading: Reading) -> int:
        """Give the node its title; return the row after it, or 0 where the row holds text as well."""
        row = self._rows[index]
        opens = reading.level.title == "auto" and not self._typography.stands_out(row.line)
        if opens or runs_in(row.line, reading.end):
            plain = self._is_plain_title(index, reading)
            node.title = row.line.text[reading.end :].strip() if plain else run_in(row.line, reading.end)
            node.titles = [row.line] if plain else node.titles
            return index + 1 if plain else 0
        title = self._titles.read(index, reading)
        if title is None:
            return 0
        node.titles = [item.line for item in self._rows[index : title.end]]
        node.title = title.text
        if title.status:
            node.normative = not is_informative(
                title.status, self._scheme.informative, self._scheme.normative
            )
        return title.end

    def _is_plain_title(self, index: int, reading: Reading) -> bool:
        """Tell whether a line in body type is a title: in capitals, or places inside it begin under it."""
        text = self._rows[index].line.text[reading.end :].strip()
        below = index + 1
        inner = self._skeleton.openings.get(below)
        deeper = inner is not None and inner.number[:-1] == reading.number
        opens = deeper or (inner is None and below < len(self._rows) and self._is_list(below))
        capital = text.isupper() and below < len(self._rows) and not self._rows[below].line.text.isupper()
        opens = opens or (capital and reads_like_words(text))
        whole = starts_upper(text) and text[-1] not in ".,:;。、"
        return opens and whole and len(text.split()) <= TITLE_WORDS

    def _title_above(self, index: int) -> str:
        """Take the bold line just above out of the text and return it as a title."""
        titles: list[str] = []
        at = index - 1
        while at >= 0 and len(titles) < 2 and self._rows[at].line.bold:
            line = self._rows[at].line
            owner = next((n for n in self.nodes[-4:] if n.lines and n.lines[-1] is line), None)
            if owner is None or len(line.text) > TITLE:
                break
            owner.lines.pop()
            titles.insert(0, line.text)
            if self._rows[at].fresh:
                break
            at -= 1
        return " ".join(titles)

    # --- text and lists -----------------------------------------------------------------------

    def _text(self, index: int) -> None:
        row = self._rows[index]
        if self._reset(row):
            return
        untouched = self._current is not None and not self._current.lines  # just after a title
        free = row.fresh or row.after_end or untouched
        if row.line.upright and (free or self._goes_on(row)) and self._list(row, row.line.text, 0):
            return
        before = self._current
        self._close_lists(row)
        self._append(row, anew=self._current is not before)

    def _goes_on(self, row: Row) -> bool:
        """Tell whether a line inside a paragraph is the next item of the list that is open there.

        It is where the line before was broken off although this line's first words had room on it.
        """
        node = self._current
        if node is None or node.kind != "item" or node.level is None or not row.broken:
            return False
        found = (r for r in readings(row.line.text, [node.level]) if r.printed[-1:] == ")" and not r.price)
        reading = next(found, None)
        last = node.parent.lists.get(node.level.name) if node.parent else None
        return bool(reading and last and value(reading) == last[0] + 1 and follows(row, reading, last))

    def _rest(self, row: Row, skip: int) -> None:
        """Give the rest of a marker's line to its node, or to the list that starts in it."""
        node = self._current
        text = row.line.text[skip:]
        offset = skip + len(text) - len(text.lstrip())
        if text.strip() and self._list(row, text.lstrip(), offset):
            if node is not None and not node.lines:
                node.titles.append(row.line)
            return
        self._append(row, skip)

    def _append(self, row: Row, skip: int = 0, *, anew: bool = False) -> None:
        node = self._current
        if node is None:
            node = self._push("front", 1.0, row, None)
        if not node.lines:
            node.skip = skip
        elif row.fresh or anew:
            node.breaks.add(len(node.lines))
        node.lines.append(row.line)

    def _reset(self, row: Row) -> bool:
        """Go back to the provision that a line of its box names ("Limits on application")."""
        for pattern in self._scheme.resets:
            match = pattern.search(row.line.text)
            if not match:
                continue
            number = match.groupdict().get("number")
            near = [n for n in self.nodes[-40:] if n.kind == "requirement"]
            wanted = [n for n in near if not number or n.number == number]
            if wanted:
                self._current = wanted[-1]
                self._append(row)
                return True
        return False

    def _is_list(self, index: int) -> bool:
        row = self._rows[index]
        return any(self._home(row, reading) for reading in readings(row.line.text, self._inner))

    def _list(self, row: Row, text: str, offset: int) -> bool:
        """Open the list place that the text starts with, if it is one here."""
        homes = ((reading, self._home(row, reading)) for reading in readings(text, self._inner))
        fitting = [(reading, home) for reading, home in homes if home is not None]
        if not fitting:
            return False
        reading, home = min(fitting, key=lambda pair: (value(pair[0]) == 1, pair[0].price))
        self._current = home
        node = self._push(reading.level.kind, reading.level.rank, row, reading)
        last = home.lists.get(reading.level.name)
        counted = last[0] if last and is_inserted(reading, last[0]) else value(reading)
        home.lists[reading.level.name] = (counted, row.indent)
        self._rest(row, offset + reading.end)
        node.container = self._container
        return True

    def _home(self, row: Row, reading: Reading) -> Node | None:
        """Return the node in which the marker continues or starts a list, None where it is text."""
        level = reading.level
        chain = [self._current, *self._current.ancestors()] if self._current else []
        if level.within and not any(n.level and n.level.name in level.within for n in chain):
            return None
        if level.kind == "note":
            return next((n for n in chain if n.rank < level.rank), None)
        if level.kind == "paragraph":
            chain = self._paragraph_homes(row, reading, chain)
        for node in chain:
            last = node.lists.get(level.name)
            if last and node.rank < level.rank and follows(row, reading, last):
                return node
            if node.rank < INNER and level.kind == "item":
                break
        bare = reading.printed[-1:].isalnum() and reading.level.sequence in {"letter", "roman"}
        if value(reading) != 1 or bare:
            return self._extract(chain, row, reading)
        home = next((n for n in chain if n.rank < level.rank), None)
        return None if home and level.kind == "paragraph" and home.lists.get(level.name) else home

    def _paragraph_homes(self, row: Row, reading: Reading, chain: Sequence[Node]) -> list[Node]:
        """Return the numbered places in which a paragraph may stand, nearest first.

        A heading may stand before it. What places of one level alone hold goes on behind others in them.
        """
        level = reading.level
        far = row.indent > FAR or reading.price >= BEHIND_ANOTHER
        if far and row.line.text.rstrip().endswith(reading.printed):
            return []  # it numbers a formula
        before = next((n for n in reversed(self.nodes) if n.number and n.kind != "item"), None)
        around = [*chain, *([before, *before.ancestors()] if before and before not in chain else [])]
        held = [n for n in around if n.kind != "item" and (n.number or n.unread) and n.rank < level.rank]
        named = [n for n in held if n.level and n.level.name in level.within]
        if level.within and named[:1] != held[:1]:
            last = named[0].lists.get(level.name) if named else None
            return named[:1] if last and follows(row, reading, last) else []
        return held if level.sequence == "letter" else held[: 1 + sum(n.rank >= INNER for n in held)]

    def _extract(self, chain: Sequence[Node], row: Row, reading: Reading) -> Node | None:
        """Return the home of a numbered place whose first ones are not printed or were not read.

        An extract of law may begin anywhere, and any extract right under a title; elsewhere the text layer
        may have lost the first number.
        """
        level = reading.level
        home = next((n for n in chain if n.rank < level.rank), None)
        first = home is not None and home is self._current and bool(home.titles) and not home.lines
        if level.kind != "paragraph" or reading.price or not (row.fresh or first):
            return None
        last = home.lists.get(level.name, (0, 0.0))[0] if home else 0
        named = not reading.text[:1].isdigit()  # "(NA.5)" goes on with the paragraphs of another document
        near = named or bool(level.within) or (not last and (first or value(reading) <= LATE))
        return home if home and near and value(reading) > last else None

    def _close_lists(self, row: Row) -> None:
        """Leave lists and notes that this line does not belong to."""
        node, back = self._current, False
        if node is not None and node.kind == "item" and node.lines:
            # a line without white space above may stand outside the open item
            items = [n.lines for n in self.nodes[-LIST:] if n.parent is node.parent and n.level is node.level]
            back = leaves(row, node.indent, node.lines, [lines for lines in items if lines])
        while self._current is not None and self._current.rank > INNER and (row.fresh or back):
            node = self._current
            first = next(iter(node.lines), None)
            if node.kind == "note":
                if first and self._typography.small(first) and self._typography.small(row.line):
                    return
            elif row.indent > node.indent + 0.4:
                return
            self._current = node.parent
