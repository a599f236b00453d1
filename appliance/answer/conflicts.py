"""Where the codes give different numbers of the same thing: both sides, and the rule that decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from weakref import WeakKeyDictionary

from appliance.answer.candidates import BETWEEN, Candidate, Quote
from appliance.answer.chosen_statements import citation
from appliance.core.document import Table, boxes_between
from appliance.core.evidence import Choice, Conflict
from appliance.core.files import shipped
from appliance.retrieval.query.documents import work, years
from appliance.store.channels import Wanted, search_terms
from appliance.store.read import Store
from appliance.store.records import StoredChunk
from appliance.tables.rows import Row, cell_headers, flat, label_columns, rows, with_unit
from appliance.text.numbers import value
from appliance.text.quantities import Quantity, kinds_of, quantities, size_of
from appliance.text.sentences import mark_of, sentence_spans
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
            letter = item.kind == "letter" and item.sign in _ROMAN  # "i" alone is taken for a Roman number
            style = "roman" if letter else "number" if item.kind == "bracketed" else item.kind
            depth = [known for known, _ in above].index(style) if style in dict(above) else len(above)
            above = above[:depth]
            inherited = nearest | meaning(" ".join([introduction, *(said for _, said in above)]), stem)
            above.append((style, sentence))
        for found in of_sentence(sentence, stem):
            held = replace(found, conditions=found.conditions | inherited, around=around, near=near)
            yield replace(held, headings=tuple(map(fold, headings)), start=start, end=end)


def of_sentence(sentence: str, stem: Stem) -> Iterator[Assertion]:
    """Yield what one sentence asserts: the numbers of one kind together, thresholds left out."""
    if _says(sentence, "informing"):
        return
    item = mark_of(sentence)
    begin = item.end if item else 0
    first = fold(sentence[begin:].lstrip()).split(" ", 1)[0]
    comma = re.search(r",(?!\d)", sentence[begin:])
    opening = begin + comma.end() if comma and first in _words("conditions") else 0  # where a condition ends
    groups: dict[Key, list[tuple[Quantity, float | None]]] = {}
    for quantity in quantities(sentence):
        number = _NUMBER.match(sentence, quantity.start)
        unit = sentence[number.end() : quantity.end].strip() if number else ""
        if not number or not unit or not quantity.kinds or quantity.start < opening:
            continue
        size = size_of(unit)
        if size.dimension and not _is_threshold(sentence, quantity):
            own: float | None = None
            with suppress(ValueError):
                own = round(value(number.group().strip(" ,")) * size.factor, 9)
            groups.setdefault((size.dimension, kinds_of(unit)), []).append((quantity, own))
    for key, group in groups.items():
        values = frozenset(own for _, own in group if own is not None)
        if not values:
            continue
        said, at = [], max(opening, begin)  # without the numbers that are asserted
        for quantity, _ in sorted(group, key=lambda pair: pair[0].start):
            said.append(sentence[at : quantity.start])
            at = quantity.end
        subject = meaning(" ".join([*said, sentence[at:]]), stem)
        conditions = meaning(sentence[:opening], stem)
        yield Assertion(key, values, _bound(sentence), subject, conditions, frozenset(), flat(sentence))


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
            header = ", ".join(cell_headers(table, cell))
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


def _is_threshold(sentence: str, quantity: Quantity) -> bool:
    before = fold(sentence[max(0, quantity.start - _BEFORE) : quantity.start]).rstrip(" ,")
    if any(before.endswith(bound) for bound in (*_words("least"), *_words("most"))):
        return False
    return any(re.search(rf"(?<!\w){re.escape(word)}$", before) for word in _words("thresholds"))


def _bound(sentence: str) -> str:
    return ">=" if _says(sentence, "least") else "<=" if _says(sentence, "most") else "="


def _says(sentence: str, name: str) -> bool:
    """Tell whether a sentence holds one of the phrases of this name."""
    folded = fold(sentence)
    return any(re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", folded) for phrase in _words(name))


@cache
def _generic() -> Words:
    return frozenset(str(shipped("answer/conflicts")["generic"]).split())


def _words(name: str) -> Sequence[str]:
    found: Sequence[str] = shipped("answer/conflicts")[name]
    return found


SHARED = 2  # words of the subject that two numbers must share
ALIKE = 0.5  # share of their words that are the same
READ = 12  # places that hold the words of a number, read for another number
STATED = 12  # numbers of an answer that are compared
REMEMBERED = 4_000  # places whose numbers are kept in memory
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
    # none is strange to the place of the other, and one holds for both
    if one.conditions or other.conditions:
        pairs = ((one, other), (other, one))
        if not all(a.conditions <= b.all | b.near for a, b in pairs):
            return False
        if not any(a.conditions and a.conditions <= b.all for a, b in pairs):
            return False
    # where one heading stands in both under different others, the same is said of two things
    heads, others = one.headings, other.headings
    return not any(
        head in others and set(heads[:depth]) != set(others[: others.index(head)])
        for depth, head in enumerate(heads)
    )


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
    made = [*(_conflict(store, one, two) for one, two in pairs.values()), *_of_choices(store, found, choices)]
    numbers = count(cited + 1)
    return tuple(
        replace(
            each, sides=(replace(each.sides[0], n=next(numbers)), replace(each.sides[1], n=next(numbers)))
        )
        for each in made[:MOST]
    )


def _stated(store: Store, found: Sequence[Candidate]) -> list[Said]:
    """Return the numbers that the findings state, those of the first finding first."""
    stated: list[Said] = []
    for finding in found:
        parts = [flat(quote.text) for quote in finding.quotes]  # that of an item stands without its mark
        quoted_text = " ".join(parts)
        marked = {row for row, _ in finding.marked}
        for said in _said(store, store.chunks([finding.place.chunk])):
            row, text = said.assertion.row, said.assertion.text
            in_words = text in quoted_text or any(part in text for part in parts if part)
            if row in marked if row is not None else in_words:
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
    own, label = said.item.document, said.item.chunk.label
    code = work(store.info(own))
    items = (  # of the same document, or of another edition of its work
        item
        for item in store.chunks(chunk for chunk in shown if chunk != said.item.id)
        if item.document == own or code == work(store.info(item.document)) != ""
    )
    for other in _said(store, items):
        elsewhere = (other.item.document, other.item.chunk.label) != (own, label)
        if elsewhere and contradict(said.assertion, other.assertion):
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
        # the headers that it is said under, the heading above its row and the row
        heads = (
            [cell for cell in table.cells if cell.header and flat(cell.text) in assertion.text]
            if table
            else []
        )
        body = [row for row in rows(table) if row.number == assertion.row] if table else []
        found = [*heads, *(cell for row in body for cell in (row.heading, *row.cells) if cell)]
        cells = [cell for cell in found if cell.text.strip()]
        boxes = tuple(cell.box for cell in cells) or chunk.boxes
        printed = BETWEEN.join(cell.text for cell in cells) or assertion.text
        return Quote(item.document, chunk.label, boxes[0].page, boxes, printed)
    span = (assertion.start, assertion.end)
    text = chunk.passage.text[slice(*span)].strip()
    boxes = boxes_between(chunk.passage, *span) or chunk.boxes
    innermost, bare = chunk.label, flat(text)
    for label in reversed(chunk.labels):
        clause = store.clause(item.document, label.key)
        own = flat(clause.passage.text) if clause else ""
        if own and (bare in own or own in bare):
            innermost = label
            break
    return Quote(item.document, innermost, boxes[0].page, boxes, text)


def _conflict(store: Store, one: Quote, other: Quote) -> Conflict:
    """Return a conflict of two places with the rule that decides."""
    rules: Mapping[str, str] = shipped("answer/conflicts")["rules"]
    sides = (citation(store, 0, one), citation(store, 0, other))
    infos = [store.info(quote.document) for quote in (one, other)]
    latest = [max(years(info), default="") for info in infos]
    if one.document != other.document and latest[0] != latest[1]:
        later = 0 if latest[0] > latest[1] else 1
        info = infos[later]
        named = " ".join(part for part in (info.designation or info.id, info.edition) if part)
        return Conflict(sides, "edition", rules["edition"].format(later=named), later)
    return Conflict(sides, "undecided", rules["none"])


def _of_choices(store: Store, found: Sequence[Candidate], choices: Sequence[Choice]) -> Iterator[Conflict]:
    """Yield what a national annex or an amendment changes in a number that the answer states."""
    quotes = [quote for finding in found for quote in finding.quotes]
    for choice in choices:
        if choice.adopts or not choice.accepted:
            continue
        if store.figure(choice.parent, choice.target.key):  # the numbers of a drawing are those of its parts
            continue
        decided = _decided(store, choice)
        if decided is None:
            continue
        numbers = _numbers(decided.text)
        stated = (q for q in quotes if (q.document, q.label) == (choice.parent, choice.target))
        differing = [q for q in stated if _numbers(q.text) and not numbers <= _numbers(q.text)]
        if differing:
            sides = (citation(store, 0, differing[0]), citation(store, 0, decided))
            yield Conflict(sides, choice.what, choice.rule, 1)


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
