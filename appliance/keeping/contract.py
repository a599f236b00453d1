"""Saved answers and comparisons as the JSON that outside programs rely on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from appliance.contract.shape import plain, shaped
from appliance.keeping import compare
from appliance.keeping.compare import Fate, Stretch
from appliance.keeping.recheck import Recheck, State
from appliance.site import saved
from appliance.site.gaps_and_feedback import written
from appliance.site.saved import Kept


class Side(TypedDict):
    """One of two things that are compared."""

    label: str
    key: str
    title: str
    page: int | None


class Pair(TypedDict):
    """What became of one thing between two documents; `also` is what differs beside its words."""

    fate: Fate
    kind: str
    old: Side | None
    new: Side | None
    words: list[Stretch]
    also: list[str]


Comparison = TypedDict(
    "Comparison",
    {"a": str, "b": str, "counts": dict[Fate, int], "total": int, "from": int, "pairs": list[Pair]},
)


class Short(TypedDict):
    """A saved answer in a list."""

    key: str
    saved: str
    question: str
    outcome: str
    library: str
    note: str
    state: State
    states: dict[str, int]


class Checked(TypedDict):
    """How a saved quotation stands in the library that is open."""

    n: int
    state: State
    key: str
    page: int | None
    edition: str
    words: list[Stretch]


class Saved(Short):
    """A saved answer whole."""

    answer: Kept
    citations: list[Checked]


Saveds = TypedDict("Saveds", {"total": int, "from": int, "saved": list[Short]})


def saved_short(row: saved.Saved, now: Recheck) -> Short:
    """Return what a list tells of a saved answer: `state` is the worst of its quotations."""
    return shaped(Short, row.kept, key=row.key, saved=written(row.at), note=row.note,
                  state=now.state, states=now.counts)  # fmt: skip


def saved_json(row: saved.Saved, now: Recheck) -> Saved:
    """Return a saved answer whole, with how each quotation stands now and what changed of it by words."""
    citations = [shaped(Checked, item, n=item.citation.n) for item in now.checked]
    return {**saved_short(row, now), "answer": plain(row.kept), "citations": citations}


def comparison_json(
    a: str,
    b: str,
    found: compare.Comparison,
    pairs: Sequence[compare.Pair],
    *,
    first: int = 0,
    most: int | None = None,
) -> Comparison:
    """Return a comparison: how many items there are of each fate, and so many of the pairs."""
    return {
        "a": a,
        "b": b,
        "counts": found.counts,
        "total": len(pairs),
        "from": first,
        "pairs": [_pair(pair) for pair in pairs[first:][:most]],
    }


def _pair(pair: compare.Pair) -> Pair:
    words = plain(pair.words) if pair.fate != "same" else []
    return shaped(Pair, pair, kind=pair.item.kind, old=_side(pair.old), new=_side(pair.new), words=words)


def _side(item: compare.Item | None) -> Side | None:
    return shaped(Side, item) if item else None
