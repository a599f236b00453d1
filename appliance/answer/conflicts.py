"""Where the codes give different numbers of the same thing: both sides, and the rule that decides.

Rules of this module: nothing is merged and nothing is computed. Two places contradict one another where
numbers of one kind, bound in the same way, are said of one subject under the same conditions, word for
word, and differ; a word more on one side may be the reason why they differ, so it is no conflict. Only
places of one document, of editions of one work, or of a code and its annexes are compared, no figures. The
later edition decides over the earlier, an annex over what it changes; else the documents do not decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from appliance.answer.assertions import Assertion, load_words, meaning, of_table, of_text
from appliance.answer.candidates.values import BETWEEN, Candidate, Quote
from appliance.core.document import Cell, Label, Table, boxes_between
from appliance.core.evidence import Choice, Citation, Conflict
from appliance.retrieval.query.documents import work, years
from appliance.store.channels import ColumnWeights, quoted, search_words
from appliance.store.read import Store
from appliance.store.values import DocumentInfo, StoredChunk
from appliance.tables.lookup import words
from appliance.tables.rows import flat, rows

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
        quoted_text = flat(" ".join(quote.text for quote in finding.quotes))
        marked = {row for row, _ in finding.marked}
        for said in _said(store, store.chunks([finding.place.chunk])):
            row, text = said.assertion.row, said.assertion.text
            if row in marked if row is not None else text in quoted_text or quoted_text in text:
                stated.append(said)
    return list(dict.fromkeys(stated))[:STATED]


def _others(store: Store, said: Said) -> Iterator[Said]:
    """Yield what contradicts a number, among the places that hold all words of its subject."""
    terms = sorted(said.assertion.subject)
    if len(terms) < SHARED:
        return
    match = "{title text} : (" + " AND ".join(map(quoted, terms)) + ")"
    met = [chunk for chunk, _ in search_words(store, "child", match, ColumnWeights(), READ)]
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
