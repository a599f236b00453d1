"""A question to its evidence: channels, fusion, ranking, closure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from appliance.core.document import Box
from appliance.core.evidence import Boost, Channel, Evidence, Place, Stage, Unresolved
from appliance.core.mechanisms import mechanism
from appliance.core.settings import SearchSettings
from appliance.models.protocols import Embedder, Reranker
from appliance.retrieval.ask import EVERYTHING, Ask, Clock, Filter, Reading, index_of, place, scope_of
from appliance.retrieval.channels.exact import Jump, jump
from appliance.retrieval.channels.gather import (
    Found,
    best_first,
    gather,
    one_of_each,
    reciprocal,
    with_floors,
)
from appliance.retrieval.follow.asked_places import with_scope
from appliance.retrieval.follow.national_choice import choices_of
from appliance.retrieval.follow.neighbours import most_linked_first, wanted
from appliance.retrieval.follow.references import Edge, Steps, first_of_each, steps_from
from appliance.retrieval.query import documents as editions
from appliance.retrieval.query.documents import not_loaded
from appliance.retrieval.query.lexicon import load_conditions, load_lexicon, own_vocabularies, with_terms
from appliance.retrieval.query.question import (
    Question,
    Reader,
    as_meant,
    asked_of,
    in_own_words,
    read_question,
)
from appliance.retrieval.rank import model
from appliance.retrieval.rank import model as ranking
from appliance.retrieval.rank.boosts import chunks_left, documents_left, raised, with_places
from appliance.retrieval.rank.model import relevance, relevance_signals
from appliance.retrieval.rank.rerank import rerank
from appliance.store.read import Store
from appliance.store.values import StoredChunk
from appliance.text.terms import fold

NO_VECTORS = "the library holds no vectors"
NO_MODEL = "no model for it is enabled"
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
    )


def _not_run(outcome: Outcome) -> tuple[str, ...]:
    """Return which searches did not run and why, nothing where all did."""
    if outcome.found.cosines:
        return ()
    no_model = outcome.ask.encoded is None and outcome.ask.store.dimension
    return ("meaning was not searched: " + (NO_MODEL if no_model else NO_VECTORS),)


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


@mechanism(
    "rank.relevance", "A calibrated chance that the documents bear on the question.", without=lambda *_: 1.0
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


LEADING = 5  # places of which no two are parts of one item


def search(
    store: Store,
    embedder: Embedder | None,
    reranker: Reranker | None,
    question: str,
    settings: SearchSettings,
    *,
    wanted: Filter = EVERYTHING,
    after: str = "",
    reading: Reading | None = None,
    limit: int | None = None,
    keep_stages: bool = False,
) -> Evidence:
    """Return the evidence for a question, best first, at most `limit` places.

    `after` is the question before, which this one may go on from; `reading` is what the user has open.

    Raises:
        BadQuestion: there is nothing to search for. UnknownDocument: a filter names none loaded.
        BadInput: a tag, family or edition is none that there is. UnknownPlace: nothing such is open.
    """
    ask = prepare(store, embedder, reranker, question, settings, wanted=wanted, after=after, reading=reading)
    outcome = explore(ask)
    shown = settings.limit if limit is None else max(limit, 0)
    with ask.clock.step("places"):
        evidence = assemble(outcome, shown)
    stages = staged(outcome, evidence.hits, shown) if keep_stages else {}
    decided = choices_of(store).about(evidence.hits)
    channels = first_of_channels(outcome) if keep_stages else {}
    return replace(evidence, stages=stages, timings_ms=ask.clock.spent, choices=decided, channels=channels)


def prepare(
    store: Store,
    embedder: Embedder | None,
    reranker: Reranker | None,
    question: str,
    settings: SearchSettings,
    *,
    wanted: Filter = EVERYTHING,
    after: str = "",
    reading: Reading | None = None,
) -> Ask:
    """Return the question read and encoded; raises as `search` does."""
    clock, index = Clock(), index_of(store)
    with clock.step("query"):
        documents = documents_left(store, wanted)
        about = chunks_left(store, wanted, *own_vocabularies(settings))
        asked = read(store, question, settings, after)
        scope = with_places(scope_of(store, documents, wanted.kinds, about), wanted)
    with clock.step("encode"):
        text = in_own_words(asked, index.vocabulary, store.connections.stem)
        encode = embedder.encode_query if embedder and store.dimension else None
        encoded = encode(text) if encode else None
        plain = encode(as_meant(asked)) if encode and text != as_meant(asked) else None
    return Ask(store, index, asked, encoded, reranker, settings, scope, clock, documents, reading, plain)


def explore(ask: Ask) -> Outcome:
    """Return the ranked candidates with everything that speaks for each."""
    found = gather(ask)
    with ask.clock.step("fusion"):
        rankings = [(ids, model.FUSED[name]) for name, ids in found.rankings.items()]
        fused = reciprocal(rankings, ask.settings.rrf_k)
        exact = jump(ask.store, ask.question, fused, ask.scope.parents)
        named = with_scope(ask, most_linked_first(ask, exact))
    first = contest_of(ask, found, fused, named)
    ordered = order(ask, first, named, model.ranking_scores(first, model.load_weights()))
    with ask.clock.step("closure"):
        leading = [first.chunks[chunk] for chunk in ordered[: model.DEMANDING]]
        steps = steps_from(ask.store, ask.index.terms, leading, choices_of(ask.store))
        steps = replace(steps, edges=first_of_each((*wanted(ask, named), *steps.edges)))
        closed = widened(ask, first, found, steps)
    with ask.clock.step("ranking"):
        scores = model.scores(ask, found, closed)
    final = order(ask, closed, named, scores)
    orders = Orders(tuple(best_first(fused)), tuple(ordered), tuple(final))
    return Outcome(ask, found, named, closed, orders, steps.unresolved, scores)


def read(store: Store, question: str, settings: SearchSettings, after: str = "") -> Question:
    """Return the question as read against one library, meant after another one; raises BadQuestion."""
    index = index_of(store)
    lexicon = load_lexicon(*own_vocabularies(settings))
    reader = Reader(
        store.documents(),
        with_terms(lexicon, fold(question), index.terms.words),
        index.vocabulary,
        index.speller,
        store.connections.stem,
        load_conditions(*own_vocabularies(settings)),
    )
    return read_question(question, reader, settings, after)


def contest_of(ask: Ask, found: Found, fused: Mapping[int, float], named: Jump) -> model.Contest:
    """Return the candidates of the searches with the reranker's judgement of each."""
    firsts = [
        chunk for ids in found.rankings.values() for chunk in ids[: ask.settings.kept_from_each_channel]
    ]
    defined = [
        chunk
        for term in ask.index.terms.used(ask.question.spelt)
        for chunk in ask.store.chunks_for(term.document, term.label)[:1]
        if ask.scope.holds(chunk)
    ]
    chosen = [
        *named.first,
        *named.leading,
        *named.others,
        *defined,
        *firsts,
        *best_first(fused)[: ask.settings.rerank_candidates],
    ]
    chunks = {item.id: item for item in ask.store.chunks(chosen)}
    ranks = {name: {chunk: rank for rank, chunk in enumerate(ids, 1)} for name, ids in found.rankings.items()}
    with ask.clock.step("rerank"):
        judged = rerank(ask, chunks, found.children)
    query = ask.question.query
    return model.Contest(
        query.intent,
        query.documents,
        ranks,
        chunks,
        judged,
        ask.settings.rrf_k,
        frozenset(defined),
        frozenset(named.first),
    )


def widened(ask: Ask, contest: model.Contest, found: Found, steps: Steps) -> model.Contest:
    """Return the contest with the places that its first places refer to."""
    edges = tuple(edge for edge in steps.edges if ask.scope.holds(edge.target))
    targets = dict.fromkeys(edge.target for edge in edges if edge.target not in contest.chunks)
    new = {item.id: item for item in ask.store.chunks(targets)}
    return replace(
        contest,
        chunks={**contest.chunks, **new},
        judged={**contest.judged, **rerank(ask, new, found.children)},
        edges=edges,
        standing=model.ranking_scores(contest, model.load_weights()),
    )


def order(ask: Ask, contest: model.Contest, named: Jump, scores: Mapping[int, float]) -> list[int]:
    """Return the candidates, best first: what the question names, then by score.

    Where it asks what a place refers to, this comes next; what refers to it comes before it. Of the parts
    of one item one alone is among the very first, of those that show the same labels (a table over several
    pages) one among the first.
    """
    beside = [edge.target for edge in wanted(ask, named)[: ask.settings.closure_limit]]
    owners = {chunk: item.document for chunk, item in contest.chunks.items()}
    beside = [chunk for chunk in beside if chunk in contest.chunks]
    first = [*named.first, *named.leading]
    first = [*beside, *first] if ask.question.incoming else [*first, *beside]
    ranked = best_first(scores)
    ranked = raised(ranked, owners, named.boosts, ask.reading)
    ranked = editions.edition_first(ranked, owners, ask.question.editions or asked_of(ask.question))
    ranked = [*first, *(chunk for chunk in ranked if chunk not in first)]
    if not set(ask.question.editions) & set(owners.values()):
        ranked = editions.in_force_first(ranked, owners, ask.store.documents(), ask.settings.limit)
    labels = {chunk: (item.document, item.chunk.label.key) for chunk, item in contest.chunks.items()}
    shown = {chunk: _shown_as(item) for chunk, item in contest.chunks.items()}
    return one_of_each(one_of_each(ranked, shown, model.TOP), labels, LEADING)


@mechanism(
    "rank.one_of_each",
    "Parts of one item are not shown twice among the first.",
    without=lambda item: (item.id,),
)
def _shown_as(item: StoredChunk) -> tuple[str, ...]:
    """Return what tells one place from another: a clause cut in two shows other paragraphs in each part."""
    return (item.document, item.chunk.label.key, *(label.key for label in item.chunk.labels))
