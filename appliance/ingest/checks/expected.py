"""What the contents list and the bookmarks announce, against what was found in the text."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from statistics import median_low

from rapidfuzz import fuzz, process

from appliance.core.document import Clause, Problem
from appliance.ingest.structure.contents import Entry
from appliance.ingest.structure.headings import bare

TAIL, PART = 20, 88.0  # signs of a line that goes on a title; per cent of them that stand in a row in it
SHORT, FEW, LONG = (
    4,
    8,
    12,
)  # signs that say nothing; up to which likeness does; that may stand inside a title
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
