"""What a code says of a number: of what subject, under which conditions, as a least, a most or a value.

Rules of this module: pure but for the words it reads once (data/answer/conflicts.toml). Nothing is
understood beyond words: the subject of a number are the words of its own sentence, its conditions those
that introduce the list, open the sentence or stand above it. A number that is a threshold ("rooms over
20 m²"), an example or part of a range of conditions is not asserted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from appliance.core.document import Table
from appliance.core.files import shipped
from appliance.tables.rows import Row, column_headers, flat, label_columns, rows, with_unit
from appliance.text.numbers import value
from appliance.text.quantities import Quantity, kinds_of, quantities, size_of
from appliance.text.sentences import Mark, mark_of, sentence_spans
from appliance.text.terms import fold, words

Stem = Callable[[str], str]
Words = frozenset[str]
Key = tuple[str, Words]  # dimension and kinds of a quantity: only the same can be compared

_NUMBERED = re.compile(r"^[ \t]*[A-Z]{0,2}\.?\d+(?:\.\d+)+[.):]?(?=\s)", re.MULTILINE)  # of a clause
_ROMAN = frozenset("ivx")
_RAISED = re.compile(r"[⁽][^⁾]{1,3}[⁾]+")
_NUMBER = re.compile(r"[-\u2212]?\d[\d, ]*(?:[.,]\d+)?")
_BEFORE = 24  # characters before a number that may make it a threshold


@dataclass(frozen=True, slots=True)
class Assertion:
    """Numbers that a sentence or a row gives of one subject, in base units, with how they bound it.

    `subject` are the words of the sentence itself, `conditions` those that it holds under, `around` all
    that stands above it, `near` all of its place; all are stems. `headings` stand above it, the nearest
    last. [start, end) are its characters, or `row` is its row of a table.
    """

    key: Key
    values: frozenset[float]
    bound: str
    subject: Words
    conditions: Words
    around: Words
    text: str
    near: Words = frozenset()
    headings: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    row: int | None = None

    @property
    def all(self) -> Words:
        """Return every word that tells what the numbers are said of."""
        return self.subject | self.conditions | self.around


def of_text(text: str, headings: Sequence[str], stem: Stem) -> Iterator[Assertion]:
    """Yield what the sentences of a running text assert; `headings` stand above it, the nearest last."""
    around = meaning(" ".join(headings), stem)
    nearest = meaning(headings[-1], stem) if headings else frozenset()
    near = meaning(text, stem)
    text = _NUMBERED.sub(lambda found: " " * len(found.group()), text)  # "1.60 A continuous" is no current
    introduction, above = "", list[tuple[str, str]]()
    for start, end in sentence_spans(text):
        sentence = text[start:end]
        item = mark_of(sentence)
        if item is None:
            introduction, above = sentence, []
            inherited = nearest
        else:
            style = _style(item)
            depth = [known for known, _ in above].index(style) if style in dict(above) else len(above)
            above = above[:depth]
            inherited = nearest | meaning(" ".join([introduction, *(said for _, said in above)]), stem)
            above.append((style, sentence))
        for found in of_sentence(sentence, stem):
            held = replace(found, conditions=found.conditions | inherited, around=around, near=near)
            yield replace(held, headings=tuple(map(fold, headings)), start=start, end=end)


def of_sentence(sentence: str, stem: Stem) -> Iterator[Assertion]:
    """Yield what one sentence asserts: the numbers of one kind together, thresholds left out."""
    if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", fold(sentence)) for word in _words("informing")):
        return
    opening = _condition_end(sentence)
    measured = [found for found in quantities(sentence) if found.kinds]
    stated = [q for q in measured if q.start >= opening and not _is_threshold(sentence, q)]
    groups: dict[Key, list[Quantity]] = {}
    for quantity in stated:
        if key := _key(sentence, quantity):
            groups.setdefault(key, []).append(quantity)
    for key, group in groups.items():
        values = frozenset(value for q in group if (value := _value(sentence, q)) is not None)
        if values:
            subject = meaning(_without(sentence, group, opening), stem)
            conditions = meaning(sentence[:opening], stem)
            bound = _bound(sentence)
            yield Assertion(key, values, bound, subject, conditions, frozenset(), flat(sentence))


def of_table(table: Table, headings: Sequence[str], stem: Stem) -> Iterator[Assertion]:
    """Yield what the rows of a table assert: a row whose label is a sentence, else each of its cells."""
    around = meaning(" ".join([*headings, table.title]), stem)
    near = meaning(" ".join(cell.text for cell in table.cells), stem)
    for row in rows(table):
        for found in _of_row(table, row, stem):
            held = replace(found, around=around, near=near, headings=tuple(map(fold, headings)))
            yield replace(held, row=row.number)


def _of_row(table: Table, row: Row, stem: Stem) -> Iterator[Assertion]:
    group = meaning(row.group, stem)
    sentences = [row.label[slice(*span)] for span in sentence_spans(row.label)]
    named = [found for sentence in sentences for found in of_sentence(sentence, stem)]
    for found in named:
        text = flat(f"{row.group}: {row.label}") if row.group else found.text
        yield replace(found, conditions=found.conditions | group, text=text)
    if any(len(found.subject) > 1 for found in named):
        return  # the row itself says the number, its cells are answers to it
    labels, conditions = label_columns(table), group | meaning(table.title, stem)
    for cell in row.cells:
        if cell.column >= labels and cell.text.strip():
            header = ", ".join(column_headers(table, cell.column))
            said = f"{row.label}: {with_unit(header, flat(cell.text))}"
            for found in of_sentence(said, stem):
                bound = found.bound if found.bound != "=" else _bound(table.title)
                yield replace(found, bound=bound, conditions=conditions, text=said)


def meaning(text: str, stem: Stem) -> Words:
    """Return the stems of the words of a text that tell what it is about, numbers among them."""
    return frozenset(
        stem(word)
        for word in words(_RAISED.sub(" ", text))
        if word not in _generic() and (len(word) > 1 or word.isdigit())
    )


def _style(mark: Mark) -> str:
    """Return how a list is marked; "i" alone is taken for a Roman number."""
    if mark.kind == "letter" and mark.sign in _ROMAN:
        return "roman"
    return "number" if mark.kind == "bracketed" else mark.kind


def _condition_end(sentence: str) -> int:
    """Return where the condition that opens a sentence ends, 0 where none does."""
    opening = mark_of(sentence)
    begin = opening.end if opening else 0
    first = fold(sentence[begin:].lstrip()).split(" ", 1)[0]
    comma = re.search(r",(?!\d)", sentence[begin:])
    return begin + comma.end() if comma and first in _words("conditions") else 0


def _is_threshold(sentence: str, quantity: Quantity) -> bool:
    before = fold(sentence[max(0, quantity.start - _BEFORE) : quantity.start]).rstrip(" ,")
    if any(before.endswith(bound) for bound in (*_words("least"), *_words("most"))):
        return False
    return any(re.search(rf"(?<!\w){re.escape(word)}$", before) for word in _words("thresholds"))


def _key(sentence: str, quantity: Quantity) -> Key | None:
    unit = _unit(sentence, quantity)
    dimension = size_of(unit).dimension if unit else ""
    return (dimension, kinds_of(unit)) if dimension else None


def _value(sentence: str, quantity: Quantity) -> float | None:
    number = _NUMBER.match(sentence, quantity.start)
    if number is None:
        return None
    try:
        return round(value(number.group().strip(" ,")) * size_of(_unit(sentence, quantity)).factor, 9)
    except ValueError:
        return None


def _unit(sentence: str, quantity: Quantity) -> str:
    number = _NUMBER.match(sentence, quantity.start)
    return sentence[number.end() : quantity.end].strip() if number else ""


def _without(sentence: str, group: Sequence[Quantity], opening: int) -> str:
    """Return a sentence without its condition, its marker and the numbers that are asserted."""
    item = mark_of(sentence)
    said, at = [], max(opening, item.end if item else 0)
    for quantity in sorted(group, key=lambda q: q.start):
        said.append(sentence[at : quantity.start])
        at = quantity.end
    return " ".join([*said, sentence[at:]])


def _bound(sentence: str) -> str:
    folded = fold(sentence)
    for bound, name in ((">=", "least"), ("<=", "most")):
        if any(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", folded) for phrase in _words(name)):
            return bound
    return "="


@cache
def _generic() -> Words:
    return frozenset(str(load_words()["generic"]).split())


def _words(name: str) -> Sequence[str]:
    found: Sequence[str] = load_words()[name]
    return found


@cache
def load_words() -> dict[str, Any]:
    """Return the words of data/answer/conflicts.toml."""
    return shipped("answer/conflicts")
