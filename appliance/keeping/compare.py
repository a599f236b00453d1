"""Two documents held against one another, item by item and word by word."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

import numpy as np
from rapidfuzz import fuzz, process

from appliance.core.document import OUT_OF_FORCE, Box, Cell, Document, Label, pages_of
from appliance.core.errors import BadInput
from appliance.core.runs import grouped
from appliance.store.records import DocumentInfo
from appliance.text.numbers import PARAGRAPH

WordsFate = Literal["same", "gone", "new"]

BESIDE = 4  # words shown on each side of a change
LONGEST = 120  # words shown of one change
EXACT = 4_000_000  # pairs of words of which each is compared with each; beyond, common words are no landmarks
_WORD = re.compile(r"\S+")
_SIGNS = re.compile(r"[^\w%<>=\N{LESS-THAN OR EQUAL TO}\N{GREATER-THAN OR EQUAL TO}+/]", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words that stand in both texts, in the older alone (gone), or in the newer alone (new)."""

    fate: WordsFate
    text: str


def folded(text: str) -> str:
    """Return a text without what only its setting decides: spaces, case, hyphens, kinds of quotes.

    Superscripts keep their digits (NFKC), and signs that change a value stay. The hyphen is not among
    them: at the end of a line none can be told from a dash, while a minus before a number stays.
    """
    plain = unicodedata.normalize("NFKC", text).replace("\N{MINUS SIGN}", "-")
    plain = re.sub(r"(?<![\w)])-(?=[\d.])", "minus", plain)
    plain = re.sub(r"(?<=\d)[.,](?=\d)", "point", plain)
    return _SIGNS.sub("", plain).casefold()


def difference(old: str, new: str) -> tuple[Stretch, ...]:
    """Return both texts as one line of stretches, in reading order."""
    return tuple(_joined(list(_compared(old, new))))


def around(old: str, new: str, context: int = 24) -> tuple[Stretch, ...]:
    """Return the difference of a quotation to the text that now stands there.

    What the newer text says before and after the quotation is cut to so many words.
    """
    found = list(_compared(old, new))
    if found and found[0].fate == "new":
        found[0] = Stretch("same", _ends(found[0].text, 0, context))
    if len(found) > 1 and found[-1].fate == "new" and found[-2].fate == "same":
        found[-1] = Stretch("same", _ends(found[-1].text, context, 0))
    return tuple(_joined(found))


def shortened(words: Sequence[Stretch]) -> tuple[Stretch, ...]:
    """Return a difference with a few words on each side of a change, and the first of a very long one."""
    last = len(words) - 1
    return tuple(
        Stretch(item.fate, _ends(item.text, BESIDE * (at > 0), BESIDE * (at < last)))
        if item.fate == "same"
        else Stretch(item.fate, _ends(item.text, LONGEST, 0))
        for at, item in enumerate(words)
    )


def _ends(text: str, first: int, last: int) -> str:
    """Return the first and the last words of a text, an ellipsis for those between them."""
    words = text.split()
    if len(words) <= first + last:
        return text
    return " ".join((*words[:first], "…", *words[len(words) - last :]))


def _compared(old_text: str, new_text: str) -> Iterator[Stretch]:
    before, after = _WORD.findall(old_text), _WORD.findall(new_text)
    old, new = ([folded(word) or word for word in words] for words in (before, after))
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) * len(new) > EXACT)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if tag == "equal":
            yield Stretch("same", " ".join(after[b0:b1]))
            continue
        if a1 > a0:
            yield Stretch("gone", " ".join(before[a0:a1]))
        if b1 > b0:
            yield Stretch("new", " ".join(after[b0:b1]))


def _joined(held: Sequence[Stretch]) -> Iterator[Stretch]:
    """Yield the stretches, those with a single short word between two changes joined to one change."""
    gone: list[str] = []
    new: list[str] = []
    for at, item in enumerate(held):
        between = bool(gone or new) and at < len(held) - 1 and held[at + 1].fate != "same"
        if item.fate == "gone":
            gone.append(item.text)
        elif item.fate == "new":
            new.append(item.text)
        elif between and len(item.text) <= 3 and " " not in item.text:
            gone.append(item.text)
            new.append(item.text)
        else:
            yield from _changed(gone, new)
            gone, new = [], []
            yield item
    yield from _changed(gone, new)


def _changed(gone: Sequence[str], new: Sequence[str]) -> Iterator[Stretch]:
    if gone:
        yield Stretch("gone", " ".join(gone))
    if new:
        yield Stretch("new", " ".join(new))


Fate = Literal["same", "moved", "changed", "added", "withdrawn"]
FATES: tuple[Fate, ...] = ("changed", "added", "withdrawn", "moved", "same")

ALIKE = 45.0  # of 100: two items of one number are the same item, changed
VERY_ALIKE = 72.0  # two items of different numbers are
SHORT = 40  # folded letters: shorter texts are alike by chance
_PARAGRAPH = re.compile(rf"{PARAGRAPH}$")  # of a clause: "(1)" of 1.1(1)
SORTS = frozenset({"table", "figure", "formula"})
CELLS = "its cells reach elsewhere"
TURNED = (("now informative", "now normative"), ("no principle any more", "now a principle"))
MOST = 1_500  # left-over items of a document that are compared with one another


@dataclass(frozen=True, slots=True)
class Item:
    """A clause, table, figure or formula of one of the documents.

    `form` is what counts beside its words: what a clause is, and which cell of a table holds what. `folded`
    are its words as they are compared.
    """

    label: Label
    kind: str
    title: str
    text: str
    boxes: tuple[Box, ...]
    form: tuple[object, ...] = ()
    folded: str = ""

    @property
    def page(self) -> int:
        """Return the first page that it stands on, 0 where it has no place."""
        return next(iter(pages_of(self.boxes)), 0)

    @property
    def sort(self) -> str:
        """Return its kind, the same for all kinds of clauses: one may be taken for another of them."""
        return self.kind if self.kind in SORTS else "clause"

    @property
    def number(self) -> tuple[str, Label]:
        """Return what it is called."""
        return self.sort, self.label


@dataclass(frozen=True, slots=True)
class Pair:
    """An item of the older document beside that of the newer one; one of them may be missing."""

    fate: Fate
    old: Item | None
    new: Item | None

    @property
    def item(self) -> Item:
        """Return the newer one where there is one."""
        found = self.new or self.old
        assert found is not None, "a pair has one side at least"
        return found

    @property
    def words(self) -> tuple[Stretch, ...]:
        """Return the difference by words, title and text together."""
        before, after = (_said(self.old), _said(self.new))
        return difference(before, after)

    @property
    def also(self) -> tuple[str, ...]:
        """Return in words what differs beside the words of title and text."""
        if self.old is None or self.new is None or self.old.form == self.new.form:
            return ()
        if self.new.kind == "table":
            return (CELLS,) if all(item.fate == "same" for item in self.words) else ()
        pairs = zip(TURNED, self.old.form, self.new.form, strict=True)
        return tuple(said[bool(now)] for said, was, now in pairs if was != now)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs in the order of the newer document, what is withdrawn where it stood."""

    pairs: tuple[Pair, ...]

    @property
    def counts(self) -> dict[Fate, int]:
        """Return how many pairs there are of each fate."""
        found = Counter(pair.fate for pair in self.pairs)
        return {fate: found.get(fate, 0) for fate in FATES}


def editions(documents: tuple[DocumentInfo, ...]) -> list[tuple[DocumentInfo, DocumentInfo]]:
    """Return loaded editions of one code as (older, newer): alike but for the year in their designation."""
    found = []
    for new in documents:
        for old in documents:
            same = _code(new) and _code(new) == _code(old) and old.family == new.family
            if old.id != new.id and same and (_rank(old), old.id) < (_rank(new), new.id):
                found.append((old, new))
    return found


def are_editions(a: str, b: str, documents: tuple[DocumentInfo, ...]) -> bool:
    """Tell whether two documents are editions of one code; raises BadInput where they are one document."""
    if a == b:
        raise BadInput(f"{a} is named twice. Name two documents.")
    return any({a, b} == {old.id, new.id} for old, new in editions(documents))


def _code(info: DocumentInfo) -> str:
    """Return a designation without its year ("DC 1-3:2024" -> "dc 1-3")."""
    return info.designation.partition(":")[0].strip().casefold()


def _rank(info: DocumentInfo) -> tuple[bool, str, str]:
    return info.status not in OUT_OF_FORCE, info.edition, info.designation


def compare(old: Document, new: Document) -> Comparison:
    """Return what became of each item of the older document, and what is new."""
    before, after = (
        [replace(item, folded=folded(_said(item))) for item in _items(document)] for document in (old, new)
    )
    paired = _by_words(before, after)  # the place of the older item for each newer one that has one
    for way in (_by_number, _by_likeness, _by_place):
        way(before, after, paired)
    return Comparison(tuple(_in_order(before, after, paired)))


def _items(document: Document) -> Iterator[Item]:
    """Yield what a document says, in its order; an item without any words has nothing to compare."""
    for clause in document.clauses:
        if clause.title or clause.passage.text.strip():
            form = clause.normative, clause.principle
            yield Item(clause.label, clause.kind, clause.title, clause.passage.text, clause.boxes, form)
    for table in document.tables:
        notes = [f"{note.mark} {note.text}".strip() for note in table.notes]
        text = "\n".join((*rows_of(table.cells), *notes))
        places = tuple(
            (cell.row, cell.column, cell.row_span, cell.column_span, cell.header, folded(cell.text))
            for cell in table.cells
            if cell.text.strip()
        )
        yield Item(table.label, "table", table.title, text, table.boxes, places)
    for figure in document.figures:
        yield Item(figure.label, "figure", figure.title, figure.text, figure.boxes)
    for formula in document.formulas:
        text = f"{formula.text}\n{formula.where}".strip()
        yield Item(formula.label, "formula", "", text, formula.boxes)


def rows_of(cells: Sequence[Cell]) -> tuple[str, ...]:
    """Return the rows of a table as lines, the filled cells of each parted by a stroke."""
    told = ((cell.row, (cell.column, " ".join(cell.text.split()))) for cell in cells if cell.text.strip())
    lines = grouped(told)
    return tuple(" | ".join(text for _, text in sorted(line)) for _, line in sorted(lines.items()))


def _said(item: Item | None) -> str:
    return f"{item.title}\n{item.text}".strip() if item else ""


def _by_words(old: Sequence[Item], new: Sequence[Item]) -> dict[int, int]:
    """Pair what says the same: under the same number first, then where the words stand only once."""
    numbers = {one.number: at for at, one in enumerate(old)}
    found = {
        to: at
        for to, one in enumerate(new)
        if (at := numbers.get(one.number)) is not None and old[at].folded == one.folded
    }
    used = set(found.values())
    places = grouped(
        ((one.sort, one.folded), at)
        for at, one in enumerate(old)
        if at not in used and len(one.folded) >= SHORT
    )
    again = Counter((one.sort, one.folded) for to, one in enumerate(new) if to not in found)
    for to, one in enumerate(new):
        same = places.get((one.sort, one.folded), [])
        if to not in found and len(same) == 1 and again[one.sort, one.folded] == 1:
            found[to] = same[0]
    return found


def _by_number(old: Sequence[Item], new: Sequence[Item], found: dict[int, int]) -> None:
    """Pair what has the same number, and words or a title in common."""
    used = set(found.values())
    numbers = {one.number: at for at, one in enumerate(old) if at not in used}
    for to, one in enumerate(new):
        at = numbers.get(one.number)
        if to in found or at is None:
            continue
        title = folded(one.title)
        titled = title and title == folded(old[at].title)
        if titled or fuzz.ratio(old[at].folded, one.folded) >= ALIKE:
            found[to] = at


def _by_likeness(old: Sequence[Item], new: Sequence[Item], found: dict[int, int]) -> None:
    """Pair what is left and very much alike, the most alike first."""
    used = set(found.values())
    left = [at for at, one in enumerate(old) if at not in used and len(one.folded) >= SHORT][:MOST]
    right = [to for to, one in enumerate(new) if to not in found and len(one.folded) >= SHORT][:MOST]
    if not left or not right:
        return
    texts = [old[at].folded for at in left], [new[to].folded for to in right]
    scores = process.cdist(*texts, scorer=fuzz.ratio, score_cutoff=VERY_ALIKE)
    for flat in np.argsort(-scores, axis=None, kind="stable"):
        row, column = divmod(int(flat), len(right))
        at, to = left[row], right[column]
        if scores[row, column] < VERY_ALIKE:
            return
        if at not in used and to not in found and old[at].sort == new[to].sort:
            found[to] = at
            used.add(at)


def _by_place(old: Sequence[Item], new: Sequence[Item], found: dict[int, int]) -> None:
    """Pair what is left under one number of a clause that kept its number and title: it was written anew."""
    kept = {
        new[to].number[1]
        for to, at in found.items()
        if old[at].number == new[to].number
        and new[to].title
        and folded(old[at].title) == folded(new[to].title)
    }
    used = set(found.values())
    numbers = {one.number: at for at, one in enumerate(old) if at not in used}
    for to, one in enumerate(new):
        at = numbers.get(one.number)
        above = _PARAGRAPH.sub("", one.label.parts[-1])
        label = Label((*one.label.parts[:-1], above))
        if to not in found and at is not None and above != one.label.parts[-1] and label in kept:
            found[to] = at


def _in_order(before: Sequence[Item], after: Sequence[Item], paired: Mapping[int, int]) -> Iterator[Pair]:
    """Yield the pairs in the order of the newer document, each withdrawn item after the one before it."""
    kept = set(paired.values())
    anchors: dict[int, list[Item]] = {}
    last = -1
    for at, item in enumerate(before):
        if at in kept:
            last = at
        else:
            anchors.setdefault(last, []).append(item)
    yield from (Pair("withdrawn", item, None) for item in anchors.get(-1, ()))
    for to, item in enumerate(after):
        at = paired.get(to, -1)
        if at < 0:
            yield Pair("added", None, item)
            continue
        old = before[at]
        changed = old.folded != item.folded or old.form != item.form
        yield Pair("changed" if changed else "same" if old.label == item.label else "moved", old, item)
        yield from (Pair("withdrawn", gone, None) for gone in anchors.get(at, ()))
