"""The values of a quality report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from appliance.core.document import Box

Trust = Literal["digital", "ocr", "none", "checked"]
Level = Literal["good", "to check", "poor"]
ReasonKind = Literal[
    "no text",  # nothing of the page can be searched
    "problem",  # what reading the PDF reported
    "gap",  # a number that the sequence skips
    "caption",  # a caption in the text without its table or figure
    "mention",  # a table or figure that is spoken of and was not found
    "table",  # a table that looks misread
    "misread",  # words that no language writes
    "nothing",  # a page that gave no clause, table or figure
    "little",  # a page with hardly a word and no drawing
    "structure",  # the document as a whole gave less than a code of its length
]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a page is worth a look; `weight` orders the pages. Page 0 is the document as a whole."""

    kind: ReasonKind
    page: int
    words: str
    weight: float
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class PageQuality:
    """How far a page can be trusted, and why it is worth a look; `checked` is the day, "" for never."""

    number: int
    trust: Trust
    reasons: tuple[Reason, ...]
    checked: str = ""

    @property
    def weight(self) -> float:
        """Return how much the page is worth a look, 0 for not at all."""
        return 0.0 if self.checked else sum(reason.weight for reason in self.reasons)


@dataclass(frozen=True, slots=True)
class Expected:
    """Items of one kind: how many were found, those that should be there too, those only spoken of."""

    found: int
    missing: tuple[str, ...] = ()
    spoken_of: tuple[str, ...] = ()

    @property
    def expected(self) -> int:
        """Return how many there should be."""
        return self.found + len(self.missing)


@dataclass(frozen=True, slots=True)
class Yield:
    """References found; `usual_a_page` are those of this family, None where nothing tells."""

    found: int
    resolved: int
    not_loaded: int
    unresolved: int
    reasons: Mapping[str, int]  # why not followed -> how many, the most frequent first
    a_page: float
    usual_a_page: float | None

    @property
    def low(self) -> bool:
        """Tell whether there are far fewer than the family usually has."""
        return self.usual_a_page is not None and self.a_page < self.usual_a_page / 3


@dataclass(frozen=True, slots=True)
class Report:
    """The quality report of one document; `look_at` is every page that is worth a look, worst first."""

    document: str
    designation: str
    title: str
    family: str
    level: Level
    why: str
    clauses: Expected
    tables: Expected
    figures: Expected
    references: Yield
    whole: tuple[Reason, ...]
    pages: tuple[PageQuality, ...]
    look_at: tuple[PageQuality, ...]

    def trusted(self, trust: Trust) -> tuple[int, ...]:
        """Return the numbers of the pages of this trust."""
        return tuple(page.number for page in self.pages if page.trust == trust)
