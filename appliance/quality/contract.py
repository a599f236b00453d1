"""Quality reports as JSON for programs.

Rules of this module: plain values, in the order that people read them; a field never changes its meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from appliance.document import Box
from appliance.quality.values import Expected, PageQuality, Reason, Report


def report_json(report: Report) -> dict[str, Any]:
    """Return the whole report of one document."""
    references = report.references
    return summary_json(report) | {
        "reasons": dict(references.reasons),
        "whole": [_reason(reason) for reason in report.whole],
        "look_at": [_page(page) for page in report.look_at],
        "pages": [_page(page) for page in report.pages],
    }


def summary_json(report: Report) -> dict[str, Any]:
    """Return the report of one document without its pages."""
    references = report.references
    return {
        "document": report.document,
        "designation": report.designation,
        "title": report.title,
        "family": report.family,
        "level": report.level,
        "why": report.why,
        "clauses": _expected(report.clauses),
        "tables": _expected(report.tables),
        "figures": _expected(report.figures),
        "references": {
            "found": references.found,
            "resolved": references.resolved,
            "not_loaded": references.not_loaded,
            "unresolved": references.unresolved,
            "a_page": references.a_page,
            "usual_a_page": references.usual,
            "low": references.low,
        },
        "trust": {trust: len(report.trusted(trust)) for trust in ("digital", "ocr", "none", "checked")},
        "pages_to_look_at": _numbers(report.look_at),
    }


def _numbers(pages: Iterable[PageQuality]) -> list[int]:
    return [page.number for page in pages]


def _expected(item: Expected) -> dict[str, Any]:
    return {
        "found": item.found,
        "expected": item.expected,
        "missing": list(item.missing),
        "spoken_of": list(item.spoken),
    }


def _page(page: PageQuality) -> dict[str, Any]:
    return {
        "page": page.number,
        "trust": page.trust,
        "checked": page.checked,
        "weight": round(page.weight, 2),
        "reasons": [_reason(reason) for reason in page.reasons],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    box: Box | None = reason.box
    return {"kind": reason.kind, "words": reason.words, "weight": round(reason.weight, 2),
            "box": asdict(box) if box else None}  # fmt: skip
