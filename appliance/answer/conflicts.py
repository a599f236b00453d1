"""Where the codes give different numbers of the same thing: both sides, and the rule that decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from appliance.answer.candidates.values import BETWEEN, Candidate, Quote
from appliance.core.document import Cell, Label, Table, boxes_between
from appliance.core.evidence import Choice, Citation, Conflict
from appliance.core.files import shipped
from appliance.retrieval.query.documents import work, years
from appliance.store.channels import Wanted, search_terms
from appliance.store.read import Store
from appliance.store.values import DocumentInfo, StoredChunk
from appliance.tables.lookup import words
from appliance.tables.rows import Row, column_headers, flat, label_columns, rows, with_unit
from appliance.text.numbers import value
from appliance.text.quantities import Quantity, kinds_of, quantities, size_of
from appliance.text.sentences import Mark, mark_of, sentence_spans
from appliance.text.terms import fold
from appliance.text.terms import words as assertions_words

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
        for word in assertions_words(_RAISED.sub(" ", text))
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


SHARED = 2  # words of the subject that two numbers must share
ALIKE = 0.5  # share of their words that are the same
READ = 12  # places that hold the words of a number, read for another number
STATED = 12  # numbers of an answer that are compared
REMEMBERED = 4_000  # places whose numbers are kept in memory
LONG = 5  # letters of a word that may name a row
SHORT = 3  # words of a cell that gives a number
MOST = 4  # conflicts shown with one answer


@dataclass(frozen=True, slots=True)
class Said:
    """A number that a shown place asserts."""

    assertion: Assertion
    item: StoredChunk


_KEPT: WeakKeyDictionary[Store, dict[int, tuple[Said, ...]]] = WeakKeyDictionary()


def contradict(one: Assertion, other: Assertion) -> bool:
    """Tell whether two numbers are said of one subject under the same conditions and differ."""
    if one.key != other.key or one.bound != other.bound or one.values & other.values:
        return False
    shared = one.subject & other.subject
    if len(shared) < SHARED or len(shared) < ALIKE * len(one.subject | other.subject):
        return False
    if not (one.subject <= other.all and other.subject <= one.all):
        return False
    return _alike_conditions(one, other) and not _parallel(one.headings, other.headings)


def _alike_conditions(one: Assertion, other: Assertion) -> bool:
    """Tell whether no condition of the one is strange to the place of the other, and one holds for both."""
    if not (one.conditions or other.conditions):
        return True
    pairs = ((one, other), (other, one))
    if not all(a.conditions <= b.all | b.near for a, b in pairs):
        return False
    return any(a.conditions and a.conditions <= b.all for a, b in pairs)


def _parallel(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether one heading stands in both under different others: it says the same of two things."""
    for depth, heading in enumerate(one):
        if heading in other and set(one[:depth]) != set(other[: other.index(heading)]):
            return True
    return False


def conflicts(
    store: Store, found: Sequence[Candidate], choices: Sequence[Choice], cited: int
) -> tuple[Conflict, ...]:
    """Return where other places contradict what an answer states.

    The quotations of both sides are numbered after the `cited` ones of the answer.
    """
    pairs: dict[frozenset[Quote], tuple[Quote, Quote]] = {}
    for said in _stated(store, found):
        for other in _others(store, said):
            one, two = _quote(store, said), _quote(store, other)
            if one.text != two.text:
                pairs.setdefault(frozenset((one, two)), (one, two))
    made = [_conflict(store, one, two) for one, two in pairs.values()]
    made += _of_choices(store, found, choices)
    return tuple(_numbered(made[:MOST], cited))


def _numbered(made: Iterable[Conflict], cited: int) -> Iterator[Conflict]:
    for number, conflict in enumerate(made):
        one, other = conflict.sides
        first = cited + 1 + 2 * number
        yield replace(conflict, sides=(replace(one, n=first), replace(other, n=first + 1)))


def _stated(store: Store, found: Sequence[Candidate]) -> list[Said]:
    """Return the numbers that the findings state, those of the first finding first."""
    stated: list[Said] = []
    for finding in found:
        parts = [flat(quote.text) for quote in finding.quotes]  # that of an item stands without its mark
        quoted_text = " ".join(parts)
        marked = {row for row, _ in finding.marked}
        for said in _said(store, store.chunks([finding.place.chunk])):
            row, text = said.assertion.row, said.assertion.text
            if (
                row in marked
                if row is not None
                else text in quoted_text or any(part in text for part in parts if part)
            ):
                stated.append(said)
    return list(dict.fromkeys(stated))[:STATED]


def _others(store: Store, said: Said) -> Iterator[Said]:
    """Yield what contradicts a number, among the places that hold all words of its subject."""
    terms = sorted(said.assertion.subject)
    if len(terms) < SHARED:
        return
    wanted = [Wanted(tuple(terms), ("title", "text"))]
    met = [chunk for chunk, _ in search_terms(store, "child", wanted, READ)]
    parents = store.parents(met)
    shown = dict.fromkeys(parents.get(chunk, chunk) for chunk in met)
    items = store.chunks(chunk for chunk in shown if chunk != said.item.id)
    near = [item for item in items if _comparable(store, said.item.document, item.document)]
    for other in _said(store, near):
        if _place(other.item) != _place(said.item) and contradict(said.assertion, other.assertion):
            yield other


def _said(store: Store, items: Iterable[StoredChunk]) -> Iterator[Said]:
    """Yield the numbers that shown places assert; what a place asserts is read once."""
    kept = _KEPT.setdefault(store, {})
    for item in items:
        said = kept.get(item.id)
        if said is None:
            said = tuple(Said(assertion, item) for assertion in _assertions(store, item))
            if len(kept) >= REMEMBERED:
                kept.clear()  # by any thread: what was just read is told from `said`
            kept[item.id] = said
        yield from said


def _assertions(store: Store, item: StoredChunk) -> Iterator[Assertion]:
    chunk, stem = item.chunk, store.connections.stem
    if chunk.kind == "figure":  # a caption names a drawing and its lettering is no sentence: neither demands
        return
    headings = [text for text in (*chunk.context, chunk.title) if text]
    if chunk.kind != "table":
        yield from of_text(chunk.passage.text, headings, stem)
    elif table := store.table(item.document, chunk.label.key):
        yield from of_table(table, headings, stem)


def _quote(store: Store, said: Said) -> Quote:
    """Return the quotation that says a number, under the label of the part that it stands in."""
    assertion, item = said.assertion, said.item
    chunk = item.chunk
    if chunk.kind == "table":
        table = store.table(item.document, chunk.label.key)
        cells = _cells_of(table, assertion) if table else []
        boxes = tuple(cell.box for cell in cells) or chunk.boxes
        printed = BETWEEN.join(cell.text for cell in cells) or assertion.text
        return Quote(item.document, chunk.label, boxes[0].page, boxes, printed)
    span = (assertion.start, assertion.end)
    text = chunk.passage.text[slice(*span)].strip()
    boxes = boxes_between(chunk.passage, *span) or chunk.boxes
    return Quote(item.document, _innermost(store, item, text), boxes[0].page, boxes, text)


def _place(item: StoredChunk) -> tuple[str, Label]:
    return item.document, item.chunk.label


def _cells_of(table: Table, assertion: Assertion) -> list[Cell]:
    """Return the headers that a number is said under, the heading above its row and the row, as printed."""
    headers = [cell for cell in table.cells if cell.header and flat(cell.text) in assertion.text]
    body = [row for row in rows(table) if row.number == assertion.row]
    found = [cell for row in body for cell in (row.heading, *row.cells) if cell]
    return [cell for cell in (*headers, *found) if cell.text.strip()]


def _innermost(store: Store, item: StoredChunk, sentence: str) -> Label:
    """Return the label of the part of a place whose own text holds a sentence."""
    bare = flat(sentence)
    for label in reversed(item.chunk.labels):
        clause = store.clause(item.document, label.key)
        own = flat(clause.passage.text) if clause else ""
        if own and (bare in own or own in bare):
            return label
    return item.chunk.label


def _comparable(store: Store, one: str, other: str) -> bool:
    """Tell whether two documents speak of one thing: the same, or editions of one work."""
    return one == other or work(store.info(one)) == work(store.info(other)) != ""


def _conflict(store: Store, one: Quote, other: Quote) -> Conflict:
    """Return a conflict of two places with the rule that decides."""
    sides = (_cited(store, one), _cited(store, other))
    infos = [store.info(quote.document) for quote in (one, other)]
    latest = [max(years(info), default="") for info in infos]
    if one.document != other.document and latest[0] != latest[1]:
        later = 0 if latest[0] > latest[1] else 1
        return Conflict(sides, "edition", _rule("edition").format(later=_named(infos[later])), later)
    return Conflict(sides, "undecided", _rule("none"))


def _of_choices(store: Store, found: Sequence[Candidate], choices: Sequence[Choice]) -> Iterator[Conflict]:
    """Yield what a national annex or an amendment changes in a number that the answer states."""
    quotes = [quote for finding in found for quote in finding.quotes]
    for choice in choices:
        if choice.adopts or not choice.accepted:
            continue
        stated = [q for q in quotes if (q.document, q.label) == (choice.parent, choice.target)]
        if store.figure(choice.parent, choice.target.key):  # the numbers of a drawing are those of its parts
            continue
        decided = _decided(store, choice)
        numbers = _numbers(decided.text) if decided else frozenset()
        told = (_row_of(store, q, decided.text) if decided and _names_table(store, q) else q for q in stated)
        differing = [q for q in told if q and _numbers(q.text) and not numbers <= _numbers(q.text)]
        if decided and differing:
            sides = (_cited(store, differing[0]), _cited(store, decided))
            yield Conflict(sides, choice.what, choice.rule, 1)


def _names_table(store: Store, quote: Quote) -> bool:
    """Tell whether a quote is the caption of a table, whose only number is that of its label."""
    table = store.table(quote.document, quote.label.key)
    return table is not None and flat(quote.text) in {
        flat(f"{table.label} {table.title}"),
        flat(str(table.label)),
    }


def _row_of(store: Store, caption: Quote, decided: str) -> Quote | None:
    """Return the row that a choice changes in a table quoted by its caption, None where it tells no such row.

    The row is named in the words of the choice, and one of its numbers is replaced there.
    """
    table = store.table(caption.document, caption.label.key)
    said, numbers = {*words(decided)}, _numbers(decided)
    for row in rows(table) if table else ():
        cells = [cell for cell in row.cells if cell.text.strip()]
        named = any(word in said for word in words(row.label) if len(word) >= LONG and word.isalpha())
        replaced = (
            cell for cell in cells if len(words(cell.text)) <= SHORT and _numbers(cell.text) & numbers
        )
        if named and any(replaced):
            boxes = tuple(cell.box for cell in cells)
            printed = BETWEEN.join(cell.text for cell in cells)
            return Quote(caption.document, caption.label, boxes[0].page, boxes, printed)
    return None


def _decided(store: Store, choice: Choice) -> Quote | None:
    """Return what a choice says in the text of its own clause, whole where its words stand elsewhere."""
    clause = store.clause(choice.document, choice.label.key)
    if clause is None or not clause.boxes or not clause.passage.text.strip():
        return None
    text = clause.passage.text.strip()
    said = choice.words if choice.words in flat(text) else text
    return Quote(choice.document, choice.label, clause.boxes[0].page, clause.boxes, said)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(word for word in meaning(text, str) if word[0].isdigit())


def _cited(store: Store, quote: Quote) -> Citation:
    status = store.info(quote.document).status
    return Citation(0, quote.document, quote.label, quote.page, quote.boxes, quote.text, status)


def _named(info: DocumentInfo) -> str:
    return " ".join(part for part in (info.designation or info.id, info.edition) if part)


def _rule(name: str) -> str:
    rules = load_words()["rules"]
    return str(rules[name])
