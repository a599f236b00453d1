"""Whether a statement holds for the number that a question states: "up to 20 kW" does not for 25 kW.

Rules of this module: pure. Read are bounds of cases only: those in the name of a row, in the caption and
the heading, and in the clauses of a sentence that say when a thing holds; a bound of what is required is an
answer. A number and a bound are of one case where their units convert and, for lengths, both are of one
dimension. A statement for the stated number goes before others that speak of about as much, one for other
numbers only behind them; where that one answers best, the answer says so. Words: data/answer/fitting.toml,
data/tables.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from appliance.answer.about import spoken_by, things
from appliance.answer.dimension import LENGTH, dimensions
from appliance.answer.findings import Finding, holds_what_is_asked
from appliance.answer.measured import in_unit
from appliance.answer.named import LONG, bounded
from appliance.core.evidence import Query
from appliance.core.files import shipped
from appliance.tables.ranges import Range, tokens
from appliance.text.quantities import quantities

Fit = Literal["in", "out", ""]

ASIDE = frozenset({"applicability", "definition"})  # intents that a bound which leaves a number out answers
READ = 8  # statements among which one for the stated number is looked for
SHARE = 2  # times as many of the things asked about that the first may name
NEAR = 0.4  # how much worse than the first it may fit by its words
BEFORE, BEHIND = 24, 14  # characters before and behind a number that tell its bound and its dimension

_ENDS = re.compile(r"[.;:](?=\s)|\n|[|•]")
_COMMA = re.compile(r",(?=\s)")


@dataclass(frozen=True, slots=True)
class Stated:
    """A number that a question states, with the dimensions that it may be of where it is a length."""

    number: Range
    dimensions: frozenset[str]
    length: bool


def fitting_first(
    query: Query, chosen: Sequence[Finding], said: Sequence[Finding] = ()
) -> tuple[Finding, ...]:
    """Return the findings, first one for the number that the question states, last those for others only.

    The first one may be any that is `said` where none is for it among those chosen.
    """
    found = _stated(query)
    if not found or not chosen:
        return tuple(chosen)
    fits = {id(item): fit(found, item) for item in chosen}
    kept = [item for item in chosen if fits[id(item)] != "out"]
    out = [item for item in chosen if fits[id(item)] == "out"]
    texts = {item.text for item in chosen}
    further = sorted((item for item in said if item.text not in texts), key=lambda item: -item.score)
    ways = (*kept[:READ], *(item for item in further if fit(found, item) == "in"))
    lead = next(
        (item for item in ways if fits.get(id(item), "in") and _may_lead(query, chosen[0], item)), None
    )
    front = [lead] if lead else []
    return (*front, *(item for item in kept if item is not lead), *out)


def unfitting(query: Query, chosen: Sequence[Finding]) -> str:
    """Return in a sentence that what answers best is for other numbers than the question states.

    "" where the first finding is for them or nothing is for others; rows for others count beside a first one
    that is not sure.
    """
    found = _stated(query)
    if not found or not chosen or fit(found, chosen[0]) == "in":
        return ""
    best = max(chosen, key=lambda item: item.score)
    beside = [item for item in chosen if item.marked] if chosen[0].unsure else []
    for item in (chosen[0], best, *beside):
        if fit(found, item) == "out":
            return f"What {item.place.label} gives is for other numbers than the question states."
    return ""


def _stated(query: Query) -> list[Stated]:
    """Return the numbers of a question that tell its case: "may it be 25 kW" asks for the bound itself."""
    if query.labels or query.intent in ASIDE:
        return []
    return stated_numbers(query.spelt or query.text)


def stated_numbers(asked: str) -> list[Stated]:
    """Return the numbers with a unit that a question states, without those that it excepts."""
    found = []
    for one in quantities(asked):
        beside = asked[max(one.start - BEFORE, 0) : one.end + BEHIND]
        own = next((number for number in _ranges(asked[one.start : one.end])), None)
        if own is not None and not _excepting().search(asked[: one.start]):
            bound = (each for each in _ranges(beside) if own.low in {each.low, each.high})
            found.append(Stated(next(bound, own), dimensions(beside), LENGTH in one.kinds))
    return found


def fit(stated: Sequence[Stated], finding: Finding) -> Fit:
    """Tell whether a finding is for the stated numbers ("in"), for others only ("out") or for any ("")."""
    place = finding.place
    over = [place.title, *place.heading_path[-1:]]
    about = " ".join(over)
    rows = [text for name in finding.named for text in _labels(name.removeprefix(about))]
    seen = [_held(stated, list(cases(text))) for text in over]
    seen.append(_held(stated, rows if finding.marked else list(cases(finding.text))))
    if "out" in seen:  # a bound that is not read as a case may be one: "if it has at least 5 m"
        return "" if not finding.marked and _held(stated, [finding.text]) == "in" else "out"
    return "in" if "in" in seen else ""


def _labels(name: str) -> Iterator[str]:
    """Yield the parts of the name of a row; numbers of a whole sentence tell no row apart."""
    yield from (part for part in _ENDS.split(name) if len(tokens(part)) <= LONG)


def cases(text: str) -> Iterator[str]:
    """Yield the clauses of a text that say when something holds."""
    for sentence in _ENDS.split(text):
        required = False
        for clause in _openings().split(sentence):
            opening = clause.casefold()
            if opening in _words("stating"):
                required = True
            elif opening in _words("cases"):
                required = False
            elif not required:
                yield from _COMMA.split(clause)


def _held(stated: Sequence[Stated], texts: Sequence[str]) -> Fit:
    """Tell whether a bound of some texts holds a stated number, whether all that could leave it out."""
    seen: set[Fit] = set()
    for text in texts:
        named = dimensions(text)
        held = [one for one in _ranges(text) if not one.point]
        for one in stated:
            if one.length and not named & one.dimensions:
                continue
            like = [each for each in held if in_unit(one.number, each.unit) is not None]
            seen |= {_holds(each, one.number) for each in bounded(like)}
    sides: tuple[Fit, ...] = ("in", "", "out")
    return next((side for side in sides if side in seen), "")


def _ranges(text: str) -> list[Range]:
    return [one for one in tokens(text) if isinstance(one, Range) and one.unit]


def _holds(held: Range, number: Range) -> Fit:
    """Tell whether a bound holds a number, leaves it out, or holds a part of what is stated."""
    same = in_unit(number, held.unit)
    if same is None:
        return ""
    if same.point:
        return "in" if held.holds(same.low) else "out"
    if held.low <= same.low and same.high <= held.high:
        return "in"
    return "out" if held.high < same.low or same.high < held.low else ""


def _may_lead(query: Query, first: Finding, item: Finding) -> bool:
    """Tell whether a finding for the stated number speaks of half as much as the first one at least."""
    if item is first:
        return True
    named = things(query)
    told = [sum(spoken_by(query, word, _said(one)) for word in named) for one in (first, item)]
    enough = 0 < told[0] <= SHARE * told[1] and item.score >= first.score - NEAR
    return enough and holds_what_is_asked(query, item.text) >= holds_what_is_asked(query, first.text)


def _said(finding: Finding) -> str:
    place = finding.place
    return " ".join((place.title, *place.heading_path, finding.text))


@cache
def _excepting() -> re.Pattern[str]:
    """Return what finds at the end of a text a word that excepts what comes next ("other than")."""
    said = shipped("answer/columns")["contrary"]["excepting"]
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, said))})\s+$", re.IGNORECASE)


@cache
def _openings() -> re.Pattern[str]:
    said = sorted((*_words("cases"), *_words("stating")), key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, said))})\b", re.IGNORECASE)


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(shipped("answer/fitting")[name])
