"""The headline: the one value that answers, with its unit, what it is the value of, and its conditions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import exp

from appliance.answer.candidates.rows import without_marks
from appliance.answer.candidates.values import Candidate, Quote
from appliance.answer.claims import value_fit
from appliance.answer.reading.question import Asked, met, stems
from appliance.answer.reading.single_value import asks_one_value
from appliance.answer.verify import phrases
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.ranges import Range, likeness, tokens
from appliance.tables.rows import flat
from appliance.text.quantities import Quantity, kinds_of, printed_as, quantities

BOUND, BEFORE = 0.4, 24  # worth of a bound right before a number, and how many characters are looked at
NEAR = 40  # characters from a quantity at which a word of the question counts for a third
TIE = 0.05  # of worth: quantities so near to the best are told apart by nothing
SAME_NUMBER = 0.5  # likeness from which a number of the path of a row is one that the question states
CASE_MIN = 2  # words of a case, behind that which opens it
CASE_LETTERS, CASE_NAMED = 4, 1 / 3  # of its words of so many letters, the share that a question names
_NUMBER = re.compile(r"[-−]?\d[\d.,  ]*\d|[-−]?\d")
_WORD = re.compile(r"\w+")
_BEHIND = re.compile(r"\s+([^\W\d_]{3,})")


@dataclass(frozen=True, slots=True)
class Figure:
    """A value as it may head an answer; `quote` proves it, `kinds` are what it may measure."""

    value: str
    unit: str
    what: str
    conditions: tuple[str, ...]
    quote: Quote
    kinds: frozenset[str]


def headline(asked: Asked, one: Candidate, others: Sequence[Candidate] = ()) -> Figure | None:
    """Return the value of the kind wanted that a claim gives, None where it gives none or several alike.

    A row gives none where the question tells it from no row among `others` that gives another value.
    """
    if one.form != "row":
        return _of_words(asked, one)
    figure = _of_row(asked, one)
    if figure is None:
        return None
    whole = next((row for row in others if row.quotes == one.quotes), one)
    least = row_fit(asked, whole) - TIE
    rows = [row for row in others if row.form == "row" and _table(row) == _table(one) and row is not whole]
    like = (_of_row(asked, row) for row in rows if row_fit(asked, row) > least)
    return None if any(other and other.value != figure.value for other in like) else figure


def _table(row: Candidate) -> tuple[str, str]:
    return row.place.document, row.place.label.named


def row_fit(asked: Asked, row: Candidate) -> float:
    """Return how far a row is what a question says: by the words of its path, and the numbers stated."""
    held = stems(row.name)
    path = _ranges(" | ".join([row.name, *(value.cell.text for value in row.values)]))
    named = sum(word.rarity for word in asked.words if met(word, held)) / asked.weight
    return named + sum(likeness(number, path) for number in asked.numbers) / (len(asked.numbers) or 1)


def row_contradicted(asked: Asked, row: Candidate) -> bool:
    """Tell whether a question states a number in the unit of the path of a row that lies outside of it."""
    path = _ranges(row.name)
    for number in asked.numbers:
        measured = [one for one in path if one.unit and one.unit == number.unit]
        if measured and not any(likeness(number, [one]) for one in measured):
            return True
    return False


def _ranges(text: str) -> list[Range]:
    return [token for token in tokens(text) if isinstance(token, Range)]


def _of_row(asked: Asked, one: Candidate) -> Figure | None:
    stated = _numbers(asked.text)
    valued = [
        value
        for value in one.values
        if _is_number(value.cell.text) and not _numbers(without_marks(flat(value.cell.text))) & stated
    ]
    if not valued or not (asked.kinds or asked.query.intent in {"value", "general"}):
        return None
    left = _of_columns(asked, one)
    fits = [value_fit(left, value) for value in valued]
    best = max(range(len(valued)), key=lambda at: fits[at])
    value = valued[best]
    texts = [without_marks(flat(each.cell.text)) for each in valued]
    if any(fit > fits[best] - TIE and text != texts[best] for fit, text in zip(fits, texts, strict=True)):
        return None
    what = ", ".join(part for part in (one.name, *value.heads) if part)
    conditions = tuple(" ".join(note.text.split()) for note in one.notes)
    kinds = kinds_of(value.unit) if value.unit else asked.kinds
    return Figure(texts[best], value.unit, what, conditions, one.quotes[-1], kinds)


def _of_columns(asked: Asked, one: Candidate) -> Asked:
    """Return a question without the numbers that the path of a row meets: they tell its columns not apart."""
    path = _ranges(f"{one.heads} {one.name}")
    left = tuple(number for number in asked.numbers if likeness(number, path) < SAME_NUMBER)
    return replace(asked, numbers=left)


def _of_words(asked: Asked, one: Candidate) -> Figure | None:
    intent = asked.query.intent
    if intent == "general" and not asks_one_value(asked.query):
        return None  # "which buildings ... pressure tested": no number answers it
    text = " ".join(one.quotes[-1].text.split())
    given = [each for each in quantities(text) if not _is_stated(asked, text, each)]
    found = [each for each in given if each.kinds & asked.kinds]
    if not asked.kinds and intent == "value":  # of no kind that is known: the one that has a unit
        found = [each for each in given if printed_as(text, each)[1]]
        found = found if len({printed_as(text, each)[0] for each in found}) == 1 else []
    if not found:
        return None

    worth = {each: _near(asked, text, each) for each in found}
    for each in found:
        worth[each] += BOUND * bool(_bounds().search(text[max(each.start - BEFORE, 0) : each.start]))
    best = max(found, key=lambda each: (worth[each], -each.start))
    value, unit = printed_as(text, best)
    others = [each for each in found if printed_as(text, each)[0] != value]
    if any(worth[each] >= worth[best] - TIE for each in others):
        return None
    what = one.name or one.lead or text
    return Figure(
        value,
        unit or _counted(text, best),
        what,
        tuple(each for each in (one.lead, *cases_of(text)) if each and each != what),
        one.quotes[-1],
        best.kinds,
    )


def _near(asked: Asked, text: str, each: Quantity) -> float:
    """Return how near the words of a question stand to a quantity of a text (0..1)."""
    total = 0.0
    spots = [(found.start(), found.end(), stems(found[0])) for found in _WORD.finditer(text)]
    for word in asked.words:
        gaps = [max(start - each.end, each.start - end, 0) for start, end, own in spots if met(word, own)]
        total += word.rarity * exp(-min(gaps) / NEAR) if gaps else 0.0
    return total / asked.weight


def _counted(text: str, each: Quantity) -> str:
    """Return the word behind a bare count, "rounds" of "5 rounds of strip", "" for none that names."""
    found = _BEHIND.match(text, each.end) if "count" in each.kinds else None
    return found[1] if found and found[1].casefold() not in load_lexicon().stop else ""


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
    """Tell whether a cell is a number with little else: a class, a symbol or a sentence heads no answer."""
    plain = without_marks(flat(text))
    digits = sum(map(str.isdigit, plain))
    begun = next((sign for sign in plain if sign.isalnum()), "")
    return begun.isdigit() and sum(map(str.isalpha, plain)) <= max(2 * digits, 4)


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
    """Tell whether a value is of the kind wanted, as far as that is known."""
    return not asked.kinds or bool(figure.kinds & asked.kinds)
