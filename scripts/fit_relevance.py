# ruff: noqa: INP001, T201 - a script that prints
"""Fit the chance that the documents bear on a question, [relevance] of data/retrieval/ranking.toml.

    python scripts/fit_relevance.py LIBRARY QUESTIONS.jsonl... --off-topic QUESTIONS.txt [--by-words]

With `--by-words` it fits [relevance_by_words]: no model is loaded, so that meaning is not searched.

A logistic fit of answerable questions against unanswerable and off-topic ones (one question a line),
reported on documents left out of the fit, then fitted on all; the table is printed for copying, nothing
is overwritten.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fitting import explored
from numpy.typing import NDArray

from appliance.evaluation.questions import Question
from appliance.retrieval.search import signals_of_relevance
from appliance.training.answer_fitting import logistic
from appliance.training.sources import WRITTEN, read_asked

RELEVANCE = ("cosine", "rerank", "covered")
BY_WORDS = ("covered",)
PENALTY = 1e-3  # of squared weights
OFF_TOPIC, UNANSWERABLE = 0.35, 0.15  # shares of the weight of all questions
FOLDS = 5  # of the off-topic questions, which have no document
ON_TOPIC = 0.69  # of the questions asked in practice, assumed; moves the intercept alone

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """One question that names no place: its signals of relevance, and whether it can be answered."""

    document: str
    relevance: Floats
    kind: str  # "answerable", "unanswerable", "off topic"


def main() -> None:
    """Print the fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("library", type=Path)
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--off-topic", type=Path, required=True)
    parser.add_argument("--by-words", action="store_true")
    given = parser.parse_args()
    lines = given.off_topic.read_text(encoding="utf-8").splitlines()
    named = ((f"fold {number % FOLDS}", line) for number, line in enumerate(lines) if line.strip())
    off = [Question("", line, type=WRITTEN, documents=(fold,)) for fold, line in named]
    names = BY_WORDS if given.by_words else RELEVANCE
    print_relevance(list(gather(given.library, [*read_asked(given.questions), *off], names)), names)


def gather(library: Path, asked: Sequence[Question], names: Sequence[str]) -> Iterator[Case]:
    """Yield the case of every question; one that names a place surely bears on it and is left out."""
    for one, outcome in explored(library, asked, by_words=names == BY_WORDS):
        if not outcome.named.first:
            relevance = signals_of_relevance(outcome)
            kind = "answerable" if one.gold else "unanswerable" if one.type != WRITTEN else "off topic"
            yield Case(one.documents[0], np.array([relevance[name] for name in names]), kind)


def print_relevance(cases: Sequence[Case], names: Sequence[str]) -> None:
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
    print(f"[relevance{'_by_words' * (names == BY_WORDS)}]\nintercept = {intercept:.2f}")
    for name, coefficient in zip(names, coefficients, strict=True):
        print(f"{name} = {coefficient:.2f}")


def fit_relevance(cases: Sequence[Case]) -> Floats:
    """Return intercept and coefficients [1 + signals], the intercept moved to the assumed share."""
    shares = {"answerable": 0.5, "unanswerable": UNANSWERABLE, "off topic": OFF_TOPIC}
    kinds = [case.kind for case in cases]
    weight = np.array([shares[kind] / kinds.count(kind) for kind in kinds])
    weight /= weight.sum()
    answer = [kind == "answerable" for kind in kinds]
    rows = np.array([case.relevance for case in cases])
    intercept, slopes = logistic(rows, answer, 2 * PENALTY, weight)
    prior = float(np.log(ON_TOPIC / (1 - ON_TOPIC)))
    return np.concatenate(([intercept + prior], slopes))


if __name__ == "__main__":
    main()
