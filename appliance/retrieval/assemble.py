"""The outcome of a search as evidence: places with how they were found, chain, relevance.

Rules of this module: nothing is ranked here. The first hits of every channel, and then what the
references of the deciding places demand, are kept among the places shown, so that neither is lost to the
reranker or the limit; what stands beside the very first place never gives way to them. A caller who wants
fewer places than the settings show gets the first of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from appliance.document import Box
from appliance.evidence import Boost, Channel, Evidence, Place, Stage, Unresolved
from appliance.retrieval import ranking
from appliance.retrieval.ask import Ask
from appliance.retrieval.closure import Edge
from appliance.retrieval.elsewhere import not_loaded
from appliance.retrieval.exact import Jump
from appliance.retrieval.fusion import best_first, reciprocal, with_floors
from appliance.retrieval.gather import Found
from appliance.retrieval.places import place
from appliance.retrieval.relevance import relevance, relevance_signals
from appliance.retrieval.steps import way_of

NO_VECTORS = "the library holds no vectors"
NO_MODEL = "no model for it is enabled"
OFF = "the settings switch it off"
WORDS_OFF = f"words were not searched: {OFF}"
GRAPH_OFF = f"the graph was not searched: {OFF}"
SURE = frozenset({"page", "relation"})  # scopes whose items are what was asked for
EXPLAINED = 5  # first places of each search that an explanation shows
DECIDING = 3  # first places whose references are never lost to the limit
DIRECT = 3  # at most one place in so many is shown only because another one refers to it


@dataclass(frozen=True, slots=True)
class Orders:
    """The ids of shown chunks, best first, after fusion, after the reranker, and with the closure."""

    fused: tuple[int, ...]
    reranked: tuple[int, ...]
    final: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that a search came to."""

    ask: Ask
    found: Found
    named: Jump
    contest: ranking.Contest
    orders: Orders
    unresolved: tuple[Unresolved, ...]
    scores: Mapping[int, float]


def assemble(outcome: Outcome, limit: int) -> Evidence:
    """Return the evidence, without timings and stages."""
    edges = [edge for edge in outcome.contest.edges if edge.kind not in ranking.LOOSE]
    demanded = {edge.target: edge for edge in reversed(edges)}
    first = {*outcome.orders.final[:DECIDING]}
    kept = {edge.target for edge in edges if edge.source in first or edge.kind == "choice"}
    must_read = [chunk for chunk in outcome.orders.final if chunk in demanded]
    # what decides is never cut off, then what the deciding places refer to
    must_read.sort(key=lambda chunk: (demanded[chunk].kind != "choice", chunk not in kept))
    must_read = must_read[: min(outcome.ask.settings.closure_limit, limit // DIRECT)]
    firsts = _firsts(outcome)
    keep = limit - limit // DIRECT
    if limit >= outcome.ask.settings.limit:
        keep = min(keep, max(limit - len(firsts), 1))
    demands = [chunk for chunk in must_read if chunk in kept]
    shown = with_floors(outcome.orders.final, [firsts, demands, _near(outcome, limit)], limit, keep)
    places = dict(zip(shown, _places(outcome, shown, demanded), strict=True))
    query = outcome.ask.question.query
    return Evidence(
        query=replace(query, unreadable=_missing(outcome)),
        hits=tuple(places.values()),
        must_read=tuple(places[chunk] for chunk in must_read if chunk in places),
        chain=tuple(dict.fromkeys(demanded[chunk].link for chunk in must_read if chunk in places)),
        unresolved=outcome.unresolved,
        relevance=_chance(outcome),
        timings_ms={},
        scope=outcome.named.scope,
        boosted=_boosted(outcome, shown),
        not_run=_not_run(outcome),
        way=tuple(places[chunk] for chunk in way_of(outcome.contest.edges) if chunk in places),
    )


def _not_run(outcome: Outcome) -> tuple[str, ...]:
    """Return which searches did not run and why, nothing where all did."""
    ask, settings = outcome.ask, outcome.ask.settings
    switched = {WORDS_OFF: settings.by_words, GRAPH_OFF: settings.by_concepts}
    told = [why for why, runs in switched.items() if not runs]
    if not settings.by_meaning:
        told.insert(0, f"meaning was not searched: {OFF}")
    elif not outcome.found.cosines:
        no_model = ask.encoded is None and ask.store.dimension
        told.insert(0, "meaning was not searched: " + (NO_MODEL if no_model else NO_VECTORS))
    return tuple(told)


def _boosted(outcome: Outcome, shown: Sequence[int]) -> tuple[Boost, ...]:
    """Return which of the places shown were raised because they belong to what is read, and why."""
    contest, boosts = outcome.contest, outcome.named.boosts
    return tuple(
        Boost(contest.chunks[chunk].document, contest.chunks[chunk].chunk.label, boosts[chunk].why)
        for chunk in shown
        if chunk in boosts
    )


def first_of_channels(outcome: Outcome) -> dict[str, tuple[Place, ...]]:
    """Return the first places of every search as it ranked them, the exact jump first."""
    ways = {"exact": outcome.named.first, "headings": outcome.named.leading, **outcome.found.rankings}
    return {
        name: tuple(place(item, 0.0, ()) for item in outcome.ask.store.chunks(ids[:EXPLAINED]))
        for name, ids in ways.items()
    }


def _firsts(outcome: Outcome) -> list[int]:
    """Return the first hits of every channel, all first ones before all second ones."""
    rankings, depth = outcome.found.rankings.values(), outcome.ask.settings.kept_from_each_channel
    return list(dict.fromkeys(ids[rank] for rank in range(depth) for ids in rankings if rank < len(ids)))


def _near(outcome: Outcome, limit: int) -> list[int]:
    """Return what stands beside the very first place or defines its terms, of the places shown anyway."""
    final = outcome.orders.final
    return [
        edge.target
        for edge in outcome.contest.edges
        if edge.kind in ranking.LOOSE and edge.source in final[:1] and edge.target in final[:limit]
    ]


def _by_words(outcome: Outcome) -> list[int]:
    """Return what the searches by words find together."""
    rankings = outcome.found.rankings
    weighed = [(rankings[name], ranking.FUSED[name]) for name in ranking.WORDS]
    return best_first(reciprocal(weighed, outcome.ask.settings.rrf_k))


def staged(outcome: Outcome, hits: tuple[Place, ...], limit: int) -> dict[Stage, tuple[Place, ...]]:
    """Return the first `limit` places of every stage as each would have shown them, for measuring."""
    ask, rankings = outcome.ask, outcome.found.rankings
    stages: dict[Stage, Sequence[int]] = {
        "lexical": _by_words(outcome),
        "dense": rankings["dense"],
        "fused": outcome.orders.fused,
        "reranked": outcome.orders.reranked,
    }
    shown: dict[Stage, tuple[Place, ...]] = {
        name: tuple(place(item, 0.0, ()) for item in ask.store.chunks(ids[:limit]))
        for name, ids in stages.items()
    }
    return {**shown, "closure": hits}


def _places(outcome: Outcome, shown: Sequence[int], demanded: Mapping[int, Edge]) -> list[Place]:
    """Return the places, each with the searches that found it and the step that led to it."""
    contest = outcome.contest
    focus = _focus(outcome, shown)
    places: list[Place] = []
    for chunk in shown:
        found_by: list[Channel] = ["exact"] if chunk in outcome.named.first else []
        found_by += ranking.found_by(contest, chunk)
        path: tuple[str, ...] = ()
        if edge := demanded.get(chunk):
            found_by.append("graph" if edge.kind in ranking.HOSTING else "reference")
            path = (str(edge.link.from_label), str(edge.link.to_label))
        item = contest.chunks[chunk]
        places.append(place(item, outcome.scores[chunk], tuple(found_by), focus=focus[chunk], path=path))
    return places


def _focus(outcome: Outcome, shown: Sequence[int]) -> dict[int, tuple[Box, ...]]:
    """Return the boxes of the child of each place that matched best."""
    judged, met = outcome.contest.judged, outcome.found.children
    best = {
        chunk: judged[chunk].child if chunk in judged else (*met.get(chunk, ()), chunk)[0] for chunk in shown
    }
    boxes = {item.id: item.chunk.boxes for item in outcome.ask.store.chunks(best.values())}
    return {chunk: boxes.get(child, ()) for chunk, child in best.items()}


def signals_of_relevance(outcome: Outcome) -> dict[str, float]:
    """Return what speaks for the documents bearing on the question, by name."""
    contest = outcome.contest
    return relevance_signals(
        outcome.ask,
        [contest.chunks[chunk] for chunk in outcome.orders.final],
        outcome.found.cosines.values(),
        (judged.score for judged in contest.judged.values()),
    )


def _chance(outcome: Outcome) -> float:
    """Return the chance that the documents bear on the question; a place that it names surely does."""
    scope = outcome.named.scope
    if outcome.named.first or (scope is not None and scope.items and scope.kind in SURE):
        return 1.0
    return relevance(signals_of_relevance(outcome), ranking.load_weights())


def _missing(outcome: Outcome) -> str:
    """Return in sentences what a question names that the library lacks: documents, then labels."""
    query = outcome.ask.question.query
    lacking = not_loaded(query.text, outcome.ask.store.documents())
    if not outcome.named.missing:
        return lacking
    named = ", ".join(query.documents)
    where = f"{named} has" if named else "The documents loaded have"
    names = ", ".join(_as_typed(label, query.text) for label in outcome.named.missing)
    return f"{lacking} {where} no {names}.".strip()


def _as_typed(label: str, question: str) -> str:
    """Return a folded label with the capitals of the question ("requirement K7")."""
    found = re.search(r"\s+".join(map(re.escape, label.split())), question, re.IGNORECASE)
    return found[0] if found else label
