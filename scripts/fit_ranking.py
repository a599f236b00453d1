# ruff: noqa: INP001, T201 - a script that prints
"""Train the order of the candidates on judged questions, and say what it is worth on unseen documents.

    python scripts/fit_ranking.py gather LIBRARY QUESTIONS... --into FILE.npz
    python scripts/fit_ranking.py train FILE.npz... --judged FILE.npz [--output data/retrieval/ranker.onnx]

`gather` searches every question once with the plain weighted sum and keeps the features of its
candidates with what each covers. `train` fits a forest with LambdaMART (Burges, "From RankNet to
LambdaRank to LambdaMART", MSR-TR-2010-82; LightGBM) and the plain weights by a softmax over the
candidates of each question. Both are judged on the questions of `--judged`, in folds that leave whole
documents out; then both are fitted on everything: the forest is written, the weights are printed for
data/retrieval/ranking.toml. Features that can only speak for a candidate are held monotone, so that the
forest cannot learn that a better match is worse. Seeded: the same files give the same forest.

Questions are read as training/sources.py says. Needs the `train` extra.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import lightgbm
import numpy as np
from fitting import explored
from numpy.typing import NDArray
from scipy.optimize import minimize

from appliance.core.files import shipped
from appliance.core.mechanisms import without
from appliance.evaluation.places import covers
from appliance.evaluation.questions import Question
from appliance.retrieval.rank import model
from appliance.retrieval.search_context import place
from appliance.training.answer_fitting import write_forest
from appliance.training.sources import read_asked

NAMES = model.NAMES
SIGNALS = len(model.SIGNALS)
ROUNDS = 300
KEPT = 50  # candidates of a question that are learned from, by the plain weighted sum
FOLDS = 4
PENALTY = 1e-3  # of squared weights
CUTS = (5, 10, 20)
EITHER_WAY = frozenset({"length", "ideas", "measures", "links"})  # more of them may speak for or against


def rising(feature: str) -> bool:
    """Tell whether more of a feature can only speak for a candidate."""
    return not feature.startswith(("kind_", "intent_")) and feature not in EITHER_WAY


BOOSTING = {
    "objective": "lambdarank",
    "num_leaves": 12,
    "learning_rate": 0.06,
    "min_data_in_leaf": 60,
    "lambdarank_truncation_level": 15,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "monotone_constraints": [int(rising(name)) for name in NAMES],
    "deterministic": True,
    "force_row_wise": True,
    "seed": 1,
    "verbose": -1,
}
Floats = NDArray[np.float32]
Weights = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One question: features [candidates, features], what each covers [candidates, wanted]."""

    document: str
    rows: Floats
    covered: NDArray[np.bool_]
    named: NDArray[np.bool_]

    @property
    def right(self) -> NDArray[np.bool_]:
        """Tell which candidates cover something wanted."""
        return np.asarray(self.covered.any(axis=1))


def main() -> None:
    """Gather features, or train on them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    first = steps.add_parser("gather", help="search the questions and keep what is known of each candidate")
    first.add_argument("library", type=Path)
    first.add_argument("questions", type=Path, nargs="+")
    first.add_argument("--into", type=Path, required=True)
    second = steps.add_parser("train", help="fit, judge on documents left out, write the forest")
    second.add_argument("cases", type=Path, nargs="*")
    second.add_argument("--judged", type=Path, required=True)
    second.add_argument("--output", type=Path)
    given = parser.parse_args()
    if given.step == "gather":
        with without({"rank.forest"}):
            save(given.into, list(gather(given.library, list(read_asked(given.questions)))))
    else:
        train([case for path in given.cases for case in load(path)], load(given.judged), given.output)


def gather(library: Path, asked: Sequence[Question]) -> Iterator[Case]:
    """Yield the case of every answerable question that can be searched."""
    for one, outcome in explored(library, [one for one in asked if one.gold]):
        shown = [place(item, 0.0, ()) for item in outcome.contest.chunks.values()]
        yield Case(
            one.documents[0],
            model.rows(outcome.ask, outcome.found, outcome.contest),
            np.array([[covers(item, wanted) for wanted in one.gold] for item in shown], dtype=bool),
            np.array([chunk in outcome.named.first for chunk in outcome.contest.chunks]),
        )


def save(path: Path, cases: Sequence[Case]) -> None:
    """Write cases with the names of their features."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for number, case in enumerate(cases):
        arrays[f"{number}.rows"], arrays[f"{number}.covered"] = case.rows, case.covered
        arrays[f"{number}.named"] = case.named
    arrays |= {"documents": np.array([case.document for case in cases]), "names": np.array(NAMES)}
    np.savez_compressed(path, allow_pickle=False, **arrays)


def load(path: Path) -> list[Case]:
    """Return the cases of a file; ends where they were gathered with other features."""
    with np.load(path) as held:
        if tuple(held["names"]) != NAMES:
            message = f"{path} holds other features; gather it again."
            raise SystemExit(message)
        return [
            Case(str(document), held[f"{number}.rows"], held[f"{number}.covered"], held[f"{number}.named"])
            for number, document in enumerate(held["documents"])
        ]


def train(more: Sequence[Case], judged: Sequence[Case], output: Path | None) -> None:
    """Print what forest and weights are worth on documents left out, and write the forest."""
    documents = sorted({case.document for case in judged})
    found: dict[str, list[tuple[float, ...]]] = {"weights": [], "forest": []}
    for fold in (documents[start::FOLDS] for start in range(FOLDS)):
        known = [case for case in (*more, *judged) if case.document not in fold]
        unseen = [case for case in judged if case.document in fold]
        weights, forest = fit_weights(known), fit_forest(known)
        found["weights"] += [measure(case, case.rows[:, :SIGNALS] @ weights) for case in unseen]
        found["forest"] += [measure(case, np.asarray(forest.predict(case.rows))) for case in unseen]
    print(f"on documents left out ({len(judged)} questions): complete@5, @10, @20, any@5")
    for name, figures in found.items():
        print(f"{name:8}", *(f"{value:.3f}" for value in np.mean(figures, axis=0)))
    everything = [*more, *judged]
    print("[ranking]")
    for name, weight in zip(model.SIGNALS, fit_weights(everything), strict=True):
        print(f"{name} = {weight:.2f}")
    if output:
        write_forest(fit_forest(everything), NAMES, output)
        print(f"{output}: {output.stat().st_size} bytes, {len(everything)} questions")


def measure(case: Case, scores: NDArray[np.float64]) -> tuple[float, ...]:
    """Return complete@k for every cut and any@5 of an order by score, places named by their label first."""
    order = np.argsort(-(scores + 1e6 * case.named), kind="stable")
    complete = [float(case.covered[order[:cut]].any(axis=0).all()) for cut in CUTS]
    return (*complete, float(case.covered[order[:5]].any()))


def fit_forest(cases: Sequence[Case]) -> lightgbm.Booster:
    """Return a forest trained on the best candidates of each question and all that are right."""
    plain = np.array([shipped("retrieval/ranking")["ranking"].get(name, 0.0) for name in model.SIGNALS])
    rows, right, groups = [], [], []
    for case in cases:
        if not case.right.any():
            continue
        kept = case.right.copy()
        kept[np.argsort(-(case.rows[:, :SIGNALS] @ plain), kind="stable")[:KEPT]] = True
        rows.append(case.rows[kept])
        right.append(case.right[kept])
        groups.append(int(kept.sum()))
    data = lightgbm.Dataset(np.vstack(rows), np.concatenate(right).astype(int), group=groups)
    return lightgbm.train(BOOSTING, data, num_boost_round=ROUNDS)


def fit_weights(cases: Sequence[Case]) -> Weights:
    """Return the weights [signals], none below 0."""
    usable = [case for case in cases if case.right.any()]

    def loss(weights: Weights) -> tuple[float, Weights]:
        total, slope = 0.0, np.zeros_like(weights)
        for case in usable:
            value, gradient = _softmax_loss(case, weights)
            total, slope = total + value, slope + gradient
        count = len(usable)
        return total / count + PENALTY * float(weights @ weights), slope / count + 2 * PENALTY * weights

    bounds = [(0.0, None)] * SIGNALS
    found: Weights = minimize(loss, np.ones(SIGNALS), jac=True, method="L-BFGS-B", bounds=bounds).x
    return found


def _softmax_loss(case: Case, weights: Weights) -> tuple[float, Weights]:
    """Return loss and gradient of one question: each wanted place against all that covers nothing."""
    total, slope = 0.0, np.zeros_like(weights)
    idle = ~case.right
    wanted = [right for right in case.covered.T if right.any()]
    for right in wanted:
        rows = case.rows[idle | right][:, :SIGNALS].astype(np.float64)
        score = rows @ weights
        chance = np.exp(score - score.max())
        chance /= chance.sum()
        among = np.where(right[idle | right], chance, 0.0)
        total -= float(np.log(among.sum())) / len(wanted)
        slope -= (among / among.sum() - chance) @ rows / len(wanted)
    return total, slope


if __name__ == "__main__":
    main()
