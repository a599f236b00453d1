"""Gaps and repeats in printed numbers: what stands between 1.3 and 1.5 and was not found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from appliance.core.document import Box, Clause, Document, Figure, Formula, Label, Problem, Table
from appliance.ingest.layout.typography import Row
from appliance.ingest.page import PageContent, PageLayout, box_of
from appliance.ingest.structure.headings import number_of_title
from appliance.ingest.structure.skeleton import Skeleton
from appliance.text.designations import found, load_edition_words

UNUSED = "IOilo"  # letters that codes leave out because they look like figures
LEFT_OUT = 9  # paragraphs that a clause may leave out behind (1), which are told all the same
FEWEST = 2  # items that make a sequence
_LETTER = re.compile(r"(?P<head>.*[\d)]\(?)(?P<at>[a-z])(?P<tail>\)?)")
_ANNEX = re.compile(r"(?P<head>.* )(?P<at>[A-Z])(?P<tail>)")
_ROMAN = re.compile(r"(?P<head>.+\()(?:[ivx]{2,5})\)?")
_NUMBER = re.compile(r"(?P<head>.*?)(?P<at>\d{1,3})(?P<tail>\)?P?)[a-z]?")
Series = dict[tuple[tuple[str, ...], str, str], dict[int, "Placed"]]


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
    named = {(item.label.parts[:-1], str(item.label)): item for item in items}
    skipped: list[Gap] = []
    for (above, head, tail), sheets in _series(items, _NUMBER, int).items():
        if head.endswith(" (") and (first := named.get((above, head[:-2]))):
            sheets.setdefault(1, first)  # the first sheet of a table bears its bare name
        missing = [number for number in range(1, max(sheets)) if number not in sheets]
        paragraphs = tail.startswith(")") and 1 in sheets and len(missing) <= LEFT_OUT
        if len(sheets) >= FEWEST and (len(missing) <= len(sheets) or paragraphs):
            skipped += (_gap(sheets, number, f"{head}{number}{tail}") for number in missing)
    return (*skipped, *_letter_gaps(items, _LETTER))


def _series(items: Sequence[Placed], pattern: re.Pattern[str], value: Callable[[str], int]) -> Series:
    """Return the items of each sequence by their place in it."""
    series: Series = defaultdict(dict)
    for item in items:
        if shape := pattern.fullmatch(str(item.label)):
            key = (item.label.parts[:-1], shape["head"], shape["tail"])
            series[key].setdefault(value(shape["at"]), item)
    return series


def _gap(found: dict[int, Placed], at: int, printed: str) -> Gap:
    before = max((known for known in found if known < at), default=None)
    after = min(known for known in found if known > at)
    return Gap(printed, None if before is None else found[before], found[after])


def _letter_gaps(items: Sequence[Placed], pattern: re.Pattern[str]) -> Iterator[Gap]:
    """Yield the letters that are skipped: Annex B of Annex A and Annex C, 5(c) of 5(b) and 5(d)."""
    roman = {shape["head"] for item in items if (shape := _ROMAN.fullmatch(str(item.label)))}
    for (_, head, tail), letters in _series(items, pattern, ord).items():
        for at in range(min(letters), max(letters)) if head not in roman else ():
            if at not in letters and chr(at) not in UNUSED:
                yield _gap(letters, at, f"{head}{chr(at)}{tail}")


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
_NUMBERED = frozenset({"clause", "paragraph", "section", "annex"})  # of which no number stands twice


def label_problems(document: Document) -> Iterator[Problem]:
    """Yield the problems of skipped clause numbers, of numbers and captions that stand more than once.

    And of headings that begin with a number which is none of the sequence: no clause has it.
    """
    skipped = ((words, gap.after.boxes[0]) for gap in clause_gaps(document) if (words := gap_words(gap)))
    clauses = (clause for clause in document.clauses if clause.kind in _NUMBERED)
    tables = (table for table in document.tables if table.captioned)
    items: tuple[Clause | Table | Figure | Formula, ...] = (
        *clauses, *tables, *document.figures, *document.formulas,
    )  # fmt: skip
    repeated = (
        (f"{item.label} stands more than once; page {item.boxes[0].page} has another one.", item.boxes[0])
        for item in items
        if item.boxes and any(part.startswith("no. ") for part in item.label.parts[:-1])
    )
    unread = (
        (
            f"The heading {number} on page {clause.boxes[0].page} opens no clause. Look at the page.",
            clause.boxes[0],
        )
        for clause in document.clauses
        if clause.kind in UNREAD
        and (number := number_of_title(clause.title))
        and clause.boxes
        and clause.title == clause.label.parts[-1]
    )
    for kind in (skipped, repeated, unread):
        for message, box in islice(kind, TOLD):
            yield Problem(message, box.page, box)


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


def clause_gaps(document: Document) -> tuple[Gap, ...]:
    """Return the numbers and letters that are skipped between clauses, between annexes and between formulas.

    Those of a commentary need not follow one another, nor what an annex calls after the places of its code.
    """
    choosing = load_edition_words().choosing
    numbered = [
        Placed(clause.label, clause.boxes)
        for clause in document.clauses
        if clause.kind not in UNNUMBERED
        and str(clause.label)[1:] != str(clause.parent)
        and not found(choosing, str(clause.label))
    ]
    annexes = [Placed(clause.label, clause.boxes) for clause in document.clauses if clause.kind == "annex"]
    formulas = [
        Placed(Label((f"Formula {str(item.label).strip('()')}",)), item.boxes) for item in document.formulas
    ]
    return (*gaps(numbered), *_letter_gaps(annexes, _ANNEX), *gaps(formulas))


BEFORE_MIN = 3  # number that a series has reached when it begins again


def restart_problems(
    skeleton: Skeleton, rows: Sequence[Row], layouts: Sequence[PageLayout]
) -> tuple[Problem, ...]:
    """Return where whole numbers go back to the first one without a Part that begins."""
    pages: Mapping[int, PageContent] = {page.content.number: page.content for page in layouts}
    last: dict[str, int] = {}
    containers = frozenset(skeleton.containers)
    problems = []
    for index, reading in sorted(skeleton.openings.items()):
        if index in containers:
            last.clear()
        first = reading.number[0]
        if reading.level.sequence == "once" or not isinstance(first, int):
            continue
        if first <= 1 and last.get(reading.level.series, 0) >= BEFORE_MIN:
            line = rows[index].line
            message = (
                f"The numbers begin again with {reading.printed} on page {line.page}: "
                "another document may be bound in here. Look at the page."
            )
            box = box_of(pages[line.page], line)
            problems.append(Problem(message, line.page, box))
        last[reading.level.series] = first
    return tuple(problems)
