"""How a question was read, what it came to as a question for places, and what was raised, as JSON.

Rules of this module: it writes, it never decides; fields may be added, never renamed. Shapes are those of
docs/contract.md.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from appliance.evidence import Evidence, Query, Scoped

Json = dict[str, Any]


def reading_json(query: Query) -> Json:
    """Return how a question was read."""
    return {
        "intent": query.intent,
        "terms": list(query.terms),
        "concepts": [{"words": item.words, "others": list(item.others)} for item in query.concepts],
        "labels": list(query.labels),
        "documents": list(query.documents),
        "pages": list(query.pages),
        "conditions": [asdict(item) for item in query.conditions],
        "quantities": [asdict(item) | {"kinds": list(item.kinds)} for item in query.quantities],
        "asks_for": list(query.kinds),
        "parts": [asdict(part) for part in query.parts],
        "spelt": query.spelt,
    }


def understood_json(evidence: Evidence) -> Json:
    """Return how the question was read, what it was taken for, and what was raised for it."""
    query, scope = evidence.query, evidence.scope
    return {
        "resolved": query.text if query.typed else "",
        "after": query.after,
        "reading": reading_json(query),
        "scope": scope_json(scope) if scope else None,
        "boosted": [
            {"document": item.document, "label": str(item.label), "key": item.label.key, "why": item.why}
            for item in evidence.boosted
        ],
    }


def scope_json(scope: Scoped) -> Json:
    """Return what a question for places comes to, each item with where it is."""
    return {
        "kind": scope.kind,
        "text": scope.text,
        "items": [asdict(item) | {"label": str(item.label), "key": item.label.key} for item in scope.items],
        "searched": list(scope.searched),
        "verdict": scope.verdict,
    }


def channels_json(evidence: Evidence) -> Json:
    """Return the first places of every search, where they were kept."""
    return {
        name: [
            {
                "document": place.document,
                "label": str(place.label),
                "key": place.label.key,
                "pages": list(place.pages),
            }
            for place in places
        ]
        for name, places in evidence.channels.items()
    }
