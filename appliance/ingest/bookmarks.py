"""What the bookmarks of a file are worth, and whether the numbering of its text was understood at all.

Rules of this module: pure. Bookmarks are a witness and never needed: those that name no page or carry no
title are left out, and what is amiss with them is said once. A long text in which hardly a number was
found is said too: its numbering may follow a pattern that no scheme knows.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.document import Clause, Problem
from appliance.ingest.headings import bare
from appliance.ingest.page import OutlineEntry, PageLayout, whole

FEWEST = 5  # bookmarks that can disagree with a text
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
    if len(names) >= FEWEST:
        text = bare("".join(line.text for page in layouts for line in page.lines))
        found = sum(name in text for name in names)
        if found < AGREED * len(names):
            message = (
                f"The bookmarks of the file do not fit its text: {found} of {len(names)} are found in it."
            )
            problems.append(Problem(message))
    return tuple(problems)


def lost_bookmarks(
    entries: Sequence[OutlineEntry], clauses: Sequence[Clause], layouts: Sequence[PageLayout]
) -> tuple[Problem, ...]:
    """Return a problem for each numbered bookmark of which neither number nor words are in the text."""
    numbered = [
        (entry, parts[0].rstrip("."), bare(parts[1]))
        for entry in usable(entries, len(layouts))
        if len(parts := entry.title.split(maxsplit=1)) > 1 and parts[0][:1].isdigit()
    ]
    if not numbered:
        return ()
    known = {str(clause.label.parts[-1]).rpartition(" ")[2] for clause in clauses}
    text = bare("".join(line.text for page in layouts for line in (*page.lines, *page.margins)))
    lost = [entry for entry, number, words in numbered if number not in known and words not in text]
    if len(numbered) >= FEWEST and len(lost) > (1 - AGREED) * len(numbered):
        return ()  # bookmarks of another text, which `bookmark_problems` tells
    pages = {page.content.number: page.content for page in layouts}
    problems = []
    for entry in lost[:TOLD]:
        message = f"A bookmark names “{_short(entry.title)}”; it was not found in the text."
        problems.append(Problem(message, entry.page, whole(pages[entry.page])))
    if len(lost) > TOLD:
        problems.append(
            Problem(f"{len(lost) - TOLD} more bookmarks were not found in the text.", lost[TOLD].page)
        )
    return tuple(problems)


def _short(title: str) -> str:
    return title if len(title) <= SHOWN else f"{title[:SHOWN]}…"


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
