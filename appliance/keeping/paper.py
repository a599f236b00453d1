"""A kept answer as it goes on paper: its statements, its sources each with one picture, its imprint.

Rules of this module: PDF, Markdown and the print view say the same, in the same order, from these values.
Every quotation is printed whole; a picture that is left out is said.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from appliance.errors import ApplianceError
from appliance.keeping.crops import crop
from appliance.keeping.recheck import Recheck
from appliance.site.saved import Kept, KeptCitation
from appliance.views import PageView

PICTURES = 12  # of one answer

OUTCOMES = {"answer": "Answer", "not_found": "Not found in the documents loaded"}
Say = Callable[[str], str]


class Pages(Protocol):
    """What is asked of the library for pictures."""

    def page(self, document: str, number: int) -> PageView: ...

    def image(self, name: str) -> Path: ...


@dataclass(frozen=True, slots=True)
class Source:
    """The quotations of one place on one page, with the picture of it (JPEG), None where there is none."""

    citations: tuple[KeptCitation, ...]
    picture: bytes | None = None

    @property
    def first(self) -> KeptCitation:
        """Return the citation that names the place."""
        return self.citations[0]

    @property
    def numbers(self) -> str:
        """Return the numbers of the citations, as they stand behind a statement."""
        return ", ".join(str(item.n) for item in self.citations)

    @property
    def place(self) -> str:
        """Return document, edition, label and page in words."""
        first = self.first
        printed = f" (printed {first.printed})" if first.printed not in ("", str(first.page)) else ""
        named = f"{first.designation} {first.edition}".strip()
        standing = f" [{first.status}]" if first.status in ("superseded", "withdrawn") else ""
        return f"{named}{standing}, {first.label}, page {first.page}{printed}"


@dataclass(frozen=True, slots=True)
class Paper:
    """An answer to print: `at` is when it was given, `address` leads to it on the box ("" without one)."""

    kept: Kept
    at: float
    sources: tuple[Source, ...]
    address: str = ""
    note: str = ""
    recheck: Recheck | None = field(default=None)

    @property
    def date(self) -> str:
        """Return the day and time in UTC, as ISO 8601 writes them."""
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self.at))

    @property
    def imprint(self) -> str:
        """Return what it was answered with."""
        kept = self.kept
        by = "written by a language model from these quotations" if kept.mode == "model" else "quoted"
        return f"library {kept.library[:12]}, program {kept.program or 'unknown'}, {by}"


def paper(
    kept: Kept,
    at: float,
    library: Pages | None = None,
    *,
    address: str = "",
    note: str = "",
    checked: Recheck | None = None,
) -> Paper:
    """Return an answer as it goes on paper, with pictures where a library is given that has the pages.

    A picture is only taken from the library that was asked: in another one the page may be another.
    """
    return Paper(kept, at, tuple(_sources(kept, library)), address, note, checked)


def _sources(kept: Kept, library: Pages | None) -> list[Source]:
    places: dict[tuple[str, str, int], list[KeptCitation]] = {}
    for citation in kept.citations:
        places.setdefault((citation.document, citation.key, citation.page), []).append(citation)
    found = []
    for at, group in enumerate(places.values()):
        picture = _picture(group, library) if library is not None and at < PICTURES else None
        found.append(Source(tuple(group), picture))
    return found


def _picture(group: list[KeptCitation], library: Pages) -> bytes | None:
    first = group[0]

    def image_of(number: int) -> Path | None:
        try:
            name = library.page(first.document, number).large
            return library.image(name) if name else None
        except ApplianceError:
            return None

    try:
        return crop([box for item in group for box in item.boxes], image_of)
    except OSError:  # a picture that cannot be read
        return None
