"""The procedure of a code: the clause that decides, what it takes, tables and figures behind it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from weakref import WeakKeyDictionary

from appliance.core.document import Label
from appliance.core.evidence import Link, Listed, Query, Scoped
from appliance.core.mechanisms import mechanism
from appliance.retrieval.ask import Ask
from appliance.retrieval.channels.exact import Jump
from appliance.retrieval.follow.neighbours import Found, around, linked, on_pages, replaced, several
from appliance.retrieval.follow.references import LISTING, Edge
from appliance.retrieval.follow.scope import asks_own_scope, asks_what_applies, is_scope, own_scope
from appliance.retrieval.follow.subjects import headings, spoken
from appliance.retrieval.rank.boosts import boosts_of
from appliance.retrieval.rank.rerank import Judged
from appliance.store.channels import index_terms
from appliance.store.read import Store
from appliance.store.values import StoredChunk

STEP = "step"  # the kind of a step on the way to a result
DECIDES = "decides"  # that of the step to the clause that decides it
AS_GOOD = 0.9  # share of the best judgement that the clause that decides has at least
JOINS = 3  # other places that a clause without a formula sends to at least
LINKED, HOLDS = (
    0.02,
    0.05,
)  # worth of a place that it sends to, up to MOST, and of a formula, beside a judgement
MOST = 10
STEPS = 10  # places on the way
NAMED, SHARE = 3, 0.6  # words of a title that a line names, and of all words of that line
FIRST = 2  # places before the clause that decides
BEHIND = 10  # places before its steps

_TITLES: WeakKeyDictionary[Store, dict[str, Mapping[str, tuple[frozenset[str], ...]]]] = WeakKeyDictionary()


def asks_for_steps(query: Query) -> bool:
    """Tell whether a question, or one in it, asks for a way."""
    return "procedure" in {query.intent, *(part.intent for part in query.parts)}


@mechanism(
    "follow.steps",
    "A question for a procedure leads to the deciding clause and its steps.",
    without=lambda *_: iter(()),
)
def along(ask: Ask, leading: Sequence[StoredChunk], judged: Mapping[int, Judged]) -> Iterator[Edge]:
    """Yield the step from the first place to the clause that decides, and from there those of the way."""
    if not leading or not asks_for_steps(ask.question.query) or ask.question.query.labels:
        return
    decides = deciding(ask.store, leading, {chunk: one.score for chunk, one in judged.items()})
    if decides is None:
        return
    own = leading[0]
    if decides.id != own.id:
        link = Link(own.document, own.chunk.label, decides.document, decides.chunk.label, decides.chunk.title)
        yield Edge(own.id, decides.id, DECIDES, link)
    ways = dict.fromkeys(_ways(ask.store, decides))
    steps = [label for label in ways if not _is_meaning(ask.store, decides.document, label)]
    for label in steps[:STEPS]:
        link = Link(decides.document, decides.chunk.label, decides.document, label, decides.chunk.title)
        for chunk in ask.store.chunks_for(decides.document, label)[:1]:
            if chunk != decides.id and ask.scope.holds(chunk):
                yield Edge(decides.id, chunk, STEP, link)


def deciding(store: Store, found: Sequence[StoredChunk], judged: Mapping[int, float]) -> StoredChunk | None:
    """Return the clause that decides, of those found, by what is thought of each; None where none does."""
    best = max((judged.get(item.id, 0.0) for item in found), default=0.0)
    worth: dict[int, float] = {}
    for item in found:
        score = judged.get(item.id, 0.0)
        if item.chunk.kind == "clause" and score > 0 and score >= AS_GOOD * best and not _is_apart(item):
            formulas, joined = hub(store, item)
            if formulas or joined >= JOINS:
                worth[item.id] = score + LINKED * min(joined, MOST) + HOLDS * bool(formulas)
    chosen = max(worth, key=lambda chunk: worth[chunk], default=None)
    clause = next((item for item in found if item.id == chosen), None)
    parts = _parts(store, clause) if clause else []
    return next((part for part in parts if _formulas(store, [part])), clause)


def hub(store: Store, item: StoredChunk) -> tuple[int, int]:
    """Return how many formulas a place prints and to how many others of its document it sends a reader."""
    keys = _keys(_parts(store, item))
    joined = {label.key for label in _targets(store, item.document, keys)}
    return _formulas(store, _parts(store, item)), len(joined) if len(joined) <= LISTING else 0


def _formulas(store: Store, parts: Sequence[StoredChunk]) -> int:
    keys = _keys(parts)
    return sum(formula.label.key in keys for formula in store.formulas(parts[0].document))


def way_of(edges: Iterable[Edge]) -> tuple[int, ...]:
    """Return the chunk of the clause that decides with those of its steps, nothing where it has none."""
    steps = [edge for edge in edges if edge.kind == STEP]
    return tuple(dict.fromkeys((*(edge.source for edge in steps[:1]), *(edge.target for edge in steps))))


def in_order(edges: Sequence[Edge], ranked: Sequence[int]) -> list[int]:
    """Return the ranking with the clause that decides among its first places and its steps behind them."""
    moved = list(ranked)
    steps = [edge.target for edge in edges if edge.kind == STEP and edge.target in moved[BEHIND:]]
    if steps:
        rest = [chunk for chunk in moved[BEHIND:] if chunk not in steps]
        moved = [*moved[:BEHIND], *steps, *rest]
    for edge in edges:
        if edge.kind == DECIDES and edge.target in moved[FIRST:]:
            moved.remove(edge.target)
            moved.insert(FIRST, edge.target)
    return moved


def _is_apart(item: StoredChunk) -> bool:
    return any(is_scope(title) for title in (item.chunk.title, *item.chunk.context[-1:]))


def _parts(store: Store, item: StoredChunk) -> list[StoredChunk]:
    """Return the chunks that a clause is cut into."""
    parts = store.chunks(store.chunks_for(item.document, item.chunk.label))
    return [part for part in parts if part.chunk.label == item.chunk.label] or [item]


def _keys(parts: Iterable[StoredChunk]) -> set[str]:
    return {label.key for part in parts for label in (part.chunk.label, *part.chunk.labels)}


def _targets(store: Store, document: str, keys: Collection[str]) -> Iterator[Label]:
    """Yield what places refer to in their own document, in the order of the text."""
    for reference in store.references_from_any(document, keys):
        inside = reference.document in {None, document}
        if reference.target is not None and inside and reference.target.key not in keys:
            yield reference.target


def _ways(store: Store, item: StoredChunk) -> Iterator[Label]:
    """Yield the labels on the way from a clause: its drawings, what its lines name, what it refers to."""
    parts, document = _parts(store, item), item.document
    keys = _keys(parts)
    yield from _drawn(store, document, keys)
    yield from (label for label in _titled(store, parts) if label.key not in keys)
    above = {entry.label.key: entry.parent.key for entry in store.contents(document) if entry.parent}
    for label in dict.fromkeys(_targets(store, document, keys)):
        yield label
        if not _is_meaning(store, document, label):
            yield from _drawn(store, document, _below(label.key, above))


def _is_meaning(store: Store, document: str, label: Label) -> bool:
    shown = store.chunks(store.chunks_for(document, label)[:1])
    return any(one.chunk.kind == "definition" for one in shown)


def _titled(store: Store, parts: Sequence[StoredChunk]) -> Iterator[Label]:
    """Yield the clauses whose title, alone or with that above, is most of what a line says and no more."""
    titles = _titles(store, parts[0].document)
    for line in (line for part in parts for line in part.chunk.passage.text.split("\n")):
        said = frozenset(index_terms(store, line))
        for label, ways in titles.items():
            if any(len(way) >= NAMED and way <= said and len(way) >= SHARE * len(said) for way in ways):
                yield Label.from_key(label)


def _titles(store: Store, document: str) -> Mapping[str, tuple[frozenset[str], ...]]:
    """Return the stems of each clause's title, alone and with the title above, read the first time."""
    known = _TITLES.setdefault(store, {})
    if document not in known:
        entries = {entry.label.key: entry for entry in store.contents(document) if entry.title}
        stems = {key: frozenset(index_terms(store, entry.title)) for key, entry in entries.items()}
        known[document] = {
            key: (stems[key], stems[key] | stems.get(entry.parent.key, frozenset()))
            for key, entry in entries.items()
            if entry.kind == "clause" and entry.parent
        }
    return known[document]


def _below(key: str, above: Mapping[str, str]) -> list[str]:
    """Return the keys of a clause and of all that it holds, in the order of the text."""
    held = {key}
    for one, parent in above.items():
        if parent in held:
            held.add(one)
    return [key, *(one for one in above if one in held and one != key)]


def _drawn(store: Store, document: str, keys: Collection[str]) -> Iterator[Label]:
    """Yield the first table and the first figure that stand in any of these clauses."""
    for drawings in (store.tables(document), store.figures(document)):
        standing = (one.label for one in drawings if one.clause is not None and one.clause.key in keys)
        yield from islice(standing, 1)


Step = Callable[[Ask, Jump], Found | None]


def with_scope(ask: Ask, named: Jump) -> Jump:
    """Return the places that a question names with those that it asks for by where they stand.

    What is being read, where the user told it, joins the places that compete.
    """
    found = _found(ask, named) or Found()
    raised = boosts_of(ask)
    inside = [chunk for chunk in found.first if ask.scope.holds(chunk)]
    first = dict.fromkeys((*inside, *named.first))
    others = dict.fromkeys((*named.others, *raised, *found.others))
    return replace(
        named,
        first=tuple(first),
        others=tuple(chunk for chunk in others if chunk not in first and ask.scope.holds(chunk)),
        leading=tuple(chunk for chunk in found.leading if chunk not in first and ask.scope.holds(chunk)),
        scope=found.told,
        boosts=raised,
    )


def _found(ask: Ask, named: Jump) -> Found | None:
    """Return what the question asks for by place, None where it asks for no place."""
    question = ask.question
    intent = question.query.intent
    steps: Sequence[tuple[bool, Step]] = (
        (question.relation == "replaced", replaced),
        (question.incoming, linked),  # "which paragraphs of G3 refer to 3.18" asks for no contents of G3
        (question.relation not in {None, "replaced"}, around),
        (question.directed and question.relation is None, linked),
        (bool(question.query.pages), on_pages),
        (bool(asks_own_scope(ask.store, question.query)), own_scope),
        (asks_what_applies(ask.store, question.query), own_scope),
        (intent == "location", headings),
        (intent == "coverage" or question.frame is not None, spoken),
        (bool(named.labels), several),
    )
    found = (step(ask, named) for holds, step in steps if holds)
    if intent == "location" and question.frame:  # where no heading is named after it, what speaks of it
        return next(filter(None, found), None)
    return next(found, None)


__all__ = ["Found", "Listed", "Scoped", "with_scope"]
