"""Quality reports, and the JSON of them that outside programs rely on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from appliance.contract.shape import picked, plain
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
class Expected:
    """What was found of a kind against what was expected."""

    found: int
    expected: int
    missing: tuple[str, ...]
    spoken_of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class References:
    """How the references of a document ended."""

    found: int
    resolved: int
    not_loaded: int
    unresolved: int
    a_page: float
    usual_a_page: float | None  # of its family, None where nothing tells
    low: bool  # far fewer than usual


@dataclass(frozen=True, slots=True)
class Reason:
    """Why somebody should look."""

    kind: ReasonKind
    words: str
    weight: float
    box: Box | None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a page is worth a look; `weight` orders the pages. Page 0 is the document as a whole."""

    kind: ReasonKind
    page: int
    words: str
    weight: float
    box: Box | None = None

    @property
    def reason(self) -> Reason:
        """What is told of it with its page."""
        return Reason(self.kind, self.words, round(self.weight, 2), self.box)


@dataclass(frozen=True, slots=True)
class Page:
    """How well a page was read."""

    page: int
    trust: Trust
    checked: str  # the day, "" for never
    weight: float  # how much it is worth a look, 0 for not at all
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """How well a document was read."""

    document: str
    designation: str
    title: str
    family: str
    level: Level
    why: str
    clauses: Expected
    tables: Expected
    figures: Expected
    references: References
    trust: dict[Trust, int]
    pages_to_look_at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Quality(Summary):
    """How well a document was read, page by page."""

    reasons: dict[str, int]  # why references were not followed -> how many, the most frequent first
    whole: tuple[Reason, ...]
    look_at: tuple[Page, ...]  # every page that is worth a look, worst first
    pages: tuple[Page, ...]


def report_json(report: Quality) -> dict[str, Any]:
    """Return the whole report of one document."""
    return dict(plain(report))


def summary_json(report: Quality) -> dict[str, Any]:
    """Return the report of one document without its pages."""
    return picked(Summary.__annotations__, report)
