# ruff: noqa: INP001, T201 - a script that prints
"""Fit the weights of data/retrieval/ranking.toml to judged questions.

    python scripts/fit_ranking.py LIBRARY QUESTIONS.jsonl... --off-topic QUESTIONS.txt

Every question is searched once with the weights at hand; its candidates' signals are kept. The ranking
is fitted as a softmax over the candidates of each question (each gold place against everything that
covers none), weights not below 0. Relevance is a logistic fit of answerable questions against
unanswerable and off-topic ones (one question a line). Both are reported on documents left out of the
fit, then fitted on all; the tables are printed for copying, nothing is overwritten.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from appliance.evaluation.judged import Question, load_questions
from appliance.evaluation.places import covers
from appliance.models.catalogue import load_embedder, load_reranker
from appliance.retrieval import ranking
from appliance.retrieval.assemble import signals_of_relevance
from appliance.retrieval.places import place
from appliance.retrieval.search import explore, prepare
from appliance.settings import Settings
from appliance.store.read import open_library

RELEVANCE = ("cosine", "rerank", "covered")
PENALTY = 1e-3  # of squared weights
OFF_TOPIC, UNANSWERABLE = 0.35, 0.15  # shares of the weight of all questions in the relevance fit
ON_TOPIC = 0.69  # of the questions asked in practice, assumed; moves the intercept alone
K = 10

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One question: signals [candidates, signals], what each candidate covers [candidates, gold]."""

    document: str
    signals: Floats
    covered: NDArray[np.bool_]
    named: NDArray[np.bool_]
    relevance: Floats
    kind: str  # "answerable", "unanswerable", "off topic"


def main() -> None:
    """Print both fits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("library", type=Path)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--off-topic", type=Path, required=True)
    given = parser.parse_args()
    lines = given.off_topic.read_text(encoding="utf-8").splitlines()
    off = [Question(f"off-{n}", line, type="off topic") for n, line in enumerate(lines) if line.strip()]
    cases = gather(given.library, [*load_questions(given.questions), *off])
    print_ranking([case for case in cases if case.kind == "answerable"])
    print_relevance([case for case in cases if not case.named.any()])


def gather(library: Path, questions: Sequence[Question]) -> list[Case]:
    """Return the case of every question."""
    settings = Settings()
    embedder = load_embedder(settings.models)
    reranker = load_reranker(settings.models, embedder)
    with open_library(library) as store:
        found = []
        for number, question in enumerate(questions):
            outcome = explore(prepare(store, embedder, reranker, question.question, settings.search))
            signals = ranking.signals(outcome.contest, ranking.load_weights())
            shown = [place(item, 0.0, ()) for item in outcome.contest.chunks.values()]
            relevance = signals_of_relevance(outcome)
            kind = question.type if question.type == "off topic" else "unanswerable"
            found.append(
                Case(
                    question.documents[0] if question.documents else f"fold {number % 5}",
                    np.array([[signals[c][n] for n in ranking.SIGNALS] for c in outcome.contest.chunks]),
                    np.array([[covers(item, gold) for gold in question.gold] for item in shown], dtype=bool),
                    np.array([c in outcome.named.first for c in outcome.contest.chunks]),
                    np.array([relevance[name] for name in RELEVANCE]),
                    "answerable" if question.answerable else kind,
                )
            )
    return found


def print_ranking(cases: Sequence[Case]) -> None:
    """Fit and report the ranking."""
    held_out = []
    for document in sorted({case.document for case in cases}):
        weights = fit_ranking([case for case in cases if case.document != document])
        held_out += [complete(case, weights) for case in cases if case.document == document]
    print(f"# complete@{K} on documents left out: {np.mean(held_out):.3f} ({len(held_out)} questions)")
    print("[ranking]")
    for name, weight in zip(ranking.SIGNALS, fit_ranking(cases), strict=True):
        print(f"{name} = {weight:.2f}")


def fit_ranking(cases: Sequence[Case]) -> Floats:
    """Return the weights [signals]."""
    usable = [case for case in cases if case.covered.any()]

    def loss(weights: Floats) -> tuple[float, Floats]:
        total, slope = 0.0, np.zeros_like(weights)
        for case in usable:
            value, gradient = _softmax_loss(case, weights)
            total, slope = total + value, slope + gradient
        count = len(usable)
        return total / count + PENALTY * float(weights @ weights), slope / count + 2 * PENALTY * weights

    return _minimum(loss, np.ones(len(ranking.SIGNALS)), bounded=True)


def _softmax_loss(case: Case, weights: Floats) -> tuple[float, Floats]:
    """Return loss and gradient of one question: each gold place against all that covers nothing."""
    total, slope = 0.0, np.zeros_like(weights)
    idle = ~case.covered.any(axis=1)
    golds = [right for right in case.covered.T if right.any()]
    for right in golds:
        rows = case.signals[idle | right]
        score = rows @ weights
        chance = np.exp(score - score.max())
        chance /= chance.sum()
        among = np.where(right[idle | right], chance, 0.0)
        total -= float(np.log(among.sum())) / len(golds)
        slope -= (among / among.sum() - chance) @ rows / len(golds)
    return total, slope


def complete(case: Case, weights: Floats) -> bool:
    """Tell whether the first K places cover every gold place."""
    order = np.argsort(-(case.signals @ weights + 1e3 * case.named), kind="stable")[:K]
    return bool(case.covered[order].any(axis=0).all())


def print_relevance(cases: Sequence[Case]) -> None:
    """Fit and report relevance."""
    kinds = np.array([case.kind for case in cases])
    chance = np.zeros(len(cases))
    documents = np.array([case.document for case in cases])
    for document in sorted(set(documents)):
        fitted = fit_relevance([case for case in cases if case.document != document])
        chance[documents == document] = [
            1 / (1 + np.exp(-(case.relevance @ fitted[1:] + fitted[0])))
            for case in cases
            if case.document == document
        ]
    for limit in (0.2, 0.35, 0.5):
        shares = {
            kind: round(float((chance[kinds == kind] < limit).mean()), 3) for kind in sorted(set(kinds))
        }
        print(f"# below {limit} on documents left out: {shares}")
    intercept, *coefficients = fit_relevance(cases)
    print(f"[relevance]\nintercept = {intercept:.2f}")
    for name, coefficient in zip(RELEVANCE, coefficients, strict=True):
        print(f"{name} = {coefficient:.2f}")


def fit_relevance(cases: Sequence[Case]) -> Floats:
    """Return intercept and coefficients [1 + signals], the intercept moved to the assumed share."""
    shares = {"answerable": 0.5, "unanswerable": UNANSWERABLE, "off topic": OFF_TOPIC}
    kinds = [case.kind for case in cases]
    weight = np.array([shares[kind] / kinds.count(kind) for kind in kinds])
    weight /= weight.sum()
    answer = np.array([kind == "answerable" for kind in kinds], dtype=float)
    rows = np.array([case.relevance for case in cases])
    middle, spread = rows.mean(axis=0), rows.std(axis=0)
    scaled = (rows - middle) / spread

    def loss(b: Floats) -> tuple[float, Floats]:
        z = scaled @ b[1:] + b[0]
        chance = 1 / (1 + np.exp(-z))
        value = float((weight * (np.logaddexp(0, z) - answer * z)).sum() + PENALTY * (b[1:] @ b[1:]))
        slope = weight * (chance - answer)
        return value, np.concatenate(([slope.sum()], scaled.T @ slope + 2 * PENALTY * b[1:]))

    b = _minimum(loss, np.zeros(rows.shape[1] + 1), bounded=False)
    slopes = b[1:] / spread
    prior = float(np.log(ON_TOPIC / (1 - ON_TOPIC)))
    return np.concatenate(([b[0] - slopes @ middle + prior], slopes))


def _minimum(loss: Callable[[Floats], tuple[float, Floats]], start: Floats, *, bounded: bool) -> Floats:
    bounds = [(0.0, None)] * len(start) if bounded else None
    found: Floats = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return found


if __name__ == "__main__":
    main()
