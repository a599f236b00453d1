"""The lexical, dense and concept channels: BM25, nearest vectors, terms of the graph."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from appliance.core.evidence import Listing
from appliance.core.graph import Node, NodeKind
from appliance.core.mechanisms import mechanism
from appliance.core.settings import SearchSettings
from appliance.models.protocols import EncodedQuery
from appliance.retrieval.ask import Ask, place
from appliance.retrieval.query.question import Group, Question
from appliance.store.bm25 import Wanted
from appliance.store.channels import ColumnWeights, Hits, Unit, Vocabulary, search_terms, search_vectors
from appliance.store.read import Store
from appliance.text.terms import fold, words

WEIGHTS = {"child": ColumnWeights(), "parent": ColumnWeights()}
WORDS, NAMES = ("title", "text"), ("label", "exact")
FEWEST = 2  # groups that are kept however common they are


def wanted_of(
    question: Question, vocabulary: Vocabulary, settings: SearchSettings, *, aliases: bool = False
) -> tuple[Wanted, ...]:
    """Return what a question asks for, nothing where the library holds none of its words."""
    found = [group for group in question.groups if alternatives(group, vocabulary, aliases=aliases)]
    rare = [group for group in found if vocabulary.share(group.stem) <= settings.common_term_share]
    if len(rare) < FEWEST:
        rare = sorted(found, key=lambda group: vocabulary.share(group.stem))[:FEWEST]
    words = [item for group in rare for item in alternatives(group, vocabulary, aliases=aliases)]
    return (*words, *(Wanted((name,), NAMES) for name in question.names))


def alternatives(group: Group, vocabulary: Vocabulary, *, aliases: bool) -> list[Wanted]:
    """Return the ways to say one idea that the library holds."""
    phrases = ((group.stem,), *(group.others if aliases else ()))
    return [
        Wanted(tuple(phrase), WORDS)
        for phrase in phrases
        if all(term in vocabulary.chunks for term in phrase)
    ]


def lexical(
    store: Store,
    unit: Unit,
    wanted: Sequence[Wanted],
    settings: SearchSettings,
    within: Collection[int] | None,
) -> Hits:
    """Return the best chunks of one kind for what is wanted."""
    return search_terms(store, unit, wanted, WEIGHTS[unit], settings.lexical_candidates, within=within)


def every_place(ask: Ask, first: int, count: int) -> Listing:
    """Return `count` of the places from the `first` (counted from 0) on, and how many there are."""
    vocabulary = ask.index.vocabulary
    match = [
        *(item for group in ask.question.groups for item in alternatives(group, vocabulary, aliases=False)),
        *(Wanted((name,), NAMES) for name in ask.question.names),
    ]
    hits = search_terms(
        ask.store, "child", match, WEIGHTS["child"], ask.store.chunk_count, within=ask.scope.children
    )
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
    best: dict[int, float] = {}
    for one in encoded:
        if one is not None:
            found = search_vectors(
                store, one.pooled, settings.dense_candidates, within=within, scan_from=settings.scan_from
            )
            for chunk, cosine in found:
                best[chunk] = max(cosine, best.get(chunk, -1.0))
    return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))


LONGEST = 5  # words of a name
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
    total = max(ask.store.chunk_count, 1)
    for node in spoken_of(ask):
        about = [hit for hit in ask.store.graph.chunks_of(node) if _inside(ask, hit[0])]
        if not about or len(about) > ask.settings.common_term_share * total:
            continue
        rarity = math.log(1.0 + total / len(about))
        for chunk, rank in about:
            scores[chunk] += rarity * NEARNESS[min(rank, len(NEARNESS) - 1)]
    best = sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
    return best[: ask.settings.dense_candidates]


def spoken_of(ask: Ask) -> tuple[Node, ...]:
    """Return the entities that the question names; a name inside a longer one is not read again."""
    said = words(fold(ask.question.spelt))
    known = ask.store.graph.entities(" ".join(piece) for piece in _pieces(said))
    found: dict[Node, None] = {}
    taken: set[int] = set()
    for length in range(min(LONGEST, len(said)), 0, -1):
        for start in range(len(said) - length + 1):
            here = set(range(start, start + length))
            nodes = known.get(" ".join(said[start : start + length]), ())
            spoken = [node for node in nodes if node.kind in SPOKEN]
            if spoken and not here & taken:
                taken |= here
                found.update(dict.fromkeys(spoken))
    return tuple(found)


def _pieces(said: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(len(said)):
        for end in range(start + 1, min(start + LONGEST, len(said)) + 1):
            yield said[start:end]


def _inside(ask: Ask, chunk: int) -> bool:
    return ask.scope.children is None or chunk in ask.scope.children
