"""The searches of one question side by side (words, meaning, graph), and their rankings fused into one."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from appliance.core.evidence import Listing
from appliance.core.graph import Node, NodeKind
from appliance.core.mechanisms import mechanism
from appliance.core.settings import SearchSettings
from appliance.models.protocols import EncodedQuery
from appliance.retrieval.ask import Ask, place
from appliance.retrieval.query.question import Group, Question
from appliance.store.channels import Hits, Vocabulary, Wanted, search_terms, search_vectors
from appliance.store.read import Store
from appliance.text.terms import fold, words

WORDS, NAMES = ("title", "text"), ("label", "exact")
FEWEST = 2  # groups that are kept however common they are


@dataclass(frozen=True, slots=True)
class Found:
    """Rankings of shown chunks by channel, the children met of each (best first), cosines of children."""

    rankings: Mapping[str, tuple[int, ...]]
    children: Mapping[int, tuple[int, ...]]
    cosines: Mapping[int, float]


def gather(ask: Ask) -> Found:
    """Return what the searches by words, by meaning and in the graph find."""
    store, settings, scope = ask.store, ask.settings, ask.scope
    with ask.clock.step("lexical"):
        vocabulary = ask.index.vocabulary
        match = wanted_of(ask.question, vocabulary, settings)
        wide = wanted_of(ask.question, vocabulary, settings, aliases=True)
        by_child = _by_child(ask, match)
        by_parent = _by_parent(ask, match)
        by_alias = _by_alias(ask, wide) if wide != match else by_child
    with ask.clock.step("dense"):
        near = dense(store, (ask.encoded, ask.plain), settings, scope.children)
    with ask.clock.step("graph"):
        spoken = concepts(ask)
    owners = store.parents([chunk for chunk, _ in (*by_child, *by_alias, *near, *spoken)])

    def shown(hits: Hits) -> tuple[int, ...]:
        """Return the shown chunks of hits, each at its best child's place."""
        return tuple(dict.fromkeys(owners[chunk] for chunk, _ in hits))

    rankings = {
        "child_words": shown(by_child),
        "parent_words": tuple(chunk for chunk, _ in by_parent),
        "aliases": shown(by_alias),
        "dense": shown(near),
        "concepts": shown(spoken),
    }
    children: dict[int, dict[int, None]] = {}
    for hit in chain.from_iterable(zip_longest(near, by_child)):  # from each in turn
        if hit is not None:
            children.setdefault(owners[hit[0]], {})[hit[0]] = None
    return Found(rankings, {parent: tuple(met) for parent, met in children.items()}, dict(near))


@mechanism("channels.child_words", "The search by words over the searched parts.", without=lambda *_: [])
def _by_child(ask: Ask, match: Sequence[Wanted]) -> Hits:
    limit = ask.settings.lexical_candidates
    return search_terms(ask.store, "child", match, limit, within=ask.scope.children)


@mechanism("channels.parent_words", "The search by words over whole places.", without=lambda *_: [])
def _by_parent(ask: Ask, match: Sequence[Wanted]) -> Hits:
    limit = ask.settings.lexical_candidates
    return search_terms(ask.store, "parent", match, limit, within=ask.scope.parents)


@mechanism("channels.alias_words", "The search by words and their other names.", without=lambda *_: [])
def _by_alias(ask: Ask, wide: Sequence[Wanted]) -> Hits:
    limit = ask.settings.lexical_candidates
    return search_terms(ask.store, "child", wide, limit, within=ask.scope.children)


def wanted_of(
    question: Question, vocabulary: Vocabulary, settings: SearchSettings, *, aliases: bool = False
) -> tuple[Wanted, ...]:
    """Return what a question asks for, nothing where the library holds none of its words."""
    found = [group for group in question.groups if alternatives(group, vocabulary, aliases=aliases)]
    rare = [group for group in found if vocabulary.share(group.stem) <= settings.common_term_share]
    if len(rare) < FEWEST:
        rare = sorted(found, key=lambda group: vocabulary.share(group.stem))[:FEWEST]
    said = [item for group in rare for item in alternatives(group, vocabulary, aliases=aliases)]
    return (*said, *(Wanted((name,), NAMES) for name in question.names))


def alternatives(group: Group, vocabulary: Vocabulary, *, aliases: bool = False) -> list[Wanted]:
    """Return the ways to say one idea that the library holds."""
    phrases = ((group.stem,), *(group.others if aliases else ()))
    return [Wanted(phrase, WORDS) for phrase in phrases if all(term in vocabulary.chunks for term in phrase)]


def every_place(ask: Ask, first: int, count: int) -> Listing:
    """Return `count` of the places from the `first` (counted from 0) on, and how many there are."""
    vocabulary = ask.index.vocabulary
    match = [item for group in ask.question.groups for item in alternatives(group, vocabulary)]
    match += [Wanted((name,), NAMES) for name in ask.question.names]
    hits = search_terms(ask.store, "child", match, ask.store.chunk_count, within=ask.scope.children)
    owners = ask.store.parents([chunk for chunk, _ in hits])
    shown = list(dict.fromkeys(owners[chunk] for chunk, _ in hits))
    items = ask.store.chunks(shown[first : first + count])
    return Listing(tuple(place(item, 0.0, ("lexical",)) for item in items), len(shown))


@mechanism("channels.dense", "The search by meaning.", without=lambda *_: [])
def dense(
    store: Store,
    encoded: Iterable[EncodedQuery | None],
    settings: SearchSettings,
    within: Collection[int] | None,
) -> Hits:
    """Return the children nearest to any of the vectors with their cosine, best first; none without."""
    limit, scan_from = settings.dense_candidates, settings.scan_from
    best: dict[int, float] = {}
    for one in filter(None, encoded):
        for chunk, cosine in search_vectors(store, one.pooled, limit, within=within, scan_from=scan_from):
            best[chunk] = max(cosine, best.get(chunk, -1.0))
    return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))


NAME_WORDS = 5  # of a name of the graph at most
SPOKEN: frozenset[NodeKind] = frozenset({"term", "parameter", "concept", "material", "structure", "load"})
NEARNESS = (1.0, 0.7, 0.4)  # of a chunk made of the entity, headed by it, and one that mentions it


@mechanism(
    "channels.concepts",
    "The search by the concepts, terms and parameters of the graph.",
    without=lambda *_: [],
)
def concepts(ask: Ask) -> Hits:
    """Return the searched chunks that speak of what the question speaks of, best first."""
    scores: dict[int, float] = defaultdict(float)
    total, inside = max(ask.store.chunk_count, 1), ask.scope.children
    for node in spoken_of(ask):
        about = [hit for hit in ask.store.graph.chunks_of(node) if inside is None or hit[0] in inside]
        if not about or len(about) > ask.settings.common_term_share * total:
            continue
        rarity = math.log(1.0 + total / len(about))
        for chunk, rank in about:
            scores[chunk] += rarity * NEARNESS[min(rank, len(NEARNESS) - 1)]
    return [(chunk, scores[chunk]) for chunk in best_first(scores)[: ask.settings.dense_candidates]]


def spoken_of(ask: Ask) -> tuple[Node, ...]:
    """Return the entities that the question names; a name inside a longer one is not read again."""
    said = words(fold(ask.question.spelt))
    pieces = {  # the longest first
        range(start, start + length): " ".join(said[start : start + length])
        for length in range(min(NAME_WORDS, len(said)), 0, -1)
        for start in range(len(said) - length + 1)
    }
    known = ask.store.graph.entities(pieces.values())
    found: dict[Node, None] = {}
    taken: set[int] = set()
    for here, name in pieces.items():
        spoken = [node for node in known[name] if node.kind in SPOKEN]
        if spoken and taken.isdisjoint(here):
            taken.update(here)
            found.update(dict.fromkeys(spoken))
    return tuple(found)


def reciprocal(rankings: Iterable[tuple[Sequence[int], float]], k: int) -> dict[int, float]:
    """Return the fused score of every id: the sum of weight / (k + rank), rank from 1."""
    scores: dict[int, float] = defaultdict(float)
    for ranking, weight in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] += weight / (k + rank)
    return dict(scores)


def scaled(scores: Mapping[int, float]) -> dict[int, float]:
    """Return scores brought to 0..1 between their least and their greatest; all equal gives 1."""
    least, most = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    width = most - least
    return {item: (value - least) / width if width else 1.0 for item, value in scores.items()}


def best_first(scores: Mapping[int, float]) -> list[int]:
    """Return the ids by falling score; equal scores in the order of the ids, so that it never changes."""
    return sorted(scores, key=lambda item: (-scores[item], item))


def one_of_each(ranking: Sequence[int], names: Mapping[int, Hashable], first: int) -> list[int]:
    """Return a ranking in whose `first` ids no name stands twice; the others come behind.

    An id without a name stands for itself.
    """
    best: dict[Hashable, int] = {}
    for item in ranking:
        best.setdefault(names.get(item, ("its own", item)), item)
    head = dict.fromkeys(list(best.values())[:first])
    return [*head, *(item for item in ranking if item not in head)]


@mechanism(
    "rank.floors",
    "The first hits of every channel and what the closure demands keep a place.",
    without=lambda ranking, _floors, limit, _keep=0: list(ranking[:limit]),
)
def with_floors(
    ranking: Sequence[int], floors: Iterable[Sequence[int]], limit: int, keep: int = 0
) -> list[int]:
    """Return the first `limit` of a ranking, the last of them giving way to the floors' ids left out.

    No id of a floor gives way to another one, and none of the first `keep`; where the floors hold more
    than there is room for, the earlier ones stay.
    """
    kept = list(ranking[:limit])
    wanted = list(dict.fromkeys(item for floor in floors for item in floor))
    safe = {*kept[:keep], *[item for item in wanted if item not in kept[:keep]][: max(limit - keep, 0)]}
    absent = [item for item in wanted if item in safe and item not in kept]
    loose = [item for item in kept if item not in safe]
    given = set(loose[len(loose) - max(len(kept) + len(absent) - limit, 0) :])
    return [item for item in kept if item not in given] + absent
