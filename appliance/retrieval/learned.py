"""The order that was learned: a forest over the features of the candidates.

Rules of this module: the forest ships in data/retrieval/ranker.onnx, its card beside it says how it was
trained and what it is worth on documents that it has not seen. `search.learned_order = false` in the
settings takes the plain weighted sum of ranking.py instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from appliance.evidence import Query
from appliance.models.protocols import Floats
from appliance.models.trees import Trees
from appliance.paths import data_folder
from appliance.retrieval import features, ranking
from appliance.retrieval.ask import Ask
from appliance.retrieval.coverage import Coverage, coverage, weights
from appliance.retrieval.gather import Found
from appliance.retrieval.rerank import Judged

APART = -0.5  # of a candidate that stands beside no other one


def scores(ask: Ask, found: Found, contest: ranking.Contest) -> dict[int, float]:
    """Return the learned score of every candidate, or the weighted one where the settings want that.

    A question that names a place is about that place and what it leads to: there the weighted sum is
    better (complete@10 0.895 against 0.842 on the 38 judged questions of this style), as it was fitted
    with such questions and the forest saw few.
    """
    if not ask.settings.learned_order or contest.asked:
        return ranking.scores(contest, ranking.load_weights())
    learned = _forest().scores(rows(ask, found, contest))
    return dict(zip(contest.chunks, map(float, learned), strict=True))


def rows(ask: Ask, found: Found, contest: ranking.Contest) -> Floats:
    """Return the features [candidates, features] in the order of the contest's chunks."""
    signals = ranking.signals(contest, ranking.load_weights())
    covered = _covered(ask, contest)
    cosines = _cosines(ask, found.cosines)
    around = _around(contest)
    unread = Judged(features.NOWHERE, 0, features.NOWHERE, features.NOWHERE)
    judged = {chunk: contest.judged.get(chunk, unread) for chunk in contest.chunks}
    candidates = [
        features.Candidate(
            signals[chunk],
            item,
            covered[chunk],
            judged[chunk].score,
            cosines.get(chunk, 0.0),
            judged[chunk].whole,
            judged[chunk].second,
            around[chunk],
        )
        for chunk, item in contest.chunks.items()
    ]
    query = ask.question.query
    ideas = len(ask.question.groups)
    return features.matrix(candidates, ranking.SIGNALS, query.intent, ideas, measures=_measures(query))


def names() -> tuple[str, ...]:
    """Return the names of the features, in their order."""
    return features.names(ranking.SIGNALS)


def _around(contest: ranking.Contest) -> dict[int, tuple[float, float, float]]:
    """Return how good the best place of its document is, and the place beside it, and how many lead to it."""
    score = dict.fromkeys(contest.chunks, features.NOWHERE)
    score |= {chunk: judged.score for chunk, judged in contest.judged.items() if chunk in score}
    best = max(score.values(), default=0.0)
    documents: dict[str, float] = {}
    for chunk, item in contest.chunks.items():
        documents[item.document] = max(documents.get(item.document, features.NOWHERE), score[chunk])
    beside: dict[int, float] = {}
    links: Counter[int] = Counter()
    for edge in contest.edges:
        if edge.kind == "beside" and edge.source in score:
            beside[edge.target] = max(beside.get(edge.target, APART), score[edge.source] - best)
        links[edge.target] += edge.kind not in {*ranking.LOOSE, ranking.OPENS}
    return {
        chunk: (documents[item.document] - best, beside.get(chunk, APART), float(links[chunk]))
        for chunk, item in contest.chunks.items()
    }


def _measures(query: Query) -> bool:
    return bool(query.kinds)


def _covered(ask: Ask, contest: ranking.Contest) -> dict[int, Coverage]:
    """Return what each candidate covers of the question, read in its own words and those of its parts."""
    families = {parent: kids[: features.PARTS] for parent, kids in _children(ask, contest).items()}
    texts = ask.store.texts([child for kids in families.values() for child in kids])
    rarity = weights(ask.question, ask.index.vocabulary)
    return {
        chunk: coverage(
            ask.question,
            rarity,
            ask.index.stems,
            item,
            [texts[child] for child in families.get(chunk, ()) if child in texts],
        )
        for chunk, item in contest.chunks.items()
    }


def _children(ask: Ask, contest: ranking.Contest) -> Mapping[int, tuple[int, ...]]:
    return {parent: tuple(kids) for parent, kids in ask.store.chunk_children(contest.chunks).items()}


def _cosines(ask: Ask, near: Mapping[int, float]) -> dict[int, float]:
    """Return the best cosine among the parts of each shown chunk that the search by meaning met."""
    best: dict[int, float] = {}
    for child, parent in _owners(ask, near):
        best[parent] = max(best.get(parent, 0.0), near[child])
    return best


def _owners(ask: Ask, chunks: Iterable[int]) -> Iterable[tuple[int, int]]:
    return ask.store.parents(list(chunks)).items()


@cache
def _forest() -> Trees:
    return Trees(data_folder() / "retrieval" / "ranker.onnx", names())
