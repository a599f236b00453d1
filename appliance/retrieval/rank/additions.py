"""Places raised beside the order: a division, what is read with the first place, a quantity asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from appliance.core.document import Label
from appliance.core.evidence import FOR_A_VALUE, Link, Query
from appliance.core.mechanisms import mechanism
from appliance.retrieval.ask import Ask
from appliance.retrieval.follow.references import OVERVIEWS, Edge
from appliance.retrieval.follow.steps import DECIDES, STEP
from appliance.retrieval.rank import model
from appliance.store.values import StoredChunk
from appliance.text.quantities import kinds_in

WHOLE = frozenset({"location", "coverage"})  # intents of questions that a whole division answers
ENOUGH = 0.3  # share of the weight of the leading places that a division holds
NARROWER = 0.75  # share of what a division holds from which a smaller one inside it is meant
HEAD = 2  # by so much the weight of the places falls more slowly than one over their rank
DIVISION = 2  # places before the division
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


def with_divisions(edges: Iterable[Edge], ranked: Sequence[int]) -> list[int]:
    """Return the ranking with the division that holds its first places no later than third."""
    moved = list(ranked)
    for edge in edges:
        if edge.kind == INSIDE and edge.target in moved[DIVISION:]:
            moved.remove(edge.target)
            moved.insert(DIVISION, edge.target)
    return moved


FIRST = 8  # places before the seats
SEATLESS = frozenset(
    {*model.LOOSE, *model.HOSTING, "choice", "chosen", INSIDE, STEP, DECIDES}
)  # steps of other ways


@mechanism(
    "rank.seats",
    "A neighbour, a term and a reference of the first place come behind the first eight.",
    without=lambda _contest, ranked, _scores: ranked,
)
def with_seats(contest: model.Contest, ranked: list[int], scores: Mapping[int, float]) -> list[int]:
    """Return the ranking with the best target of each way out of the first place behind the first ones."""
    place = {chunk: rank for rank, chunk in enumerate(ranked)}
    seated: list[int] = []
    for kinds in ({"beside"}, {"term"}, None):  # None: a reference in the text
        targets = {
            edge.target
            for edge in contest.edges
            if edge.source in ranked[:1]
            and edge.target in place
            and (edge.kind in kinds if kinds else edge.kind not in SEATLESS)
        } - {*ranked[:FIRST], *seated}
        if targets:
            seated.append(min(targets, key=lambda chunk: (-scores[chunk], place[chunk])))
    return [*ranked[:FIRST], *seated, *(chunk for chunk in ranked[FIRST:] if chunk not in seated)]


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
    return [*rest[:FIRST], *found, *rest[FIRST:]]


def _holds(wanted: frozenset[str], item: StoredChunk) -> bool:
    return bool(wanted & kinds_in(item.chunk.passage.text))
