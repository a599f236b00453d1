"""The order of the candidates, by a fitted forest or a weighted sum, and the chance that any bears on it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import get_args

import numpy as np

from appliance.core.evidence import Channel, Intent, PlaceKind, Query
from appliance.core.files import data_folder, shipped
from appliance.core.mechanisms import mechanism
from appliance.models.protocols import Floats
from appliance.models.session import Trees
from appliance.retrieval.ask import Ask, Coverage, coverage, share, weights
from appliance.retrieval.channels.gather import Found, scaled
from appliance.retrieval.follow.references import Edge
from appliance.retrieval.rank.rerank import Judged
from appliance.store.values import StoredChunk

KINDS: tuple[str, ...] = get_args(PlaceKind)
INTENTS = get_args(Intent)
MEASURED = (
    "covered", "covered_head", "covered_part", "similarity", "cosine", "similar_whole", "similar_second",
)  # fmt: skip
AROUND = ("document_best", "beside_best", "links")  # of the places that a candidate stands among
EITHER_WAY = frozenset({"length", "ideas", "measures", "links"})  # more of them may speak for or against
PARTS = 40  # parts of a place whose words are read
NOWHERE = -1.0  # similarity of what no reranker judged


def names(signals: Sequence[str]) -> tuple[str, ...]:
    """Return the names of all features, those of the signals first."""
    return (
        *signals,
        *MEASURED,
        *(f"below_{name}" for name in MEASURED),
        *AROUND,
        "length",
        *(f"kind_{kind}" for kind in KINDS),
        *(f"intent_{intent}" for intent in INTENTS),
        "ideas",
        "measures",
    )


def rising(feature: str) -> bool:
    """Tell whether more of a feature can only speak for a candidate."""
    return not feature.startswith(("kind_", "intent_")) and feature not in EITHER_WAY


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate: its signals by name, its chunk, what it covers, MaxSim and cosine to the question.

    `whole` and `second` are MaxSim of its parts as one and of the next best of them; `around` are the
    values of `AROUND`.
    """

    signals: Mapping[str, float]
    item: StoredChunk
    covered: Coverage
    similarity: float = NOWHERE
    cosine: float = 0.0
    whole: float = NOWHERE
    second: float = NOWHERE
    around: tuple[float, float, float] = (0.0, 0.0, 0.0)


def matrix(
    candidates: Sequence[Candidate], signals: Sequence[str], intent: Intent, ideas: int, *, measures: bool
) -> Floats:
    """Return the features [candidates, features]; `signals` are those that `names` was given.

    `ideas` counts those of the question, `measures` tells that it asks for a quantity.
    """
    if not candidates:
        return np.zeros((0, len(names(signals))), dtype=np.float32)
    first = [[one.signals.get(name, 0.0) for name in signals] for one in candidates]
    measured = np.array([_measured(one) for one in candidates], dtype=np.float32)
    below = measured - measured.max(axis=0)
    asked = [*(float(intent == known) for known in INTENTS), float(ideas), float(measures)]
    rest = [
        [*one.around, math.log1p(len(one.item.chunk.passage.text)), *_kind(one), *asked] for one in candidates
    ]
    return np.hstack([np.array(first, dtype=np.float32), measured, below, np.array(rest, dtype=np.float32)])


def _measured(one: Candidate) -> list[float]:
    said = [one.covered.whole, one.covered.head, one.covered.part, one.similarity, one.cosine]
    return [*said, one.whole, one.second]


def _kind(one: Candidate) -> list[float]:
    return [float(one.item.chunk.kind == kind) for kind in KINDS]


SIGNALS = (
    "child_words", "parent_words", "aliases", "dense", "concepts", "rerank", "document", "section",
    "named", "kind",
    "defined", "link", "held", "term", "beside",
)  # fmt: skip
TOP = 10  # places whose documents and sections speak for their neighbours
DEMANDING = 8  # places whose references are followed

_CHANNELS: Mapping[str, Channel] = {
    "child_words": "lexical",
    "parent_words": "lexical",
    "aliases": "lexical",
    "dense": "dense",
    "concepts": "graph",
}
# Weights in rank fusion: all searches by words together count about as much as the one by meaning.
FUSED = {"child_words": 0.5, "parent_words": 1.0, "aliases": 0.3, "dense": 2.0, "concepts": 0.3}
WORDS = ("child_words", "parent_words", "aliases")
LOOSE = frozenset({"term", "beside"})  # steps that no reference in the text demands
HOSTING = frozenset({"stands in", "holds"})


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each signal counts, and the signals of relevance with their coefficients.

    `relevance_by_words` stands for questions whose meaning was not searched.
    """

    ranking: Mapping[str, float]
    relevance: Mapping[str, float]
    relevance_by_words: Mapping[str, float]
    kinds: Mapping[str, Sequence[str]]  # intent -> kinds of place that suit it


@dataclass(frozen=True, slots=True)
class Contest:
    """All that is known of the candidates of one question; ids are those of shown chunks."""

    intent: Intent
    named: tuple[str, ...]
    ranks: Mapping[str, Mapping[int, int]]  # channel -> chunk -> rank from 1
    chunks: Mapping[int, StoredChunk]
    judged: Mapping[int, Judged]
    rrf_k: int
    defined: frozenset[int] = frozenset()  # definitions of terms that the question uses
    asked: frozenset[int] = frozenset()  # places that the question names by their label
    edges: tuple[Edge, ...] = ()
    standing: Mapping[int, float] = field(default_factory=dict)  # scores of the first pass


@cache
def load_weights() -> Weights:
    """Return the weights that ship with the program."""
    data = shipped("retrieval/ranking")
    return Weights(data["ranking"], data["relevance"], data["relevance_by_words"], data["kinds"])


def ranking_scores(contest: Contest, weights: Weights) -> dict[int, float]:
    """Return the score of every candidate."""
    return {
        chunk: sum(weights.ranking.get(name, 0.0) * value for name, value in found.items())
        for chunk, found in signals(contest, weights).items()
    }


def signals(contest: Contest, weights: Weights) -> dict[int, dict[str, float]]:
    """Return the named signals of every candidate."""
    reranked = {chunk: judged.score for chunk, judged in contest.judged.items()}
    best, spread = _level(reranked.values())
    near = _agreement(contest)
    links = _links(contest)
    suits = weights.kinds.get(contest.intent, ())
    return {
        chunk: {
            **{name: _reciprocal(ranks.get(chunk), contest.rrf_k) for name, ranks in contest.ranks.items()},
            "rerank": (reranked[chunk] - best) / spread if chunk in reranked else -1.0,
            "document": near[0].get(item.document, 0.0),
            "section": near[1].get(section_of(item), 0.0),
            "named": float(item.document in contest.named),
            "kind": float(item.chunk.kind in suits),
            "defined": float(chunk in contest.defined),
            **{name: strengths.get(chunk, 0.0) for name, strengths in links.items()},
        }
        for chunk, item in contest.chunks.items()
    }


def section_of(item: StoredChunk) -> tuple[str, ...]:
    """Return the division that a chunk stands in: its document and heading path."""
    return (item.document, *item.chunk.context)


def found_by(contest: Contest, chunk: int) -> tuple[Channel, ...]:
    """Return the searches that found a chunk."""
    return tuple(dict.fromkeys(_CHANNELS[name] for name, ranks in contest.ranks.items() if chunk in ranks))


def _reciprocal(rank: int | None, k: int) -> float:
    """Return k / (k + rank - 1): 1 for the first, 0 for what was not found."""
    return 0.0 if rank is None else k / (k + rank - 1)


def _level(values: Iterable[float]) -> tuple[float, float]:
    """Return the best of the scores and their spread, so that any reranker's scale becomes 0 and less."""
    ordered = sorted(values, reverse=True)
    if not ordered:
        return 0.0, 1.0
    return ordered[0], max(ordered[0] - ordered[-1], 1e-6)


def _agreement(contest: Contest) -> tuple[dict[str, float], dict[tuple[str, ...], float]]:
    """Return for each document and section its share of the first candidates of all searches."""
    documents: Counter[str] = Counter()
    sections: Counter[tuple[str, ...]] = Counter()
    for ranks in contest.ranks.values():
        for chunk, rank in ranks.items():
            if rank <= TOP and (item := contest.chunks.get(chunk)):
                documents[item.document] += 1
                sections[section_of(item)] += 1
    total = max(sum(documents.values()), 1)
    most = max(sections.values(), default=1)
    return (
        {name: count / total for name, count in documents.items()},
        {name: count / most for name, count in sections.items()},
    )


def _links(contest: Contest) -> dict[str, dict[int, float]]:
    """Return how well the best place stands that leads to a chunk, by the kind of step."""
    strength = {**scaled(contest.standing), **dict.fromkeys(contest.asked, 1.0)}
    links: dict[str, dict[int, float]] = {name: {} for name in ("link", "held", "term", "beside")}
    for edge in contest.edges:
        side = links["held" if edge.kind in HOSTING else edge.kind if edge.kind in links else "link"]
        side[edge.target] = max(side.get(edge.target, 0.0), strength.get(edge.source, 0.0))
    return links


APART = -0.5  # of a candidate that stands beside no other one


@mechanism(
    "rank.forest",
    "The fitted forest orders the candidates; without it a weighted sum does.",
    without=lambda _ask, _found, contest: ranking_scores(contest, load_weights()),
)
def scores(ask: Ask, found: Found, contest: Contest) -> dict[int, float]:
    """Return the learned score of every candidate, the weighted one where the question names a place.

    A question that names a place is about that place and what it leads to: there the weighted sum is
    better (complete@10 0.895 against 0.842 on the 38 judged questions of this style), as it was fitted
    with such questions and the forest saw few.
    """
    if contest.asked:
        return ranking_scores(contest, load_weights())
    learned = _forest().scores(rows(ask, found, contest))
    return dict(zip(contest.chunks, map(float, learned), strict=True))


def rows(ask: Ask, found: Found, contest: Contest) -> Floats:
    """Return the features [candidates, features] in the order of the contest's chunks."""
    named = signals(contest, load_weights())
    covered = _covered(ask, contest)
    cosines = _cosines(ask, found.cosines)
    around = _around(contest)
    unread = Judged(NOWHERE, 0, NOWHERE, NOWHERE)
    judged = {chunk: contest.judged.get(chunk, unread) for chunk in contest.chunks}
    candidates = [
        Candidate(
            named[chunk],
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
    return matrix(candidates, SIGNALS, query.intent, ideas, measures=_measures(query))


def model_names() -> tuple[str, ...]:
    """Return the names of the features, in their order."""
    return names(SIGNALS)


def _around(contest: Contest) -> dict[int, tuple[float, float, float]]:
    """Return how good the best place of its document is, and the place beside it, and how many lead to it."""
    score = dict.fromkeys(contest.chunks, NOWHERE)
    score |= {chunk: judged.score for chunk, judged in contest.judged.items() if chunk in score}
    best = max(score.values(), default=0.0)
    documents: dict[str, float] = {}
    for chunk, item in contest.chunks.items():
        documents[item.document] = max(documents.get(item.document, NOWHERE), score[chunk])
    beside: dict[int, float] = {}
    links: Counter[int] = Counter()
    for edge in contest.edges:
        if edge.kind == "beside" and edge.source in score:
            beside[edge.target] = max(beside.get(edge.target, APART), score[edge.source] - best)
        links[edge.target] += edge.kind not in LOOSE
    return {
        chunk: (documents[item.document] - best, beside.get(chunk, APART), float(links[chunk]))
        for chunk, item in contest.chunks.items()
    }


def _measures(query: Query) -> bool:
    return bool(query.kinds)


def _covered(ask: Ask, contest: Contest) -> dict[int, Coverage]:
    """Return what each candidate covers of the question, read in its own words and those of its parts."""
    families = {parent: kids[:PARTS] for parent, kids in _children(ask, contest).items()}
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


def _children(ask: Ask, contest: Contest) -> Mapping[int, tuple[int, ...]]:
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
    return Trees(data_folder() / "retrieval" / "ranker.onnx", model_names())


READ = 5  # first places whose words may cover those of the question


def relevance(signals: Mapping[str, float], weights: Weights) -> float:
    """Return the chance from 0 to 1; a signal without a coefficient does not count."""
    coefficients = weights.relevance if "cosine" in signals else weights.relevance_by_words
    total = coefficients.get("intercept", 0.0)
    total += sum(coefficients.get(name, 0.0) * value for name, value in signals.items())
    return 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))


def relevance_signals(
    ask: Ask, first: Sequence[StoredChunk], cosines: Iterable[float], judged: Iterable[float]
) -> dict[str, float]:
    """Return the signals: nearness of the best places and the share of the question's weight they cover.

    Where no place has a cosine there is no such signal.
    """
    question, stems = ask.question, ask.index.stems
    rarity = weights(question, ask.index.vocabulary)
    near = list(cosines)
    return {
        **({"cosine": max(near)} if near else {}),
        "rerank": max(judged, default=0.0),
        "covered": max(
            (share(question, rarity, stems.head(item) | stems.body(item)) for item in first[:READ]),
            default=0.0,
        ),
        "known": _known(ask, rarity),
    }


def _known(ask: Ask, rarity: Mapping[str, float]) -> float:
    """Return the share, by rarity, of the question's ideas whose own word the library holds."""
    total = sum(rarity[group.stem] for group in ask.question.groups)
    held = (group for group in ask.question.groups if group.stem in ask.index.vocabulary.chunks)
    return sum(rarity[group.stem] for group in held) / total if total else 0.0
