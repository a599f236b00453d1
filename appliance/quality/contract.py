"""Quality reports as the JSON that outside programs rely on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from appliance.contract.shape import shaped
from appliance.core.document import Box
from appliance.quality import values
from appliance.quality.values import Level, ReasonKind, Trust

TRUSTS: tuple[Trust, ...] = ("digital", "ocr", "none", "checked")


class Expected(TypedDict):
    """What was found of a kind against what was expected."""

    found: int
    expected: int
    missing: list[str]
    spoken_of: list[str]


class References(TypedDict):
    """How the references of a document ended."""

    found: int
    resolved: int
    not_loaded: int
    unresolved: int
    a_page: float
    usual_a_page: float | None
    low: bool


class Summary(TypedDict):
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
    pages_to_look_at: list[int]


class Reason(TypedDict):
    """Why somebody should look."""

    kind: ReasonKind
    words: str
    weight: float
    box: Box | None


class Page(TypedDict):
    """How well a page was read."""

    page: int
    trust: Trust
    checked: str
    weight: float
    reasons: list[Reason]


class Quality(Summary):
    """How well a document was read, page by page."""

    reasons: dict[str, int]
    whole: list[Reason]
    look_at: list[Page]
    pages: list[Page]


def report_json(report: values.Report) -> Quality:
    """Return the whole report of one document."""
    return {
        **summary_json(report),
        "reasons": dict(report.references.reasons),
        "whole": _reasons(report.whole),
        "look_at": [_page(page) for page in report.look_at],
        "pages": [_page(page) for page in report.pages],
    }


def summary_json(report: values.Report) -> Summary:
    """Return the report of one document without its pages."""
    found = {kind: shaped(Expected, getattr(report, kind)) for kind in ("clauses", "tables", "figures")}
    return shaped(
        Summary,
        report,
        references=shaped(References, report.references),
        trust={trust: len(report.trusted(trust)) for trust in TRUSTS},
        pages_to_look_at=[page.number for page in report.look_at],
        **found,
    )


def _page(page: values.PageQuality) -> Page:
    weight = round(page.weight, 2)
    return shaped(Page, page, page=page.number, weight=weight, reasons=_reasons(page.reasons))


def _reasons(reasons: Iterable[values.Reason]) -> list[Reason]:
    return [shaped(Reason, reason, weight=round(reason.weight, 2)) for reason in reasons]
