# ruff: noqa: INP001, T201 - a script that prints
"""Compare other orders and other ways to find with what ships, over searches that gather_orders.py kept.

    python scripts/compare_orders.py FILE.npz [--learn FILE.npz...] [--flat] [--seeds 3] [--unlearned]

Forests with features of words beside those that ship (LambdaMART, the parameters of fit_ranking.py), learned
from FILE in folds that leave documents out (of a flat collection a quarter of the questions) and from all of
`--learn`; a sum beside the forest; feedback (Rocchio, likeness to the first three); scores smoothed over the
nearest candidates (Diaz, CIKM 2005); neighbours of the first places let in (GAR); what fusing the searches
gives, RM3 among them. With --flat recall@10, MAP@10, nDCG@10; else complete@5, @10, @20 and any@5.
Places that a question names come first in every order. Needs the extra `train`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import lightgbm
import numpy as np
from fit_ranking import BOOSTING, FOLDS, KEPT, ROUNDS
from gather_orders import WAYS, WORDS, Case, load
from numpy.typing import NDArray

from appliance.core.settings import SearchSettings
from appliance.retrieval.channels.gather import best_first, reciprocal, scaled
from appliance.retrieval.rank import features, model

Floats = NDArray[np.float64]
Order = Callable[[Case], Floats]  # a score for each candidate, the greatest first
Way = tuple[str, Order]
SIGNALS = len(model.SIGNALS)
NAMES = model.names()
SUMMED = {"rerank": 1.0, "parent_words": 0.5, "child_words": 0.3, "dense": 0.3}
NEAREST, FIRST = 5, 3
RM3 = "rm3 0.5"


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cases", type=Path)
    parser.add_argument("--learn", type=Path, nargs="*", default=[])
    parser.add_argument("--flat", action="store_true")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument(
        "--unlearned", action="store_true", help="learn nothing from FILE: it may not be trained on"
    )
    given = parser.parse_args()
    cases, measured = load(given.cases), flat if given.flat else complete
    more = [case for path in given.learn for case in load(path)]
    print(
        f"{len(cases)} questions: "
        + ("recall@10, MAP@10, nDCG@10" if given.flat else "complete@5, @10, @20, any@5")
    )
    for name, pool in pools().items():
        held = [case.covered[pool(case)].any(axis=0) for case in cases]
        share = np.mean(
            [
                one.sum() / case.wanted if given.flat else one.all()
                for one, case in zip(held, cases, strict=True)
            ]
        )
        print(f"found at all, {name}: {share:.3f}")
    for name, order in [*fused_ways(), *orders()]:
        show(name, [[measured(case, order(case)) for case in cases]])
    for words in (False, True):
        name = f"forest of {len(NAMES) + words * len(WORDS)} features"
        seeds = range(1, given.seeds + 1)
        if not given.unlearned:
            show(f"{name}, learned in folds", [list(folded(cases, words, seed, measured)) for seed in seeds])
        if more:
            forests = [forest(more, words, seed) for seed in seeds]
            scored = [[measured(case, predicted(one, case, words)) for case in cases] for one in forests]
            show(f"{name}, learned from the others", scored)


def show(name: str, runs: Sequence[Sequence[tuple[float, ...]]]) -> None:
    """Print the mean over the questions, of several seeds half the distance of the least and greatest too."""
    means = np.array([np.mean(run, axis=0) for run in runs])
    spread = (means.max(axis=0) - means.min(axis=0)) / 2
    cells = [
        f"{mean:.3f}" + (f" ± {half:.3f}" if len(runs) > 1 else "")
        for mean, half in zip(means.mean(axis=0), spread, strict=True)
    ]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


# -- what an order is worth


def ordered(case: Case, scores: Floats) -> list[int]:
    """Return the candidates that have a score, those that the question names first."""
    order = np.argsort(-(scores + 1e6 * case.named), kind="stable")
    return [int(place) for place in order if np.isfinite(scores[place])]


def complete(case: Case, scores: Floats) -> tuple[float, ...]:
    """Return whether all wanted places are among the first 5, 10, 20, and any among the first five."""
    covered = case.covered[ordered(case, scores)]
    return (*(float(covered[:cut].any(axis=0).all()) for cut in (5, 10, 20)), float(covered[:5].any()))


def flat(case: Case, scores: Floats) -> tuple[float, ...]:
    """Return recall, mean average precision, nDCG over ten passages, each where its first piece is."""
    gains, seen = [], np.zeros(case.wanted, dtype=bool)
    passages: set[int] = set()
    for place in ordered(case, scores):
        if case.passage[place] in passages:
            continue
        passages.add(int(case.passage[place]))
        gains.append(bool((case.covered[place] & ~seen).any()))
        seen |= case.covered[place]
        if len(gains) == 10:
            break
    ranks = [rank for rank, gain in enumerate(gains, 1) if gain]
    precision = sum(number / rank for number, rank in enumerate(ranks, 1)) / case.wanted
    ideal = sum(1 / np.log2(1 + rank) for rank in range(1, min(case.wanted, 10) + 1))
    return len(ranks) / case.wanted, precision, sum(1 / np.log2(1 + rank) for rank in ranks) / ideal


# -- what is found


def pools() -> dict[str, Callable[[Case], NDArray[np.bool_]]]:
    """Return which candidates compete: as it ships, with neighbours, with the first fifty of RM3."""
    return {
        "as it ships": lambda case: case.known,
        "neighbours let in": lambda case: np.isfinite(case.wide),
        RM3: lambda case: case.known | np.isin(np.arange(len(case.known)), case.ranked[WAYS.index(RM3)][:50]),
    }


# -- what fuses


def fused_ways() -> Iterator[Way]:
    """Yield single searches and ways to fuse them, RM3 in the place of the words or beside them."""
    k = SearchSettings().rrf_k
    yield ("by words", lambda case: by_rank(case, {"parent_words": 1.0}, k))
    yield ("by meaning", lambda case: by_rank(case, {"dense": 1.0}, k))
    yield ("fused, as it ships", lambda case: by_rank(case, {"fused": 1.0}, k))
    expansions = [name for name in WAYS if name.startswith("rm3")]
    for name in expansions:
        yield (f"by words, {name}", lambda case, name=name: by_rank(case, {name: 1.0}, k))  # type: ignore[misc] # a lambda with defaults
    for name in expansions:
        instead = {**model.FUSED, "parent_words": 0.0, name: model.FUSED["parent_words"]}
        beside = {**model.FUSED, name: 0.5}
        yield (f"fused, {name} for the words", lambda case, w=instead: by_rank(case, w, k))  # type: ignore[misc] # idem
        yield (f"fused, {name} beside", lambda case, w=beside: by_rank(case, w, k))  # type: ignore[misc] # idem
    for share in (0.2, 0.35, 0.5):
        yield (f"sum of scores, meaning {share}", lambda case, s=share: convex(case, s))  # type: ignore[misc] # idem


def by_rank(case: Case, weights: Mapping[str, float], k: int) -> Floats:
    """Return reciprocal rank fusion of the rankings that have a weight."""
    lines = [
        ([int(place) for place in case.ranked[WAYS.index(name)] if place >= 0], weight)
        for name, weight in weights.items()
        if weight
    ]
    found = reciprocal(lines, k)
    scores = np.full(len(case.known), -np.inf)
    for place, score in found.items():
        scores[place] = score
    return scores


def convex(case: Case, meaning: float) -> Floats:
    """Return the sum of BM25 and cosine, each brought to 0..1 over the candidates that the search knows."""
    near = case.vectors.astype(np.float64) @ case.asked
    known = np.flatnonzero(case.known)
    words, cosines = (
        scaled({int(place): float(values[place]) for place in known})
        for values in (spread(case, case.words[:, WORDS.index("bm25")]), near)
    )
    scores = np.full(len(case.known), -np.inf)
    for place in best_first(words):
        scores[place] = (1 - meaning) * words[place] + meaning * cosines[place]
    return scores


# -- what orders


def orders() -> Iterator[Way]:
    """Yield the shipped order, sums and feedback beside it, smoothed scores, neighbours let in."""
    yield ("shown, as it ships", lambda case: spread(case, case.score))
    yield ("neighbours of the first ten let in", lambda case: case.wide.astype(np.float64))
    for share in (0.2, 0.5):
        yield (f"{share} of a sum beside the forest", lambda case, s=share: beside(case, s, summed))  # type: ignore[misc] # a lambda with defaults
    for share in (0.1, 0.2):
        yield (f"{share} of Rocchio", lambda case, s=share: beside(case, s, rocchio))  # type: ignore[misc] # idem
        yield (f"{share} of likeness to the first three", lambda case, s=share: beside(case, s, likeness))  # type: ignore[misc] # idem
        yield (f"{share} of smoothing", lambda case, s=share: beside(case, s, smoothed))  # type: ignore[misc] # idem


def spread(case: Case, values: NDArray[np.float32]) -> Floats:
    """Return values of the candidates that the search knows over all of them."""
    scores = np.full(len(case.known), -np.inf)
    scores[case.known] = values
    return scores


def beside(case: Case, share: float, other: Order) -> Floats:
    """Return the z-score of the forest with a share of another one."""
    return spread(case, (standing(case.score) + share * standing(other(case))).astype(np.float32))


def standing(values: NDArray[np.floating]) -> Floats:
    """Return z-scores."""
    exact = np.asarray(values, dtype=np.float64)
    return np.asarray((exact - exact.mean()) / (exact.std() + 1e-9))


def summed(case: Case) -> Floats:
    """Return a sum of the searches' own signals and of the share of neighbouring words."""
    total = sum(weight * standing(case.rows[:, NAMES.index(name)]) for name, weight in SUMMED.items())
    return np.asarray(total + 0.5 * standing(case.words[:, WORDS.index("pairs")]))


def rocchio(case: Case) -> Floats:
    """Return the cosine to the question moved by the mean of the first three."""
    vectors = case.vectors[case.known].astype(np.float64)
    moved = case.asked + vectors[np.argsort(-case.score, kind="stable")[:FIRST]].mean(axis=0)
    return np.asarray(vectors @ moved)


def likeness(case: Case) -> Floats:
    """Return the mean cosine to the first three."""
    vectors = case.vectors[case.known].astype(np.float64)
    first = np.argsort(-case.score, kind="stable")[:FIRST]
    return np.asarray(vectors @ vectors[first].mean(axis=0))


def smoothed(case: Case) -> Floats:
    """Return the mean score of the nearest candidates."""
    vectors = case.vectors[case.known].astype(np.float64)
    near = vectors @ vectors.T
    np.fill_diagonal(near, -1.0)
    return np.asarray(
        standing(case.score)[np.argsort(-near, axis=1, kind="stable")[:, :NEAREST]].mean(axis=1)
    )


# -- what is learned


def folded(
    cases: Sequence[Case], words: bool, seed: int, measured: Callable[[Case, Floats], tuple[float, ...]]
) -> Iterator[tuple[float, ...]]:
    """Yield what each question is worth under a forest that has not seen its document, or its quarter."""
    documents = sorted({case.document for case in cases})
    numbers = {name: number for number, name in enumerate(documents)}
    parts = [
        (numbers[case.document] if len(documents) >= FOLDS else place) % FOLDS
        for place, case in enumerate(cases)
    ]
    for fold in range(FOLDS):
        one = forest([case for case, part in zip(cases, parts, strict=True) if part != fold], words, seed)
        for case, part in zip(cases, parts, strict=True):
            if part == fold:
                yield measured(case, predicted(one, case, words))


def forest(cases: Sequence[Case], words: bool, seed: int) -> lightgbm.Booster:
    """Return a forest of the best candidates of each question and all that are right, as fit_ranking.py."""
    plain = np.array([model.load_weights().ranking.get(name, 0.0) for name in model.SIGNALS])
    rows, right, groups = [], [], []
    for case in cases:
        good = np.asarray(case.covered[case.known].any(axis=1))
        if good.any():
            kept = good.copy()
            kept[np.argsort(-(case.rows[:, :SIGNALS] @ plain), kind="stable")[:KEPT]] = True
            rows.append(given(case, words)[kept])
            right.append(good[kept])
            groups.append(int(kept.sum()))
    rising = [*(int(features.rising(name)) for name in NAMES), *([1] * len(WORDS) * words)]
    data = lightgbm.Dataset(np.vstack(rows), np.concatenate(right).astype(int), group=groups)
    how = {**BOOSTING, "seed": seed, "monotone_constraints": rising, "num_threads": 1}
    return lightgbm.train(how, data, num_boost_round=ROUNDS)


def given(case: Case, words: bool) -> NDArray[np.float32]:
    """Return the features of the candidates that the search knows."""
    return np.hstack([case.rows, case.words]) if words else case.rows


def predicted(one: lightgbm.Booster, case: Case, words: bool) -> Floats:
    """Return a forest's score of every candidate."""
    return spread(case, np.asarray(one.predict(given(case, words)), dtype=np.float32))


if __name__ == "__main__":
    main()
