"""The contents list: taken out of the text, kept as a witness of what the document should hold.

Rules of this module: pure; a contents list is a run of lines that end in page numbers set apart,
under a title that the scheme knows or with leader dots. Without its title it begins at its first
entry; without leaders it goes on overleaf only where its page numbers go on rising. A line in doubt
stays text: a stray line of the contents does less harm than a lost clause.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from statistics import median

from appliance.ingest.page import Line, PageLayout
from appliance.ingest.schemes import Scheme

FEWEST = 4  # entries that make a list; fewer do right under its title, where each is set as one
ALIGNED = 3.0  # points: what counts as one right edge
APART = 2.0  # type sizes between the text of an entry and its page number, without leaders
SHARE = 0.4  # of the lines between its first and last entry
RISING = 0.8  # of the steps from entry to entry of a list that goes on overleaf without leaders
LAST = 0.25  # of the document: a list of contents starts in its first part

_ENTRY = re.compile(r"^(?P<text>.*?[^\d\s.…·_])[\s.…·_]+(?P<page>\d{1,4}|[ivxl]{1,6})$")
_DOTTED = re.compile(r"^(?P<text>.*?[^\s.…·_])\s*(?:[.…·_]\s?){3,}\s*(?P<page>\d{1,4}|[ivxl]{1,6})$")
_LEADERS = re.compile(r"(?:[.…·_]\s?){4,}\s*(?:\d{1,4}|[ivxl]{1,6})?$")


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


@dataclass(frozen=True, slots=True)
class Contents:
    """The lines (page number, line index) of the contents lists, and their entries."""

    lines: frozenset[tuple[int, int]]
    entries: tuple[Entry, ...]


def find_contents(layouts: Sequence[PageLayout], scheme: Scheme) -> Contents:
    """Return the contents lists of the document's first part."""
    titles = {title.lower() for title in scheme.contents_titles}
    taken: set[tuple[int, int]] = set()
    entries: list[Entry] = []
    words = tuple(word for kind in ("table", "figure") for word in scheme.captions.get(kind, ()))
    items = {f"{word}s".lower() for word in words}
    last, listed = "", False  # the last printed page of a list that may go on; whether it names items now
    for page in layouts[: max(8, round(len(layouts) * LAST))]:
        start = _titled(page.lines, titles)
        found = _entries(page.lines)
        if start is None:
            named = _of_items(page.lines, found, words)
            listed = listed or bool(named)
            found = named or _untitled(page.lines, found, last)
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
    return Contents(frozenset(taken), tuple(entries))


def _titled(lines: Sequence[Line], titles: set[str]) -> int | None:
    """Return the index of the line that names the list ("Contents", also "CONTENTS Page")."""
    for index, line in enumerate(lines):
        words = line.text.lower().replace(":", "").split()
        if " ".join(words) in titles or (words[-1:] == ["page"] and " ".join(words[:-1]) in titles):
            return index
    return None


def _entries(lines: Sequence[Line]) -> dict[int, Entry]:
    found = {}
    for index, line in enumerate(lines):
        match = _DOTTED.match(line.text) or _ENTRY.match(line.text)
        if match and re.search(r"[A-Za-z]{2}", match["text"]):
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
    """Return where a printed page stands: Roman numbers come before all others."""
    return int(page) if page.isdigit() else 0


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
    columns: dict[int, list[int]] = defaultdict(list)
    for index in kept:
        columns[lines[index].column].append(index)
    edges = {column: median(lines[index].x1 for index in inside) for column, inside in columns.items()}
    return {index for index in kept if abs(lines[index].x1 - edges[lines[index].column]) <= ALIGNED}


def _short(lines: Sequence[Line], found: dict[int, Entry], start: int | None) -> tuple[int, int] | None:
    """Return the title and the few entries right under it, None where they are not all set as entries."""
    if start is None:
        return None
    run = list(takewhile(found.__contains__, range(start + 1, len(lines))))
    run = _of_list(lines, found, run)
    if not run or not all(_LEADERS.search(lines[index].text) or _set_apart(lines[index]) for index in run):
        return None
    pages = [_order(found[index].page) for index in run]
    return (start, run[-1]) if pages == sorted(pages) else None


def _set_apart(line: Line) -> bool:
    """Tell whether the page number of an entry stands far behind its text."""
    return len(line.words) > 1 and line.words[-1].x0 - line.words[-2].x1 > APART * line.size
