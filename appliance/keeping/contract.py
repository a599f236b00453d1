"""Saved answers and comparisons as the JSON that outside programs rely on."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from appliance.keeping.compare import Comparison, Item, Pair
from appliance.keeping.recheck import Recheck
from appliance.site.saved import Saved

Json = dict[str, Any]


def saved_short(row: Saved, now: Recheck) -> Json:
    """Return what a list tells of a saved answer: `state` is the worst of its quotations."""
    return {
        "key": row.key,
        "saved": written(row.at),
        "question": row.kept.question,
        "outcome": row.kept.outcome,
        "library": row.kept.library,
        "note": row.note,
        "state": now.state,
        "states": now.counts,
    }


def saved_json(row: Saved, now: Recheck) -> Json:
    """Return a saved answer whole, with how each quotation stands now and what changed of it by words."""
    citations = [
        {
            "n": item.citation.n,
            "state": item.state,
            "key": item.key,
            "page": item.page,
            "edition": item.edition,
            "words": [asdict(stretch) for stretch in item.words],
        }
        for item in now.checked
    ]
    return saved_short(row, now) | {"answer": asdict(row.kept), "citations": citations}


def comparison_json(
    a: str, b: str, found: Comparison, pairs: Sequence[Pair], *, first: int = 0, most: int | None = None
) -> Json:
    """Return a comparison: how many items there are of each fate, and so many of the pairs."""
    end = len(pairs) if most is None else first + most
    return {
        "a": a,
        "b": b,
        "counts": found.counts,
        "total": len(pairs),
        "from": first,
        "pairs": [_pair(pair) for pair in pairs[first:end]],
    }


def written(at: float) -> str:
    """Return a time as ISO 8601 writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def _pair(pair: Pair) -> Json:
    words = [asdict(stretch) for stretch in pair.words] if pair.fate != "same" else []
    sides = {"old": _side(pair.old), "new": _side(pair.new)}
    return {"fate": pair.fate, "kind": pair.item.kind, **sides, "words": words}


def _side(item: Item | None) -> Json | None:
    if item is None:
        return None
    return {"label": str(item.label), "key": item.label.key, "title": item.title, "page": item.page}
