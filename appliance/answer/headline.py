"""The headline: the one value that answers, with its unit, what it is the value of, and its conditions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from appliance.answer.candidates.rows import without_marks
from appliance.answer.candidates.values import Candidate, Quote
from appliance.answer.claims import value_fit
from appliance.answer.reading.question import Asked, met, stems
from appliance.answer.verify import phrases
from appliance.tables.rows import flat
from appliance.text.quantities import Quantity, kinds_of, printed_as, quantities

BOUND, BEFORE = 0.4, 24  # worth of a bound right before a number, and how many characters are looked at
REACH = 60  # characters round a quantity in which the words of the question count
TIE = 0.05  # of worth: quantities so near to the best are told apart by nothing
CASE_MIN = 2  # words of a case, behind that which opens it
CASE_LETTERS, CASE_NAMED = 4, 1 / 3  # of its words of so many letters, the share that a question names
_NUMBER = re.compile(r"[-−]?\d[\d.,  ]*\d|[-−]?\d")


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
    """Return the value of the kind wanted that a claim gives, None where it gives none or several alike."""
    return _of_row(asked, one) if one.form == "row" else _of_words(asked, one)


def _of_row(asked: Asked, one: Candidate) -> Figure | None:
    valued = [value for value in one.values if _is_number(value.cell.text)]
    if not valued or not (asked.kinds or asked.query.intent in {"value", "general"}):
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
    if asked.query.intent == "general":  # "which buildings ... pressure tested": no number answers it
        return None
    text = " ".join(one.quotes[-1].text.split())
    found = [
        each for each in quantities(text) if each.kinds & asked.kinds and not _is_stated(asked, text, each)
    ]
    if not found:
        return None

    def worth(each: Quantity) -> float:
        held = stems(text[max(each.start - REACH, 0) : each.end + REACH])
        near = sum(word.rarity for word in asked.words if met(word, held)) / asked.weight
        return near + BOUND * bool(_bounds().search(text[max(each.start - BEFORE, 0) : each.start]))

    best = max(found, key=lambda each: (worth(each), -each.start))
    value, unit = printed_as(text, best)
    best_of = {printed_as(text, each)[0] for each in found if worth(each) >= worth(best) - TIE}
    if len(best_of) > 1:
        return None
    conditions = tuple(filter(None, (one.lead, *cases_of(text))))
    return Figure(
        value, unit, one.name or one.lead or one.heads, conditions, one.quotes[-1], 1.0 / len(found)
    )


def cases_of(text: str) -> tuple[str, ...]:
    """Return the cases in which a sentence says that it holds, as printed: "If a lift is installed"."""
    return tuple(found[0].strip() for found in _cases().finditer(text) if len(found[1].split()) >= CASE_MIN)


def case_not_asked(asked: Asked, text: str) -> str:
    """Return the first case of a sentence of which a question names next to nothing, "" for none."""
    spoken = stems(asked.query.text)
    for case in cases_of(" ".join(text.split())):
        own = {stem for stem in stems(case) if len(stem) >= CASE_LETTERS}
        if len(own) >= CASE_MIN and len(own & spoken) < CASE_NAMED * len(own):
            return case
    return ""


def _is_stated(asked: Asked, text: str, each: Quantity) -> bool:
    """Tell whether a quantity is one that the question states itself: it is the case, not the answer."""
    return bool(_numbers(text[each.start : each.end]) & _numbers(asked.text))


def _numbers(text: str) -> frozenset[str]:
    return frozenset(re.sub(r"[,\s]", "", found) for found in _NUMBER.findall(text))


def _is_number(text: str) -> bool:
    """Tell whether a cell is a number with little else: a class or a sentence heads no answer."""
    plain = without_marks(flat(text))
    digits = sum(map(str.isdigit, plain))
    return digits > 0 and sum(map(str.isalpha, plain)) <= max(2 * digits, 4)


@cache
def _cases() -> re.Pattern[str]:
    """Return what finds the words that name a case, to the sign that ends them."""
    words = "|".join(map(re.escape, phrases("cases")))
    return re.compile(rf"\b(?:{words})\b((?:[^,;:().]|[.,](?=\d))*)", re.IGNORECASE)


@cache
def _bounds() -> re.Pattern[str]:
    """Return what finds the words that bound a number."""
    return re.compile(
        "|".join(re.escape(word) for word in (*phrases("limits"), *phrases("modals"))), re.IGNORECASE
    )


def of_kind(asked: Asked, figure: Figure) -> bool:
    """Tell whether a value is of the kind wanted, as far as its unit tells."""
    return not (asked.kinds and figure.unit) or bool(kinds_of(figure.unit) & asked.kinds)
