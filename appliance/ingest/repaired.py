"""A file whose structure is damaged, read as far as it could be repaired: said once, at its first page.

Rules of this module: pure; what is lost with the damage leaves no trace, so the whole file is named.
"""

from __future__ import annotations

from dataclasses import replace

from appliance.document import Problem
from appliance.ingest.page import PageContent

DAMAGED = (
    "The file is damaged and was read as far as it could be repaired: print and pages may be missing. "
    "Get another copy of it, then build again."
)


def with_damage_told(pages: tuple[PageContent, ...], *, repaired: bool) -> tuple[PageContent, ...]:
    """Return the pages, of a file that had to be repaired the first with a problem that says so."""
    if not repaired or not pages:
        return pages
    first = replace(pages[0], problems=(*pages[0].problems, Problem(DAMAGED, pages[0].number)))
    return (first, *pages[1:])
