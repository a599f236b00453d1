"""A kept answer as it goes on paper: its statements, its sources each with one picture, its imprint.

Rules of this module: PDF, Markdown and the print view say the same, in the same order, from these values.
Every quotation is printed whole; a picture that is left out is said.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from appliance.errors import ApplianceError
from appliance.keeping.crops import crops
from appliance.keeping.recheck import Recheck
from appliance.keeping.tables import BETWEEN as UNDER
from appliance.site.saved import Kept, KeptCitation, KeptConflict, KeptStatement, KeptTable
from appliance.views import PageView

PICTURES = 12  # of one answer

OUTCOMES = {"answer": "Answer", "not_found": "Not found in the documents loaded"}
DISAGREE = "The documents disagree"
UNCITED = "Found with it, cited by no statement"
DOUBT = "it could not be confirmed"
HEADERS = "Headers, one after the other: "
ROW = " | "  # between the cells of a row that is quoted


class Pages(Protocol):
    """What is asked of the library for pictures."""

    def page(self, document: str, number: int) -> PageView: ...

    def image(self, name: str) -> Path: ...


@dataclass(frozen=True, slots=True)
class Source:
    """The quotations of one place, with the pages that show it as (number, JPEG).

    `doubt` is why what was stated from it could not be confirmed, "" where it was; `stated` tells whether a
    statement cites it at all.
    """

    citations: tuple[KeptCitation, ...]
    pictures: tuple[tuple[int, bytes], ...] = ()
    doubt: str = ""
    stated: bool = True

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
        return f"{named}{standing}, {first.label}, {self._pages}{printed}"

    @property
    def _pages(self) -> str:
        """Return all pages that the quotations stand on: "page 3", "pages 3, 4"."""
        pages = sorted(
            {item.page for item in self.citations} | {b.page for c in self.citations for b in c.boxes}
        )
        return f"pages {', '.join(map(str, pages))}" if len(pages) > 1 else f"page {self.first.page}"


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

    def tables_of(self, statement: KeptStatement) -> tuple[KeptTable, ...]:
        """Return the tables whose rows a statement gives, which say them under their own headers."""
        if ROW not in statement.text:
            return ()
        cited = set(statement.citations)
        return tuple(table for table in self.kept.tables if cited & set(table.citations))

    def quoted(self, citation: KeptCitation) -> str:
        """Return a quotation as it is printed: what are the headers of a table is said to be that.

        They are quoted as they stand, which is not one over each value where they have several levels.
        """
        pieces = citation.quote.split(ROW)
        mine = [table for table in self.kept.tables if citation.n in table.citations]
        heads = {
            " ".join(part.split()) for table in mine for text in table.columns for part in text.split(UNDER)
        }
        if len(pieces) > 1 and all(" ".join(piece.split()) in heads for piece in pieces):
            return HEADERS + citation.quote
        return citation.quote

    @property
    def other_tables(self) -> tuple[KeptTable, ...]:
        """Return the tables that decide and that no statement gives a row of."""
        given = {table for said in self.kept.statements for table in self.tables_of(said)}
        return tuple(table for table in self.kept.tables if table not in given)

    def sides(self, conflict: KeptConflict) -> tuple[tuple[KeptCitation, bool], ...]:
        """Return the two quotations that disagree, each with whether it is the one that counts."""
        known = {item.n: item for item in self.kept.citations}
        return tuple((known[n], n == conflict.decides) for n in conflict.sides if n in known)

    @property
    def cited(self) -> tuple[Source, ...]:
        """Return the sources that a statement cites."""
        return tuple(source for source in self.sources if source.stated)

    @property
    def uncited(self) -> tuple[Source, ...]:
        """Return the sources that no statement cites: found with the others, and shown as that."""
        return tuple(source for source in self.sources if not source.stated)

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


def without_rows(text: str) -> str:
    """Return a statement without the rows of a table, which are printed as a table."""
    return "\n".join(line for line in text.splitlines() if ROW not in line)


def _sources(kept: Kept, library: Pages | None) -> list[Source]:
    places: dict[tuple[str, str, int], list[KeptCitation]] = {}
    for citation in kept.citations:
        places.setdefault((citation.document, citation.key, citation.page), []).append(citation)
    found, left = [], PICTURES if library is not None else 0
    for group in places.values():
        shown = _pictures(group, library)[:left] if library is not None and left else ()
        left -= len(shown)
        numbers = {item.n for item in group}
        said = [each for each in kept.statements if numbers & set(each.citations)]
        doubts = [each.why or DOUBT for each in said if not each.confirmed]
        doubt = "; ".join(dict.fromkeys(doubts)) if said and len(doubts) == len(said) else ""
        found.append(Source(tuple(group), tuple(shown), doubt, bool(said)))
    return found


def _pictures(group: list[KeptCitation], library: Pages) -> tuple[tuple[int, bytes], ...]:
    first = group[0]

    def image_of(number: int) -> Path | None:
        try:
            name = library.page(first.document, number).large
            return library.image(name) if name else None
        except ApplianceError:
            return None

    try:
        return crops([box for item in group for box in item.boxes], image_of)
    except OSError:  # a picture that cannot be read
        return ()
