"""The reranker over the children of the candidates.

Rules of this module: it orders, it never removes; a parent is as good as its best child.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from appliance.models.protocols import Candidate
from appliance.retrieval.ask import Ask


@dataclass(frozen=True, slots=True)
class Judged:
    """The reranker's score of a shown chunk and the child that earned it."""

    score: float
    child: int


def rerank(ask: Ask, parents: Iterable[int], found: Mapping[int, Sequence[int]]) -> dict[int, Judged]:
    """Return the judgement of shown chunks; `found` are their children that the searches met, best first.

    Without a reranker, or without vectors of the question, nothing is judged.
    """
    if ask.reranker is None or ask.encoded is None:
        return {}
    store = ask.store
    chosen = {
        parent: tuple(dict.fromkeys((*found.get(parent, ()), *children)))[: ask.settings.rerank_children]
        for parent, children in store.chunk_children(parents).items()
    }
    children = [child for family in chosen.values() for child in family]
    if not children:
        return {}
    vectors = store.vectors(children)
    texts = store.texts(children)
    candidates = [
        Candidate(texts[child], vectors[child].tokens if child in vectors else None) for child in children
    ]
    scores = dict(zip(children, map(float, ask.reranker.scores(ask.encoded, candidates)), strict=True))
    best = {parent: max(family, key=lambda child: scores[child]) for parent, family in chosen.items()}
    return {parent: Judged(scores[child], child) for parent, child in best.items()}
