"""What a code says of itself where it opens: read with every answer to whether something applies.

Rules of this module: a code says what it is for in the division of its first numbered clause, where this has
a heading about it (data/retrieval/scope.toml); often in words that no question uses ("the provisions of this
part"), so that no search finds them. Of the code that leads, the one clause of that division that suits the
question best comes, where just that is asked one that speaks of scope; definitions, notes and tables say
nothing of the kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from appliance.evidence import Link
from appliance.retrieval import ranking
from appliance.retrieval.ask import Ask
from appliance.retrieval.closure import Edge
from appliance.retrieval.covered import asks_what_is_covered, is_scope, speaks_of_scope
from appliance.retrieval.rerank import rerank
from appliance.store.read import Store
from appliance.store.values import ClauseEntry, StoredChunk

LEADING = 5  # places that tell which code leads
READ = 40  # clauses of an opening that are read
TEXT = frozenset({"clause", "heading"})  # kinds of place that may say what is covered

_OPENINGS: WeakKeyDictionary[Store, dict[str, tuple[StoredChunk, ...]]] = WeakKeyDictionary()


def opening(ask: Ask, leading: Sequence[StoredChunk]) -> Iterator[Edge]:
    """Yield the step from the first place to the clause of its code's opening that suits a question best."""
    question = ask.question
    covering = asks_what_is_covered(question.spelt)
    if not (covering or question.query.intent == "applicability") or not leading:
        return
    document = _document(ask, leading[:LEADING])
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
        yield Edge(own.id, best.id, ranking.OPENS, link)


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
        found = store.chunks(list(shown)[:READ])
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
