"""A damaged file read as far as it goes, with each damaged page reported."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from appliance.core.document import Problem
from appliance.ingest.page import PageContent

DAMAGED = (
    "The file is damaged and was read as far as it could be repaired: print and pages may be missing. "
    "Get another copy of it, then build again."
)
_LOST = (  # what MuPDF says of a page where it leaves out a part of its content or of a picture on it
    "premature end",
    "read error",
    "library error",
    "openjpeg error",
    "syntax error",
    "unknown filter",
    "truncated image",
    "is not a stream",
    "invalid character in hex string",
)
_PAGES_LOST = "page tree"  # in what it says where the list of the pages holds what is none


def is_damaged(said: str) -> bool:
    """Tell whether the PDF library, drawing a page, said that it could not read all of it."""
    return any(words in said for words in _LOST)


def lost_pages(said: str) -> bool:
    """Tell whether the PDF library said that the list of the pages is broken."""
    return _PAGES_LOST in said


def damaged_pages(numbers: Collection[int]) -> tuple[Problem, ...]:
    """Return a problem for each page that was found to be damaged."""
    return tuple(
        Problem(
            f"Page {number} is damaged in the file, and print of it may be missing. "
            "Get another copy of the file, then build again.",
            number,
        )
        for number in sorted(numbers)
    )


def with_damage_told(pages: tuple[PageContent, ...], *, repaired: bool) -> tuple[PageContent, ...]:
    """Return the pages, of a file that had to be repaired the first with a problem that says so."""
    if not repaired or not pages:
        return pages
    first = replace(pages[0], problems=(*pages[0].problems, Problem(DAMAGED, pages[0].number)))
    return (first, *pages[1:])
