"""Gaps and repeats in printed numbers: what stands between 1.3 and 1.5 and was not found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from string import ascii_uppercase

from appliance.core.document import Box, Clause, Document, Figure, Formula, Label, Problem, Table
from appliance.ingest.layout.typography import Typography
from appliance.ingest.page import Line
from appliance.ingest.structure.headings import number_of_title
from appliance.ingest.structure.labels import Node
from appliance.ingest.structure.markers import parsed
from appliance.text.designations import found, load_edition_words

UNUSED = "IO"  # letters that codes leave out of their annexes because they look like figures
LEFT_OUT = 9  # paragraphs that a clause may leave out behind (1), which are told all the same
FEWEST = 2  # items that make a sequence
ALIKE = "ilo"  # letters that lists may leave out for the same reason
_LETTER = re.compile(r"(?P<bare>.*[\d)])(?P<open>\(?)(?P<letter>[a-z])(?P<close>\)?)")
_ROMAN = re.compile(r".+\((?:[ivx]{2,5})\)?")
_NUMBER = re.compile(r"(?P<head>.*?)(?P<number>\d{1,3})(?P<tail>\)?P?)(?P<suffix>[a-z]?)")


@dataclass(frozen=True, slots=True)
class Placed:
    """A numbered item and where it stands."""

    label: Label
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A number that is skipped, as it would be printed; `before` is None at the start of a chapter."""

    printed: str
    before: Placed | None
    after: Placed


def gaps(items: Sequence[Placed]) -> tuple[Gap, ...]:
    """Return the skipped numbers of all sequences that the items form, in their order."""
    series: dict[tuple[tuple[str, ...], str, str], dict[int, Placed]] = defaultdict(dict)
    for item in items:
        shape = _NUMBER.fullmatch(str(item.label))
        if shape is not None:
            key = (item.label.parts[:-1], shape["head"], shape["tail"])
            series[key].setdefault(int(shape["number"]), item)
    named = {(item.label.parts[:-1], str(item.label)): item for item in items}
    for (above, head, _), sheets in series.items():  # the first sheet of a table bears its bare name
        if head.endswith(" (") and (first := named.get((above, head[:-2]))):
            sheets.setdefault(1, first)
    numbers = [
        gap for (_, head, tail), sheets in series.items() for gap in _sequences_skipped(sheets, head, tail)
    ]
    return (*numbers, *_skipped_letters(items))


def _skipped_letters(items: Sequence[Placed]) -> list[Gap]:
    """Return the letters that are skipped behind one number: 6.2b of 6.2a and 6.2c, 5(c) of 5(b) and 5(d)."""
    series: dict[tuple[object, ...], dict[int, Placed]] = defaultdict(dict)
    roman = set()
    for item in items:
        shape = _LETTER.fullmatch(str(item.label))
        if shape is not None:
            key = (item.label.parts[:-1], shape["bare"] + shape["open"], shape["close"])
            series[key].setdefault(ord(shape["letter"]), item)
        elif _ROMAN.fullmatch(str(item.label)):
            roman.add((item.label.parts[:-1], str(item.label).rpartition("(")[0] + "("))
    return [
        Gap(f"{bare}{chr(letter)}{close}", found[max(n for n in found if n < letter)], found[letter + 1])
        for (above, bare, close), found in series.items()
        for letter in range(min(found) + 1, max(found))
        if (above, bare) not in roman
        and chr(letter) not in ALIKE
        and letter not in found
        and letter + 1 in found
    ]


def letter_gaps(items: Sequence[Placed]) -> tuple[Gap, ...]:
    """Return the letters that are skipped between places named by one: Annex B of Annex A and Annex C."""
    series: dict[tuple[object, ...], dict[str, Placed]] = defaultdict(dict)
    for item in items:
        head, letter = str(item.label)[:-1], str(item.label)[-1:]
        if head.endswith(" ") and letter in ascii_uppercase:
            series[item.label.parts[:-1], head].setdefault(letter, item)
    return tuple(
        Gap(
            f"{head}{letter}",
            found[max(known for known in found if known < letter)],
            found[min(known for known in found if known > letter)],
        )
        for (_, head), found in series.items()
        for letter in ascii_uppercase
        if min(found) < letter < max(found) and letter not in found and letter not in UNUSED
    )


def _sequences_skipped(found: dict[int, Placed], head: str, tail: str) -> list[Gap]:
    last = max(found)
    missing = [number for number in range(1, last) if number not in found]
    paragraphs = tail.startswith(")") and 1 in found and len(missing) <= LEFT_OUT
    if len(found) < FEWEST or (len(missing) > len(found) and not paragraphs):
        return []
    skipped = []
    for number in missing:
        earlier = [known for known in found if known < number]
        after = min(known for known in found if known > number)
        before = found[max(earlier)] if earlier else None
        skipped.append(Gap(f"{head}{number}{tail}", before, found[after]))
    return skipped


def in_one_sequence(one: Sequence[Placed], other: Sequence[Placed]) -> bool:
    """Tell whether two kinds of items are numbered together: no number twice, and no gap when joined."""
    shared = {_bare(item) for item in one} & {_bare(item) for item in other}
    if not one or not other or shared:
        return False
    joined = [Placed(Label((*i.label.parts[:-1], f"No {_bare(i)[-1]}")), i.boxes) for i in (*one, *other)]
    return not gaps(joined)


def _bare(item: Placed) -> tuple[str, ...]:
    """Return the number without its caption word, with the Part that it stands in."""
    return (*item.label.parts[:-1], str(item.label).rpartition(" ")[2])


UNNUMBERED = frozenset({"note", "requirement"})
UNREAD = frozenset({"heading", "front"})
TOLD = 40  # of each kind, in one document


def label_problems(document: Document) -> Iterator[Problem]:
    """Yield the problems of skipped clause numbers and of captions that repeat a number."""
    yield from islice(_skipped(document), TOLD)
    yield from islice(_repeated(document), TOLD)
    yield from islice(_unread(document), TOLD)


def gap_words(gap: Gap) -> str:
    """Return what is missing and between which places, as a sentence; "" where nothing has a place."""
    if not gap.after.boxes:
        return ""
    after = gap.after.boxes[0].page
    name = f"Clause {gap.printed}" if gap.printed[0].isdigit() else gap.printed
    if not gap.before or not gap.before.boxes:
        return f"{name} was not found before {gap.after.label} (page {after})."
    since = f"{gap.before.label} (page {gap.before.boxes[-1].page})"
    return f"{name} was not found between {since} and {gap.after.label} (page {after})."


def in_sequence(document: Document) -> list[Placed]:
    """Return the numbered clauses whose numbers follow one another.

    Those of a commentary need not, nor what an annex calls after the places of its code.
    """
    choosing = load_edition_words().choosing
    return [
        Placed(clause.label, clause.boxes)
        for clause in document.clauses
        if clause.kind not in UNNUMBERED
        and str(clause.label)[1:] != str(clause.parent)
        and not found(choosing, str(clause.label))
    ]


def _skipped(document: Document) -> Iterator[Problem]:
    numbered = in_sequence(document)
    annexes = [Placed(c.label, c.boxes) for c in document.clauses if c.kind == "annex"]
    for gap in (*gaps(numbered), *letter_gaps(annexes)):
        if words := gap_words(gap):
            box = gap.after.boxes[0]
            yield Problem(words, box.page, box)


def _unread(document: Document) -> Iterator[Problem]:
    """Yield the headings that begin with a number which is none of the sequence: no clause has it."""
    for clause in document.clauses:
        number = number_of_title(clause.title) if clause.kind in UNREAD else ""
        if number and clause.boxes and clause.title == clause.label.parts[-1]:
            box = clause.boxes[0]
            where = f"The heading {number} on page {box.page}"
            yield Problem(f"{where} opens no clause. Look at the page.", box.page, box)


def _repeated(document: Document) -> Iterator[Problem]:
    items: tuple[Table | Figure | Formula, ...] = (*document.tables, *document.figures, *document.formulas)
    for item in items:
        captioned = not isinstance(item, Table) or item.captioned
        counted = any(part.startswith("no. ") for part in item.label.parts[:-1])
        if captioned and counted and item.boxes:
            box = item.boxes[0]
            yield Problem(
                f"{item.label} stands more than once; page {box.page} has another one.", box.page, box
            )


HANGING = 2.5  # ems by which text may hang under its lost number
LOST_NUMBERS_TOLD = 60  # doubtful numbers that are told one by one
_NUMBERED = frozenset({"clause", "paragraph", "section", "annex"})  # of which no number stands twice
_GOES_ON = (",", ";", ":", "–", "—", "-")  # what ends a line that the next paragraph completes


@dataclass(frozen=True, slots=True)
class Mended:
    """The nodes with lost paragraphs put back, and which those are."""

    nodes: list[Node]
    put_back: frozenset[int]  # ids of nodes whose number is not in the text layer


def mend_paragraphs(nodes: Sequence[Node], order: Mapping[int, int], typography: Typography) -> Mended:
    """Return the nodes with every lost number between two paragraphs mended where that is sure.

    `order` gives the place of a line (by id) in the document.
    """
    inside: dict[int, list[Node]] = {}
    following: dict[int, Node] = {}
    last: dict[int, Node] = {}
    for node in nodes:
        inside.setdefault(id(node.parent), []).append(node)
        if node.kind == "paragraph" and node.parent is not None:
            before = last.get(id(node.parent))
            if before is not None and _value(node) == _value(before) + 2:
                following[id(before)] = node
            last[id(node.parent)] = node
    result: list[Node] = []
    put_back: list[Node] = []
    waiting: dict[int, Node] = {}  # what is put back, by the node before which it comes
    for node in nodes:
        after = following.get(id(node))
        if after is not None:
            new = _split(node, inside.get(id(node), ()), order, typography)
            if new is not None:
                put_back.append(new)
                waiting[id(after)] = new
        if id(node) in waiting:
            result.append(waiting[id(node)])
        result.append(node)
    return Mended(_in_order(result, put_back), frozenset(id(node) for node in put_back))


def _value(node: Node) -> int:
    number = parsed(node.number, "number")
    return number[0] if number and isinstance(number[0], int) else 0


def _split(
    node: Node, children: Sequence[Node], order: Mapping[int, int], typography: Typography
) -> Node | None:
    """Cut the one paragraph that begins anew out of the node; None where none or several do."""
    starts = [at for at in sorted(node.breaks) if _begins(node, at, typography)]
    if len(starts) != 1:
        return None
    at = starts[0]
    new = Node(
        kind=node.kind,
        rank=node.rank,
        parent=node.parent,
        level=node.level,
        number=str(_value(node) + 1),
        normative=node.normative,
        container=node.container,
        lines=node.lines[at:],
        breaks={b - at for b in node.breaks if b > at},
        indent=node.indent,
    )
    node.lines, node.breaks = node.lines[:at], {b for b in node.breaks if b < at}
    for child in children:
        if child.lines and order[id(child.lines[0])] > order[id(new.lines[0])]:
            child.parent = new
    return new


def _begins(node: Node, at: int, typography: Typography) -> bool:
    """Tell whether the line begins a paragraph of its own, not one that goes on or explains signs."""
    first, before, line = node.lines[0], node.lines[at - 1], node.lines[at]
    hangs = (line.x0 - first.x0) / max(line.size, 1.0)
    flush = line.page != first.page or line.column != first.column or -0.5 <= hangs <= HANGING
    return (
        flush
        and _opens(line)
        and not typography.small(line)
        and abs(line.size - first.size) <= 0.1 * first.size
        and not before.text.rstrip().endswith(_GOES_ON)
    )


def _opens(line: Line) -> bool:
    words = line.text.split()
    return len(words) >= 4 and words[0][:1].isupper() and words[0].isalpha() and not words[0].isupper()


def _in_order(nodes: list[Node], put_back: Sequence[Node]) -> list[Node]:
    """Return the nodes with those put back before the children they took over."""
    for new in put_back:
        first = next((node for node in nodes if node.parent is new), None)
        if first is not None:
            nodes.remove(new)
            nodes.insert(nodes.index(first), new)
    return nodes


def number_problems(clauses: Sequence[Clause], lost: frozenset[int]) -> tuple[Problem, ...]:
    """Return what a person should look at: numbers put back (by position), and numbers printed twice."""
    problems = []
    for at, clause in enumerate(clauses):
        if not clause.boxes:
            continue
        page, box = clause.boxes[0].page, clause.boxes[0]
        if at in lost:
            message = (
                f"The number of {clause.label} is not in the text of page {page}; "
                "the paragraph in its place is taken for it."
            )
            problems.append(Problem(message, page, box))
        elif clause.kind in _NUMBERED and any(part.startswith("no. ") for part in clause.label.parts[:-1]):
            message = f"{clause.label} stands more than once; page {page} has another one."
            problems.append(Problem(message, page, box))
    if len(problems) > LOST_NUMBERS_TOLD:
        more = len(problems) - LOST_NUMBERS_TOLD
        problems = [
            *problems[:LOST_NUMBERS_TOLD],
            Problem(f"{more} more numbers stand more than once or were put back."),
        ]
    return tuple(problems)
