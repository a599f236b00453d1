"""The order of the candidates, by late interaction and a fitted forest, and the chance that any bears."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import get_args

import numpy as np

from appliance.core.evidence import Channel, Intent, PlaceKind
from appliance.core.files import data_folder, shipped
from appliance.core.mechanisms import mechanism
from appliance.models.protocols import Candidate as Part
from appliance.models.protocols import Floats
from appliance.models.session import Trees
from appliance.retrieval.channels.gather import Found, scaled
from appliance.retrieval.follow.references import Edge
from appliance.retrieval.search_context import Ask, Coverage, coverage, share, weights
from appliance.store.records import StoredChunk

# -- the reranker over the children of the candidates


@dataclass(frozen=True, slots=True)
class Judged:
    """The reranker's score of a shown chunk and the child that earned it.

    `second` is the score of its next best part, `whole` that of its parts read as one.
    """

    score: float
    child: int
    second: float
    whole: float


NOWHERE = -1.0  # similarity of what no reranker judged
UNJUDGED = Judged(NOWHERE, 0, NOWHERE, NOWHERE)
ALONE = 0.1  # by so much the second part of a place that has one part is worse than this


@mechanism("rank.reranker", without=lambda *_: {})
def rerank(ask: Ask, parents: Iterable[int], found: Mapping[int, Sequence[int]]) -> dict[int, Judged]:
    """Return the judgement of shown chunks; `found` are their children that the searches met, best first.

    Without a reranker, or without vectors of the question, nothing is judged.
    """
    if ask.reranker is None or ask.encoded is None:
        return {}
    families = {
        parent: tuple(dict.fromkeys((*found.get(parent, ()), *children)))[: ask.settings.rerank_children]
        for parent, children in ask.store.chunk_children(parents).items()
    }
    children = [child for family in families.values() for child in family]
    if not children:
        return {}
    vectors, texts = ask.store.vectors(children), ask.store.texts(children)
    parts = {
        child: Part(texts[child], vectors[child].tokens if child in vectors else None) for child in children
    }
    joined: dict[int, Part] = {}  # the parts of a place as one, where all have token vectors
    for parent, family in families.items():
        tokens = [vectors[child].tokens for child in family if child in vectors]
        if len(tokens) == len(family) > 1:
            joined[parent] = Part("\n".join(texts[child] for child in family), np.concatenate(tokens))
    scores = list(map(float, ask.reranker.scores(ask.encoded, [*parts.values(), *joined.values()])))
    alone = dict(zip(parts, scores, strict=False))
    whole = dict(zip(joined, scores[len(parts) :], strict=True))
    judged: dict[int, Judged] = {}
    for parent, family in families.items():
        first, *others = sorted(family, key=lambda child: -alone[child])
        second = alone[others[0]] if others else alone[first] - ALONE
        judged[parent] = Judged(alone[first], first, second, whole.get(parent, alone[first]))
    return judged


# -- signals, and their weighted sum

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


def ranking_scores(contest: Contest) -> dict[int, float]:
    """Return the weighted sum of the signals of every candidate."""
    counts: Mapping[str, float] = shipped("retrieval/ranking")["ranking"]
    return {
        chunk: sum(counts.get(name, 0.0) * value for name, value in found.items())
        for chunk, found in signals(contest).items()
    }


def signals(contest: Contest) -> dict[int, dict[str, float]]:
    """Return the named signals of every candidate."""
    k, suits = contest.rrf_k, shipped("retrieval/ranking")["kinds"].get(contest.intent, ())
    reranked = {chunk: judged.score for chunk, judged in contest.judged.items()}
    best = max(reranked.values(), default=0.0)  # so that any reranker's scale becomes 0 and less
    spread = max(best - min(reranked.values()), 1e-6) if reranked else 1.0
    # the share of each document and section in the first candidates of all searches
    documents: Counter[str] = Counter()
    sections: Counter[tuple[str, ...]] = Counter()
    for ranks in contest.ranks.values():
        for chunk, rank in ranks.items():
            if rank <= TOP and (item := contest.chunks.get(chunk)):
                documents[item.document] += 1
                sections[section_of(item)] += 1
    total, most = max(documents.total(), 1), max(sections.values(), default=1)
    # how well the best place stands that leads to a chunk, by the kind of step
    strength = {**scaled(contest.standing), **dict.fromkeys(contest.asked, 1.0)}
    links: dict[str, dict[int, float]] = {name: {} for name in ("link", "held", "term", "beside")}
    for edge in contest.edges:
        side = links["held" if edge.kind in HOSTING else edge.kind if edge.kind in links else "link"]
        side[edge.target] = max(side.get(edge.target, 0.0), strength.get(edge.source, 0.0))
    return {
        chunk: {
            **{
                n: k / (k + ranks[chunk] - 1) if chunk in ranks else 0.0 for n, ranks in contest.ranks.items()
            },
            "rerank": (reranked[chunk] - best) / spread if chunk in reranked else -1.0,
            "document": documents[item.document] / total,
            "section": sections[section_of(item)] / most,
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


# -- features, one row for each candidate in one order, and the forest over them

KINDS: tuple[str, ...] = get_args(PlaceKind)
INTENTS = get_args(Intent)
MEASURED = (
    "covered", "covered_head", "covered_part", "similarity", "cosine", "similar_whole", "similar_second",
)  # fmt: skip
AROUND = ("document_best", "beside_best", "links")  # of the places that a candidate stands among
NAMES = (
    *SIGNALS,
    *MEASURED,
    *(f"below_{name}" for name in MEASURED),
    *AROUND,
    "length",
    *(f"kind_{kind}" for kind in KINDS),
    *(f"intent_{intent}" for intent in INTENTS),
    "ideas",
    "measures",
)
PARTS = 40  # parts of a place whose words are read
APART = -0.5  # of a candidate that stands beside no other one


@mechanism("rank.forest", without=lambda _ask, _found, contest: ranking_scores(contest))
def scores(ask: Ask, found: Found, contest: Contest) -> dict[int, float]:
    """Return the learned score of every candidate, the weighted one where the question names a place.

    A question that names a place is about that place and what it leads to: there the weighted sum is
    better (complete@10 0.895 against 0.842 on the 38 judged questions of this style), as it was fitted
    with such questions and the forest saw few.
    """
    if contest.asked:
        return ranking_scores(contest)
    learned = _forest().scores(rows(ask, found, contest))
    return dict(zip(contest.chunks, map(float, learned), strict=True))


@cache
def _forest() -> Trees:
    return Trees(data_folder() / "retrieval" / "ranker.onnx", NAMES)


def rows(ask: Ask, found: Found, contest: Contest) -> Floats:
    """Return the features [candidates, NAMES] in the order of the contest's chunks."""
    if not contest.chunks:
        return np.zeros((0, len(NAMES)), dtype=np.float32)
    named, covered, around = signals(contest), _covered(ask, contest), _around(contest)
    cosines: dict[int, float] = {}  # the best of the parts of each place that the search by meaning met
    for child, parent in ask.store.parents(list(found.cosines)).items():
        cosines[parent] = max(cosines.get(parent, 0.0), found.cosines[child])
    query = ask.question.query
    asked = [float(query.intent == known) for known in INTENTS]
    asked += [float(len(ask.question.groups)), float(bool(query.kinds))]
    first, measured, rest = [], [], []
    for number, item in contest.chunks.items():
        own, judged = covered[number], contest.judged.get(number, UNJUDGED)
        first.append([named[number].get(name, 0.0) for name in SIGNALS])
        similar = (judged.score, cosines.get(number, 0.0), judged.whole, judged.second)
        measured.append((own.whole, own.head, own.part, *similar))
        kinds = (float(item.chunk.kind == kind) for kind in KINDS)
        rest.append([*around[number], math.log1p(len(item.chunk.passage.text)), *kinds, *asked])
    here = np.array(measured, dtype=np.float32)
    below = here - here.max(axis=0)
    return np.hstack([np.array(first, dtype=np.float32), here, below, np.array(rest, dtype=np.float32)])


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


def _covered(ask: Ask, contest: Contest) -> dict[int, Coverage]:
    """Return what each candidate covers of the question, read in its own words and those of its parts."""
    families = {parent: kids[:PARTS] for parent, kids in ask.store.chunk_children(contest.chunks).items()}
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


# -- the chance that the documents bear on a question at all

READ = 5  # first places whose words may cover those of the question


def relevance(signals: Mapping[str, float]) -> float:
    """Return the chance from 0 to 1; a signal without a coefficient does not count."""
    known = shipped("retrieval/ranking")["relevance" if "cosine" in signals else "relevance_by_words"]
    return chance_of(known["intercept"], known, signals)


def chance_of(intercept: float, weights: Mapping[str, float], signals: Mapping[str, float]) -> float:
    """Return the chance (0..1) of a logistic model; a signal without a weight does not count."""
    total = intercept + sum(weight * signals.get(name, 0.0) for name, weight in weights.items())
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


def relevance_signals(
    ask: Ask, first: Sequence[StoredChunk], cosines: Iterable[float], judged: Iterable[float]
) -> dict[str, float]:
    """Return the signals: nearness of the best places and the share of the question's weight they cover.

    Where no place has a cosine there is no such signal. "known" is the share, by rarity, of the question's
    ideas whose own word the library holds.
    """
    question, stems, held = ask.question, ask.index.stems, ask.index.vocabulary.chunks
    rarity = weights(question, ask.index.vocabulary)
    total = sum(rarity[group.stem] for group in question.groups)
    known = sum(rarity[group.stem] for group in question.groups if group.stem in held)
    near = list(cosines)
    covered = [share(question, rarity, stems.head(item) | stems.body(item)) for item in first[:READ]]
    return {
        **({"cosine": max(near)} if near else {}),
        "rerank": max(judged, default=0.0),
        "covered": max(covered, default=0.0),
        "known": known / total if total else 0.0,
    }
