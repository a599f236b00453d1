"""The headline: the one value that answers, with its unit, what it is the value of, and its conditions.

Every number and cell of the leading candidate is measured, and a small fitted forest says with what chance
it is the value asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

from appliance.answer.candidates import Candidate, Quote, without_marks
from appliance.answer.chosen_statements import FIRST_WORDS, claim, value_fit
from appliance.answer.reading.question import Asked, Stems, likened, stems
from appliance.answer.statement_support import phrases
from appliance.core.document import Box
from appliance.core.files import data_folder
from appliance.core.mechanisms import mechanism
from appliance.models.late_interaction import unit as unit_rows
from appliance.models.protocols import EncodedQuery
from appliance.models.session import Trees
from appliance.retrieval.query.lexicon import load_lexicon
from appliance.tables.ranges import Range, likeness, tokens
from appliance.tables.rows import flat
from appliance.text.quantities import Quantity, kinds_in, kinds_of, printed_as, quantities

BOUND_BEFORE = 24  # characters before a number in which a word that bounds it is looked for
NEAR_TOKENS = 8.0  # tokens from a number at which a word of the question counts for a third
CELL_LETTERS = 60  # of a cell that may be a value
TIE = 0.05  # of what is named: rows so near to each other are told apart by nothing
SEVERAL = 2  # values of the kind asked for, of which the nearest to the words of the question may be shown
SAME_NUMBER = 0.5  # likeness from which a number of the path of a row is one that the question states
CASE_NAMED = 0.33  # of a question, by how rare its words are, that names a case
CASE_MIN = 2  # words of a case, behind that which opens it
_NUMBER = re.compile(r"[-−]?\d[\d.,  ]*\d|[-−]?\d")
_BARE = re.compile(r"(?<![\w.,/])[-−]?\d+(?:[.,]\d+)*(?:\s?/\s?\d+)?%?")  # "0.004", "1/180"
_BEHIND = re.compile(r"\s+([^\W\d_]{3,})")

ANSWER = ("top_chance", "late", "place_margin")  # signals of the answer that count for its values too
NAMES = (
    "row", "kind", "kind_asked", "unit", "bare", "near", "near_gap", "before", "behind", "bounded", "stated",
    "values", "values_of_kind", "position", "words", "value_intent", "agreed", "score", "score_gap", "fit",
    "fit_gap", "row_fit", "row_gap", "number", "letters", *ANSWER,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figure:
    """A value as it may head an answer; `quote` proves it, `kinds` are what it may measure.

    `box` is that of its cell, None where it stands in words. `chance` (0..1) is that it is the value
    asked for.
    """

    value: str
    unit: str
    what: str
    conditions: tuple[str, ...]
    quote: Quote
    kinds: frozenset[str]
    chance: float = 0.0
    box: Box | None = None


Measures = dict[str, float]
_KEPT: ContextVar[list[tuple[Figure, Measures]] | None] = ContextVar("kept", default=None)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a value is measured against: the question, the candidates best first, the signals of the answer.

    `printed` is the text of the leading candidate with its token vectors, None where there is no embedder;
    `said` are the candidates that the first statement says.
    """

    asked: Asked
    best: Candidate
    found: Sequence[Candidate]
    signals: Measures
    printed: EncodedQuery | None = None
    said: Sequence[Candidate] = ()


def headline(reading: Reading) -> Figure | None:
    """Return the likeliest value of the leading candidate, None where nothing tells it from others."""
    if (kept := _KEPT.get()) is not None:
        kept.extend(figures(reading))
        return None
    figure, measures = likeliest(reading)
    if figure is None or any(veto(reading, figure, measures) for veto in VETOES.values()):
        return None
    return figure


def likeliest(reading: Reading) -> tuple[Figure | None, Measures]:
    """Return the likeliest value of the leading candidate with its chance, and what is measured of it."""
    options = list(figures(reading))
    if not options:
        return None, {}
    chances = forest().scores(rows_of([measures for _, measures in options]))
    best = int(np.argmax(chances))
    figure, measures = options[best]
    return replace(figure, chance=float(np.clip(chances[best], 0.0, 1.0))), measures


@mechanism("headline.row", without=lambda *_: False)
def _of_rows_alike(reading: Reading, _figure: Figure, measures: Measures) -> bool:
    """Tell whether another row of its table is named as well: then no value of a row is shown large."""
    if not measures.get("row") or measures["row_gap"] >= TIE:
        return False
    asked, best = reading.asked, reading.best
    others = (row for row in reading.found if row.form == "row" and _table(row) == _table(best))
    alike = (row for row in others if row.text != best.text and meets_as_much(asked, best, row))
    return any(measures["row_fit"] - row_fit(asked, row) < TIE for row in alike)


@mechanism("headline.nearest", without=lambda *_: False)
def _of_values_alike(_reading: Reading, _figure: Figure, measures: Measures) -> bool:
    """Tell whether another of several values of the kind asked for is nearer to the question."""
    several = not measures.get("row") and measures["values_of_kind"] >= SEVERAL
    return several and measures["near_gap"] < 0.0


@mechanism("headline.case", without=lambda *_: False)
def _of_another_case(reading: Reading, figure: Figure, _measures: Measures) -> bool:
    """Tell whether a value is of a case not asked for, and one without a case is said beside it."""
    best, kinds = reading.best, figure.kinds & reading.asked.kinds
    asked = reading.asked
    if not any(asked.share(asked.met(stems(case))) < CASE_NAMED for case in cases_of(text_of(best))):
        return False
    others = (one.text for one in reading.said if figure.value not in one.text and not cases_of(one.text))
    return any(kinds & kinds_in(text) for text in others)


# what is never shown large; each can be switched off (`appliance eval ablate --only headline`)
VETOES: Mapping[str, Callable[[Reading, Figure, Measures], bool]] = {
    "another row fits as well": _of_rows_alike,  # DC-1-1-site-01 of data/judged/site
    "another value stands nearer": _of_values_alike,
    "of a case not asked for": _of_another_case,  # AD-K-site-01
}


@mechanism("answer.rows", without=lambda _reading: "")
def open_rows(reading: Reading) -> str:
    """Return that rows of a table answer alike, "" where the question names one or all say the same."""
    if reading.best.form != "row" or row_fit(reading.asked, reading.best) >= TIE:
        return ""
    table = _table(reading.best)
    rows = [one for one in reading.found if one.form == "row" and _table(one) == table]
    said = {tuple(flat(value.cell.text) for value in one.values) for one in rows}
    return f"rows of {table[1]} differ, and the question names none" if len(said) > 1 else ""


@contextmanager
def recorded() -> Iterator[list[tuple[Figure, Measures]]]:
    """Keep the values of each answer inside, of which none is chosen: for fitting the choice."""
    kept: list[tuple[Figure, Measures]] = []
    token = _KEPT.set(kept)
    try:
        yield kept
    finally:
        _KEPT.reset(token)


def rows_of(measured: Sequence[Measures]) -> NDArray[np.float32]:
    """Return what is measured of values as rows [n, NAMES]; what does not apply is 0."""
    rows = [[one.get(name, 0.0) for name in NAMES] for one in measured]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(NAMES))


def text_of(one: Candidate) -> str:
    """Return the text of a candidate in which its numbers are looked for, on one line."""
    return flat(one.quotes[-1].text)


def figures(reading: Reading) -> Iterator[tuple[Figure, Measures]]:
    """Yield what is measured of each value of the leading candidate, but of those of another dimension."""
    found, asked = reading.found, reading.asked
    chances = np.exp([one.score - found[0].score for one in found])
    common = {name: reading.signals[name] for name in ANSWER} | {
        "kind_asked": float(bool(asked.kinds)),
        "value_intent": float(asked.query.intent in {"value", "general"}),
        "words": log(1 + len(reading.best.text.split())),
        "score": reading.best.score,
        "score_gap": found[0].score - found[1].score if len(found) > 1 else found[0].score,
    }
    numbers = [_numbers(one.text) for one in found]
    given = sum(float(chance) for chance, held in zip(chances, numbers, strict=True) if held) or 1.0
    values = _of_row(reading) if reading.best.form == "row" else _of_words(reading)
    for figure, measures in values:
        said = digits_of(figure.value)
        same = (said in held for held in numbers)
        agreed = sum(float(chance) for chance, here in zip(chances, same, strict=True) if here) / given
        kind = float(bool(figure.kinds & asked.kinds))
        if kind or not asked.kinds or not figure.kinds:
            yield figure, common | measures | {"agreed": agreed, "kind": kind}


def _of_row(reading: Reading) -> Iterator[tuple[Figure, Measures]]:
    asked, one = reading.asked, reading.best
    path = _ranges(f"{one.heads} {one.name}")  # the numbers that it meets do not tell the columns apart
    left = tuple(number for number in asked.numbers if likeness(number, path) < SAME_NUMBER)
    fits = [value_fit(replace(asked, numbers=left), value) for value in one.values]
    stated, own = _numbers(asked.text), row_fit(asked, one)
    others = (row for row in reading.found if row.form == "row" and _table(row) == _table(one))
    rivals = [row_fit(asked, row) for row in others if row.text != one.text]
    conditions = tuple(flat(note.text) for note in one.notes)
    common = {
        "row": 1.0,
        "values": float(len(one.values)),
        "values_of_kind": float(sum(_is_number(value.cell.text) for value in one.values)),
        "row_fit": own,
        "row_gap": own - max(rivals, default=0.0),
    }
    for at, value in enumerate(one.values):
        text = without_marks(flat(value.cell.text))
        if not text.strip() or len(text) > CELL_LETTERS:
            continue
        what = ", ".join(part for part in (one.name, *value.heads) if part)
        kinds = kinds_of(value.unit) if value.unit else kinds_in(value.text)
        yield (
            Figure(text, value.unit, what, conditions, one.quotes[-1], kinds, box=value.cell.box),
            common
            | {
                "unit": float(bool(value.unit)),
                "bare": float(not value.unit),
                "stated": float(bool(_numbers(text) & stated)),
                "position": float(at),
                "fit": fits[at],
                "fit_gap": fits[at] - max((*fits[:at], *fits[at + 1 :]), default=0.0),
                "number": float(_is_number(value.cell.text)),
                "letters": sum(map(str.isalpha, text)) / len(text),
            },
        )


def _of_words(reading: Reading) -> Iterator[tuple[Figure, Measures]]:
    asked, one = reading.asked, reading.best
    text = text_of(one)
    told: list[tuple[Quantity, str, str]] = []
    taken: set[int] = set()
    for each in quantities(text):  # measures before counts, which may be a part of one
        value, unit = printed_as(text, each)
        # before the quantity where that converts it or is the last of a range
        start = text.rfind(value, 0, each.start + (0 if "(" in unit else len(value)))
        if each.start not in taken:
            told.append((each, value, unit))
            taken.update(range(start, max(each.end, start + len(value))))
    free = (number for number in _BARE.finditer(text) if not taken & set(range(*number.span())))
    told += [(Quantity(frozenset(), *number.span()), number.group(), "") for number in free]
    found = [each for each, _, _ in told]
    near = _nearness(reading, found)
    stated = _numbers(asked.text)
    of_kind = float(sum(bool(each.kinds & asked.kinds) for each in found))
    unstated = [not _numbers(text[each.start : each.end]) & stated for each in found]
    what = one.name or claim(asked, one, FIRST_WORDS).text
    for at, (each, value, unit) in enumerate(told):
        rivals = [near[other][0] for other in range(len(near)) if other != at and unstated[other]]
        if not unit and "count" in each.kinds and (counted := _BEHIND.match(text, each.end)):
            of_what = counted[1] if counted[1].casefold() not in load_lexicon().stop else ""
        else:
            of_what = unit
        before = text[max(each.start - BOUND_BEFORE, 0) : each.start]
        yield (
            Figure(value, of_what, what, cases_of(text), one.quotes[-1], each.kinds),
            {
                "unit": float(bool(unit)),
                "bare": float(not each.kinds),
                "near": near[at][0],
                "near_gap": near[at][0] - max(rivals, default=0.0),
                "before": near[at][1],
                "behind": near[at][2],
                "bounded": float(_bounds().search(before) is not None),
                "stated": float(not unstated[at]),
                "values": float(len(near)),
                "values_of_kind": of_kind,
                "position": float(at),
                "number": 1.0,
            },
        )


def _nearness(reading: Reading, values: Sequence[Quantity]) -> list[tuple[float, float, float]]:
    """Return how near (0..1) the words of the question stand to each value: at all, before it, behind it.

    A word is met in the token that is likest to it, which counts for less with its distance.
    """
    asked, printed = reading.asked, reading.printed
    held = [word for word in asked.words if word.rows]
    if asked.encoded is None or printed is None or not held or not len(printed.tokens):
        return [(0.0, 0.0, 0.0)] * len(values)
    cosines = unit_rows(asked.encoded.tokens) @ unit_rows(printed.tokens).T
    likeness_of = likened(np.stack([cosines[list(word.rows)].mean(axis=0) for word in held]))
    likeness_of[:, [end <= start for start, end in printed.spans]] = 0.0
    weights = np.array([word.rarity for word in held])
    weights = weights / weights.sum()
    places = np.arange(len(printed.spans))
    result = []
    for each in values:
        spans = enumerate(printed.spans)
        own = [at for at, (start, end) in spans if max(start, each.start) < min(end, each.end)]
        if not own:
            result.append((0.0, 0.0, 0.0))
            continue
        fading = np.exp(-np.maximum(np.maximum(own[0] - places, places - own[-1]), 0) / NEAR_TOKENS)
        sides = (fading, fading * (places < own[0]), fading * (places > own[-1]))
        at_all, before, behind = (float((likeness_of * side).max(axis=1) @ weights) for side in sides)
        result.append((at_all, before, behind))
    return result


def digits_of(value: str) -> str:
    """Return a value without what parts its digits, by which values are compared."""
    return re.sub(r"[,\s]", "", value)


def row_fit(asked: Asked, row: Candidate) -> float:
    """Return how far a row is what a question says: by the words of its path, and the numbers stated."""
    path = _ranges(" | ".join([row.name, *(value.cell.text for value in row.values)]))
    stated = sum(likeness(number, path) for number in asked.numbers) / (len(asked.numbers) or 1)
    return asked.share(asked.met(stems(row.name))) + stated


def meets_as_much(asked: Asked, best: Candidate, other: Candidate) -> bool:
    """Tell whether another candidate meets each word and number of a question that the leading one meets."""
    words = zip(asked.met(_held(best)), asked.met(_held(other)), strict=True)
    if any(own and not theirs for own, theirs in words):
        return False
    own, theirs = (_ranges(f"{one.heads} {one.text}") for one in (best, other))
    return all(likeness(number, theirs) >= likeness(number, own) for number in asked.numbers)


def _held(one: Candidate) -> Stems:
    return stems(f"{one.heads} {one.text}")


def _table(row: Candidate) -> tuple[str, str]:
    return row.place.document, row.place.label.named


def _ranges(text: str) -> list[Range]:
    return [token for token in tokens(text) if isinstance(token, Range)]


def cases_of(text: str) -> tuple[str, ...]:
    """Return the cases in which a sentence says that it holds, as printed: "If a lift is installed"."""
    return tuple(found[0].strip() for found in _cases().finditer(text) if len(found[1].split()) >= CASE_MIN)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(map(digits_of, _NUMBER.findall(text)))


def _is_number(text: str) -> bool:
    """Tell whether a cell is a number with little else, not a class, a symbol or a sentence."""
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


@cache
def forest() -> Trees:
    """Return the forest as it ships."""
    return Trees(data_folder() / "answer" / "value.onnx", NAMES)
