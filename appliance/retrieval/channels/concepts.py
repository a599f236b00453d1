"""The channel of concepts, terms, materials and parameters of the graph."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from appliance.core.graph import Node, NodeKind
from appliance.core.mechanisms import mechanism
from appliance.retrieval.ask import Ask
from appliance.store.channels import Hits
from appliance.text.terms import fold, words

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
        about = [hit for hit in ask.store.chunks_of(node) if _inside(ask, hit[0])]
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
    known = ask.store.entities(" ".join(piece) for piece in _pieces(said))
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
