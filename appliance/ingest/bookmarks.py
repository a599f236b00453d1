"""What the bookmarks of a file are worth, and whether the numbering of its text was understood at all.

Rules of this module: pure. Bookmarks are a witness and never needed: those that name no page or carry no
title are left out, and what is amiss with them is said once. A long text in which hardly a number was
found is said too: its numbering may follow a pattern that no scheme knows.
"""

from __future__ import annotations

from collections.abc import Sequence

from appliance.document import Clause, Problem
from appliance.ingest.headings import bare
from appliance.ingest.page import OutlineEntry, PageLayout

FEWEST = 5  # bookmarks that can disagree with a text
LETTERS = 5  # of a bookmark that names a place
AGREED = 0.2  # of the bookmarks whose words the text must hold
PAGES = 8  # with running text, from which on numbers are expected
PROSE = 8  # lines of a page with running text
PLACES = 0.25  # numbered places expected for each of these pages
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
