"""Checks of what was read: the contents list, sequences of numbers, the order of lines against the text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from statistics import median_low

from rapidfuzz import fuzz, process

from appliance.core.document import Box, Clause, Document, Figure, Formula, Label, Problem, Table
from appliance.ingest.layout.typography import Row
from appliance.ingest.page import PageContent, PageLayout, box_of
from appliance.ingest.structure.contents import Entry
from appliance.ingest.structure.numbered_headings import Skeleton
from appliance.ingest.structure.unnumbered_headings import bare, number_of_title
from appliance.text.designations import found, load_edition_words

TAIL, PART = 20, 88.0  # signs of a line that goes on a title; per cent of them that stand in a row in it
SHORT, FEW, LONG = 4, 8, 12  # signs that say nothing; up to which likeness does; that may stand in a title
LIKE = 78.0  # per cent of equal characters that make a misread entry
MOST = 2000  # entries that are looked for; no code has more
TOLD = 60  # entries that are told one by one
ANNOUNCED = "The contents list names"  # so begins the problem of an entry without a place
FEWEST = 5  # entries below which a list proves nothing

HEAD = 120  # signs: a longer line above is none of the entry
_STATUS = re.compile(r"\W*[\[({<][^()]*[)\]}>]\W*|\w+[)\]}>]\W*")
_NUMBER = re.compile(
    r"(?P<number>(?:[A-Z]\s?\.?\s?)?[\dIl]{1,2}(?:\s?[.,]\s?[\dIlS]{1,2})*)\.?\s+(?=[^\W\d_]{2})"
)
_ASIDE = re.compile(r"[\[(][^()\[\]]*[)\]]")


def missing_entries(entries: Sequence[Entry], clauses: Sequence[Clause], pages: int) -> tuple[Problem, ...]:
    """Return a problem for each entry without a place in the text; `pages` is the document's length."""
    by_name = {  # the entries that name a place, each once
        name: entry
        for entry in reversed(entries)
        if len(name := bare(entry.text)) > 4 and not _STATUS.fullmatch(entry.text)
    }
    wanted = list(reversed(by_name.values()))
    if len(wanted) < FEWEST:
        return ()
    numbers = (_NUMBER.match(entry.text) for entry in wanted)
    index = _Names(clauses, {_folded(number["number"]) for number in numbers if number})
    found = {entry.text: index.find(entry) for entry in wanted[:MOST]}
    lost = [entry for entry in wanted[:MOST] if found[entry.text] is None]
    # by how much the pages of the file are ahead of the printed ones
    shifts = [
        page - int(entry.page)
        for entry in wanted
        if entry.page.isdigit() and (page := found.get(entry.text) or 0) > 0
    ]
    problems = []
    for entry in lost[:TOLD]:
        page = int(entry.page) + median_low(shifts) if entry.page.isdigit() and shifts else 0
        whole = _NUMBER.match(entry.text) or len(entry.head) > HEAD
        text = entry.text if whole else f"{entry.head} {entry.text}".strip()
        message = f"{ANNOUNCED} “{text}”; it was not found in the text."
        problems.append(Problem(message, page if 1 <= page <= pages else entry.at))
    if len(lost) > TOLD:
        problems.append(Problem(f"{len(lost) - TOLD} more entries of the contents list were not found."))
    if len(wanted) > MOST:
        message = f"The contents list has {len(wanted)} entries; the first {MOST} were looked for."
        problems.append(Problem(message))
    return tuple(problems)


class _Names:
    """The names by which an entry may call the places of a document."""

    def __init__(self, clauses: Sequence[Clause], announced: Collection[str]) -> None:
        self._pages: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._unannounced: dict[tuple[str, str], int] = {}  # page, by parent and title
        for clause in clauses:
            page = clause.boxes[0].page if clause.boxes else 0
            label, title = str(clause.label), clause.title
            for name in (title, label, f"{label}{title}", f"{clause.marker}{title}"):
                self._pages.setdefault(bare(name), page)
            if clause.kind in {"clause", "section", "annex"}:
                number = _folded(label.rpartition(" ")[2])
                self._numbers.setdefault(number, page)
                if number not in announced:
                    self._unannounced.setdefault((number.rpartition(".")[0], bare(clause.title)), page)
        self._pages.pop("", None)
        self._names = list(self._pages)
        self._text = "".join(f"{name}\n" for name in self._names if len(name) > 3)

    def find(self, entry: Entry) -> int | None:
        """Return the page of the place that the entry names, 0 where only its words are found."""
        found = self._find(entry.text)
        return self._find(f"{entry.head} {entry.text}") if found is None and entry.head else found

    def _find(self, text: str) -> int | None:
        """Return the page of a number or a title.

        A number that is nowhere is missing, whatever reads like its title, unless the list misreads it: a
        neighbour of that very title stands in the text and not in the list.
        """
        match = _NUMBER.match(text)
        name, words = bare(text), bare(text[match.end() :] if match else text)
        if match:
            number = _folded(match["number"])
            neighbour = self._unannounced.get((number.rpartition(".")[0], words))
            return self._numbers.get(number, self._pages.get(name, neighbour))
        aside = bare(_ASIDE.sub(" ", text))  # "Annex D (informative) Worked example" without its status
        page = next((self._pages[form] for form in (name, words, aside) if form in self._pages), None)
        if page is not None or len(words) <= SHORT:
            return page
        # a title that a misread entry is like, wholly or in a part
        if (len(words) > LONG and words in self._text) or f"{words}\n" in self._text:
            return 0
        like = process.extractOne(name, self._names, scorer=fuzz.ratio, score_cutoff=LIKE)
        if like and len(words) > FEW:
            return self._pages[like[0]]
        longer = [known for known in self._names if len(known) >= len(words)] if len(words) > TAIL else []
        part = process.extractOne(words, longer, scorer=fuzz.partial_ratio, score_cutoff=PART)
        return self._pages[part[0]] if part else None


def _folded(number: str) -> str:
    """Return one form of a number that a text layer spells in several ways: "1 .5" and "1.5"."""
    return re.sub(r"(?<=[A-Z])\.(?=\d)", "", re.sub(r"\s", "", number)).strip(".")


UNUSED = "IOilo"  # letters that codes leave out because they look like figures
LEFT_OUT = 9  # paragraphs that a clause may leave out behind (1), which are told all the same
SEQUENCE_MIN = 2  # items that make a sequence
_LETTER = re.compile(r"(?P<head>.*[\d)]\(?)(?P<at>[a-z])(?P<tail>\)?)")
_ANNEX = re.compile(r"(?P<head>.* )(?P<at>[A-Z])(?P<tail>)")
_ROMAN = re.compile(r"(?P<head>.+\()(?:[ivx]{2,5})\)?")
_COUNTED = re.compile(r"(?P<head>.*?)(?P<at>\d{1,3})(?P<tail>\)?P?)[a-z]?")
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
    for (above, head, tail), sheets in _series(items, _COUNTED, int).items():
        if head.endswith(" (") and (first := named.get((above, head[:-2]))):
            sheets.setdefault(1, first)  # the first sheet of a table bears its bare name
        missing = [number for number in range(1, max(sheets)) if number not in sheets]
        paragraphs = tail.startswith(")") and 1 in sheets and len(missing) <= LEFT_OUT
        if len(sheets) >= SEQUENCE_MIN and (len(missing) <= len(sheets) or paragraphs):
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
TOLD_OF_A_KIND = 40  # of each kind, in one document
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
        for message, box in islice(kind, TOLD_OF_A_KIND):
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
            problems.append(Problem(message, line.page, box_of(pages[line.page], line)))
        last[reading.level.series] = first
    return tuple(problems)


SHARED_MIN = 0.5  # of the width of the narrower of two lines that stand in one column


def reading_order_problems(document: Document) -> Iterator[Problem]:
    """Yield a problem for each place with a line that is read behind one which stands under it."""
    for clause in document.clauses:
        for one, two in ((one.box, two.box) for one, two in pairwise(clause.passage.lines)):
            shared = min(one.x1, two.x1) - max(one.x0, two.x0)
            above = (two.y0 + two.y1) / 2 < one.y0
            above = above and shared >= SHARED_MIN * min(one.x1 - one.x0, two.x1 - two.x0)
            if above if one.page == two.page else two.page < one.page:
                message = f"The text of {clause.label} goes back up page {two.page} where it is read: "
                yield Problem(f"{message}compare its order with the page.", two.page, two)
                break
