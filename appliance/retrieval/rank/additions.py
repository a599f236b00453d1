"""Places raised for the kind of quantity, the class, the formula or the section that a question wants."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from weakref import WeakKeyDictionary

from rapidfuzz import fuzz

from appliance.core.document import Label, Table
from appliance.core.evidence import FOR_A_VALUE, Link, Query
from appliance.core.files import shipped
from appliance.core.mechanisms import mechanism
from appliance.ingest.definitions.terms import LOST
from appliance.retrieval.ask import Ask
from appliance.retrieval.follow.references import OVERVIEWS, Edge
from appliance.retrieval.follow.scope import asks_what_is_covered, is_scope, speaks_of_scope
from appliance.retrieval.follow.steps import DECIDES, STEP
from appliance.retrieval.follow.terms import classes_of, meant, shared
from appliance.retrieval.rank import model
from appliance.retrieval.rank.model import section_of
from appliance.retrieval.rank.rerank import rerank
from appliance.store.read import Store
from appliance.store.values import ClauseEntry, StoredChunk
from appliance.text.quantities import kinds_in
from appliance.text.terms import fold

LEADING = 5  # places among which the table of classes is looked for
READ = 2  # tables of values that are read for one table of classes
CARRIED = 0.5  # share of the classes for which a table of values has a row
CLASSED = "class"  # the kind of a step from a table of classes to one of values

_PAIRS: WeakKeyDictionary[Store, dict[str, tuple[tuple[Label, Label], ...]]] = WeakKeyDictionary()


@mechanism(
    "rank.valued", "A table of classes leads to the tables of their values.", without=lambda *_: iter(())
)
def valued(ask: Ask, leading: Iterable[StoredChunk]) -> Iterator[Edge]:
    """Yield the steps between tables of classes and of their values, from those among the leading places."""
    for item in list(leading)[:LEADING] if ask.question.query.kinds else ():
        if item.chunk.kind == "table":
            own, pairs = item.chunk.label, _pairs(ask.store, item.document)
            meant_by = [
                table.label for table in values_for(ask.store, ask.question.query, item.document, own)
            ]
            values = meant_by or [value for known, value in pairs if known == own][:READ]
            for label in values:
                yield from _steps(ask.store, item, label, f"{label} gives values for the classes of {own}")
            for label in [known for known, value in pairs if value == own]:
                yield from _steps(ask.store, item, label, f"{label} defines the classes of {own}")


def _steps(store: Store, item: StoredChunk, label: Label, words: str) -> Iterator[Edge]:
    """Yield the step from a table to another one of its document."""
    link = Link(item.document, item.chunk.label, item.document, label, words)
    for chunk in store.chunks_for(item.document, label)[:1]:
        yield Edge(item.id, chunk, CLASSED, link)


def _pairs(store: Store, document: str) -> tuple[tuple[Label, Label], ...]:
    """Return the tables of classes of a document, each with those of their values, read the first time."""
    known = _PAIRS.setdefault(store, {})
    if document not in known:
        tables = store.tables(document)
        classes = {table.label: tuple(classes_of(document, table)) for table in tables}
        defining = [table for table in tables if classes[table.label]]
        known[document] = tuple(
            (one.label, other.label)
            for one in defining
            for other in tables
            if not classes[other.label] and shared(classes[one.label], other) >= CARRIED
        )
    return known[document]


def values_for(store: Store, query: Query, document: str, label: Label) -> list[Table]:
    """Return the tables with values for the classes meant that the table of a label defines."""
    table = store.table(document, label.key)
    classes = list(classes_of(document, table)) if table else []
    if not classes:
        return []
    found = [other for other in store.tables(document) if meant(query, other, classes)]
    return [other for other in found if not list(classes_of(document, other))][:READ]


WHOLE = frozenset({"location", "coverage"})  # intents of questions that a whole division answers
ENOUGH = 0.3  # share of the weight of the leading places that a division holds
NARROWER = 0.75  # share of what a division holds from which a smaller one inside it is meant
HEAD = 2  # by so much the weight of the places falls more slowly than one over their rank
INSIDE = "inside"  # the kind of a step from a place to the division around it


@mechanism(
    "rank.holding",
    "A question for a place leads to the division that holds its first places.",
    without=lambda *_: iter(()),
)
def holding(ask: Ask, leading: Sequence[StoredChunk]) -> Iterator[Edge]:
    """Yield the step to the division that such a question wants, from the first place inside."""
    if ask.question.query.intent not in WHOLE:
        return
    weights: dict[tuple[str, Label], float] = defaultdict(float)
    first: dict[tuple[str, Label], StoredChunk] = {}
    deep: dict[tuple[str, Label], int] = {}
    for rank, item in enumerate(leading, 1):
        for depth, clause in enumerate(ask.store.lineage(item.document, item.chunk.label)[:-1]):
            place = (item.document, clause.label)
            weights[place] += 1 / (rank + HEAD)
            first.setdefault(place, item)
            deep[place] = depth
    total = sum(1 / (rank + HEAD) for rank in range(1, len(leading) + 1))
    most = max(weights.values(), default=0.0)
    known = [place for place, weight in weights.items() if weight >= max(ENOUGH * total, NARROWER * most)]
    for document, label in sorted(known, key=lambda place: -deep[place]):
        item = first[document, label]
        shown = ask.store.chunks(ask.store.chunks_for(document, label)[:1])
        if shown and _is_head(shown[0], label):
            words = f"{item.chunk.label} stands in {label}"
            yield Edge(item.id, shown[0].id, INSIDE, Link(document, item.chunk.label, document, label, words))
            return


def _is_head(item: StoredChunk, division: Label) -> bool:
    """Tell whether a place opens a division: it is its heading, or its first clause under the heading."""
    own = item.chunk.label == division and item.chunk.kind in OVERVIEWS
    return own or item.chunk.labels[:1] == (division,)


OPENING_LEADING = 5  # places that tell which code leads
OPENING_READ = 40  # clauses of an opening that are read
TEXT = frozenset({"clause", "heading"})  # kinds of place that may say what is covered

_OPENINGS: WeakKeyDictionary[Store, dict[str, tuple[StoredChunk, ...]]] = WeakKeyDictionary()


@mechanism(
    "rank.opening",
    "A question whether a code applies leads to its opening clauses.",
    without=lambda *_: iter(()),
)
def opening(ask: Ask, leading: Sequence[StoredChunk]) -> Iterator[Edge]:
    """Yield the step from the first place to the clause of its code's opening that suits a question best."""
    question = ask.question
    covering = asks_what_is_covered(question.spelt)
    if not (covering or question.query.intent == "applicability") or not leading:
        return
    document = _document(ask, leading[:OPENING_LEADING])
    said = {item.id: item for item in _opening(ask.store, document) if ask.scope.holds(item.id)}
    if covering:
        telling = {chunk: item for chunk, item in said.items() if speaks_of_scope(item.chunk.passage.text)}
        said = telling or said
    judged = rerank(ask, said, {})
    best = max(
        said.values(), key=lambda item: judged[item.id].score if item.id in judged else 0.0, default=None
    )
    if best is not None and best.id != leading[0].id:
        words = best.chunk.title or next(iter(best.chunk.context[-1:]), "")
        own, target = leading[0], best.chunk.label
        link = Link(own.document, own.chunk.label, document, target, words)
        yield Edge(own.id, best.id, model.OPENS, link)


def _document(ask: Ask, leading: Sequence[StoredChunk]) -> str:
    """Return the code that the question names, else the one whose places lead."""
    weights: dict[str, float] = defaultdict(float)
    for rank, item in enumerate(leading, 1):
        weights[item.document] += 1 / rank
    named = [name for name in ask.question.query.documents if name in weights]
    return max(named or weights, key=lambda name: weights[name])


def _opening(store: Store, document: str) -> tuple[StoredChunk, ...]:
    """Return the clauses of a code's opening, read the first time."""
    known = _OPENINGS.setdefault(store, {})
    if document not in known:
        labels = [entry.label for entry in _opening_entries(store.contents(document))]
        shown = dict.fromkeys(chunk for label in labels for chunk in store.chunks_for(document, label)[:1])
        found = store.chunks(list(shown)[:OPENING_READ])
        known[document] = tuple(item for item in found if item.chunk.kind in TEXT)
    return known[document]


def _opening_entries(entries: Sequence[ClauseEntry]) -> list[ClauseEntry]:
    """Return the division of the first numbered clause, nothing where no heading in it tells of scope."""
    above = {entry.label.key: entry.parent.key for entry in entries if entry.parent}
    first = next(
        (entry for entry in entries if entry.kind == "clause" and str(entry.label)[:1].isdigit()), None
    )
    if first is None:
        return []
    division = _top(first.label.key, above)
    inside = [entry for entry in entries if _top(entry.label.key, above) == division]
    return inside if any(is_scope(entry.title) for entry in inside) else []


def _top(key: str, above: dict[str, str]) -> str:
    """Return the key of the division without one above it that holds a place."""
    seen = {key}
    while key in above and above[key] not in seen:
        key = above[key]
        seen.add(key)
    return key


FIRST_SEAT = 8  # places before the seats
BY_RULE = frozenset(
    {*model.LOOSE, *model.HOSTING, "choice", "chosen", "class", "inside", STEP, DECIDES, model.OPENS}
)


@mechanism(
    "rank.seats",
    "A neighbour, a term and a reference of the first place get a place behind the first eight.",
    without=lambda _contest, ranked, _scores: list(ranked),
)
def with_seats(contest: model.Contest, ranked: Sequence[int], scores: Mapping[int, float]) -> list[int]:
    """Return the ranking with a neighbour, a term and a reference of the first place behind the first."""
    chosen = list(_chosen(contest, ranked, scores))
    rest = [chunk for chunk in ranked[FIRST_SEAT:] if chunk not in chosen]
    return [*ranked[:FIRST_SEAT], *chosen, *rest]


def _chosen(contest: model.Contest, ranked: Sequence[int], scores: Mapping[int, float]) -> Iterator[int]:
    """Yield the best target of each way out of the first place that does not stand among the first."""
    taken = set(ranked[:FIRST_SEAT])
    place = {chunk: rank for rank, chunk in enumerate(ranked)}
    for leads in WAYS:
        targets = {
            edge.target
            for edge in contest.edges
            if (edge.source in ranked[:1] or edge.kind == model.OPENS)
            and leads(edge)
            and edge.target in place
        }
        if best := min(targets - taken, key=lambda chunk: (-scores[chunk], place[chunk]), default=None):
            taken.add(best)
            yield best


def _refers(edge: Edge) -> bool:
    """Tell whether a reference in the text makes the step."""
    return edge.kind not in BY_RULE


def _stands_beside(edge: Edge) -> bool:
    return edge.kind == "beside"


def _defines(edge: Edge) -> bool:
    return edge.kind == "term"


def _opens(edge: Edge) -> bool:
    return edge.kind == model.OPENS


WAYS: tuple[Callable[[Edge], bool], ...] = (_stands_beside, _defines, _refers, _opens)


SEATS = 2
COUNT = "count"  # any number is one


@mechanism(
    "rank.measured",
    "A place that holds a quantity of the kind asked for is among the places shown.",
    without=lambda _query, _chunks, ranked, _shown: list(ranked),
)
def with_measured(
    query: Query, chunks: Mapping[int, StoredChunk], ranked: Sequence[int], shown: int
) -> list[int]:
    """Return the ranking, what holds a quantity asked for among the first `shown` where there is any."""
    wanted = frozenset(query.kinds) - {COUNT}
    if not wanted or query.intent not in FOR_A_VALUE:
        return list(ranked)
    if any(_holds(wanted, chunks[chunk]) for chunk in ranked[:shown]):
        return list(ranked)
    found = [chunk for chunk in ranked[shown:] if _holds(wanted, chunks[chunk])][:SEATS]
    rest = [chunk for chunk in ranked if chunk not in found]
    return [*rest[:FIRST_SEAT], *found, *rest[FIRST_SEAT:]]


def _holds(wanted: frozenset[str], item: StoredChunk) -> bool:
    return bool(wanted & kinds_in(item.chunk.passage.text))


SIGNS = 4  # characters of a symbol at most
FEWEST = 3  # symbols of a list
MOST = 2 / 3  # of its labels that are symbols
BEHIND = 5  # places that come before the lists
LIKE = 80.0  # likeness (0-100) of a title to what lists of symbols are called
STEM = 7  # letters by which words are compared
ARTICLES = frozenset({"a", "i"})  # words that are no symbol in a sentence


@mechanism(
    "rank.symbols",
    "Lists of symbols and of documents come behind other places.",
    without=lambda _query, _chunks, ranked: list(ranked),
)
def lists_behind(query: Query, chunks: Mapping[int, StoredChunk], ranked: Sequence[int]) -> list[int]:
    """Return the ranking with the lists of symbols among its first places behind `BEHIND` others."""
    known = {chunk: chunks[chunk] for chunk in ranked if chunk in chunks}
    lists = _lists(query, known) | _of_documents(query, known)
    if query.intent == "definition" or not lists & set(ranked[:BEHIND]):
        return list(ranked)
    others = [chunk for chunk in ranked if chunk not in lists]
    early = [chunk for chunk in ranked[:BEHIND] if chunk in lists]
    rest = [chunk for chunk in ranked if chunk not in early and chunk not in others[:BEHIND]]
    return [*others[:BEHIND], *early, *rest]


def _lists(query: Query, chunks: Mapping[int, StoredChunk]) -> set[int]:
    """Return the lists of symbols, and the clauses around them, none of whose symbols the question prints."""
    said = {word.strip("?.,;:()").casefold() for word in query.text.split()}
    found = {chunk for chunk, item in chunks.items() if _is_list(item)}
    asked = {chunk for chunk in found if said & _names(chunks[chunk])}
    around = {section_of(chunks[chunk]) for chunk in found - asked}
    hosts = {chunk for chunk, item in chunks.items() if section_of(item) in around and _heads(item)}
    wanted = {section_of(chunks[chunk]) for chunk in asked}
    titled = {
        chunk for chunk, item in chunks.items() if _is_titled_so(item) and section_of(item) not in wanted
    }
    return (found - asked) | hosts | titled


def _of_documents(query: Query, chunks: Mapping[int, StoredChunk]) -> set[int]:
    """Return the lists of documents, none whose title the question speaks of."""
    said = _stems(query.spelt or query.text)
    return {
        chunk
        for chunk, item in chunks.items()
        for title in {_named(item.chunk.title), _named("".join(item.chunk.context[-1:]))}
        if any(pattern.search(title) for pattern in _titles()) and not said & _stems(title)
    }


def _named(heading: str) -> str:
    """Return a heading folded, without its number."""
    return re.sub(rf"^(?:(?:{'|'.join(_told('divisions'))}) )?(?:[a-z]?[\d.]+|[a-z]) ", "", fold(heading))


def _stems(text: str) -> set[str]:
    return {word[:STEM] for word in re.findall(r"[^\W\d_]{4,}", fold(text))}


@cache
def _titles() -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, _told("documents")))


@cache
def _told(name: str) -> tuple[str, ...]:
    return tuple(shipped("retrieval/lists")[name])


def _is_titled_so(item: StoredChunk) -> bool:
    """Tell whether a place of no definitions is called a list of symbols, as printed or nearly so."""
    title = _named(item.chunk.title)
    if item.chunk.kind == "definition" or not title:
        return False
    return any(fuzz.ratio(title, known) >= LIKE for known in _told("symbols"))


def _is_list(item: StoredChunk) -> bool:
    if item.chunk.kind != "definition":
        return False
    labels = {str(label) for label in (item.chunk.label, *item.chunk.labels)}
    signs = [label for label in labels if len(label) <= SIGNS or label == LOST]
    return len(signs) >= FEWEST and len(signs) >= MOST * len(labels)


def _heads(item: StoredChunk) -> bool:
    """Tell whether a place is the clause after which its own division is named: "1.7" of "1.7 Symbols"."""
    return item.chunk.kind != "definition" and item.chunk.context[-1:] == (
        f"{item.chunk.label} {item.chunk.title}".strip(),
    )


def _names(item: StoredChunk) -> set[str]:
    """Return the symbols of a list as a question may print them; an article is none."""
    return {str(label).casefold() for label in item.chunk.labels} - ARTICLES
