"""A report of references as JSON.

Rules of this module: plain values; one shape for the command and the page.
"""

from __future__ import annotations

from typing import Any

from appliance.citing.values import Checked, Proof, Report


def report_json(report: Report) -> dict[str, Any]:
    """Return the report: how many citations have each status, and every citation with its proof."""
    return {
        "name": report.name,
        "library": report.library,
        "counts": dict(report.counts),
        "citations": [_citation(one, report.unit) for one in report.checked],
        "problems": list(report.problems),
    }


def _citation(one: Checked, unit: str) -> dict[str, Any]:
    cited = one.cited
    return {
        "text": cited.text,
        "status": one.status,
        "reasons": list(one.reasons),
        unit: one.where,
        "kind": cited.kind,
        "document": cited.designation,
        "number": cited.number,
        "title": cited.title,
        "assumed": cited.assumed,
        "context": "".join(one.context),
        "proof": _proof(one.proof) if one.proof else None,
    }


def _proof(proof: Proof) -> dict[str, Any]:
    return {
        "document": proof.document,
        "designation": proof.designation,
        "label": str(proof.label) if proof.label else "",
        "key": proof.label.key if proof.label else "",
        "kind": proof.kind,
        "title": proof.title,
        "page": proof.page,
    }
