"""A question to its evidence: channels, fusion, ranking, closure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from appliance.core.errors import BadInput, UnknownPlace
from appliance.core.evidence import Boost, Channel, Evidence, Place, Stage, Unresolved
from appliance.core.mechanisms import mechanism
from appliance.core.settings import SearchSettings
from appliance.models.protocols import Embedder, Reranker
from appliance.retrieval.adjacent import as_shown, side_by_side
from appliance.retrieval.channels.gather import (
    Found,
    Jump,
    best_first,
    gather,
    jump,
    one_of_each,
    reciprocal,
    with_floors,
)
from appliance.retrieval.follow import neighbours
from appliance.retrieval.follow.neighbours import wanted
from appliance.retrieval.follow.references import Edge, choices_of, first_of_each, steps_from
from appliance.retrieval.follow.scope import asks_own_scope, asks_what_applies, own_scope
from appliance.retrieval.follow.subject_places import headings, spoken
from appliance.retrieval.query.documents import edition_first, in_force_first, not_loaded
from appliance.retrieval.query.labels import asked_labels
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
from appliance.retrieval.search_context import (
    EVERYTHING,
    Ask,
    Clock,
    Filter,
    Reading,
    documents_left,
    index_of,
    place,
    scope_of,
)
from appliance.store.channels import Wanted, chunks_within, index_terms, search_terms
from appliance.store.read import Store, bearers, fitting
from appliance.store.records import StoredChunk
from appliance.text.terms import fold

SURE = frozenset({"page", "relation"})  # scopes whose items are what was asked for
EXPLAINED = 5  # first places of each search that an explanation shows
DECIDING = 3  # first places whose references are never lost to the limit
DIRECT = 3  # at most one place in so many is shown only because another one refers to it
LEADING = 5  # places of which no two are parts of one item


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that a search came to.

    `fused`, `reranked` and `final` are the ids of shown chunks, best first, after fusion, after the reranker,
    and with the closure.
    """

    ask: Ask
    found: Found
    named: Jump
    contest: model.Contest
    fused: tuple[int, ...]
    reranked: tuple[int, ...]
    final: tuple[int, ...]
    unresolved: tuple[Unresolved, ...]
    scores: Mapping[int, float]


def search(ask: Ask, *, limit: int | None = None, keep_stages: bool = False) -> Evidence:
    """Return the evidence for a question, best first, at most `limit` places.

    Raises:
        UnknownDocument, UnknownPlace: nothing such is open.
    """
    outcome = explore(ask)
    shown = ask.settings.limit if limit is None else max(limit, 0)
    with ask.clock.step("places"):
        evidence = assemble(outcome, shown)
    return replace(
        evidence,
        stages=staged(outcome, evidence.hits, shown) if keep_stages else {},
        timings_ms=ask.clock.spent,
        choices=choices_of(ask.store).about(evidence.hits),
        channels=first_of_channels(outcome) if keep_stages else {},
    )


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
    """Return the question read and encoded.

    `after` is the question before, which this one may go on from; `reading` is what the user has open.

    Raises:
        BadQuestion: there is nothing to search for. UnknownDocument: a filter names none loaded.
        BadInput: a tag, family or edition is none that there is.
    """
    clock, index = Clock(), index_of(store)
    with clock.step("query"):
        documents = documents_left(store, wanted)
        scope = scope_of(store, wanted, documents, *own_vocabularies(settings))
        asked = read(store, question, settings, after)
    with clock.step("encode"):
        text = in_own_words(asked, index.vocabulary, store.connections.stem)
        encode = embedder.encode_query if embedder and store.dimension else None
        encoded = encode(text) if encode else None
        plain = encode(as_meant(asked)) if encode and text != as_meant(asked) else None
    return Ask(store, index, asked, encoded, reranker, settings, scope, clock, documents, reading, plain)


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


def explore(ask: Ask) -> Outcome:
    """Return the ranked candidates with everything that speaks for each."""
    found = gather(ask)
    with ask.clock.step("fusion"):
        rankings = [(ids, model.FUSED[name]) for name, ids in found.rankings.items()]
        fused = reciprocal(rankings, ask.settings.rrf_k)
        exact = jump(ask.store, ask.question, fused, ask.scope.parents)
        named = with_scope(ask, exact)
    first = contest_of(ask, found, fused, named)
    standing = model.ranking_scores(first)
    ordered = order(ask, first, named, standing)
    with ask.clock.step("closure"):
        leading = [first.chunks[chunk] for chunk in ordered[: model.DEMANDING]]
        steps = steps_from(ask.store, ask.index.terms, leading)
        edges = first_of_each((*wanted(ask, named), *steps.edges))
        edges = tuple(edge for edge in edges if ask.scope.holds(edge.target))
        targets = dict.fromkeys(edge.target for edge in edges if edge.target not in first.chunks)
        new = {item.id: item for item in ask.store.chunks(targets)}
        chunks, judged = {**first.chunks, **new}, {**first.judged, **model.rerank(ask, new, found.children)}
        closed = replace(first, chunks=chunks, judged=judged, edges=edges, standing=standing)
    with ask.clock.step("ranking"):
        scores = model.scores(ask, found, closed)
    final = order(ask, closed, named, scores)
    orders = (tuple(best_first(fused)), tuple(ordered), tuple(final))
    return Outcome(ask, found, named, closed, *orders, steps.unresolved, scores)


Step = Callable[[Ask, Jump], Jump | None]


def with_scope(ask: Ask, named: Jump) -> Jump:
    """Return the places that a question names with those that it asks for by where they stand.

    What is being read, where the user told it, joins the places that compete.
    """
    question, query = ask.question, ask.question.query
    intent, relation = query.intent, question.relation
    steps: Sequence[tuple[bool, Step]] = (
        (relation == "replaced", neighbours.replaced),
        (question.incoming, neighbours.linked),  # "which of G3 refer to 3.18" asks for no contents of G3
        (relation not in {None, "replaced"}, neighbours.around),
        (question.directed and relation is None, neighbours.linked),
        (bool(query.pages), neighbours.on_pages),
        (bool(asks_own_scope(ask.store, query)) or asks_what_applies(ask.store, query), own_scope),
        (intent == "location", headings),
        (intent == "coverage" or question.frame is not None, spoken),
        (bool(named.labels), neighbours.several),
    )
    tried = (step(ask, named) for holds, step in steps if holds)
    # where no heading is named after what is looked for, what speaks of it
    spared = intent == "location" and question.frame is not None
    found = next(filter(None, tried) if spared else tried, None) or Jump()
    boosts = boosts_of(ask)
    first = dict.fromkeys((*filter(ask.scope.holds, found.first), *named.first))

    def behind(*chunks: int) -> tuple[int, ...]:
        return tuple(one for one in dict.fromkeys(chunks) if one not in first and ask.scope.holds(one))

    return replace(
        named,
        first=tuple(first),
        others=behind(*named.others, *boosts, *found.others),
        leading=behind(*named.leading, *found.leading),
        scope=found.scope,
        boosts=boosts,
    )


def contest_of(ask: Ask, found: Found, fused: Mapping[int, float], named: Jump) -> model.Contest:
    """Return the candidates of the searches with the reranker's judgement of each."""
    settings, rankings = ask.settings, found.rankings
    defined = [
        chunk
        for term in ask.index.terms.used(ask.question.spelt)
        for chunk in ask.store.chunks_for(term.document, term.label)[:1]
        if ask.scope.holds(chunk)
    ]
    firsts = [chunk for ids in rankings.values() for chunk in ids[: settings.kept_from_each_channel]]
    best = best_first(fused)[: settings.rerank_candidates]
    chosen = (*named.first, *named.leading, *named.others, *defined, *firsts, *best)
    chunks = {item.id: item for item in ask.store.chunks(chosen)}
    with ask.clock.step("rerank"):
        judged = model.rerank(ask, chunks, found.children)
    return model.Contest(
        ask.question.query.intent,
        ask.question.query.documents,
        {name: {chunk: rank for rank, chunk in enumerate(ids, 1)} for name, ids in rankings.items()},
        chunks,
        judged,
        settings.rrf_k,
        frozenset(defined),
        frozenset(named.first),
    )


def order(ask: Ask, contest: model.Contest, named: Jump, scores: Mapping[int, float]) -> list[int]:
    """Return the candidates, best first: what the question names, then by score.

    Where it asks what a place refers to, this comes next; what refers to it comes before it. Of the parts
    of one item one alone is among the very first, of those that show the same labels (a table over several
    pages) one among the first.
    """
    beside = [edge.target for edge in wanted(ask, named)[: ask.settings.closure_limit]]
    beside = [chunk for chunk in beside if chunk in contest.chunks]
    first = [*named.first, *named.leading]
    first = [*beside, *first] if ask.question.incoming else [*first, *beside]
    owners = {chunk: item.document for chunk, item in contest.chunks.items()}
    ranked = raised(best_first(scores), owners, named.boosts, ask.reading)
    ranked = edition_first(ranked, owners, ask.question.editions or asked_of(ask.question))
    ranked = [*first, *(chunk for chunk in ranked if chunk not in first)]
    if not set(ask.question.editions) & set(owners.values()):
        ranked = in_force_first(ranked, owners, ask.store.documents(), ask.settings.limit)
    labels = {chunk: (item.document, item.chunk.label.key) for chunk, item in contest.chunks.items()}
    shown = {chunk: _shown_as(item) for chunk, item in contest.chunks.items()}
    return one_of_each(one_of_each(ranked, shown, model.TOP), labels, LEADING)


@mechanism("rank.one_of_each", without=lambda item: (item.id,))
def _shown_as(item: StoredChunk) -> tuple[str, ...]:
    """Return what tells one place from another: a clause cut in two shows other paragraphs in each part."""
    return (item.document, item.chunk.label.key, *(label.key for label in item.chunk.labels))


# -- what a user reads or has selected raises what belongs to it

NEAR = 0.4  # of its rank that a place keeps which stands in what is read, or is named there
SAME = 0.7  # and one that merely stands in the same document
SELECTED_WORDS = 12  # of a selected text that find where it stands
SELECTED_PLACES = 5  # in which a selected text may stand


def parse_reading(text: str, selected: str = "") -> Reading | None:
    """Return "DOCUMENT:LABEL" or "DOCUMENT" as what is read, None where nothing is; raises BadInput."""
    document, _, label = text.strip().partition(":")
    if not document and (label or selected):
        raise BadInput(f"{text!r} names no document. Write what is read as DOCUMENT or DOCUMENT:LABEL.")
    return Reading(document.strip(), label.strip(), selected.strip()) if document else None


@mechanism("rank.reading", without=lambda *_: {})
def boosts_of(ask: Ask) -> Mapping[int, str]:
    """Return the shown chunks that belong to what is read, with why; raises UnknownDocument, UnknownPlace."""
    if ask.reading is None:
        return {}
    ask.store.position(ask.reading.document)
    found: dict[int, str] = {}
    for chunk, why in (*_selected(ask, ask.reading), *_open(ask.store, ask.reading)):
        found.setdefault(chunk, why)
    return found


def raised(
    ranked: Sequence[int], owners: Mapping[int, str], boosts: Mapping[int, str], reading: Reading | None
) -> list[int]:
    """Return a ranking in which what belongs to what is read has moved up."""
    if reading is None:
        return list(ranked)
    keeps = {chunk: SAME if owners[chunk] == reading.document else 1.0 for chunk in ranked}
    keeps |= dict.fromkeys(boosts, NEAR)
    places = {chunk: rank * keeps[chunk] for rank, chunk in enumerate(ranked, 1)}
    return sorted(ranked, key=places.__getitem__)


def _open(store: Store, reading: Reading) -> Iterator[tuple[int, str]]:
    """Yield the chunks of the place that is read, of all that stands in it, and of what it refers to."""
    if not reading.label:
        return
    known = {item.label.key: item.label for item in fitting(bearers(store, reading.document), reading.label)}
    for entry in store.contents(reading.document):
        if entry.parent is not None and entry.parent.key in known:
            known.setdefault(entry.label.key, entry.label)
    if not known:
        raise UnknownPlace(reading.document, reading.label)
    name = f"{next(iter(known.values()))} of {reading.document}"
    for label in known.values():
        for chunk in store.chunks_for(reading.document, label)[:1]:
            yield chunk, f"stands in {name}, which is open"
    for reference in store.references_from(reading.document, *known):
        document = reference.document or reading.document
        if reference.target is not None and store.has(document):
            for chunk in store.chunks_for(document, reference.target)[:1]:
                yield chunk, f"{name}, which is open, refers to it ({reference.text})"


def _selected(ask: Ask, reading: Reading) -> Iterator[tuple[int, str]]:
    """Yield the chunks in which the selected text stands, and those that it names."""
    if not reading.selected:
        return
    for label in asked_labels(reading.selected, ask.lexicon):
        for item in ask.store.labelled(form for ways in label.forms[:1] for form in ways):
            if item.document == reading.document:
                yield item.chunk, f"the selected text names {label.printed}"
    terms = [term for term in index_terms(ask.store, reading.selected) if term in ask.index.vocabulary.chunks]
    match = [Wanted(tuple(dict.fromkeys(terms[:SELECTED_WORDS])))] if terms else []
    within = chunks_within(ask.store, "child", (reading.document,))
    hits = search_terms(ask.store, "child", match, SELECTED_PLACES, within=within)
    for chunk in ask.store.parents(chunk for chunk, _ in hits).values():
        yield chunk, "the selected text stands in it"


# -- the outcome as evidence


def assemble(outcome: Outcome, limit: int) -> Evidence:
    """Return the evidence, without timings and stages."""
    ask, contest, named, final = outcome.ask, outcome.contest, outcome.named, outcome.final
    edges = [edge for edge in contest.edges if edge.kind not in model.LOOSE]
    demanded = {edge.target: edge for edge in reversed(edges)}
    kept = {edge.target for edge in edges if edge.source in final[:DECIDING] or edge.kind == "choice"}
    must_read = [chunk for chunk in final if chunk in demanded]
    # what decides is never cut off, then what the deciding places refer to
    must_read.sort(key=lambda chunk: (demanded[chunk].kind != "choice", chunk not in kept))
    must_read = must_read[: min(ask.settings.closure_limit, limit // DIRECT)]
    # the first hits of every channel, all first ones before all second ones
    rankings, depth = outcome.found.rankings.values(), ask.settings.kept_from_each_channel
    firsts = list(dict.fromkeys(ids[rank] for rank in range(depth) for ids in rankings if rank < len(ids)))
    # what stands beside the very first place or defines its terms, of the places shown anyway
    near = [
        edge.target
        for edge in contest.edges
        if edge.kind in model.LOOSE and edge.source in final[:1] and edge.target in final[:limit]
    ]
    keep = limit - limit // DIRECT
    if limit >= ask.settings.limit:
        keep = min(keep, max(limit - len(firsts), 1))
    demands = [chunk for chunk in must_read if chunk in kept]
    shown = with_floors(final, [firsts, demands, near], limit, keep)
    rest = (chunk for chunk in final if chunk not in shown)
    groups = side_by_side((*shown, *rest), limit, partial(_around, ask.store), partial(_words, contest))
    together = list(dict.fromkeys((*shown, *chain.from_iterable(groups))))
    places = dict(zip(together, _places(outcome, together, demanded), strict=True))
    boosted = [(contest.chunks[chunk], named.boosts[chunk]) for chunk in shown if chunk in named.boosts]
    no_model = ask.encoded is None and ask.store.dimension
    not_run = "no model for it is enabled" if no_model else "the library holds no vectors"
    listed = named.scope.items if named.scope else ()
    items = tuple(replace(one, address=ask.store.address(one.document, one.label.key)) for one in listed)
    return Evidence(
        query=replace(ask.question.query, unreadable=_missing(outcome)),
        hits=tuple(places[chunk] for chunk in shown),
        shown=as_shown(groups, places),
        must_read=tuple(places[chunk] for chunk in must_read if chunk in shown),
        chain=tuple(dict.fromkeys(demanded[chunk].link for chunk in must_read if chunk in shown)),
        unresolved=outcome.unresolved,
        relevance=_chance(outcome),
        timings_ms={},
        scope=named.scope and replace(named.scope, items=items),
        boosted=tuple(Boost(item.document, item.chunk.label, why) for item, why in boosted),
        not_run=() if outcome.found.cosines else (f"meaning was not searched: {not_run}",),
    )


def _around(store: Store, chunk: int) -> tuple[int, ...]:
    before, after = store.chunk_neighbours(chunk)
    return (*before, *after)


def _words(contest: model.Contest, chunk: int) -> int:
    return len(contest.chunks[chunk].chunk.passage.text.split())


def _places(outcome: Outcome, shown: Sequence[int], demanded: Mapping[int, Edge]) -> list[Place]:
    """Return the places, each with the searches that found it, the step that led to it and its best part."""
    contest, met = outcome.contest, outcome.found.children
    best = {
        chunk: contest.judged[chunk].child if chunk in contest.judged else (*met.get(chunk, ()), chunk)[0]
        for chunk in shown
    }
    boxes = {item.id: item.chunk.boxes for item in outcome.ask.store.chunks(best.values())}
    places: list[Place] = []
    for chunk in shown:
        found_by: list[Channel] = ["exact"] if chunk in outcome.named.first else []
        found_by += model.found_by(contest, chunk)
        path: tuple[str, ...] = ()
        if edge := demanded.get(chunk):
            found_by.append("graph" if edge.kind in model.HOSTING else "reference")
            path = (str(edge.link.from_label), str(edge.link.to_label))
        item, focus = contest.chunks[chunk], boxes.get(best[chunk], ())
        places.append(place(item, outcome.scores[chunk], tuple(found_by), focus=focus, path=path))
    return places


def first_of_channels(outcome: Outcome) -> dict[str, tuple[Place, ...]]:
    """Return the first places of every search as it ranked them, the exact jump first."""
    ways = {"exact": outcome.named.first, "headings": outcome.named.leading, **outcome.found.rankings}
    return {name: _as_ranked(outcome, ids[:EXPLAINED]) for name, ids in ways.items()}


def staged(outcome: Outcome, hits: tuple[Place, ...], limit: int) -> dict[Stage, tuple[Place, ...]]:
    """Return the first `limit` places of every stage as each would have shown them, for measuring."""
    rankings = outcome.found.rankings
    by_words = [(rankings[name], model.FUSED[name]) for name in model.WORDS]
    stages: dict[Stage, Sequence[int]] = {
        "lexical": best_first(reciprocal(by_words, outcome.ask.settings.rrf_k)),
        "dense": rankings["dense"],
        "fused": outcome.fused,
        "reranked": outcome.reranked,
    }
    return {**{name: _as_ranked(outcome, ids[:limit]) for name, ids in stages.items()}, "closure": hits}


def _as_ranked(outcome: Outcome, ids: Sequence[int]) -> tuple[Place, ...]:
    return tuple(place(item, 0.0, ()) for item in outcome.ask.store.chunks(ids))


def signals_of_relevance(outcome: Outcome) -> dict[str, float]:
    """Return what speaks for the documents bearing on the question, by name."""
    contest = outcome.contest
    return model.relevance_signals(
        outcome.ask,
        [contest.chunks[chunk] for chunk in outcome.final],
        outcome.found.cosines.values(),
        (judged.score for judged in contest.judged.values()),
    )


@mechanism("rank.relevance", without=lambda *_: 1.0)
def _chance(outcome: Outcome) -> float:
    """Return the chance that the documents bear on the question; a place that it names surely does."""
    scope = outcome.named.scope
    if outcome.named.first or (scope is not None and scope.items and scope.kind in SURE):
        return 1.0
    return model.relevance(signals_of_relevance(outcome))


def _missing(outcome: Outcome) -> str:
    """Return in sentences what a question names that the library lacks: documents, then labels."""
    query = outcome.ask.question.query
    lacking = not_loaded(query.text, outcome.ask.store.documents())
    if not outcome.named.missing:
        return lacking
    names: list[str] = []
    for label in outcome.named.missing:  # with the capitals of the question ("requirement K7")
        typed = re.search(r"\s+".join(map(re.escape, label.split())), query.text, re.IGNORECASE)
        names.append(typed[0] if typed else label)
    named = ", ".join(query.documents)
    where = f"{named} has" if named else "The documents loaded have"
    return f"{lacking} {where} no {', '.join(names)}.".strip()
