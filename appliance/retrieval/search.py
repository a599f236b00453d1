"""A question to its evidence: the searches, their fusion, the reranker, the closure.

Rules of this module: it is the order of the steps and nothing else. Every step is timed; every
channel's first hits and every exact jump stay in the evidence whatever the reranker says (assemble). The same
question on the same library gives the same evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from appliance.evidence import Evidence
from appliance.models.protocols import Embedder, Reranker
from appliance.retrieval import editions, learned, ranking
from appliance.retrieval.apart import standing_alone, with_parts
from appliance.retrieval.ask import EVERYTHING, Ask, Clock, Filter, Reading, index_of, scope_of
from appliance.retrieval.assemble import Orders, Outcome, assemble, first_of_channels, staged
from appliance.retrieval.boosts import raised
from appliance.retrieval.choices import choices_of
from appliance.retrieval.closure import Steps, first_of_each, steps_from
from appliance.retrieval.covered import asks_what_is_covered
from appliance.retrieval.exact import Jump, jump
from appliance.retrieval.fusion import best_first, one_of_each, reciprocal
from appliance.retrieval.gather import Found, gather
from appliance.retrieval.holding import INSIDE, holding
from appliance.retrieval.instead import of_library
from appliance.retrieval.lexicon import load_conditions, load_lexicon, own_vocabularies, with_terms
from appliance.retrieval.measured import with_measured
from appliance.retrieval.narrowing import chunks_left, documents_left, with_places
from appliance.retrieval.opening import opening
from appliance.retrieval.query import Question, Reader, asked_of, read_question
from appliance.retrieval.rerank import rerank
from appliance.retrieval.scopes import with_scope
from appliance.retrieval.seats import with_seats
from appliance.retrieval.steps import along, in_order
from appliance.retrieval.symbols import lists_behind
from appliance.retrieval.valued import CLASSED, valued
from appliance.retrieval.wanted import most_linked_first, wanted
from appliance.retrieval.wording import as_meant, in_own_words
from appliance.settings import SearchSettings
from appliance.store.read import Store
from appliance.store.values import StoredChunk
from appliance.store.words import fold

LEADING = 5  # places of which no two are parts of one item
DRAWINGS = 2  # of one division among these, unless a question asks for drawings
DIVISION = 2  # places before the division that holds them, where a question asks for a place


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
    alone = [
        explore(prepare(store, embedder, reranker, part, settings, wanted=wanted, reading=reading))
        for part in standing_alone(ask.question.query.parts, ask.lexicon.stop)
    ]
    outcome = with_parts(outcome, alone)
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
        rankings = [(ids, ranking.FUSED[name]) for name, ids in found.rankings.items()]
        fused = reciprocal(rankings, ask.settings.rrf_k)
        exact = jump(ask.store, ask.question, fused, ask.scope.parents)
        named = with_scope(ask, most_linked_first(ask, exact))
    first = contest_of(ask, found, fused, named)
    ordered = order(ask, first, named, ranking.scores(first, ranking.load_weights()))
    with ask.clock.step("closure"):
        leading = [first.chunks[chunk] for chunk in ordered[: ranking.DEMANDING]]
        steps = steps_from(ask.store, ask.index.terms, leading, choices_of(ask.store))
        found_first = [first.chunks[chunk] for chunk in ordered[: ask.settings.limit]]
        way = tuple(along(ask, found_first, first.judged))
        asked_for = (*way, *wanted(ask, named), *valued(ask, leading), *holding(ask, leading))
        steps = replace(steps, edges=first_of_each((*asked_for, *steps.edges, *opening(ask, leading))))
        closed = widened(ask, first, found, steps)
    with ask.clock.step("ranking"):
        scores = learned.scores(ask, found, closed)
    final = order(ask, closed, named, scores)
    orders = Orders(tuple(best_first(fused)), tuple(ordered), tuple(final))
    return Outcome(ask, found, named, closed, orders, steps.unresolved, scores)


def read(store: Store, question: str, settings: SearchSettings, after: str = "") -> Question:
    """Return the question as read against one library, meant after another one; raises BadQuestion."""
    index = index_of(store)
    lexicon = of_library(load_lexicon(*own_vocabularies(settings)), index.vocabulary, store.connections.stem)
    reader = Reader(
        store.documents(),
        with_terms(lexicon, fold(question), index.terms.words),
        index.vocabulary,
        index.speller,
        store.connections.stem,
        load_conditions(*own_vocabularies(settings)),
    )
    return read_question(question, reader, settings, after)


def contest_of(ask: Ask, found: Found, fused: Mapping[int, float], named: Jump) -> ranking.Contest:
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
    return ranking.Contest(
        query.intent,
        query.documents,
        ranks,
        chunks,
        judged,
        ask.settings.rrf_k,
        frozenset(defined),
        frozenset(named.first),
    )


def widened(ask: Ask, contest: ranking.Contest, found: Found, steps: Steps) -> ranking.Contest:
    """Return the contest with the places that its first places refer to."""
    edges = tuple(edge for edge in steps.edges if ask.scope.holds(edge.target))
    targets = dict.fromkeys(edge.target for edge in edges if edge.target not in contest.chunks)
    new = {item.id: item for item in ask.store.chunks(targets)}
    return replace(
        contest,
        chunks={**contest.chunks, **new},
        judged={**contest.judged, **rerank(ask, new, found.children)},
        edges=edges,
        standing=ranking.scores(contest, ranking.load_weights()),
    )


def order(ask: Ask, contest: ranking.Contest, named: Jump, scores: Mapping[int, float]) -> list[int]:
    """Return the candidates, best first: what the question names, then by score.

    Where it asks what a place refers to, this comes next; what refers to it comes before it. Of the parts
    of one item one alone is among the very first, of those that show the same labels (a table over several
    pages) one among the first; drawings of one division show much the same, so that few of them are there.
    """
    beside = [edge.target for edge in wanted(ask, named)[: ask.settings.closure_limit]]
    owners = {chunk: item.document for chunk, item in contest.chunks.items()}
    beside = [chunk for chunk in beside if chunk in contest.chunks]
    first = [*named.first, *named.leading]
    first = [*beside, *first] if ask.question.incoming else [*first, *beside]
    ranked = best_first(scores)
    ranked = raised(ranked, owners, named.boosts, ask.reading)
    ranked = editions.edition_first(ranked, owners, ask.question.editions or asked_of(ask.question))
    ranked = lists_behind(ask.question.query, contest.chunks, ranked)
    ranked = [*first, *(chunk for chunk in ranked if chunk not in first)]
    if not set(ask.question.editions) & set(owners.values()):
        ranked = editions.in_force_first(ranked, owners, ask.store.documents(), ask.settings.limit)
    ranked = _hosting_next(contest, ranked, max(len(first), 1))
    ranked = with_seats(contest, _led_next(ask, contest, ranked), scores)
    labels = {chunk: (item.document, item.chunk.label.key) for chunk, item in contest.chunks.items()}
    shown = {chunk: _shown_as(item) for chunk, item in contest.chunks.items()}
    ranked = one_of_each(one_of_each(ranked, shown, ranking.TOP), labels, LEADING)
    ranked = in_order(contest.edges, one_of_each(ranked, _drawings(ask, contest, first), LEADING, DRAWINGS))
    return with_measured(ask.question.query, contest.chunks, ranked, ask.settings.limit)


def _hosting_next(contest: ranking.Contest, ranked: Sequence[int], behind: int) -> list[int]:
    """Return the ranking with the table, figure or clause that belongs to its first place near it.

    One that stands low comes behind the first `behind` places: half of what is asked for is often the
    table and half the clause where it stands.
    """
    belonging = {
        edge.target
        for edge in contest.edges
        if edge.source in ranked[:1] and edge.kind in ranking.HOSTING and edge.target in contest.chunks
    }
    best = next((chunk for chunk in ranked if chunk in belonging), None)
    if best is None or ranked.index(best) <= behind or best in ranked[: ranking.DEMANDING]:
        return list(ranked)
    rest = [chunk for chunk in ranked if chunk != best]
    return [*rest[:behind], best, *rest[behind:]]


def _led_next(ask: Ask, contest: ranking.Contest, ranked: Sequence[int]) -> list[int]:
    """Return the ranking with what the kind of question wants beside its first places moved up to them.

    The table of values comes right behind the table of classes, the division around the places third; so does
    what a code says of itself, where just that is asked.
    """
    kinds = {CLASSED, INSIDE}
    if asks_what_is_covered(ask.question.spelt):
        kinds.add(ranking.OPENS)
    moved = list(ranked)
    for edge in contest.edges:
        stands = edge.kind == ranking.OPENS or edge.source in moved[: ranking.DEMANDING]
        if edge.kind not in kinds or not stands:
            continue
        behind = moved.index(edge.source) + 1 if edge.kind == CLASSED else DIVISION
        if edge.target in moved and moved.index(edge.target) > behind:
            moved.remove(edge.target)
            moved.insert(behind, edge.target)
    return moved


def _drawings(ask: Ask, contest: ranking.Contest, named: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Return the divisions of the drawings that a question does not ask for."""
    if named or ask.question.query.intent == "figure":
        return {}
    figures = (item for item in contest.chunks.values() if item.chunk.kind == "figure")
    return {item.id: ranking.section_of(item) for item in figures}


def _shown_as(item: StoredChunk) -> tuple[str, ...]:
    """Return what tells one place from another: a clause cut in two shows other paragraphs in each part."""
    return (item.document, item.chunk.label.key, *(label.key for label in item.chunk.labels))
