"""The headline: the one value that answers, with its unit, what it is the value of, and its conditions.

Rules of this module: only a question for a value has one; it is printed in the claim that answers. It is of the
kind of quantity that is wanted: of several the one that stands nearest to the words of the question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from appliance.answer.candidates.rows import without_marks
from appliance.answer.candidates.values import Candidate, Quote
from appliance.answer.claims import value_fit
from appliance.answer.reading.question import Asked, met, stems
from appliance.tables.rows import flat
from appliance.text.quantities import kinds_of, quantities, unit_behind

REACH = 60  # characters round a quantity in which the words of the question count
_NUMBER = re.compile(r"[-−]?\d[\d.,  ]*\d|[-−]?\d")
_VALUE = re.compile(r"^[<>≤≥±~≈ ]*[-−]?\d[\d.,:/ –−-]*(?:\s?(?:to|x|×)\s?\d[\d.,]*)*")


@dataclass(frozen=True, slots=True)
class Figure:
    """A value as it may head an answer; `quote` proves it."""

    value: str
    unit: str
    what: str
    conditions: tuple[str, ...]
    quote: Quote
    fit: float


def headline(asked: Asked, one: Candidate) -> Figure | None:
    """Return the value that a claim gives for a question, None where it gives none of the kind wanted."""
    return _of_row(asked, one) if one.form == "row" else _of_words(asked, one)


def _of_row(asked: Asked, one: Candidate) -> Figure | None:
    valued = [value for value in one.values if any(map(str.isdigit, value.cell.text))] or list(one.values)
    if not valued:
        return None
    fits = [value_fit(asked, value) for value in valued]
    best = max(range(len(valued)), key=lambda at: fits[at])
    value = valued[best]
    second = max((fit for at, fit in enumerate(fits) if at != best), default=0.0)
    what = ", ".join(part for part in (one.name, *value.heads) if part)
    text = without_marks(flat(value.cell.text))
    conditions = tuple(" ".join(note.text.split()) for note in one.notes)
    return Figure(text, value.unit, what, conditions, one.quotes[-1], fits[best] - second)


def _of_words(asked: Asked, one: Candidate) -> Figure | None:
    text = " ".join(one.quotes[-1].text.split())
    found = (
        [each for each in quantities(text) if each.kinds & asked.kinds]
        if asked.kinds
        else list(quantities(text))
    )
    if not found:
        return None

    def near(each) -> float:
        held = stems(text[max(each.start - REACH, 0) : each.end + REACH])
        return sum(word.rarity for word in asked.words if met(word, held)) / asked.weight

    best = max(found, key=lambda each: (near(each), -each.start))
    printed = text[best.start : best.end]
    number = _NUMBER.match(printed)
    value = number.group().strip() if number else printed
    unit = printed[len(value) :].strip() if number else ""
    if number and not unit:
        unit = unit_behind(text, best.start + len(value))
    lead = one.lead or one.heads
    conditions = (one.lead,) if one.lead else ()
    return Figure(value, unit, one.name or lead, conditions, one.quotes[-1], 1.0 / len(found))


def of_kind(asked: Asked, figure: Figure) -> bool:
    """Tell whether a value is of the kind wanted, as far as its unit tells."""
    return not (asked.kinds and figure.unit) or bool(kinds_of(figure.unit) & asked.kinds)
