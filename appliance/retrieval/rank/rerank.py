"""The reranker over the children of the candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from appliance.core.mechanisms import mechanism
from appliance.models.protocols import Candidate
from appliance.retrieval.ask import Ask


@dataclass(frozen=True, slots=True)
class Judged:
    """The reranker's score of a shown chunk and the child that earned it.

    `second` is the score of its next best part, `whole` that of its parts read as one.
    """

    score: float
    child: int
    second: float
    whole: float


ALONE = 0.1  # by so much the second part of a place that has one part is worse than this


@mechanism("rank.reranker", "Late interaction judges the candidates.", without=lambda *_: {})
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
    parts = dict(zip(children, _candidates(ask, children), strict=True))
    joined = {
        parent: one for parent, family in chosen.items() if (one := _joined([parts[c] for c in family]))
    }
    scores = list(map(float, ask.reranker.scores(ask.encoded, [*parts.values(), *joined.values()])))
    alone = dict(zip(parts, scores, strict=False))
    whole = dict(zip(joined, scores[len(parts) :], strict=True))
    return {parent: _judged(family, alone, whole.get(parent)) for parent, family in chosen.items()}


def _candidates(ask: Ask, children: Sequence[int]) -> list[Candidate]:
    vectors, texts = ask.store.vectors(children), ask.store.texts(children)
    return [
        Candidate(texts[child], vectors[child].tokens if child in vectors else None) for child in children
    ]


def _joined(parts: Sequence[Candidate]) -> Candidate | None:
    """Return the parts of a place as one, None for a single one and where they have no token vectors."""
    tokens = [part.tokens for part in parts if part.tokens is not None]
    if len(parts) < 2 or len(tokens) < len(parts):
        return None
    return Candidate("\n".join(part.text for part in parts), np.concatenate(tokens))


def _judged(family: Sequence[int], scores: Mapping[int, float], whole: float | None) -> Judged:
    first, *others = sorted(family, key=lambda child: -scores[child])
    second = scores[others[0]] if others else scores[first] - ALONE
    return Judged(scores[first], first, second, scores[first] if whole is None else whole)
