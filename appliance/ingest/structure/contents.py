"""The contents list and the bookmarks: taken out of the text, kept as witnesses of the clause tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from statistics import median

from appliance.core.document import Clause, Problem
from appliance.core.runs import grouped
from appliance.ingest.page import Found, Line, OutlineEntry, PageLayout, Place, whole
from appliance.ingest.structure.schemes import Scheme
from appliance.ingest.structure.unnumbered_headings import bare

FEWEST = 4  # entries that make a list; fewer do right under its title, where each is set as one
ALIGNED = 3.0  # points: what counts as one right edge
APART = 2.0  # type sizes between the text of an entry and its page number, without leaders
SHARE = 0.4  # of the lines between its first and last entry
RISING = 0.8  # of the steps from entry to entry of a list that goes on overleaf without leaders
RECURRING = 0.6  # of the lines of a list that names no pages: so many stand again further on
SPREAD = 3  # pages that such a list names; a form that is printed again names one
LAST = 0.25  # of the document: a list of contents starts in its first part

_PAGE = r"\d{1,4}|[ivxl]{1,6}|(?:[A-Z]|\d{1,2})[-–]\d{1,3}"  # "12", "xii", "2-6" of chapter 2
_ENTRY = re.compile(r"^(?P<text>.*?[^\d\s.…·_])[\s.…·_]+(?P<page>\d{1,4}|[ivxl]{1,6})$")
_DOTTED = re.compile(rf"^(?P<text>.*?[^\s.…·_])\s*(?:[.…·_]\s?){{3,}}\s*(?P<page>{_PAGE})$")
_OPENING = re.compile(r"[^\W\d_]*\W{0,2}\d[\w.-]*(?:\W+(?=[^\W\d_]{2})|$)")  # "12. ", "§ 629-1. ", "Part 2: "
_LEADERS = re.compile(rf"(?:[.…·_]\s?){{4,}}\s*(?:{_PAGE})?$")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the contents list: its text with number and title, the printed page.

    `at` is the page of the file on which the entry itself stands, `head` the line above it where
    that names no page of its own: a wrapped entry begins there.
    """

    text: str
    page: str
    at: int = 0
    head: str = ""


def find_contents(layouts: Sequence[PageLayout], scheme: Scheme) -> Found[Entry]:
    """Return the contents lists of the document's first part."""
    titles = {f"{title.lower()}{more}" for title in scheme.contents_titles for more in ("", " page")}
    taken: set[Place] = set()
    entries: list[Entry] = []
    words = tuple(word for kind in ("table", "figure") for word in scheme.captions.get(kind, ()))
    items = {f"{word}s".lower() for word in words}
    last, listed = "", False  # the last printed page of a list that may go on; whether it names items now
    for page in layouts[: max(8, round(len(layouts) * LAST))]:
        named = (" ".join(line.text.lower().replace(":", "").split()) for line in page.lines)
        start = next((index for index, name in enumerate(named) if name in titles), None)
        found = _entries(page.lines)
        if start is None:
            of_items = _of_items(page.lines, found, words)
            listed = listed or bool(of_items)
            found = of_items or _untitled(page.lines, found, last)
        span = _span(page.lines, found, start)
        last = found[span[1]].page if span else ""
        if span is None:
            continue
        taken |= {(page.content.number, index) for index in range(span[0], span[1] + 1)}
        for index in range(span[0], span[1] + 1):
            listed = listed or page.lines[index].text.strip().lower() in items
            if index in found and not listed:
                titled = index - 1 == start  # the list's own title is no part of its first entry
                entries.append(replace(found[index], head="") if titled else found[index])
    return Found(tuple(entries), frozenset(taken)) if entries else _unpaged(layouts)


def _unpaged(layouts: Sequence[PageLayout]) -> Found[Entry]:
    """Return the lists that name no pages: runs of lines, some numbered, that stand again, in order."""
    last: dict[str, tuple[int, int]] = {}
    for number, page in enumerate(layouts):
        for index, line in enumerate(page.lines):
            last |= dict.fromkeys(_names(line.text), (number, index))
    taken: set[Place] = set()
    entries: list[Entry] = []
    for number, page in enumerate(layouts[: round(len(layouts) * LAST)]):
        named = {
            index: max(last[name] for name in _names(line.text))
            for index, line in enumerate(page.lines)
            if any(last[name][0] > number for name in _names(line.text))
        }
        inside = list(named)
        while inside and len(inside) < RECURRING * (inside[-1] - inside[0] + 1):
            inside.pop()
        numbered = sum(_OPENING.match(page.lines[index].text) is not None for index in inside)
        steps = [named[before] < named[after] for before, after in pairwise(inside)]
        spread = len({named[index][0] for index in inside}) >= SPREAD
        listed = numbered >= max(FEWEST, SHARE * len(inside))  # else text that is printed twice
        if spread and listed and sum(steps) >= RISING * len(steps):
            taken |= {(page.content.number, index) for index in range(inside[0], inside[-1] + 1)}
            entries += [Entry(page.lines[index].text, "", page.content.number) for index in inside]
    return Found(tuple(entries), frozenset(taken))


def _names(text: str) -> set[str]:
    """Return the letters of a line, with its number and without."""
    opening = _OPENING.match(text)
    names = {bare(text), bare(text[opening.end() :])} if opening else {bare(text)}
    return {name for name in names if len(name) >= LETTERS}


def _entries(lines: Sequence[Line]) -> dict[int, Entry]:
    found = {}
    for index, line in enumerate(lines):
        match = _DOTTED.match(line.text) or _ENTRY.match(line.text)
        if match and re.search(r"[^\W\d_]{2}", match["text"]):
            above = lines[index - 1] if index and index - 1 not in found else None
            head = above.text if above and above.column == line.column and above.y0 < line.y0 else ""
            found[index] = Entry(match["text"].strip(), match["page"], line.page, head)
    return found


def _untitled(lines: Sequence[Line], found: dict[int, Entry], last: str) -> dict[int, Entry]:
    """Return the entries of a page without the list's title: dotted, or rising from the page `last`."""
    dotted = {index: entry for index, entry in found.items() if _LEADERS.search(lines[index].text)}
    if len(dotted) >= FEWEST or not last:
        return dotted
    pages = [_order(last), *(_order(entry.page) for entry in found.values())]
    steps = [before <= after for before, after in pairwise(pages)]
    return found if steps and steps[0] and sum(steps) >= RISING * len(steps) else {}


def _of_items(lines: Sequence[Line], found: dict[int, Entry], words: Sequence[str]) -> dict[int, Entry]:
    """Return the entries of a list of tables or figures: each opens as their captions, the pages rise."""
    caption = re.compile(rf"(?:{'|'.join(map(re.escape, words))})\s*[A-Z]?\d", re.IGNORECASE)
    named = [index for index in found if words and caption.match(lines[index].text)]
    pages = [_order(found[index].page) for index in named]
    whole = len(named) >= FEWEST and pages == sorted(pages) and _flush(lines, named) == set(named)
    return {index: found[index] for index in named} if whole else {}


def _order(page: str) -> int:
    """Return where a printed page stands: Roman numbers come before all others, chapters and annexes last."""
    chapter, _, last = page.replace("–", "-").rpartition("-")
    before = int(chapter) if chapter.isdigit() else ord(chapter) if chapter else 0
    return 1000 * before + int(last) if last.isdigit() else 0


def _span(lines: Sequence[Line], found: dict[int, Entry], start: int | None) -> tuple[int, int] | None:
    """Return first and last line of the list on this page, or None where there is none."""
    inside = [index for index in found if start is None or index >= start]
    if start is not None:
        inside = _of_list(lines, found, inside)
    if len(inside) < FEWEST:
        return _short(lines, found, start)
    first, last = (start if start is not None else inside[0]), inside[-1]
    while len(inside) >= FEWEST and len(inside) < SHARE * (last - first + 1):
        inside.pop()
        last = inside[-1]
    return (first, last) if len(inside) >= FEWEST else None


def _of_list(lines: Sequence[Line], found: dict[int, Entry], inside: Sequence[int]) -> list[int]:
    """Return the entries under a title up to the last that is set as most are: what ends so below is text."""
    kept = list(inside)
    dotted = [index for index in kept if _LEADERS.search(lines[index].text)]
    if 2 * len(dotted) > len(kept):
        return [index for index in kept if index <= dotted[-1]]
    flush = _flush(lines, kept)
    ruled = 2 * len(flush) > len(kept)
    while len(kept) > 1:
        falls = _order(found[kept[-1]].page) < _order(found[kept[-2]].page)
        if not falls and not (ruled and kept[-1] not in flush):
            break
        kept.pop()
    return kept


def _flush(lines: Sequence[Line], kept: Sequence[int]) -> set[int]:
    """Return the entries that end where most of their column do."""
    columns = grouped((lines[index].column, index) for index in kept)
    edges = {column: median(lines[index].x1 for index in inside) for column, inside in columns.items()}
    return {index for index in kept if abs(lines[index].x1 - edges[lines[index].column]) <= ALIGNED}


def _short(lines: Sequence[Line], found: dict[int, Entry], start: int | None) -> tuple[int, int] | None:
    """Return the title and the few entries right under it, None where they are not all set as entries."""
    if start is None:
        return None
    run = _of_list(lines, found, list(takewhile(found.__contains__, range(start + 1, len(lines)))))
    pages = [_order(found[index].page) for index in run]
    if not run or pages != sorted(pages):
        return None
    for line in (lines[index] for index in run):
        apart = len(line.words) > 1 and line.words[-1].x0 - line.words[-2].x1 > APART * line.size
        if not apart and not _LEADERS.search(line.text):
            return None
    return start, run[-1]


BOOKMARKS_FEWEST = 5  # bookmarks that can disagree with a text
LETTERS = 5  # of a bookmark that names a place
AGREED = 0.2  # of the bookmarks whose words the text must hold
PAGES = 8  # with running text, from which on numbers are expected
PROSE = 8  # lines of a page with running text
PLACES = 0.25  # numbered places expected for each of these pages
TOLD = 20  # bookmarks that are told one by one
SHOWN = 80  # signs of a title that are told
NUMBERED = frozenset({"part", "section", "annex", "clause", "requirement", "paragraph"})


def usable(entries: Sequence[OutlineEntry], pages: int) -> tuple[OutlineEntry, ...]:
    """Return the bookmarks that have a title and name a page of the document."""
    return tuple(entry for entry in entries if bare(entry.title) and 1 <= entry.page <= pages)


def bookmark_problems(entries: Sequence[OutlineEntry], layouts: Sequence[PageLayout]) -> tuple[Problem, ...]:
    """Return what is amiss with the bookmarks: unreadable, pointing nowhere, or of another text."""
    if any(entry.level < 1 for entry in entries):
        return (Problem("The bookmarks of the file are damaged and were not used."),)
    if not layouts:
        return ()
    good = usable(entries, len(layouts))
    problems = []
    if bad := len(entries) - len(good):
        count = f"{bad} bookmarks name" if bad > 1 else "A bookmark names"
        problems.append(Problem(f"{count} no page of the file or nothing at all; left out."))
    names = {name for entry in good if len(name := bare(entry.title)) >= LETTERS}
    if len(names) >= BOOKMARKS_FEWEST:
        text = bare("".join(line.text for page in layouts for line in page.lines))
        found = sum(name in text for name in names)
        if found < AGREED * len(names):
            told = f"{found} of {len(names)} are found in it"
            problems.append(Problem(f"The bookmarks of the file do not fit its text: {told}."))
    return tuple(problems)


def lost_bookmarks(
    entries: Sequence[OutlineEntry], clauses: Sequence[Clause], layouts: Sequence[PageLayout]
) -> tuple[Problem, ...]:
    """Return a problem for each numbered bookmark (of the usable) whose number and words the text lacks."""
    numbered = [
        (entry, parts[0].rstrip("."), bare(parts[1]))
        for entry in entries
        if len(parts := entry.title.split(maxsplit=1)) > 1 and parts[0][:1].isdigit()
    ]
    if not numbered:
        return ()
    known = {str(clause.label.parts[-1]).rpartition(" ")[2] for clause in clauses}
    text = bare("".join(line.text for page in layouts for line in (*page.lines, *page.margins)))
    lost = [entry for entry, number, words in numbered if number not in known and words not in text]
    if len(numbered) >= BOOKMARKS_FEWEST and len(lost) > (1 - AGREED) * len(numbered):
        return ()  # bookmarks of another text, which `bookmark_problems` tells
    pages = {page.content.number: page.content for page in layouts}
    problems = []
    for entry in lost[:TOLD]:
        title = entry.title if len(entry.title) <= SHOWN else f"{entry.title[:SHOWN]}…"
        message = f"A bookmark names “{title}”; it was not found in the text."
        problems.append(Problem(message, entry.page, whole(pages[entry.page])))
    if more := lost[TOLD:]:
        problems.append(Problem(f"{len(more)} more bookmarks were not found in the text.", more[0].page))
    return tuple(problems)


def few_places(clauses: Sequence[Clause], layouts: Sequence[PageLayout]) -> tuple[Problem, ...]:
    """Return the problem of a long text in which hardly a numbered place was found."""
    pages = sum(len(page.lines) >= PROSE for page in layouts)
    places = sum(clause.kind in NUMBERED for clause in clauses)
    if pages < PAGES or places >= PLACES * pages:
        return ()
    message = (
        f"Only {places} numbered places were found on {pages} pages of text: the numbering of this document "
        "may follow a pattern of its own. Write a numbering scheme for it (docs/schemes.md)."
    )
    return (Problem(message),)
