"""In which order the statements of an answer stand: first what speaks of the thing and gives what is asked.

Rules of this module: pure but for the rarity of words; made for questions for a value (of others as many got
worse as better on the judged ones). Nothing is left out, nothing taken in. The signals of
a finding add up with the weights of data/answer/order.toml; of those from one place that give what is asked
about equally well the first one printed leads, for a code says the rule before its cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import isfinite

from appliance.answer.about import spoken_by, things
from appliance.answer.dimension import another, asked_dimension, gives
from appliance.answer.findings import Finding
from appliance.answer.measured import in_unit, numbers_of
from appliance.core.evidence import Place, Query
from appliance.core.files import shipped
from appliance.tables.ranges import Range, tokens
from appliance.text.quantities import quantities
from appliance.text.sentences import sentence_spans

FURTHEST = 12  # places beyond which one more makes no difference
ABOUT = 0.15  # how much better a later statement of the same place has to be

Rarity = Callable[[str], float]


def in_order(
    query: Query,
    chosen: Sequence[Finding],
    said: Sequence[Finding],
    places: Sequence[Place],
    rarity: Rarity = lambda _: 1.0,
) -> tuple[Finding, ...]:
    """Return the findings chosen, best first; `said` are all, as printed, `places` those read, best first."""
    ranks = {place: rank for rank, place in reversed(list(enumerate(places)))}
    printed = {id(item): at for at, item in enumerate(said)}
    worth = {
        id(item): _worth(item, signals_of(query, item, ranks.get(item.place, FURTHEST), rarity))
        for item in chosen
    }
    ordered = sorted(chosen, key=lambda item: -worth[id(item)])
    if not ordered or not _gives(query, ordered[0]):
        return tuple(ordered)
    best = ordered[0]
    beside = [
        item
        for item in ordered
        if item.place == best.place
        and _gives(query, item)
        and worth[id(item)] >= worth[id(best)] - ABOUT
        and id(item) in printed
    ]
    first = min(beside, key=lambda item: printed[id(item)], default=best)
    return (first, *(item for item in ordered if item is not first))


def signals_of(query: Query, finding: Finding, rank: int, rarity: Rarity = lambda _: 1.0) -> dict[str, float]:
    """Return the signals of a finding by their names in data/answer/order.toml."""
    asked, dimension = things(query), asked_dimension(query)
    heading = " ".join((finding.place.title, *finding.place.heading_path[-1:]))
    found = gives(finding.text, dimension) if dimension else False
    return {
        "met": finding.met,
        "head": _named(query, asked, heading, rarity),
        "together": max(
            (_named(query, asked, text, rarity) for text in _holding(query, finding.text)), default=0.0
        ),
        "stated": float(_holds_stated(query, _said(finding))),
        "gives": float(found),
        "another": float(bool(dimension) and not found and bool(another(finding.text, dimension))),
        "rank": float(min(rank, FURTHEST)),
        "table": float(bool(finding.marked)),
    }


def _gives(query: Query, finding: Finding) -> bool:
    """Tell whether running text gives a quantity of the kind asked for, of the right dimension."""
    dimension = asked_dimension(query)
    held = not finding.marked and bool(query.kinds) and any(_holding(query, finding.text))
    return held and (not dimension or gives(finding.text, dimension))


def _worth(finding: Finding, signals: Mapping[str, float]) -> float:
    weights = _weights()
    return finding.score + sum(weights[name] * value for name, value in signals.items())


def _named(query: Query, asked: Sequence[str], text: str, rarity: Rarity) -> float:
    """Return the share of the things asked about that a text names, rare ones counting for more."""
    total = sum(map(rarity, asked))
    return sum(rarity(word) for word in asked if spoken_by(query, word, text)) / total if total else 0.0


def _holding(query: Query, text: str) -> list[str]:
    """Return the sentences of a text that hold a quantity of a kind asked for."""
    kinds = set(query.kinds)
    said = [text[slice(*span)] for span in sentence_spans(text)] if kinds else []
    return [one for one in said if any(kinds & found.kinds for found in quantities(one))]


def _said(finding: Finding) -> str:
    return finding.claims[0].text if finding.marked and finding.claims else finding.text


def _holds_stated(query: Query, text: str) -> bool:
    """Tell whether a number that a question states is one of a text or lies in a range of it."""
    held = [one for one in tokens(text) if isinstance(one, Range) and one.unit]
    for number in numbers_of(query.spelt or query.text):
        for one in held:
            same = in_unit(number, one.unit)
            if same is None or not (isfinite(same.low) or isfinite(same.high)):
                continue
            if (one.point and one.low == same.low) or (
                not one.point and one.low <= same.low and same.high <= one.high
            ):
                return True
    return False


@cache
def _weights() -> Mapping[str, float]:
    weights: Mapping[str, float] = shipped("answer/order")["weights"]
    return weights
